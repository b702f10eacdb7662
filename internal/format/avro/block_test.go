package avro

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

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

// TestValuesThatAreCutOff: of every logical type that takes a number of bytes, a message that ends within one is rejected, and a whole one is not.
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
		"a time":             {`{"type":"long","logicalType":"timestamp-micros"}`, []byte{0x80, 0x80, 1}},
	} {
		d := decoderOf(t, `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"x","type":`+c.kind+`}]}`, schemaOf(t, fields.Config{}))
		whole := append([]byte{2}, c.bytes...)
		var r fields.Record
		if err := d.Decode(&r, &kafka.Record{Value: whole}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := range len(whole) {
			if n == 0 {
				continue // a tombstone
			}
			if err := d.Decode(&r, &kafka.Record{Value: whole[:n]}); err == nil {
				t.Errorf("%s: %d of %d bytes were taken", name, n, len(whole))
			}
		}
	}
}
