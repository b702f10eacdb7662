package gallery_test

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/pkg/csspa"
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
			point, err := gallery.Measure(e, steps, 2, 1, startPenalty(accelerated, alpha0, gamma0))
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

// startPenalty starts CSCGD, or CSCGDA, with the step sizes α = alpha0 T^-a, β =
// T^-b and γ = gamma0 T^c of csspa.PenaltyExponents, for Measure.
func startPenalty(accelerated bool, alpha0, gamma0 float64) func(gallery.Entry, int) (csspa.Method[gallery.Draw], error) {
	a, b, c := csspa.PenaltyExponents(accelerated)
	return func(e gallery.Entry, steps int) (csspa.Method[gallery.Draw], error) {
		schedule := csspa.PowerLaw{Alpha0: alpha0, Beta0: 1, A: a, B: b, Horizon: steps}
		gamma := gamma0 * math.Pow(float64(steps), c)
		if accelerated {
			return csspa.NewCSCGDA(e.Problem, schedule, gamma, csspa.State{X: e.Start})
		}
		return csspa.NewCSCGD(e.Problem, schedule, gamma, csspa.State{X: e.Start})
	}
}
