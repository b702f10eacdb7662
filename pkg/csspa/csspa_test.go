package csspa_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// pair is a draw for the problem below.
type pair struct{ xi, phi float64 }

// steps is a problem small enough for pencil and paper:
//
//	g(x; ξ) = ξ x,  f(y) = y²/2,  h(x; φ) = φ x,  l(u) = u² - 1,  X = [-10, 10]
func steps() csspa.Problem[pair] {
	return csspa.Problem[pair]{
		N: 1,
		G: csspa.Func[pair]{
			In: 1, Len: 1,
			Value:    func(dst, x []float64, s pair) { dst[0] = s.xi * x[0] },
			Gradient: func(dst, _, w []float64, s pair) { dst[0] += w[0] * s.xi },
		},
		F: csspa.Func[pair]{
			In: 1, Len: 1,
			Value:    func(dst, y []float64, _ pair) { dst[0] = y[0] * y[0] / 2 },
			Gradient: func(dst, y, w []float64, _ pair) { dst[0] += w[0] * y[0] },
		},
		H: csspa.Func[pair]{
			In: 1, Len: 1,
			Value:    func(dst, x []float64, s pair) { dst[0] = s.phi * x[0] },
			Gradient: func(dst, _, w []float64, s pair) { dst[0] += w[0] * s.phi },
		},
		L: csspa.Func[pair]{
			In: 1, Len: 1,
			Value:    func(dst, u []float64, _ pair) { dst[0] = u[0]*u[0] - 1 },
			Gradient: func(dst, u, w []float64, _ pair) { dst[0] += w[0] * 2 * u[0] },
		},
		X:          csspa.Box{Lower: []float64{-10}, Upper: []float64{10}},
		FixedOuter: true,
	}
}

// constant are step sizes that do not depend on t.
func constant(alpha, beta, delta float64) csspa.PowerLaw {
	return csspa.PowerLaw{Alpha0: alpha, Beta0: beta, Regularization: delta / (1 + 2/beta)}
}

// TestStepByHand follows two steps with α = 1/4, β = 1/2, δ = 2, θ = 1/8 from
// x = 4, y = 2, u = 0, λ = 1. Every number is exact in binary.
//
//	step 1, ξ = 1, φ = 1/2:  y = 1/2·2 + 1/2·4 = 3         u = 1/2·0 + 1/2·2 = 1
//	  x = 4 - 1/4 (1·3 + 1·(1/2·2·1)) = 3                  (the old λ = 1 is used)
//	  λ = [1·(1 - 2/16) + 1/4 (1 - 1 + 1/8)]_+ = 7/8 + 1/32 = 29/32
//	step 2, ξ = 2, φ = 1:    y = 3/2 + 3 = 9/2             u = 1/2 + 3/2 = 2
//	  x = 3 - 1/4 (2·9/2 + 29/32·(1·2·2)) = 3 - 1/4 (9 + 29/8) = -5/32
//	  λ = [29/32·7/8 + 1/4 (4 - 1 + 1/8)]_+ = 203/256 + 25/32 = 403/256
//
// and x̂ averages x_1 = 4 and x_2 = 3, the points before the steps.
func TestStepByHand(t *testing.T) {
	start := csspa.State{X: []float64{4}, Y: []float64{2}, Lambda: []float64{1}}
	a, err := csspa.NewCSSPA(steps(), constant(0.25, 0.5, 2), 0.125, start)
	if err != nil {
		t.Fatal(err)
	}
	want := []csspa.State{
		{Steps: 1, X: []float64{3}, Y: []float64{3}, U: []float64{1}, Lambda: []float64{29. / 32}, Sum: []float64{1}, Weight: 0.25},
		{Steps: 2, X: []float64{-5. / 32}, Y: []float64{4.5}, U: []float64{2}, Lambda: []float64{403. / 256}, Sum: []float64{1.75}, Weight: 0.5},
	}
	for i, s := range []pair{{1, 0.5}, {2, 1}} {
		a.Step(s)
		requireState(t, a.State(), want[i])
	}
	average := make([]float64, 1)
	a.Average(average)
	if average[0] != 3.5 {
		t.Errorf("average is %v, want 3.5", average[0])
	}
}

// TestMultiplierStaysNonNegative: l = -1 at u = 0 pulls λ below 0, where it is cut.
func TestMultiplierStaysNonNegative(t *testing.T) {
	a, err := csspa.NewCSSPA(steps(), constant(0.5, 1, 0), 0, csspa.State{Lambda: []float64{0.25}})
	if err != nil {
		t.Fatal(err)
	}
	a.Step(pair{1, 1})
	if got := a.State().Lambda[0]; got != 0 {
		t.Errorf("lambda is %v, want 0", got)
	}
}

func requireState(t *testing.T, got, want csspa.State) {
	t.Helper()
	same := got.Steps == want.Steps && got.Weight == want.Weight &&
		slices.Equal(got.X, want.X) && slices.Equal(got.Y, want.Y) && slices.Equal(got.U, want.U) &&
		slices.Equal(got.Lambda, want.Lambda) && slices.Equal(got.Sum, want.Sum) && slices.Equal(got.Previous, want.Previous)
	if !same {
		t.Errorf("state is\n%+v, want\n%+v", got, want)
	}
}

// TestRestoreContinues: stopped anywhere, saved and restored into a new method,
// the run ends on the same bits.
func TestRestoreContinues(t *testing.T) {
	schedule, err := csspa.Theorem2(0.5, 0.75, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	fresh := func(start csspa.State) *csspa.CSSPA[pair] {
		a, err := csspa.NewCSSPA(steps(), schedule, 0.01, start)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	rng := rand.New(rand.NewPCG(1, 2))
	samples := make([]pair, 200)
	for i := range samples {
		samples[i] = pair{rng.NormFloat64(), 1 + rng.Float64()}
	}
	whole := fresh(csspa.State{X: []float64{5}})
	for _, s := range samples {
		whole.Step(s)
	}
	for range 20 {
		stop := rng.IntN(len(samples))
		first := fresh(csspa.State{X: []float64{5}})
		for _, s := range samples[:stop] {
			first.Step(s)
		}
		saved := first.State()
		first.Step(pair{1e6, 1e6}) // must not reach the saved copy
		second := fresh(saved)
		for _, s := range samples[stop:] {
			second.Step(s)
		}
		requireState(t, second.State(), whole.State())
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	schedule, err := csspa.Theorem2(1, 0.75, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	a, err := csspa.NewCSSPA(steps(), schedule, 0, csspa.State{})
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { a.Step(pair{1, 1}) }); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

// TestUnconstrained: with H and L nil the method is plain SCGD and keeps no λ.
func TestUnconstrained(t *testing.T) {
	p := steps()
	p.H, p.L = nil, nil
	a, err := csspa.NewCSSPA(p, constant(0.5, 1, 0), 0, csspa.State{X: []float64{2}})
	if err != nil {
		t.Fatal(err)
	}
	a.Step(pair{xi: 1})
	if got := a.State(); got.X[0] != 1 || len(got.Lambda) != 0 || len(got.U) != 0 {
		t.Errorf("state is %+v, want x = 1, no u and no lambda", got)
	}
}

func TestErrors(t *testing.T) {
	good := constant(0.1, 0.5, 0)
	noF := steps()
	noF.F = nil
	half := steps()
	half.L = nil
	two := steps()
	two.F = csspa.Identity[pair](2)
	box := steps()
	box.X = csspa.Box{Lower: []float64{1}, Upper: []float64{0}}
	unsized := steps()
	unsized.L = csspa.Func[pair]{Len: 1}
	for name, build := range map[string]func() error{
		"no inputs":         func() error { _, err := csspa.NewCSSPA(unsized, good, 0, csspa.State{}); return err },
		"no variables":      func() error { return csspa.Problem[pair]{}.Check() },
		"no outer function": func() error { return noF.Check() },
		"h without l":       func() error { return half.Check() },
		"two objectives":    func() error { return two.Check() },
		"empty box":         func() error { return box.Check() },
		"negative theta":    func() error { _, err := csspa.NewCSSPA(steps(), good, -1, csspa.State{}); return err },
		"NaN theta":         func() error { _, err := csspa.NewCSSPA(steps(), good, math.NaN(), csspa.State{}); return err },
		"zero step":         func() error { _, err := csspa.NewCSSPA(steps(), constant(0, 1, 0), 0, csspa.State{}); return err },
		"start of length 2": func() error { _, err := csspa.NewCSSPA(steps(), good, 0, csspa.State{X: []float64{1, 2}}); return err },
		"negative lambda": func() error {
			_, err := csspa.NewCSSPA(steps(), good, 0, csspa.State{Lambda: []float64{-1}})
			return err
		},
		"NaN start": func() error {
			_, err := csspa.NewCSSPA(steps(), good, 0, csspa.State{Y: []float64{math.NaN()}})
			return err
		},
		"negative steps":     func() error { _, err := csspa.NewCSSPA(steps(), good, 0, csspa.State{Steps: -1}); return err },
		"warm start, bad x":  func() error { _, err := steps().WarmStart([]float64{1, 2}, nil); return err },
		"verify, bad length": func() error { return steps().Verify(nil, pair{1, 1}, 1e-6) },
	} {
		if build() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestWarmStart: means over the samples at the projected point.
func TestWarmStart(t *testing.T) {
	s, err := steps().WarmStart([]float64{99}, []pair{{1, 2}, {2, 4}, {6, 6}})
	if err != nil {
		t.Fatal(err)
	}
	if s.X[0] != 10 || math.Abs(s.Y[0]-30) > 1e-12 || math.Abs(s.U[0]-40) > 1e-12 || s.Steps != 0 {
		t.Errorf("start is %+v, want x = 10, y = 30, u = 40", s)
	}
}

func TestVerify(t *testing.T) {
	if err := steps().Verify([]float64{1.5}, pair{2, -1}, 1e-8); err != nil {
		t.Error(err)
	}
	wrong := func(change func(p *csspa.Problem[pair])) error {
		p := steps()
		change(&p)
		return p.Verify([]float64{1.5}, pair{2, -1}, 1e-6)
	}
	square := func(gradient func(dst, u, w []float64, _ pair)) csspa.Function[pair] {
		return csspa.Func[pair]{In: 1, Len: 2, Value: func(dst, u []float64, _ pair) { dst[0], dst[1] = u[0], u[0]*u[0] }, Gradient: gradient}
	}
	for name, err := range map[string]error{
		"wrong factor": wrong(func(p *csspa.Problem[pair]) {
			p.L = square(func(dst, u, w []float64, _ pair) { dst[0] += w[0] + w[1]*u[0] })
		}),
		"overwrites": wrong(func(p *csspa.Problem[pair]) {
			p.L = square(func(dst, u, w []float64, _ pair) { dst[0] = w[0] + w[1]*2*u[0] })
		}),
		"not linear in the weights": wrong(func(p *csspa.Problem[pair]) {
			p.L = square(func(dst, u, w []float64, _ pair) { dst[0] += w[0]*w[0] + w[1]*w[1]*2*u[0] })
		}),
		"NaN": wrong(func(p *csspa.Problem[pair]) {
			p.G = csspa.Func[pair]{In: 1, Len: 1, Value: func(dst, x []float64, _ pair) { dst[0] = math.NaN() }, Gradient: func(dst, _, w []float64, _ pair) {}}
		}),
	} {
		if err == nil {
			t.Errorf("%s: not found", name)
		}
	}
}
