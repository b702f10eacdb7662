package gallery_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/pkg/csspa"
)

func TestProblemsAreWellFormed(t *testing.T) {
	names := map[string]bool{}
	binding := 0
	for _, e := range gallery.All() {
		if err := e.Problem.Check(); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
		if e.Problem.Constraints() != len(e.Multipliers) || len(e.Optimum) != e.Problem.N || len(e.Start) != e.Problem.N {
			t.Errorf("%s: lengths do not agree", e.Name)
		}
		if names[e.Name] {
			t.Errorf("two problems are called %s", e.Name)
		}
		names[e.Name] = true
		if e.Binding() {
			binding++
		}
	}
	if len(names) < 6 || binding < 1 {
		t.Errorf("%d problems, %d with a binding constraint: want at least 6 and 1", len(names), binding)
	}
}

// TestDerivatives: every gradient agrees with finite differences, at random
// points of X and at followed values of many draws.
func TestDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, e := range gallery.All() {
		for range 200 {
			x := inSet(e, rng)
			if err := e.Problem.Verify(x, e.Sample(rng), 1e-5); err != nil {
				t.Fatalf("%s at %v: %v", e.Name, x, err)
			}
		}
	}
}

func inSet(e gallery.Entry, rng *rand.Rand) []float64 {
	x := make([]float64, e.Problem.N)
	for i := range x {
		x[i] = rng.Float64()*6 - 3
	}
	e.Problem.X.Project(x)
	return x
}

// TestClosedForms compares the exact F and L_j with means over many draws at
// random points. The widest terms have a standard deviation of about 2.5 times the
// value, so that the tolerance of 0.06 is some five standard errors.
func TestClosedForms(t *testing.T) {
	const draws = 40000
	rng := rand.New(rand.NewPCG(13, 14))
	for _, e := range gallery.All() {
		samples := make([]gallery.Draw, draws)
		for i := range samples {
			samples[i] = e.Sample(rng)
		}
		data := csspa.NewFinite(e.Problem, samples)
		for range 3 {
			x := inSet(e, rng)
			const tolerance = 0.06
			if got, want := data.Objective(x), e.Objective(x); math.Abs(got-want) > tolerance*max(1, math.Abs(want)) {
				t.Errorf("%s: F(%v) is %v, a mean of %d draws %v", e.Name, x, want, draws, got)
			}
			if e.Constraints == nil {
				continue
			}
			got, want := make([]float64, len(e.Multipliers)), make([]float64, len(e.Multipliers))
			data.Constraints(got, x)
			e.Constraints(want, x)
			for j := range got {
				if math.Abs(got[j]-want[j]) > tolerance*max(1, math.Abs(want[j])) {
					t.Errorf("%s: L_%d(%v) is %v, a mean of %d draws %v", e.Name, j+1, x, want[j], draws, got[j])
				}
			}
		}
	}
}

// TestOptimum: at (x*, λ*) the Lagrangian has no slope, and the constraints and
// multipliers are complementary: with convexity this proves the optimum. Every
// x* of the gallery is inside X.
func TestOptimum(t *testing.T) {
	for _, e := range gallery.All() {
		lagrangian := func(x []float64) float64 {
			sum := e.Objective(x)
			if e.Constraints != nil {
				levels := make([]float64, len(e.Multipliers))
				e.Constraints(levels, x)
				for j, level := range levels {
					sum += e.Multipliers[j] * level
				}
			}
			return sum
		}
		if got := e.Objective(e.Optimum); math.Abs(got-e.Value) > 1e-12 {
			t.Errorf("%s: F(x*) is %v, stated %v", e.Name, got, e.Value)
		}
		if v := e.Violation(e.Optimum); v > 1e-12 {
			t.Errorf("%s: x* violates by %v", e.Name, v)
		}
		if got := lagrangian(e.Optimum); math.Abs(got-e.Value) > 1e-12 {
			t.Errorf("%s: not complementary: Lagrangian %v, F* %v", e.Name, got, e.Value)
		}
		const h = 1e-6
		for i := range e.Optimum {
			up, down := append([]float64(nil), e.Optimum...), append([]float64(nil), e.Optimum...)
			up[i] += h
			down[i] -= h
			if slope := (lagrangian(up) - lagrangian(down)) / (2 * h); math.Abs(slope) > 1e-8 {
				t.Errorf("%s: the Lagrangian has slope %v in coordinate %d", e.Name, slope, i)
			}
		}
	}
}
