package avro

import (
	"encoding/binary"
	"fmt"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/format"
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
	local
	shapes map[uint64]*shape // by fingerprint
}

// SchemaOf is part of format.Format.
func (s single) SchemaOf(value []byte) string {
	if !isSingle(value) {
		return ""
	}
	return fmt.Sprintf("%016x", binary.LittleEndian.Uint64(value[2:]))
}

func isSingle(value []byte) bool {
	return len(value) >= singleBytes && value[0] == firstMark && value[1] == secondMark
}

func (s single) find(value []byte) (*shape, uint64, int, error) {
	switch {
	case value == nil:
		return nil, 0, 0, &fields.Rejection{Reason: fields.Tombstone, Offset: -1, Detail: "a record without a value"}
	case !isSingle(value):
		return nil, 0, 0, &fields.Rejection{Reason: fields.NoSchemaID, Offset: 0,
			Detail: "the value does not begin as Avro's single-object encoding does, with c3 01: check record.format"}
	}
	fingerprint := binary.LittleEndian.Uint64(value[2:])
	found, known := s.shapes[fingerprint]
	if !known {
		return nil, 0, 0, &fields.Rejection{Reason: fields.UnknownSchema, Offset: 2,
			Detail: fmt.Sprintf("no schema of record.schema has the fingerprint %016x", fingerprint)}
	}
	return found, fingerprint, singleBytes, nil
}
