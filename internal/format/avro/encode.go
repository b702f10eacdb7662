package avro

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/format"
)

// encoder writes JSON objects as a schema says. Texts become numbers and booleans where the schema has those, since rows of CSV hold texts alone.
type encoder struct {
	schema  *avro.Schema
	root    *avro.SchemaNode
	named   map[string]*avro.SchemaNode
	missing []string // texts that stand for null
	frame   func(dst []byte, value any) ([]byte, error)
}

// NewEncoder returns an encoder of messages that begin with prefix, and go on in Avro's binary encoding. missing are texts that stand for null.
func NewEncoder(schema string, prefix []byte, missing []string) (format.Encoder, error) {
	e, err := newEncoder(schema, missing)
	if err != nil {
		return nil, err
	}
	e.frame = func(dst []byte, value any) ([]byte, error) {
		return e.schema.AppendEncode(append(dst, prefix...), value)
	}
	return e, nil
}

// NewSingleEncoder returns an encoder of Avro's single-object encoding.
func NewSingleEncoder(schema string, missing []string) (format.Encoder, error) {
	e, err := newEncoder(schema, missing)
	if err != nil {
		return nil, err
	}
	e.frame = func(dst []byte, value any) ([]byte, error) { return e.schema.AppendSingleObject(dst, value) }
	return e, nil
}

func newEncoder(text string, missing []string) (*encoder, error) {
	schema, err := avro.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("is not a valid Avro schema: %w", err)
	}
	e := &encoder{schema: schema, root: schema.Root(), named: map[string]*avro.SchemaNode{}, missing: missing}
	if e.root.Type != "record" {
		return nil, fmt.Errorf("is of type %s, not record", e.root.Type)
	}
	e.collect(e.root)
	return e, nil
}

// collect takes down the types that others name.
func (e *encoder) collect(n *avro.SchemaNode) {
	if n == nil {
		return
	}
	if n.Name != "" {
		e.named[n.Name] = n
		if n.Namespace != "" {
			e.named[n.Namespace+"."+n.Name] = n
		}
	}
	for i := range n.Fields {
		e.collect(&n.Fields[i].Type)
	}
	for i := range n.Branches {
		e.collect(&n.Branches[i])
	}
	e.collect(n.Items)
	e.collect(n.Values)
}

func (e *encoder) AppendMessage(dst, object []byte) ([]byte, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return dst, errors.New("is not a JSON object")
	}
	value, err := e.convert(e.root, value)
	if err != nil {
		return dst, err
	}
	message, err := e.frame(dst, value)
	if wrong, ok := errors.AsType[*avro.SemanticError](err); ok && wrong.Field != "" {
		return dst, fmt.Errorf("field %q does not fit the schema", wrong.Field)
	} else if err != nil {
		return dst, errors.New("does not fit the schema")
	}
	return message, nil
}

// within names the field of an error.
func within(field string, err error) error {
	if inner, ok := errors.AsType[*unfitted](err); ok {
		return &unfitted{field + "." + inner.field, inner.why}
	}
	return &unfitted{field, err.Error()}
}

// unfitted is a field whose value the schema cannot hold.
type unfitted struct{ field, why string }

func (u *unfitted) Error() string { return fmt.Sprintf("field %q: %s", u.field, u.why) }

// convert makes a value what the library takes for a type.
func (e *encoder) convert(n *avro.SchemaNode, value any) (any, error) {
	if target, named := e.named[n.Type]; named {
		n = target
	}
	text, isText := value.(string)
	if isText && slices.Contains(e.missing, text) && n.Type != "string" {
		value, isText = nil, false
	}
	if number, ok := value.(json.Number); ok {
		text = number.String()
	}
	switch n.Type {
	case "union":
		for i := range n.Branches {
			if value == nil && n.Branches[i].Type == "null" {
				return nil, nil //nolint:nilnil // null is a value
			}
		}
		for i := range n.Branches {
			if n.Branches[i].Type == "null" {
				continue
			}
			if converted, err := e.convert(&n.Branches[i], value); err == nil {
				return converted, nil
			}
		}
		return nil, errors.New("matches no type of its union")
	case "record":
		return e.record(n, value)
	case "array":
		elements, ok := value.([]any)
		for i := range elements {
			var err error
			if elements[i], err = e.convert(n.Items, elements[i]); err != nil {
				return nil, within(strconv.Itoa(i), err)
			}
		}
		return elements, unless(ok, "is not an array")
	case "map":
		members, ok := value.(map[string]any)
		for key := range members {
			var err error
			if members[key], err = e.convert(n.Values, members[key]); err != nil {
				return nil, within(key, err)
			}
		}
		return members, unless(ok, "is not an object")
	case "boolean":
		if b, ok := value.(bool); ok {
			return b, nil
		}
		return text == "true", unless(text == "true" || text == "false", "is not a boolean")
	case "string", "enum":
		if b, ok := value.(bool); ok {
			return strconv.FormatBool(b), nil
		}
		return text, unless(isText || text != "", "is not a text")
	case "int", "long", "float", "double":
		return number(n, text)
	case "bytes", "fixed":
		if n.LogicalType == "decimal" {
			rational, ok := new(big.Rat).SetString(text)
			return rational, unless(ok, "is not a number")
		}
		return []byte(text), unless(isText, "is not a text")
	}
	return nil, unless(value == nil, "is not null")
}

func (e *encoder) record(n *avro.SchemaNode, value any) (any, error) {
	members, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("is not an object")
	}
	converted := map[string]any{}
	for i := range n.Fields {
		f := &n.Fields[i]
		member, there := members[f.Name]
		if !there && f.HasDefault {
			continue
		}
		inner, err := e.convert(&f.Type, member)
		if err != nil {
			return nil, within(f.Name, err)
		}
		converted[f.Name] = inner
	}
	return converted, nil
}

func number(n *avro.SchemaNode, text string) (any, error) {
	if n.LogicalType == "date" {
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return day, nil
		}
	}
	if n.LogicalType != "" && n.Type == "long" {
		if moment, err := time.Parse(time.RFC3339, text); err == nil {
			return moment, nil
		}
	}
	if n.Type == "int" || n.Type == "long" {
		x, err := strconv.ParseInt(text, 10, map[string]int{"int": 32, "long": 64}[n.Type])
		return x, unless(err == nil, "is not of type "+n.Type)
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, unless(err == nil, "is not a number")
}

func unless(ok bool, why string) error {
	if ok {
		return nil
	}
	return errors.New(why)
}
