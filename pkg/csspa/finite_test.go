package csspa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestFiniteByHand: samples ξ = 1, 3 and φ = 0, 4 at x = 2: E g = 4, F = 8,
// E h = 4, L = 15; gradients F' = E ξ · y = 2·4, L' = E φ · 2u = 2·8.
func TestFiniteByHand(t *testing.T) {
	f := csspa.NewFinite(steps(), []pair{{1, 0}, {3, 4}})
	x := []float64{2}
	if got := f.Objective(x); got != 8 {
		t.Errorf("F is %v, want 8", got)
	}
	level := []float64{0}
	f.Constraints(level, x)
	if level[0] != 15 || f.Violation(x) != 15 {
		t.Errorf("L is %v and the violation %v, want 15", level[0], f.Violation(x))
	}
	gradient := []float64{99}
	f.Gradient(gradient, x)
	if gradient[0] != 8 {
		t.Errorf("the gradient of F is %v, want 8", gradient[0])
	}
	f.AddConstraintGradient(gradient, x, []float64{0.5})
	if gradient[0] != 16 {
		t.Errorf("F' + L'/2 is %v, want 16", gradient[0])
	}
	if v := f.Violation([]float64{0}); v != 0 {
		t.Errorf("the violation of a feasible point is %v", v)
	}
}

// TestFiniteGradients compares with finite differences of the means.
func TestFiniteGradients(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	samples := make([]pair, 50)
	for i := range samples {
		samples[i] = pair{rng.NormFloat64(), rng.NormFloat64()}
	}
	f := csspa.NewFinite(steps(), samples)
	const h = 1e-6
	for range 20 {
		x := rng.NormFloat64()
		lagrangian := func(x float64) float64 {
			level := []float64{0}
			f.Constraints(level, []float64{x})
			return f.Objective([]float64{x}) + 3*level[0]
		}
		gradient := []float64{0}
		f.Gradient(gradient, []float64{x})
		f.AddConstraintGradient(gradient, []float64{x}, []float64{3})
		want := (lagrangian(x+h) - lagrangian(x-h)) / (2 * h)
		if math.Abs(gradient[0]-want) > 1e-6*max(1, math.Abs(want)) {
			t.Errorf("gradient at %v is %v, finite difference %v", x, gradient[0], want)
		}
	}
}

func TestFinitePanics(t *testing.T) {
	for name, build := range map[string]func(){
		"no samples":  func() { csspa.NewFinite(steps(), nil) },
		"bad problem": func() { csspa.NewFinite(csspa.Problem[pair]{}, []pair{{1, 1}}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			build()
		}()
	}
}
