package avro

import (
	"encoding/binary"
	"fmt"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// Avro's single-object encoding (specification, section "Single-object encoding"): two marks and the fingerprint of the schema come first.
const (
	firstMark, secondMark = 0xc3, 0x01
	singleBytes           = 10
)

// Single is the format of single objects, of one of some schemas.
func Single(all ...string) (format.Printer, error) {
	if len(all) == 0 {
		return nil, errNoSchema
	}
	known := single{shapes: map[uint64]*shape{}}
	for _, schema := range all {
		s, err := parse(schema)
		if err != nil {
			return nil, err
		}
		parsed, err := avro.Parse(schema)
		if err != nil {
			return nil, err
		}
		rabin := avro.NewRabin()
		_, _ = rabin.Write(parsed.Canonical()) // never fails
		known.shapes[rabin.Sum64()] = s
	}
	return avroFormat{known}, nil
}

type single struct {
	format.Local
	shapes map[uint64]*shape // by fingerprint
}

// SchemaOf is part of format.Source.
func (s single) SchemaOf(message *kafka.Record) string {
	if !isSingle(message.Value) {
		return ""
	}
	return fmt.Sprintf("%016x", binary.LittleEndian.Uint64(message.Value[2:]))
}

// Name is part of format.Source.
func (s single) Name(message *kafka.Record) string {
	return "the schema with the fingerprint " + s.SchemaOf(message)
}

func isSingle(value []byte) bool {
	return len(value) >= singleBytes && value[0] == firstMark && value[1] == secondMark
}

// Find is part of format.Source.
func (s single) Find(message *kafka.Record) (*shape, int, error) {
	value := message.Value
	switch {
	case value == nil:
		return nil, 0, &fields.Rejection{Reason: fields.Tombstone, Offset: -1, Detail: "a record without a value"}
	case !isSingle(value):
		return nil, 0, &fields.Rejection{Reason: fields.NoSchemaID, Offset: 0,
			Detail: "the value does not begin as Avro's single-object encoding does, with c3 01: check record.format"}
	}
	fingerprint := binary.LittleEndian.Uint64(value[2:])
	found, known := s.shapes[fingerprint]
	if !known {
		return nil, 0, &fields.Rejection{Reason: fields.UnknownSchema, Offset: 2,
			Detail: fmt.Sprintf("no schema of record.schema has the fingerprint %016x", fingerprint)}
	}
	return found, singleBytes, nil
}
