package jsonschema

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/format"
)

// node is a schema, as far as it describes values (JSON Schema, drafts 4 to 2020-12).
type node struct {
	Ref             string           `json:"$ref"`
	Type            types            `json:"type"`
	Enum            []any            `json:"enum"`
	Const           any              `json:"const"`
	Format          string           `json:"format"`
	ContentEncoding string           `json:"contentEncoding"`
	Title           string           `json:"title"`
	Description     string           `json:"description"`
	Properties      map[string]*node `json:"properties"`
	Required        []string         `json:"required"`
	AllOf           []*node          `json:"allOf"`
	AnyOf           []*node          `json:"anyOf"`
	OneOf           []*node          `json:"oneOf"`
	Definitions     map[string]*node `json:"definitions"`
	Defs            map[string]*node `json:"$defs"`

	root *node // of the document that it lies in: its references begin there
}

// UnmarshalJSON reads a schema; true and false are schemas, too, and describe nothing.
func (n *node) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return nil
	}
	type plain node
	var p plain
	err := json.Unmarshal(text, &p)
	*n = node(p)
	return err
}

// types is one type or several.
type types []string

// UnmarshalJSON reads either.
func (t *types) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		*t = types{""}
		return json.Unmarshal(text, &(*t)[0])
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// A schema may contain itself, several times in each of its parts.
const (
	maxDepth = 16
	maxSteps = 4 * format.MaxFields // schemas that are looked at
)

// description lists the fields of a schema.
type description struct {
	others map[string]*node // that the schema refers to, by the names that it has for them
	fields []format.Field
	steps  int
}

// goes says whether there is something left of maxSteps and maxDepth.
func (d *description) goes(depth int) bool {
	d.steps++
	return depth <= maxDepth && d.steps <= maxSteps
}

// resolve follows references, and what only wraps one schema.
func (d *description) resolve(n *node) *node {
	for range maxDepth {
		switch {
		case n == nil:
			return &node{}
		case n.Ref != "":
			n = d.target(n)
		case len(n.AllOf) == 1 && n.Type == nil && n.Properties == nil:
			n = n.AllOf[0]
		default:
			return n
		}
	}
	return &node{}
}

// target is what the reference of a schema names: a place in its own document or in another schema of the registry, nil if there is none. Places are
// definitions and properties; anchors are not looked for.
func (d *description) target(n *node) *node {
	document, pointer, _ := strings.Cut(n.Ref, "#")
	at := n.root
	if document != "" {
		at = d.others[document]
	}
	steps := strings.Split(pointer, "/")
	if steps[0] != "" || len(steps)%2 == 0 {
		return nil
	}
	for steps = steps[1:]; len(steps) > 0 && at != nil; steps = steps[2:] {
		name, err := url.PathUnescape(steps[1])
		if err != nil {
			return nil
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch steps[0] {
		case "$defs":
			at = at.Defs[name]
		case "definitions":
			at = at.Definitions[name]
		case "properties":
			at = at.Properties[name]
		default:
			return nil
		}
	}
	return at
}

// adopt notes the root of all that lies in a schema.
func (n *node) adopt(root *node) {
	if n == nil {
		return
	}
	n.root = root
	for _, named := range []map[string]*node{n.Properties, n.Definitions, n.Defs} {
		for _, inner := range named {
			inner.adopt(root)
		}
	}
	for _, inner := range slices.Concat(n.AllOf, n.AnyOf, n.OneOf) {
		inner.adopt(root)
	}
}

// object describes the members of an object below a field.
func (d *description) object(n *node, of format.Field, depth int) {
	if !d.goes(depth) {
		return
	}
	n = d.resolve(n)
	for _, part := range n.AllOf {
		d.object(part, of, depth+1)
	}
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		inside := format.Field{Name: name, Nullable: of.Nullable || !slices.Contains(n.Required, name)}
		if of.Name != "" {
			inside.Name = of.Name + "." + name
		}
		d.field(n.Properties[name], inside, depth+1)
	}
}

// field describes a member.
func (d *description) field(n *node, f format.Field, depth int) {
	if len(d.fields) >= format.MaxFields || !d.goes(depth) {
		return
	}
	if n != nil {
		f.Doc = strings.Join(strings.Fields(n.Description), " ")
	}
	alternatives := d.alternatives(n, &f, 0)
	if len(alternatives) == 1 && depth < maxDepth && (len(alternatives[0].Properties) > 0 || len(alternatives[0].AllOf) > 0) {
		d.object(alternatives[0], f, depth)
		return
	}
	f.Kind = format.Open
	for i, a := range alternatives {
		kind, symbols := kindOf(a)
		f.Symbols = append(f.Symbols, symbols...)
		if i == 0 {
			f.Kind = kind
		}
		f.Kind = either(f.Kind, kind)
	}
	if f.Kind != format.Symbol {
		f.Symbols = nil
	}
	d.fields = append(d.fields, f)
}

// either is what values of two kinds are together.
func either(a, b format.Kind) format.Kind {
	whole := func(k format.Kind) bool { return k == format.Integer || k == format.Number }
	switch {
	case a == b:
		return a
	case a == format.Open || b == format.Open:
		return format.Open
	case whole(a) && whole(b):
		return format.Number
	}
	return format.Text
}

// alternatives are the schemas that a value may have, each of one type, without null.
func (d *description) alternatives(n *node, f *format.Field, depth int) (all []*node) {
	n = d.resolve(n)
	if choices := slices.Concat(n.AnyOf, n.OneOf); len(choices) > 0 && d.goes(depth) {
		for _, one := range choices {
			all = append(all, d.alternatives(one, f, depth+1)...)
		}
		return all
	}
	if len(n.Type) == 0 {
		return []*node{n}
	}
	for _, t := range n.Type {
		if t == "null" {
			f.Nullable = true
			continue
		}
		one := *n
		one.Type = types{t}
		all = append(all, &one)
	}
	return all
}

// connected are titles that Kafka Connect gives to times, which it writes as numbers.
var connected = []string{"org.apache.kafka.connect.data.Timestamp", "org.apache.kafka.connect.data.Date", "org.apache.kafka.connect.data.Time"}

// kindOf is what the values of a schema of at most one type are.
func kindOf(n *node) (kind format.Kind, symbols []string) {
	values := n.Enum
	if n.Const != nil {
		values = append(slices.Clone(values), n.Const)
	}
	for _, value := range values {
		if text, is := value.(string); is {
			symbols = append(symbols, text)
		}
	}
	if len(symbols) > 0 {
		return format.Symbol, symbols
	}
	if slices.Contains(connected, n.Title) {
		return format.Time, nil
	}
	kind = format.Open
	if len(n.Type) > 0 {
		switch n.Type[0] {
		case "string":
			switch {
			case slices.Contains([]string{"date", "time", "date-time"}, n.Format):
				return format.Time, nil
			case n.Format == "uuid":
				return format.UUID, nil
			case n.ContentEncoding != "":
				return format.Bytes, nil
			}
			return format.Text, nil
		case "integer":
			return format.Integer, nil
		case "number":
			return format.Number, nil
		case "boolean":
			return format.Boolean, nil
		}
	}
	return kind, nil
}
