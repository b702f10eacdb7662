package csspa_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// unstated hides how many inputs a function has, as a type of the user's own may.
type unstated struct{ csspa.Function[pair] }

// TestProblemsThatCannotBe: the error names the function and what is wrong, whoever is given the problem.
func TestProblemsThatCannotBe(t *testing.T) {
	of := func(inputs, outputs int) csspa.Func[pair] {
		return csspa.Func[pair]{In: inputs, Len: outputs, Value: func(dst, _ []float64, _ pair) { clear(dst) }, Gradient: func(_, _, _ []float64, _ pair) {}}
	}
	for want, change := range map[string]func(p *csspa.Problem[pair]){
		"Problem.G has 0 outputs":                                     func(p *csspa.Problem[pair]) { p.G = of(1, 0) },
		"Problem.F has 0 outputs":                                     func(p *csspa.Problem[pair]) { p.F = of(1, 0) },
		"Problem.L has 0 outputs":                                     func(p *csspa.Problem[pair]) { p.L = of(1, 0) },
		"Problem.G takes 2 inputs, but the problem has 1 variables":   func(p *csspa.Problem[pair]) { p.G = of(2, 1) },
		"Problem.F takes 2 inputs, but Problem.G has 1 outputs":       func(p *csspa.Problem[pair]) { p.F = of(2, 1) },
		"Problem.L takes 3 inputs, but Problem.H has 1 outputs":       func(p *csspa.Problem[pair]) { p.L = of(3, 1) },
		"Problem.H does not state its number of inputs (set Func.In)": func(p *csspa.Problem[pair]) { p.H = of(0, 1) },
		"Problem.H and Problem.L must be set together":                func(p *csspa.Problem[pair]) { p.L = nil },
		"factor 0 of Product has 0 coordinates":                       func(p *csspa.Problem[pair]) { p.X = csspa.Product{{0, nil}, {1, nil}} },
		"factor 0 of Product: csspa: Ball.Radius is 0":                func(p *csspa.Problem[pair]) { p.X = csspa.Product{{1, csspa.Ball{}}} },
		"the factors of Product have 2 coordinates, the problem 1":    func(p *csspa.Problem[pair]) { p.X = csspa.Product{{1, nil}, {1, nil}} },
		"Problem.H (group 2 of Stack) takes 2 inputs": func(p *csspa.Problem[pair]) {
			p.H, p.L = csspa.Stack(csspa.Constraint[pair]{H: p.H, L: p.L}, csspa.Constraint[pair]{H: of(2, 1), L: p.L})
		},
		"Problem.L (group 1 of Stack) takes 4 inputs, but its H has 1": func(p *csspa.Problem[pair]) { p.H, p.L = csspa.Stack(csspa.Constraint[pair]{H: p.H, L: of(4, 1)}) },
		"Problem.L takes 1 inputs, but Problem.H has 2 outputs": func(p *csspa.Problem[pair]) {
			_, p.L = csspa.Stack(csspa.Constraint[pair]{H: p.H, L: p.L})
			p.H = of(1, 2)
		},
		"csspa: Box bounds of coordinate 0 are [1, 0.5]: lower must be at": func(p *csspa.Problem[pair]) { p.X = csspa.Box{Lower: []float64{1}, Upper: []float64{0.5}} },
	} {
		p := steps()
		change(&p)
		samples := []pair{{1, 1}, {2, 1}}
		for name, use := range map[string]func() error{
			"Check":             p.Check,
			"Solve":             func() error { _, err := csspa.Solve(p, samples, csspa.Settings{}); return err },
			"Verify":            func() error { return p.Verify([]float64{1}, samples[0], 1e-6) },
			"EstimateConstants": func() error { _, err := csspa.EstimateConstants(p, samples, [][]float64{{1}, {2}}); return err },
			"ScaleConstraints":  func() error { _, err := p.ScaleConstraints(2); return err },
			"Slater":            func() error { _, err := csspa.Slater(p, 9); return err },
			"WarmStart":         func() error { _, err := p.WarmStart([]float64{1}, samples); return err },
			"NewCSSPA":          func() error { _, err := csspa.NewCSSPA(p, constant(0.25, 0.5, 0), 0, csspa.State{}); return err },
		} {
			if err := use(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
	}
	points := steps()
	points.X = csspa.Box{Lower: []float64{2}, Upper: []float64{2}}
	if err := points.Check(); err != nil {
		t.Errorf("a set of one point: %v", err)
	}
}

// TestFunctionsThatAreWrong: what Solve and Verify notice of functions that do not do what they say at one point.
func TestFunctionsThatAreWrong(t *testing.T) {
	right := steps()
	for want, change := range map[string]func(p *csspa.Problem[pair]){
		"Problem.F does not use output 0 of Problem.G": func(p *csspa.Problem[pair]) {
			p.F = unstated{csspa.Func[pair]{In: 1, Len: 1, Value: func(dst, _ []float64, _ pair) { dst[0] = 4 }, Gradient: func(_, _, _ []float64, _ pair) {}}}
		},
		"Problem.L does not use output 1 of Problem.H": func(p *csspa.Problem[pair]) {
			p.H = csspa.Func[pair]{In: 1, Len: 2, Value: func(dst, x []float64, _ pair) { dst[0], dst[1] = x[0], x[0] },
				Gradient: func(dst, _, w []float64, _ pair) { dst[0] += w[0] + w[1] }}
			p.L = unstated{right.L}
		},
		"Problem.G panics with 1 inputs and 1 outputs": func(p *csspa.Problem[pair]) {
			p.G = unstated{csspa.Func[pair]{In: 1, Len: 1, Value: func(dst, x []float64, _ pair) { dst[0] = x[1] }, Gradient: right.G.AddGradient}}
		},
		"Problem.G: the derivative in input 0 is NaN": func(p *csspa.Problem[pair]) {
			p.G = csspa.Func[pair]{In: 1, Len: 1, Value: right.G.Evaluate, Gradient: func(dst, _, _ []float64, _ pair) { dst[0] = math.NaN() }}
		},
		"Problem.H: output 0 is NaN": func(p *csspa.Problem[pair]) {
			p.H = csspa.Func[pair]{In: 1, Len: 1, Value: func(_, _ []float64, _ pair) {}, Gradient: right.H.AddGradient}
		},
	} {
		p := right
		change(&p)
		if _, err := csspa.Solve(p, []pair{{1, 1}, {2, 1}}, csspa.Settings{Start: []float64{0.5}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Solve: %v, want %s", err, want)
		}
		if err := p.Verify([]float64{0.5}, pair{1, 1}, 1e-6); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Verify: %v, want %s", err, want)
		}
	}
	looks := right
	looks.F, looks.L = unstated{right.F}, unstated{right.L}
	if err := looks.Verify([]float64{0.5}, pair{1, 1}, 1e-6); err != nil {
		t.Errorf("functions that do not state their inputs: %v", err)
	}
	if _, err := right.WarmStart([]float64{1}, []pair{{1, 1}, {math.NaN(), 1}}); err == nil || !strings.Contains(err.Error(), "Problem.G") {
		t.Errorf("a sample at which G is not finite: %v", err)
	}
}

// TestDerivativesWithinTheTolerance: Verify allows a derivative to be off by the tolerance, relative to a slope above 1, and no more.
func TestDerivativesWithinTheTolerance(t *testing.T) {
	for _, slope := range []float64{0.25, 1, 8, -8} {
		for _, off := range []float64{-0.02, -0.009, 0.009, 0.02} {
			p := csspa.Problem[pair]{N: 1, F: csspa.Identity[pair](1), G: csspa.Func[pair]{In: 1, Len: 1,
				Value:    func(dst, x []float64, _ pair) { dst[0] = slope * x[0] },
				Gradient: func(dst, _, w []float64, _ pair) { dst[0] += w[0] * (slope + off*max(1, math.Abs(slope))) }}}
			if err := p.Verify([]float64{3}, pair{}, 0.01); (err == nil) != (math.Abs(off) < 0.01) {
				t.Errorf("a slope of %v that is off by %v: %v", slope, off, err)
			}
		}
	}
	rises := csspa.Problem[pair]{N: 1, G: csspa.Identity[pair](1), F: csspa.Identity[pair](1)}
	rises.G = csspa.Func[pair]{In: 1, Len: 2, Value: func(dst, x []float64, _ pair) { dst[0], dst[1] = x[0], 2*x[0] },
		Gradient: func(dst, _, w []float64, _ pair) { dst[0] += w[0] + 2*w[1] + w[0]*w[1] }}
	rises.F = csspa.Func[pair]{In: 2, Len: 1, Value: func(dst, y []float64, _ pair) { dst[0] = y[0] + y[1] },
		Gradient: func(dst, _, w []float64, _ pair) { dst[0] += w[0]; dst[1] += w[0] }}
	if err := rises.Verify([]float64{3}, pair{}, 0.01); err == nil || !strings.Contains(err.Error(), "AddGradient in input 0 is 2.5 for weights 1, 1/2, 1/3, ..., but 2 by adding") {
		t.Errorf("a gradient that is not linear in the weights: %v", err)
	}
}

// TestSmoothedFunctions: the reciprocal and the root with the tangents that take their place, with equal values and slopes where they meet.
func TestSmoothedFunctions(t *testing.T) {
	for _, c := range [][3]float64{{4, 0.25, -0.0625}, {0.5, 2, -4}, {0.25, 3, -4}, {0, 4, -4}, {-0.5, 6, -4}} { // the knee is at ½
		if value, slope := csspa.Reciprocal(c[0], 0.5); value != c[1] || slope != c[2] {
			t.Errorf("1/%v is %v with slope %v, want %v", c[0], value, slope, c)
		}
	}
	for _, c := range [][3]float64{{0, 0, 0.125}, {9, 1, 0.1}, {-8, -1, 0.125}} { // ε = 4
		if value, slope := csspa.Root(c[0], 4); value != c[1] || slope != c[2] {
			t.Errorf("the root of %v is %v with slope %v, want %v", c[0], value, slope, c)
		}
	}
}
