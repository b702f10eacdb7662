package reference_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

func fixed[S any](p csspa.Problem[S]) func(float64) csspa.Problem[S] {
	return func(float64) csspa.Problem[S] { return p }
}

// TestGallery solves each known problem on draws: the residual is tiny, and the
// optimum is that of the expectation up to sampling error.
func TestGallery(t *testing.T) {
	const draws = 4000
	for _, e := range gallery.All() {
		rng := rand.New(rand.NewPCG(21, 22))
		samples := make([]gallery.Draw, draws)
		for i := range samples {
			samples[i] = e.Sample(rng)
		}
		r, err := reference.Solve(fixed(e.Problem), samples, reference.Settings{Starts: [][]float64{e.Start}})
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		t.Logf("%-14s x %.4v lambda %.4v residual %.1e", e.Name, r.X, r.Lambda, r.Residual)
		for i, x := range r.X {
			if math.Abs(x-e.Optimum[i]) > 0.08 {
				t.Errorf("%s: x is %v, the expectation's optimum %v", e.Name, r.X, e.Optimum)
			}
		}
	}
}
