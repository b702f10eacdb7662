package control

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLook: without a model, a comparison is of what the published model decides, and of the newest records alone once they
// differ from the older ones.
func TestLook(t *testing.T) {
	for name, c := range map[string]struct {
		newest, older [2]int // decisions of ten that are positive, on either side; newest are 512 records
		want          float64
		dropped       bool
	}{
		"all alike":     {[2]int{6, 3}, [2]int{6, 3}, .3, false},
		"the other way": {[2]int{2, 7}, [2]int{2, 7}, -.5, false},
		"a change":      {[2]int{8, 2}, [2]int{5, 5}, .6, true},
	} {
		sides := world{}.sides(rand.New(rand.NewPCG(1, 2)), 2560)
		m := sides[0].memory
		n := len(m.margins) / m.models
		m.decided = slices.Grow(m.decided[:0], n)[:n]
		for i, w := range sides {
			for age := range w.steady {
				at, _ := w.slot(age)
				of := c.older[i]
				if age < 512 {
					of = c.newest[i]
				}
				m.decided[at] = 0
				if 7*age%10 < of {
					m.decided[at] = 1
				}
			}
		}
		k := constraint{tau: .1, sign: 1, shares: shares{.5, .5}}
		k.look(&curve{}, sides, 1234, &Settings{Aim: exact}, family{1, 1})
		if math.Abs(k.difference-c.want) > .02 {
			t.Errorf("%s: the difference is %v, want %v", name, k.difference, c.want)
		}
		if k.looked != 1234 || !k.reachable || !k.chosen || !(k.error > 0) {
			t.Errorf("%s: looked at %v, reachable %t, chosen %t, error %v", name, k.looked, k.reachable, k.chosen, k.error)
		}
		if dropped := sides[0].steady < 2560 && sides[1].steady < 2560; dropped != c.dropped {
			t.Errorf("%s: %d and %d records are left", name, sides[0].steady, sides[1].steady)
		}
	}
}
