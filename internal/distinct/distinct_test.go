package distinct

import (
	"math/bits"
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
	if n, known := none.Of(0); n != 0 || known || none.Find(0) != nil || none.Len() != 0 {
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
	if c := names.before[1]; c.name != "a" || c.of != names.Of("a") {
		t.Errorf("in the second place, %q is remembered", c.name)
	}
	if names.At(100, "x") != nil || len(names.before) > 3 {
		t.Errorf("%d places are remembered for a name that there is not", len(names.before))
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

// TestContentsThatAreCounted are all of them, up to the most that are kept, and then those whose key has enough zeros; of two, those that both count.
func TestContentsThatAreCounted(t *testing.T) {
	zeros := func(i int) int { return bits.TrailingZeros64(record.Mix(0, uint64(i))) }
	var full, long, other Contents
	for i := range mostKept {
		full.Add(uint64(i))
	}
	if full.Counted() != mostKept || full.Different() != mostKept || full.Share() != 0 || full.zeros != 0 {
		t.Errorf("%d of %d are counted, %d different", full.Counted(), mostKept, full.Different())
	}
	if full.Add(mostKept); full.zeros == 0 {
		t.Error("more are kept than there is room for")
	}
	const n = 5 * mostKept
	for i := range n {
		long.Add(uint64(i))
		long.Add(uint64(i % 1000))
		other.Add(uint64(i * 2 / 5)) // some of them several times
	}
	count := func(c *Contents, least int) (counted, again int) {
		for i := range n {
			if zeros(i) >= least {
				counted++
			}
			if zeros(i%1000) >= least {
				again++
			}
		}
		return counted, again
	}
	counted, again := count(&long, long.zeros)
	if long.zeros == 0 || other.zeros == 0 || long.zeros == other.zeros || long.Counted() != counted+again || long.Different() != counted<<long.zeros {
		t.Errorf("%d are counted from %d zeros on, want %d; %d different", long.Counted(), long.zeros, counted+again, long.Different())
	}
	var none, one Contents
	if one.Add(7); none.Share() != 0 || one.Share() != 0 {
		t.Errorf("of nothing %v are copies, of one %v", none.Share(), one.Share())
	}
	if copied, of := one.Among(&one); copied != 1 || of != 1 {
		t.Errorf("%d of %d are among themselves", copied, of)
	}
	if copied, of := one.Among(&none); copied != 0 || of != 1 {
		t.Errorf("%d of %d are among none", copied, of)
	}
	if _, of := full.Among(&long); of >= full.Counted() || long.zeros <= full.zeros {
		t.Errorf("%d are compared with contents of which fewer are kept", of)
	}
	copied, of := long.Among(&other)
	wantCopied, wantOf := 0, 0
	for i := range n {
		for _, key := range []int{i, i % 1000} {
			if zeros(key) >= max(long.zeros, other.zeros) {
				wantOf++
				if key < n*2/5 {
					wantCopied++
				}
			}
		}
	}
	if copied != wantCopied || of != wantOf || of == 0 || copied == of {
		t.Errorf("%d of %d are among the others, want %d of %d", copied, of, wantCopied, wantOf)
	}
}
