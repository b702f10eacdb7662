package gallery_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// run returns x̂ of CSSPA after steps samples.
func run(tb testing.TB, e gallery.Entry, schedule csspa.PowerLaw, theta float64, steps int, seed uint64) []float64 {
	tb.Helper()
	a, err := csspa.NewCSSPA(e.Problem, schedule, theta, csspa.State{X: e.Start})
	if err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 7))
	for range steps {
		a.Step(e.Sample(rng))
	}
	if err := a.State().Finite(); err != nil {
		tb.Fatalf("%s: %v", e.Name, err)
	}
	x := make([]float64, e.Problem.N)
	a.Average(x)
	return x
}

// TestSolved: with the step sizes of either theorem, 30,000 samples leave a small
// share of the starting point's error, |gap| plus violation. Powers of t keep the
// first points in the average for long: α_t falls as t^-3/4 from 1 on.
func TestSolved(t *testing.T) {
	const steps = 30000
	for _, e := range gallery.All() {
		horizon, err := csspa.Theorem2Horizon(e.K, 0.75, 0.5, steps)
		if err != nil {
			t.Fatal(err)
		}
		power, err := csspa.Theorem2(e.PowerK(), 0.75, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		almostSure, err := csspa.Theorem1(e.PowerK(), 0.8, 0.55)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			schedule  csspa.PowerLaw
			tolerance float64
		}{
			"Theorem 2, powers of T": {horizon, 0.075},
			"Theorem 2, powers of t": {power, 0.11},
			"Theorem 1":              {almostSure, 0.125},
		} {
			x := run(t, e, c.schedule, 0, steps, 1)
			if share := failure(e, x) / failure(e, e.Start); share > c.tolerance {
				t.Errorf("%s, %s: %.3f of the error is left at %v", e.Name, name, share, x)
			}
		}
	}
}

// failure is the distance from optimality and feasibility in one number.
func failure(e gallery.Entry, x []float64) float64 {
	return math.Abs(e.Objective(x)-e.Value) + e.Violation(x)
}
