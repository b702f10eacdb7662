package avro

import (
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/format"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// kind is how a value is written, and what text it becomes.
type kind uint8

const (
	null kind = iota
	boolean
	integer // int
	long
	float
	double
	text
	octets // bytes
	fixed
	enum
	record
	array
	mapping
	union

	decimal // bytes; fixedDecimal is of fixed
	fixedDecimal
	fixedUUID
	date
	timeMillis
	timeMicros
	timestampMillis
	timestampMicros
	timestampNanos
	localMillis
	localMicros
	localNanos
	duration
)

// logical are the logical types that have a text of their own, by underlying type.
var logical = map[string]kind{
	"int date": date, "int time-millis": timeMillis, "long time-micros": timeMicros,
	"long timestamp-millis": timestampMillis, "long timestamp-micros": timestampMicros, "long timestamp-nanos": timestampNanos,
	"long local-timestamp-millis": localMillis, "long local-timestamp-micros": localMicros, "long local-timestamp-nanos": localNanos,
	"bytes decimal": decimal, "fixed decimal": fixedDecimal, "fixed uuid": fixedUUID, "fixed duration": duration,
}

var plain = map[string]kind{
	"null": null, "boolean": boolean, "int": integer, "long": long, "float": float, "double": double, "string": text, "bytes": octets,
	"fixed": fixed, "enum": enum, "record": record, "error": record, "array": array, "map": mapping, "union": union,
}

// shape is a schema as the walk needs it. It does not change, and all decoders share it. Shapes of a named type are one.
type shape struct {
	kind     kind
	fields   []field
	names    []string // of the fields
	docs     []string
	uuid     bool     // a text that is one
	inside   *shape   // of elements, or values
	branches []*shape // of a union
	symbols  [][]byte // of an enum
	height   int      // how deep others lie in it
	size     int      // of a fixed
	scale    int      // of a decimal
}

type field struct {
	key   []byte
	shape *shape
}

// parse makes the shape of a schema. references are schemas whose types it names; one that another needs comes before it.
func parse(schema string, references ...string) (*shape, error) {
	var cache avro.SchemaCache
	m := making{named: map[string]*shape{}, open: map[string]bool{}}
	for i, reference := range references {
		parsed, err := cache.Parse(reference)
		if err == nil {
			_, err = m.shape(parsed.Root(), 1)
		}
		if err != nil {
			return nil, fmt.Errorf("reference %d of the schema: %w", i+1, err)
		}
	}
	parsed, err := cache.Parse(schema)
	if err != nil {
		return nil, fmt.Errorf("this is not a valid Avro schema: %w", err)
	}
	s, err := m.shape(parsed.Root(), 1)
	if err != nil {
		return nil, err
	}
	if s.kind != record {
		return nil, errors.New("the schema is not a record, so its values have no names")
	}
	return s, nil
}

// making is a schema on its way to a shape.
type making struct {
	named     map[string]*shape
	open      map[string]bool // types that the present one lies in
	namespace string          // of the innermost of them
}

// full is the name of a type with its namespace; a type that is named elsewhere may leave out the one it is named in.
func (m *making) full(n *avro.SchemaNode, defined bool) string {
	if defined {
		if n.Name != "" && n.Namespace != "" && !strings.Contains(n.Name, ".") {
			return n.Namespace + "." + n.Name
		}
		return n.Name
	}
	if near := m.namespace + "." + n.Type; !strings.Contains(n.Type, ".") && m.named[near] != nil {
		return near
	}
	return n.Type
}

func (m *making) shape(n *avro.SchemaNode, depth int) (*shape, error) {
	if depth > format.MaxDepth {
		return nil, format.ErrDeep
	}
	k, known := plain[n.Type]
	name := m.full(n, known)
	if m.open[name] && name != "" {
		return nil, fmt.Errorf("the schema is recursive: %s contains itself, so its records have no fixed fields: let the producers leave that field out", name)
	}
	if s := m.named[name]; s != nil && name != "" {
		return s, nil
	}
	if !known {
		return nil, fmt.Errorf("the schema names the type %s and does not define it", name)
	}
	if own, found := logical[n.Type+" "+n.LogicalType]; found {
		k = own
	}
	s := &shape{kind: k, size: n.Size, scale: n.Scale, uuid: k == text && n.LogicalType == "uuid"}
	if name != "" {
		m.named[name], m.open[name] = s, true
		outer := m.namespace
		m.namespace = name[:max(0, strings.LastIndexByte(name, '.'))]
		defer func() { m.namespace = outer; delete(m.open, name) }()
	}
	if err := m.fill(s, n, depth); err != nil {
		return nil, err
	}
	for i := range s.fields {
		s.height = max(s.height, s.fields[i].shape.height+1)
	}
	for _, inner := range append(s.branches, s.inside) {
		if inner != nil {
			s.height = max(s.height, inner.height+1)
		}
	}
	if s.height > format.MaxDepth { // by names
		return nil, format.ErrDeep
	}
	return s, nil
}

// fill gives a shape what lies inside.
func (m *making) fill(s *shape, n *avro.SchemaNode, depth int) (err error) {
	switch s.kind {
	case record:
		for i := range n.Fields {
			f := field{key: []byte(n.Fields[i].Name)}
			if f.shape, err = m.shape(&n.Fields[i].Type, depth+1); err != nil {
				return err
			}
			s.fields, s.names, s.docs = append(s.fields, f), append(s.names, n.Fields[i].Name), append(s.docs, n.Fields[i].Doc)
		}
	case array:
		s.inside, err = m.shape(n.Items, depth+1)
	case mapping:
		s.inside, err = m.shape(n.Values, depth+1)
	case union:
		for i := range n.Branches {
			branch, err := m.shape(&n.Branches[i], depth+1)
			if err != nil {
				return err
			}
			s.branches = append(s.branches, branch)
		}
	case enum:
		for _, symbol := range n.Symbols {
			s.symbols = append(s.symbols, fields.Short(symbol))
		}
	case duration:
		if s.size != 12 {
			s.kind = fixed
		}
	case fixedUUID:
		if s.size != 16 {
			s.kind = fixed
		}
	}
	return err
}
