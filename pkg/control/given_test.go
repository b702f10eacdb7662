package control

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestGive: a constraint that is given has a model, counts in full, and works against the difference of its multiplier's sign.
func TestGive(t *testing.T) {
	r := comparisonsOf(t, 3)
	r.Give(5000, [][2]float64{{.5, .5}, {.1, .9}, {.3, .2}}, []Given{{Comparison: 2, Multiplier: -.12, Rates: [2]float64{.2, .24}}, {Comparison: 0, Multiplier: .4}})
	if got := r.Interpolation(); len(got) != 2 || got[0] != 1 || got[1] != 1 {
		t.Errorf("interpolation weights %v", got)
	}
	c := &r.constraints[2]
	if c.model != 1 || c.sign != -1 || c.multiplier != .12 || !c.pressing || c.shares != (shares{.3, .2}) || r.constraints[0].model != 2 || r.constraints[1].model != 0 {
		t.Errorf("%+v", c)
	}
	if got := r.tracked[2].compare(c.measure); math.Abs(got+.04) > 1e-9 {
		t.Errorf("the difference is %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a constraint that has a model is given one")
		}
	}()
	r.Give(1, make([][2]float64, 3), []Given{{Comparison: 0}})
}

// TestPushed: the objective that others minimise has the gradient that a push has.
func TestPushed(t *testing.T) {
	for _, name := range surrogate.Names() {
		for _, multiplier := range []float64{.3, -.7} {
			sides := [2]float64{.3, .6}
			pushed, err := NewPushed(name, multiplier, sides)
			if err != nil {
				t.Fatal(err)
			}
			p, err := newPush(name)
			if err != nil {
				t.Fatal(err)
			}
			c := constraint{sign: signOf(multiplier), multiplier: math.Abs(multiplier), shares: sides}
			for i := range p.relaxations {
				for k := range p.relaxations[i].InnerSize() {
					p.tracked[i][k] = .2 + .1*float64(k)
				}
			}
			direction := 0
			if multiplier < 0 && len(p.relaxations) > 1 {
				direction = 1
			}
			for _, side := range []fairness.Side{fairness.Group, fairness.Versus} {
				for _, margin := range []float64{-3, -.4, .7, 2.5} {
					want := p.gradient(&c, side, margin)
					var outer, inner [surrogate.MaxInner]float64
					pushed.Relaxation.OuterGradient(outer[:], pushed.Outer, p.tracked[direction][:])
					pushed.Relaxation.InnerDerivative(inner[:], side, MarginUnit*margin)
					got := 0.0
					for k := range outer {
						got += pushed.Factor * MarginUnit * outer[k] * inner[k]
					}
					if math.Abs(got-want) > 1e-12 {
						t.Errorf("%s at %v, side %v, margin %v: %v, want %v", name, multiplier, side, margin, got, want)
					}
				}
			}
		}
	}
	if _, err := NewPushed("linear", 1, [2]float64{.5, .5}); err == nil {
		t.Error("an unknown relaxation is taken")
	}
}

// TestTarget: with as many records as there are people nothing is left of the allowance but that of a holdout.
func TestTarget(t *testing.T) {
	aim := NewAim(.95, 1, 10000, .95)
	rates, sides := [2]float64{.3, .2}, [2]float64{.5, .5}
	want := .05 - 1.6448536269514722*math.Sqrt((.3*.7+.2*.8)/5000)
	if got := aim.Target(.05, false, rates, [2]float64{1e15, 1e15}, sides, 1); math.Abs(got-want) > 1e-6 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := aim.Target(.05, false, rates, [2]float64{100, 100}, sides, 1); math.Abs(got-leastTarget*.05) > 1e-12 {
		t.Errorf("%v with 100 records of each side", got)
	}
	if d := Difference(true, [2]float64{.2, .1}); math.Abs(d-.5) > 1e-12 {
		t.Errorf("relative difference %v", d)
	}
}
