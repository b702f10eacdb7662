package persons

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
)

// A person is forgotten only after as many others as promised, and a restart forgets nobody.
func TestWhoIsRemembered(t *testing.T) {
	var p Recent
	p.Meet(1)
	for round := range 5 {
		if p.Meet(1) {
			t.Fatalf("round %d: forgotten after fewer others than promised", round)
		}
		for other := range Remembered - 1 {
			p.Meet(uint64(2 + round*Remembered + other))
		}
	}
	for other := range 2 * Remembered {
		p.Meet(uint64(1<<40 + other))
	}
	if !p.Meet(1) || len(p.recent)+len(p.earlier) > 2*Remembered {
		t.Errorf("remembered after %d others, %d persons", 2*Remembered, len(p.recent)+len(p.earlier))
	}
	state := p.AppendState(nil)
	if again, err := Restore(state); err != nil || !bytes.Equal(again.AppendState(nil), state) || again.Meet(1) {
		t.Errorf("restored: %v", err)
	}
	for n := range 64 {
		if _, err := Restore(state[:n]); err == nil {
			t.Fatalf("%d of %d bytes are accepted", n, len(state))
		}
	}
}

// TestPersonsThatNobodyWrote: a set is of different persons, of whom none is 0, and not larger than those that are remembered.
func TestPersonsThatNobodyWrote(t *testing.T) {
	written := func(sets ...[]uint64) []byte { // the steps from one person to the next
		c := codec.NewWriter(nil)
		for _, steps := range sets {
			c.Length(len(steps), 1)
			for i := range steps {
				c.Uint(&steps[i])
			}
		}
		return c.Bytes()
	}
	for name, c := range map[string]struct {
		first, second []uint64
		valid         bool
	}{
		"nobody":                 {nil, nil, true},
		"the largest number":     {[]uint64{math.MaxUint64}, []uint64{1}, true},
		"as many as are kept":    {slices.Repeat([]uint64{1}, Remembered), slices.Repeat([]uint64{2}, Remembered), true},
		"one more, at first":     {slices.Repeat([]uint64{1}, Remembered+1), nil, false},
		"one more, of earlier":   {nil, slices.Repeat([]uint64{1}, Remembered+1), false},
		"one twice":              {[]uint64{5, 0}, nil, false},
		"the person 0":           {[]uint64{0}, nil, false},
		"beyond the largest one": {[]uint64{7, math.MaxUint64, 1}, nil, false}, // 7, 6, 7
	} {
		p, err := Restore(written(c.first, c.second))
		if (err == nil) != c.valid || c.valid && (len(p.recent) != len(c.first) || len(p.earlier) != len(c.second)) {
			t.Errorf("%s: %d and %d persons, %v", name, len(p.recent), len(p.earlier), err)
		}
	}
}
