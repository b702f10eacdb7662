package avro

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// TestBlocks: a count, or a count below zero and the size of the block, of which no byte may be missing. Elements may take no bytes at all.
func TestBlocks(t *testing.T) {
	numbers := func(all ...int64) (data []byte) {
		for _, n := range all {
			data = binary.AppendVarint(data, n)
		}
		return data
	}
	for name, c := range map[string]struct {
		data []byte
		want int64
		fits bool
	}{
		"the end":                   {numbers(0), 0, true},
		"three":                     {numbers(3), 3, true},
		"three of two bytes":        {append(numbers(-3, 2), 1, 2), 3, true},
		"two bytes, and more after": {append(numbers(-3, 2), 1, 2, 3), 3, true},
		"one of two is missing":     {append(numbers(-3, 2), 1), 0, false},
		"three of no byte":          {numbers(-3, 0), 3, true},
		"a size below zero":         {append(numbers(-3, -1), 1), 0, false},
		"one":                       {append(numbers(-1, 1), 1), 1, true},
		"the most":                  {numbers(math.MinInt64+1, 0), math.MaxInt64, true},
		"one more than that":        {numbers(math.MinInt64, 0), 0, false},
	} {
		count, err := (&input{data: c.data}).block()
		if (err == nil) != c.fits || c.fits && count != c.want || !c.fits && !errors.Is(err, errLength) {
			t.Errorf("%s: %d elements, %v", name, count, err)
		}
	}
	for _, data := range [][]byte{{}, numbers(-3), {0xff}} {
		if _, err := (&input{data: data}).block(); err == nil || errors.Is(err, errLength) {
			t.Errorf("%x is cut off: %v", data, err)
		}
	}
}

// TestValuesThatAreCutOff: of every type, a message that ends within a value is rejected, used or passed over or printed, and a whole one is not.
func TestValuesThatAreCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind  string
		bytes []byte
	}{
		"a decimal":          {`{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}`, []byte{4, 1, 2}},
		"a decimal of fixed": {`{"type":"fixed","name":"f","size":3,"logicalType":"decimal","precision":6,"scale":1}`, []byte{1, 2, 3}},
		"a UUID":             {`{"type":"fixed","name":"f","size":16,"logicalType":"uuid"}`, make([]byte, 16)},
		"a duration":         {`{"type":"fixed","name":"f","size":12,"logicalType":"duration"}`, make([]byte, 12)},
		"fixed":              {`{"type":"fixed","name":"f","size":3}`, []byte{1, 2, 3}},
		"bytes":              {`"bytes"`, []byte{4, 1, 2}},
		"a text":             {`"string"`, []byte{4, 'a', 'b'}},
		"a boolean":          {`"boolean"`, []byte{1}},
		"a float":            {`"float"`, []byte{1, 2, 3, 4}},
		"a double":           {`"double"`, []byte{1, 2, 3, 4, 5, 6, 7, 8}},
		"an int":             {`"int"`, []byte{0x80, 1}},
		"a long":             {`"long"`, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 1}},
		"an enum":            {`{"type":"enum","name":"e","symbols":["a","b"]}`, []byte{2}},
		"a union":            {`["null","string"]`, []byte{2, 4, 'a', 'b'}},
		"a record":           {`{"type":"record","name":"i","fields":[{"name":"a","type":"string"},{"name":"b","type":"double"}]}`, []byte{2, 'a', 1, 2, 3, 4, 5, 6, 7, 8}},
		"an array":           {`{"type":"array","items":"string"}`, []byte{4, 2, 'a', 2, 'b', 0}},
		"a map":              {`{"type":"map","values":"boolean"}`, []byte{4, 2, 'a', 1, 2, 'b', 0, 0}},
		"a time":             {`{"type":"long","logicalType":"timestamp-micros"}`, []byte{0x80, 0x80, 1}},
	} {
		schema := `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"x","type":` + c.kind + `}]}`
		printer, err := Bare(schema)
		if err != nil {
			t.Fatal(err)
		}
		whole := append([]byte{2}, c.bytes...)
		for how, take := range map[string]func(message []byte) error{
			"used":        decoding(decoderOf(t, schema, schemaOf(t, fields.Config{}))),
			"passed over": decoding(decoderOf(t, schema, schemaOf(t, fields.Config{Ignore: []string{"x"}}))),
			"printed":     func(message []byte) error { _, err := printer.AppendJSON(nil, message); return err },
		} {
			if err := take(whole); err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
			}
			for n := 1; n < len(whole); n++ { // nothing is a tombstone
				if err := take(whole[:n]); err == nil {
					t.Errorf("%s, %s: %d of %d bytes were taken", name, how, n, len(whole))
				}
			}
			if err := take(append(whole, 0)); err == nil {
				t.Errorf("%s, %s: a byte behind it was taken", name, how)
			}
		}
	}
}

func decoding(d format.Decoder) func(message []byte) error {
	return func(message []byte) error {
		var r fields.Record
		return d.Decode(&r, &kafka.Record{Value: message})
	}
}
