package avro

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// avroFormat is Avro whose schemas are found somewhere.
type avroFormat struct{ format.Source[*shape] }

// NewDecoder is part of format.Format.
func (f avroFormat) NewDecoder(schema *fields.Schema) format.Decoder {
	return &decoder{walk{Decoding: format.NewDecoding(schema, f.Source, unfit)}}
}

// decoder belongs to one goroutine.
type decoder struct{ walk }

// Decode is part of format.Decoder.
func (d *decoder) Decode(dst *fields.Record, message *kafka.Record) error {
	s, at, err := d.Find(message)
	if err != nil {
		return err
	}
	return d.start(dst, s, message.Value, at)
}

// Forget is part of format.Decoder.
func (d *decoder) Forget() {
	d.Decoder.Forget()
	d.in = input{}
}

// Registry is the format of messages behind the header of a registry.
func Registry(config registry.Config) (format.Printer, error) {
	known, err := registry.New(config, compile)
	if err != nil {
		return nil, err
	}
	return avroFormat{registered{known}}, nil
}

func compile(schema registry.Schema) (*shape, error) {
	if schema.Type != sr.TypeAvro {
		return nil, fmt.Errorf("it is of type %v, and record.format is avro", schema.Type)
	}
	var references []string
	for _, reference := range schema.References {
		references = append(references, reference.Text)
	}
	return parse(schema.Text, references...)
}

// registered are the schemas of a registry.
type registered struct{ *registry.Schemas[*shape] }

// Find is part of format.Source.
func (r registered) Find(message *kafka.Record) (*shape, int, error) {
	s, named, err := r.Of(message)
	return s, named.At, err
}

// Bare is the format of messages without any header, all of one schema.
func Bare(schema string) (format.Printer, error) {
	s, err := parse(schema)
	if err != nil {
		return nil, err
	}
	return avroFormat{format.One[*shape]{Schema: s}}, nil
}

var errNoSchema = errors.New("record.schema names no schema")
