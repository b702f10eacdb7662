// The race detector checks the pointers of the Parquet library, and then ends the process where the library itself only panics.
//go:build !race

package parquetlines

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// TestDamageIsAnError: with any byte changed, a file gives rows or an error; it neither panics nor goes on for ever.
func TestDamageIsAnError(t *testing.T) {
	age := int32(3)
	good := written(t, []loan{{ID: 1, Who: person{"a", &age}, Phones: []string{"x"}}, {ID: 2, Amount: 4}})
	random := rand.New(rand.NewPCG(1, 2))
	failures := 0
	for at := 0; at < len(good); at += 3 {
		data := bytes.Clone(good)
		data[at] ^= byte(1 + random.IntN(255))
		l, err := newLines(bytes.NewReader(data), int64(len(data)), 0, -1)
		if err == nil {
			_, err = io.Copy(io.Discard, io.LimitReader(l, 1<<20))
		}
		if err != nil {
			failures++
		}
	}
	if 3*failures < len(good)/4 {
		t.Errorf("only %d of %d changed bytes were found out", failures, len(good))
	}
}
