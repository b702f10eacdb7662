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

// schemas are where a message's shape is found.
type schemas interface {
	// find gives the shape of a message, and where in its value the record begins. The error is a *record.Rejection or a *format.Pending.
	find(message *kafka.Record) (s *shape, at int, err error)
	// PrepareFor begins to fetch what find of a message will need.
	PrepareFor(message *kafka.Record)
	// name is how people are told of the schema of a message.
	name(message *kafka.Record) string
	Waits() []format.Wait
	SchemaOf(message *kafka.Record) string
	Whole(message *kafka.Record) []byte
	Close()
}

// avroFormat is Avro whose schemas are found somewhere.
type avroFormat struct{ schemas }

// NewDecoder is part of format.Format.
func (f avroFormat) NewDecoder(schema *fields.Schema) format.Decoder {
	return &decoder{walk: walk{Decoder: schema.NewDecoder()}, schemas: f.schemas, schema: schema, judged: map[*shape]error{}}
}

// decoder belongs to one goroutine.
type decoder struct {
	walk
	schemas schemas
	schema  *fields.Schema
	last    *shape           // fit, of the message before
	judged  map[*shape]error // *record.Rejection if a shape is unfit
}

// maxJudged bounds the shapes that a decoder remembers.
const maxJudged = 1 << 12

// Decode is part of format.Decoder.
func (d *decoder) Decode(dst *fields.Record, message *kafka.Record) error {
	s, at, err := d.schemas.find(message)
	if err != nil {
		return err
	}
	if s != d.last {
		if err := d.judge(s, message); err != nil {
			return err
		}
		d.last = s
	}
	return d.start(dst, s, message.Value, at)
}

// judge says once for each shape whether its messages can be records.
func (d *decoder) judge(s *shape, message *kafka.Record) error {
	problem, known := d.judged[s]
	if !known {
		if len(d.judged) >= maxJudged {
			clear(d.judged)
		}
		if why := unfit(s, d.schema); why != nil {
			problem = &fields.Rejection{Reason: fields.UnfitSchema, Offset: -1, Detail: fmt.Sprintf("%s %v", d.schemas.name(message), why)}
		}
		d.judged[s] = problem
	}
	return problem
}

// Prepare is part of format.Decoder.
func (d *decoder) Prepare(message *kafka.Record) { d.schemas.PrepareFor(message) }

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

func (r registered) find(message *kafka.Record) (*shape, int, error) {
	s, named, err := r.Of(message)
	return s, named.At, err
}

func (r registered) name(message *kafka.Record) string {
	named, _ := format.SchemaID(message) // which had a shape
	return named.ID.Name()
}

// Bare is the format of messages without any header, all of one schema.
func Bare(schema string) (format.Printer, error) {
	s, err := parse(schema)
	if err != nil {
		return nil, err
	}
	return avroFormat{bare{one: s}}, nil
}

type bare struct {
	local
	one *shape
}

func (b bare) find(message *kafka.Record) (*shape, int, error) {
	if message.Value == nil {
		return nil, 0, &fields.Rejection{Reason: fields.Tombstone, Offset: -1, Detail: "a record without a value"}
	}
	return b.one, 0, nil
}

func (bare) name(*kafka.Record) string { return "the schema of record.schema" }

// SchemaOf is part of format.Format.
func (bare) SchemaOf(*kafka.Record) string { return "" }

// local schemas are there from the beginning.
type local struct{}

func (local) PrepareFor(*kafka.Record)           {}
func (local) Waits() []format.Wait               { return nil }
func (local) Whole(message *kafka.Record) []byte { return message.Value }
func (local) Close()                             {}

var errNoSchema = errors.New("no schema is given")
