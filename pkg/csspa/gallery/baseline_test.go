package gallery_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
	"github.com/fairstream/fairstream/pkg/csspa/gallery"
)

// TestPenaltyMethodsSolve: CSCGD and CSCGDA with the exponents of their rates
// leave less than a twelfth of the starting point's error after 30,000 samples.
// The problem with a random outer function is not theirs to solve and is refused.
func TestPenaltyMethodsSolve(t *testing.T) {
	const steps = 30000
	for _, e := range gallery.All() {
		alpha0, gamma0 := 2.0, 3.0
		if e.Name == "hinge" { // steep: larger steps extrapolate far out of X
			alpha0, gamma0 = 0.5, 0.25
		}
		for _, accelerated := range []bool{false, true} {
			point, err := gallery.Measure(e, steps, 2, 1, gallery.StartPenalty(accelerated, alpha0, gamma0))
			if !e.Problem.FixedOuter {
				if err == nil {
					t.Errorf("%s has a random outer function and is not refused", e.Name)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			share := (point.Gap + point.Violation) / failure(e, e.Start)
			t.Logf("%-13s accelerated %-5v gap %.4f violation %.4f (%.3f of the start)", e.Name, accelerated, point.SignedGap, point.Violation, share)
			if share > 1./12 {
				t.Errorf("%s, accelerated %v: %.3f of the error is left", e.Name, accelerated, share)
			}
		}
	}
}

// TestSCGDIsCSSPAWithoutConstraints: bit for bit, on every problem stripped of its
// constraints.
func TestSCGDIsCSSPAWithoutConstraints(t *testing.T) {
	for _, e := range gallery.All() {
		schedule, err := csspa.Theorem2(e.K, 0.75, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		start := csspa.State{X: e.Start}
		plain, err := csspa.NewSCGD(e.Problem, schedule, start)
		if err != nil {
			t.Fatal(err)
		}
		free := e.Problem
		free.H, free.L = nil, nil
		saddle, err := csspa.NewCSSPA(free, schedule, 0, start)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 3))
		for range 1000 {
			s := e.Sample(rng)
			plain.Step(s)
			saddle.Step(s)
		}
		for i, x := range plain.Iterate() {
			if math.Float64bits(x) != math.Float64bits(saddle.Iterate()[i]) {
				t.Fatalf("%s: SCGD is at %v, CSSPA at %v", e.Name, plain.Iterate(), saddle.Iterate())
			}
		}
	}
}
