package csspa_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
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
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "csspa: ") {
					t.Errorf("%s: %s", name, said)
				}
			}()
			build()
		}()
	}
}

// TestFixedOuter: means are the same whether fixed outer functions are evaluated
// once or once a sample.
func TestFixedOuter(t *testing.T) {
	samples := []pair{{1, 0}, {3, 4}, {-2, 1}}
	slow := steps()
	slow.FixedOuter = false
	a, b := csspa.NewFinite(steps(), samples), csspa.NewFinite(slow, samples)
	for _, x := range []float64{-1, 0.5, 2} {
		point := []float64{x}
		fast, plain := []float64{0}, []float64{0}
		a.Gradient(fast, point)
		b.Gradient(plain, point)
		a.AddConstraintGradient(fast, point, []float64{2})
		b.AddConstraintGradient(plain, point, []float64{2})
		if math.Abs(a.Objective(point)-b.Objective(point)) > 1e-14 || math.Abs(a.Violation(point)-b.Violation(point)) > 1e-13 || math.Abs(fast[0]-plain[0]) > 1e-13 {
			t.Errorf("at %v the two ways differ", x)
		}
	}
}

// TestScaleConstraints: values and gradients are multiplied, the objective is not.
func TestScaleConstraints(t *testing.T) {
	scaled, err := steps().ScaleConstraints(4)
	if err != nil {
		t.Fatal(err)
	}
	if err := scaled.Verify([]float64{1.5}, pair{2, -1}, 1e-8); err != nil {
		t.Error(err)
	}
	f := csspa.NewFinite(scaled, []pair{{1, 0}, {3, 4}})
	if v, objective := f.Violation([]float64{2}), f.Objective([]float64{2}); v != 60 || objective != 8 {
		t.Errorf("violation and objective are %v and %v, want 4·15 and 8", v, objective)
	}
	free := steps()
	free.H, free.L = nil, nil
	if p, err := free.ScaleConstraints(2); err != nil || p.Constraints() != 0 {
		t.Errorf("without constraints: %v, %v", p.Constraints(), err)
	}
	if _, err := steps().ScaleConstraints(0); err == nil {
		t.Error("factor 0: no error")
	}
}
