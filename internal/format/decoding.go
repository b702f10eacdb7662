package format

import (
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Source is where the schemas of messages are found, in a registry or in files: each as the S that a format makes of it.
type Source[S comparable] interface {
	// Find gives the schema of a message, and where in its value the record begins. The error is a *record.Rejection or a *Pending.
	Find(message *kafka.Record) (s S, at int, err error)
	// PrepareFor begins to fetch what Find of a message will need.
	PrepareFor(message *kafka.Record)
	// Name is how people are told of the schema of a message.
	Name(message *kafka.Record) string
	// These are those of a Format.
	Waits() []Wait
	SchemaOf(message *kafka.Record) string
	Whole(message *kafka.Record) []byte
	Close()
}

// Local is the part of a Source whose schemas are there from the beginning.
type Local struct{}

// PrepareFor is part of Source.
func (Local) PrepareFor(*kafka.Record) {}

// Waits is part of Source.
func (Local) Waits() []Wait { return nil }

// Whole is part of Source.
func (Local) Whole(message *kafka.Record) []byte { return message.Value }

// Close is part of Source.
func (Local) Close() {}

// One is the schema that all messages have, none of which names it.
type One[S comparable] struct {
	Local
	Schema S
}

// Find is part of Source.
func (o One[S]) Find(message *kafka.Record) (s S, at int, err error) {
	if message.Value == nil {
		return s, 0, &record.Rejection{Reason: record.Tombstone, Offset: -1, Detail: "a record without a value"}
	}
	return o.Schema, 0, nil
}

// Name is part of Source.
func (One[S]) Name(*kafka.Record) string { return "the schema of record.schema" }

// SchemaOf is part of Source.
func (One[S]) SchemaOf(*kafka.Record) string { return "" }

// Decoding is what decoders of messages with schemas have in common. It belongs to one goroutine.
type Decoding[S comparable] struct {
	*record.Decoder
	// From is where schemas are found.
	From Source[S]
	// Nodes are those of the fields of the last schema, in their order: see Bind.
	Nodes []*record.Node

	schema *record.Schema
	unfit  func(S, *record.Schema) error
	last   S           // fit, of the message before
	judged map[S]error // *record.Rejection if a schema is unfit
	bound  S           // whose Nodes they are, and
	root   *record.Node
}

// maxJudged bounds the schemas that a decoder remembers.
const maxJudged = 1 << 12

// NewDecoding returns one for records of a schema. unfit says why no message of a schema can be such a record.
func NewDecoding[S comparable](schema *record.Schema, source Source[S], unfit func(S, *record.Schema) error) Decoding[S] {
	return Decoding[S]{Decoder: schema.NewDecoder(), From: source, schema: schema, unfit: unfit, judged: map[S]error{}}
}

// Find gives the schema of a message, which is fit, and where in its value the record begins.
func (d *Decoding[S]) Find(message *kafka.Record) (s S, at int, err error) {
	s, at, err = d.From.Find(message)
	if err != nil || s == d.last {
		return s, at, err
	}
	if err := d.judge(s, message); err != nil {
		return s, at, err
	}
	d.last = s
	return s, at, nil
}

// judge says once for each schema whether its messages can be records.
func (d *Decoding[S]) judge(s S, message *kafka.Record) error {
	problem, known := d.judged[s]
	if !known {
		if len(d.judged) >= maxJudged {
			clear(d.judged)
		}
		if why := d.unfit(s, d.schema); why != nil {
			problem = &record.Rejection{Reason: record.UnfitSchema, Offset: -1, Detail: fmt.Sprintf("%s %v", d.From.Name(message), why)}
		}
		d.judged[s] = problem
	}
	return problem
}

// Prepare is part of Decoder.
func (d *Decoding[S]) Prepare(message *kafka.Record) { d.From.PrepareFor(message) }

// Bind looks up the Nodes of the fields of a schema, which most messages have in common with the one before. Nodes of a root that is gone would
// stay for ever, with all that came below them.
func (d *Decoding[S]) Bind(s S, names []string) error {
	if d.bound == s && d.root == d.Root() {
		return nil
	}
	var none S
	d.bound, d.root, d.Nodes = none, d.Root(), d.Nodes[:0]
	for _, name := range names {
		n, err := d.Member(d.root, name)
		if err != nil {
			return err
		}
		d.Nodes = append(d.Nodes, n)
	}
	d.bound = s
	return nil
}

// Bound says whether the Nodes are those of the present root.
func (d *Decoding[S]) Bound() bool { return d.root == d.Root() }
