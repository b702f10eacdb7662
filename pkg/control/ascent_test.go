package control

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// One ascent on a signed weight is that of two multipliers that are each at least 0.
func TestAscentIsThatOfTwoMultipliers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	interpolation, plus, minus := 0.0, 0.0, 0.0
	for range 20_000 {
		difference := .3*random.Float64() - .15
		if interpolation > 1.2 || interpolation < -.7 {
			difference = -.1 * interpolation // the bounds of the secant are no part of the comparison
		}
		interpolation = ascend(interpolation, .1, difference, .05)
		// One multiplier is moved at a time: where the first step would cross 0 it stops there, as both would.
		switch {
		case plus > 0:
			plus = max(0, plus+.1*(difference-.05))
		case minus > 0:
			minus = max(0, minus+.1*(-difference-.05))
		default:
			plus, minus = max(0, .1*(difference-.05)), max(0, .1*(-difference-.05))
		}
		if math.Abs(interpolation-(plus-minus)) > 1e-12 {
			t.Fatalf("interpolation %v, multipliers %v and %v", interpolation, plus, minus)
		}
		if plus > 0 && minus > 0 {
			t.Fatal("both multipliers push")
		}
	}
}

// The multiplier and the slack are complementary at the end of an ascent on a difference that falls with it.
func TestAscentEndsWithComplementarySlackness(t *testing.T) {
	for _, free := range []float64{.2, -.2, .03} {
		interpolation := 0.0
		sign := signOf(free)
		at := func() float64 { return sign*free - .25*interpolation }
		for range 2000 {
			interpolation = ascend(interpolation, .05, at(), .05)
		}
		if slack := at() - .05; math.Abs(interpolation*slack) > 1e-6 || slack > 1e-6 || (interpolation > 0) != (math.Abs(free) > .05) {
			t.Errorf("free difference %v: interpolation %v, slack %v", free, interpolation, slack)
		}
	}
}

func TestAscentStaysOnTheSecant(t *testing.T) {
	up, down := 0.0, 0.0
	for range 100 {
		up, down = ascend(up, 1, 1, .05), ascend(down, 1, -1, .05)
	}
	if up != mostInterpolation || down != leastInterpolation {
		t.Errorf("%v and %v", up, down)
	}
}

// Tracked rates are those of the decisions, whatever the weights of the records; the window replaces them.
func TestTrackedRates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var u tracked
	for i := range 40_000 {
		side, rate := fairness.Versus, .3
		if random.Float64() < .25 {
			side, rate = fairness.Group, .6
		}
		decision := random.Float64() < rate
		weight := 1.0
		if decision { // as if it came twice: rates .3/.65 and .6/.8 in weight
			weight = 2
		}
		u.observe(side, decision, weight, trackedShare(float64(i+1)))
	}
	if got, want := u.compare(measure{}), 1.2/1.6-.6/1.3; math.Abs(got-want) > .04 {
		t.Errorf("difference %v, want about %v", got, want)
	}
	u.set([2]float64{.5, .1})
	if got := u.compare(measure{}); math.Abs(got-.4) > 1e-12 {
		t.Errorf("difference %v after the window showed .4", got)
	}
	// Records on neither side make both rarer, and leave the rates as they are.
	before := u
	u.observe(fairness.Unknown, true, 1, .01)
	if !(u.frequency[0] < before.frequency[0]) || math.Abs(u.compare(measure{})-.4) > 1e-12 {
		t.Errorf("%+v after a record of neither side, %+v before", u, before)
	}
}
