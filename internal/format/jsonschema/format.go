package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// New returns JSON that also describes messages with a registry's header, by the schema that they name. The registry is asked for nothing else.
func New(c registry.Config) (format.Describer, error) {
	schemas, err := registry.New(c, compile)
	if err != nil {
		return nil, err
	}
	return described{format.JSON, schemas}, nil
}

type described struct {
	format.Printer
	schemas *registry.Schemas[[]format.Field]
}

// Close is part of format.Format.
func (d described) Close() { d.schemas.Close() }

// Waits is part of format.Format.
func (d described) Waits() []format.Wait { return d.schemas.Waits() }

// Whole is part of format.Format.
func (d described) Whole(message *kafka.Record) []byte { return format.Whole(message) }

// AppendJSON is part of format.Printer.
func (d described) AppendJSON(dst, value []byte) ([]byte, error) {
	if named, err := format.SchemaID(&kafka.Record{Value: value}); err == nil {
		value = named.Rest
	}
	return append(dst, value...), nil
}

// Describe is part of format.Describer.
func (d described) Describe(value []byte) (*format.Described, error) {
	named, err := format.SchemaID(&kafka.Record{Value: value})
	if err != nil {
		return nil, err
	}
	fields, err := d.schemas.Get(named.ID)
	if err != nil {
		return nil, err
	}
	// Nobody holds messages to the schema, so none becomes a dead letter for it.
	return &format.Described{Name: named.ID.Name(), Fields: fields, Unfit: func(*record.Schema) error { return nil }}, nil
}

func compile(schema registry.Schema) ([]format.Field, error) {
	if schema.Type != sr.TypeJSON {
		return nil, fmt.Errorf("it is of type %v, and record.format is json", schema.Type)
	}
	if deep(schema.Text) || slices.ContainsFunc(schema.References, func(r registry.Reference) bool { return deep(r.Text) }) {
		return nil, format.ErrDeep
	}
	var root node
	if json.Unmarshal([]byte(schema.Text), &root) != nil {
		return nil, errors.New("is not a JSON Schema of an object")
	}
	root.adopt(&root)
	d := description{}
	for _, reference := range schema.References {
		var other node
		if json.Unmarshal([]byte(reference.Text), &other) == nil {
			if d.others == nil {
				d.others = map[string]*node{}
			}
			other.adopt(&other)
			d.others[reference.Name] = &other
		}
	}
	d.object(&root, format.Field{}, 0)
	return d.fields, nil
}

// deep says whether brackets nest deeper than format.MaxDepth, outside texts: each schema in another is read once more.
func deep(text string) bool {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if open++; open > format.MaxDepth {
				return true
			}
		case '}', ']':
			open--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return false
}
