package avro

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
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
