package distinct

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// Counts agree with a map, with hashes of which many share their low bits, and with the hash 0.
func TestCountsAreThoseOfAMap(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for _, apart := range []uint64{1, 1 << 40} {
		var counts Counts
		plain := map[uint64]int32{}
		for range 20_000 {
			hash := source.Uint64N(3000) * apart
			if n := counts.Find(hash); n != nil {
				*n++
			} else {
				counts.Make(hash, 1)
			}
			plain[hash]++
		}
		if counts.Len() != len(plain) {
			t.Errorf("%d values, want %d", counts.Len(), len(plain))
		}
		for hash, n := range plain {
			if got, known := counts.Of(hash); got != n || !known {
				t.Fatalf("value %d came %d times (%v), want %d", hash, got, known, n)
			}
		}
		if n, known := counts.Of(3001 * apart); n != 0 || known {
			t.Errorf("a value that never came has %d", n)
		}
	}
	var none Counts
	if _, known := none.Of(0); known || none.Find(0) != nil || none.Len() != 0 {
		t.Error("empty counts know a value")
	}
}

// A place leads to the name that is asked for, also where another name, or none, was in this place before.
func TestNamesAreFoundInAnyOrder(t *testing.T) {
	var names Names[int]
	for i, name := range []string{"a", "b", "c"} {
		names.Make(name, &[]int{i}[0])
	}
	for _, order := range []string{"abc", "cba", "b", "xa", "ab", "bab"} {
		for at, name := range order {
			got := names.At(at, string(name))
			if want := int(name - 'a'); name == 'x' != (got == nil) || got != nil && *got != want {
				t.Errorf("%q: in place %d, %c leads to %v", order, at, name, got)
			}
		}
	}
	if names.At(mostPlaces, "b") == nil || len(names.before) > mostPlaces {
		t.Error("a place beyond the most leads nowhere")
	}
	if names.Len() != 3 || names.Of("c") == nil || names.Of("x") != nil {
		t.Error("not the names that were made")
	}
}

// TestContents: of two exports of which one repeats a part of the other, the share of copies is told, however many records there are.
func TestContents(t *testing.T) {
	var c Contents
	const n, twice = 100_000, 30_000
	for i := range n {
		c.Add(record.Hash([]byte(strconv.Itoa(i))))
	}
	for i := range twice {
		c.Add(record.Hash([]byte(strconv.Itoa(i))))
	}
	if got, want := c.Share(), float64(twice)/(n+twice); got < want-.02 || got > want+.02 || len(c.seen) > mostKept {
		t.Errorf("%v are copies, want %v", got, want)
	}
}
