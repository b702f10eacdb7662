package control

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// The gradient has the tracked numerators of u in approximations 2 and 3, which square a difference of them. In the others it has the frequencies
// alone, so that what was tracked moves no weight.
func TestWhereTheGradientDependsOnU(t *testing.T) {
	for _, name := range surrogate.Names() {
		p, err := newPush(name)
		if err != nil {
			t.Fatal(err)
		}
		c := constraint{shares: shares{.3, .7}, multiplier: 1, sign: 1}
		for range 50 {
			p.track(fairness.Group, 2, 2, c.shares)
			p.track(fairness.Versus, -1, -1, c.shares)
		}
		gradients := func() (all [6]float64) {
			for i, margin := range []float64{-.5, .3, 1.5} {
				all[2*i], all[2*i+1] = p.gradient(&c, fairness.Group, margin), p.gradient(&c, fairness.Versus, margin)
			}
			return all
		}
		before := gradients()
		for i := range p.relaxations {
			group, versus := p.relaxations[i].FrequencyIndex()
			for k := range p.tracked[i] {
				if k != group && k != versus {
					p.tracked[i][k] *= .5
				}
			}
		}
		squares := name == surrogate.Approximation2 || name == surrogate.Approximation3
		if after := gradients(); before == [6]float64{} || (after != before) != squares {
			t.Errorf("%s: other numerators change the gradients from %v to %v", name, before, after)
		}
	}
}

// TestPushesAreBounded, and nothing pushes a record that is on no side or not in the stratum, however few there are of either group.
func TestPushesAreBounded(t *testing.T) {
	for _, name := range surrogate.Names() {
		for _, s := range []shares{{.3, .7}, {1e-9, .5}, {0, .5}, {0, 0}} {
			p, err := newPush(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, sign := range []float64{-1, 1} {
				c := constraint{shares: s, multiplier: 1e9, sign: sign}
				for side := fairness.Neither; side <= fairness.Excluded; side++ {
					g := p.gradient(&c, side, .3)
					if beside := side != fairness.Group && side != fairness.Versus; beside && g != 0 {
						t.Errorf("%s, shares %v: a record on side %v is pushed by %v", name, s, side, g)
					}
					if math.Abs(g) > largestPush {
						t.Errorf("%s, shares %v: a push of %v", name, s, g)
					}
				}
			}
		}
	}
}
