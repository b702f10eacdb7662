package gallery_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestSolveFindsKnownOptima: on every problem of the gallery, over draws of which
// 20,000 stand for the expectation, the answer is near the known optimum, and the
// bound on the gap holds. The doubt is that of the draws, which Solve reports too.
func TestSolveFindsKnownOptima(t *testing.T) {
	for _, e := range gallery.All() {
		if testing.Short() && e.Name != "disc" {
			continue
		}
		rng := rand.New(rand.NewPCG(3, 3))
		samples := make([]gallery.Draw, 20000)
		for i := range samples {
			samples[i] = e.Sample(rng)
		}
		r, err := csspa.Solve(e.Problem, samples, csspa.Settings{Start: e.Start, Steps: 100_000})
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		t.Logf("%s: F* = %v, x* = %v, λ* = %v\n%v", e.Name, e.Value, e.Optimum, e.Multipliers, r)
		start := math.Abs(e.Objective(e.Start)-e.Value) + e.Violation(e.Start)
		if left := math.Abs(e.Objective(r.X)-e.Value) + e.Violation(r.X); left > start/20 {
			t.Errorf("%s: %.3f of the error is left at %v", e.Name, left/start, r.X)
		}
		if gap := r.Objective.Value - e.Value; gap > r.Gap.Value+4*(r.Gap.Error+r.Objective.Error) {
			t.Errorf("%s: the gap is %v, and said to be at most %v", e.Name, gap, r.Gap)
		}
		if len(r.Constraints) > 0 && !(r.Constraints[0].Value < 4*r.Constraints[0].Error+0.02) {
			t.Errorf("%s: the constraint is %v", e.Name, r.Constraints[0])
		}
	}
}
