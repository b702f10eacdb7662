package persons

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
)

// TestRepeatsAreCounted as a plain count of all decisions has them: of every 256 decisions the first 32, each beside those before it in its range, and
// beside as many of the range before. The first range has none before it, and counts fade.
func TestRepeatsAreCounted(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	var r Repeats
	var all []Marks
	var want [marks]repeatCounts
	faded := 0
	for i := range 80_000 {
		of := Marks{1 + random.Uint64N(60), 0}
		if random.IntN(2) == 0 { // of the second mark half are missing
			of[1] = 1 + random.Uint64N(90)
		}
		all = append(all, of)
		if got := r.Due(); got != (i%256 < 32) {
			t.Fatalf("decision %d is due: %v", i, got)
		}
		r.Add(of)
		block, at := i-i%256, i%256
		for k := range of {
			has := func(m Marks) bool { return m[k] == of[k] }
			if block == 0 || at >= 32 || of[k] == 0 {
				continue
			}
			want[k].decisions++
			if slices.ContainsFunc(all[block:i], has) {
				want[k].near++
			}
			if slices.ContainsFunc(all[block-256:i-256], has) {
				want[k].far++
			}
			if want[k].decisions == 4096 {
				want[k].decisions, want[k].near, want[k].far = 2048, want[k].near/2, want[k].far/2
				faded++
			}
		}
		if r.counts != want {
			t.Fatalf("after decision %d: %+v, want %+v", i, r.counts, want)
		}
	}
	if faded < 3 || want[1].near == 0 || want[1].far == 0 {
		t.Errorf("counts faded %d times: %+v", faded, want)
	}
}

// TestRepeatsAreRestored: those of a snapshot go on as if nothing had happened, and bytes that nobody wrote are refused.
func TestRepeatsAreRestored(t *testing.T) {
	coded := func(r *Repeats) []byte {
		c := codec.NewWriter(nil)
		r.Fields(c)
		return c.Bytes()
	}
	restored := func(state []byte) (r Repeats, err error) {
		c := codec.NewReader(state)
		r.Fields(c)
		return r, c.End()
	}
	var r Repeats
	for i := range 600 {
		r.Add(Marks{uint64(i % 7), uint64(i)})
	}
	state := coded(&r)
	again, err := restored(state)
	if err != nil || again != r {
		t.Fatalf("%v: %+v, want %+v", err, again.counts, r.counts)
	}
	if again.Add(Marks{1, 2}); bytes.Equal(coded(&again), state) {
		t.Error("a decision more leaves the bytes as they were")
	}
	for n := range len(state) {
		if _, err := restored(state[:n]); err == nil {
			t.Fatalf("%d of %d bytes are accepted", n, len(state))
		}
	}
	for name, c := range map[string]struct {
		counts repeatCounts
		valid  bool
	}{
		"the most decisions":     {repeatCounts{decisions: 4095, near: 4095, far: 4095}, true},
		"one more":               {repeatCounts{decisions: 4096}, false},
		"more near than there":   {repeatCounts{decisions: 10, near: 11}, false},
		"more far than there":    {repeatCounts{decisions: 10, far: 11}, false},
		"all are near, none far": {repeatCounts{decisions: 10, near: 10}, true},
	} {
		one := Repeats{counts: [marks]repeatCounts{c.counts}}
		if _, err := restored(coded(&one)); (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
