package surrogate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// every returns each relaxation in every form that changes its functions.
func every(t testing.TB, threshold float64) []Relaxation {
	t.Helper()
	var all []Relaxation
	for _, name := range Names() {
		for _, reversed := range []bool{false, true} {
			for _, monotone := range []bool{false, true} {
				r, err := New(Settings{Name: name, Threshold: threshold, Epsilon: 0.1, Slope: 1.7, Reversed: reversed, Monotone: monotone})
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, r)
			}
		}
	}
	return all
}

func describe(r Relaxation) string {
	s := r.Settings()
	return fmt.Sprintf("%s reversed=%v monotone=%v", s.Name, s.Reversed, s.Monotone)
}

func TestInnerByHand(t *testing.T) {
	// Half margins are exact in binary; the columns are the package comment's.
	sigma := func(z float64) float64 { return 1 / (1 + math.Exp(-2*z)) }
	for _, c := range []struct {
		name Name
		side fairness.Side
		z    float64
		want []float64
	}{
		{Approximation1, fairness.Group, 0.5, []float64{1, 1.5, 0.5, 0, 0, 0}},
		{Approximation1, fairness.Group, -3, []float64{1, 0, -3, 0, 0, 0}},
		{Approximation1, fairness.Group, 3, []float64{1, 4, 1, 0, 0, 0}},
		{Approximation1, fairness.Versus, 0.5, []float64{0, 0, 0, 1, 0.5, -0.5}},
		{Approximation1, fairness.Versus, -3, []float64{0, 0, 0, 1, 4, 1}},
		{Approximation1, fairness.Neither, 3, []float64{0, 0, 0, 0, 0, 0}},
		{Approximation2, fairness.Group, 0.5, []float64{1, 1.5, 0, 0}},
		{Approximation2, fairness.Versus, 0.5, []float64{0, 0, 1, 0.5}},
		{Approximation3, fairness.Versus, 2, []float64{0, 0, 0, 1, 0, -2}},
		{MeanMargin, fairness.Group, -0.5, []float64{1, -0.5, 0, 0}},
		{MeanMargin, fairness.Versus, -0.5, []float64{0, 0, 1, -0.5}},
		{Sigmoid, fairness.Group, 0, []float64{1, 0.5, 0, 0}},
		{Sigmoid, fairness.Versus, 1, []float64{0, 0, 1, sigma(1)}},
		{Sigmoid, fairness.Side(7), 1, []float64{0, 0, 0, 0}}, // any other side is neither
	} {
		r, err := New(Settings{Name: c.name, Slope: 2})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, r.InnerSize())
		r.Inner(got, c.side, c.z)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-15 {
				t.Errorf("%s, side %d, margin %v: h = %v, want %v", c.name, c.side, c.z, got, c.want)
				break
			}
		}
	}
}

func TestInnerDerivativeMeetsFiniteDifferences(t *testing.T) {
	const step = 1e-6
	// Both sides of the kinks at −1 and 1, close to them and far.
	margins := []float64{-4, -1 - 2*step, -1 + 2*step, -0.3, 0, 0.4, 1 - 2*step, 1 + 2*step, 5}
	for _, r := range every(t, 1) {
		n := r.InnerSize()
		got, low, high := make([]float64, n), make([]float64, n), make([]float64, n)
		for _, side := range []fairness.Side{fairness.Neither, fairness.Group, fairness.Versus} {
			for _, z := range margins {
				r.InnerDerivative(got, side, z)
				r.Inner(low, side, z-step)
				r.Inner(high, side, z+step)
				for i := range got {
					if want := (high[i] - low[i]) / (2 * step); math.Abs(got[i]-want) > 1e-8 {
						t.Errorf("%s side %d: dh[%d]/dz at %v is %v, finite difference %v", describe(r), side, i, z, got[i], want)
					}
				}
			}
		}
	}
}

func TestDerivativeAtAKinkIsThatOfTheFlatPiece(t *testing.T) {
	r, err := New(Settings{Name: Approximation1, Threshold: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		side         fairness.Side
		z            float64
		upper, lower float64 // expected derivatives of U and L
	}{
		{fairness.Group, -1, 0, 1}, {fairness.Group, 1, 1, 0}, {fairness.Versus, -1, -1, 0}, {fairness.Versus, 1, 0, -1},
	} {
		got := make([]float64, 6)
		r.InnerDerivative(got, c.side, c.z)
		base := 0
		if c.side == fairness.Versus {
			base = 3
		}
		if got[base+1] != c.upper || got[base+2] != c.lower {
			t.Errorf("side %d, margin %v: derivatives (%v, %v), want (%v, %v)", c.side, c.z, got[base+1], got[base+2], c.upper, c.lower)
		}
	}
}

// randomInner is a point u that is not the image of any data: gradients have to
// be right everywhere. Frequencies fall on both sides of epsilon.
func randomInner(rng *rand.Rand, r Relaxation, epsilon float64) []float64 {
	u := make([]float64, r.InnerSize())
	for i := range u {
		u[i] = rng.NormFloat64()
	}
	for _, base := range []int{0, len(u) / 2} {
		u[base] = 2 * epsilon * rng.Float64()
		for math.Abs(u[base]-epsilon) < 1e-4 {
			u[base] = 2 * epsilon * rng.Float64()
		}
	}
	return u
}

func TestOuterGradientMeetsFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	const step = 1e-6
	for _, r := range every(t, 1.3) {
		grad := make([]float64, r.InnerSize())
		low, high := make([]float64, r.OuterSize()), make([]float64, r.OuterSize())
		for range 200 {
			u := randomInner(rng, r, 0.1)
			for j := range r.OuterSize() {
				r.OuterGradient(grad, j, u)
				for i := range u {
					at := u[i]
					u[i] = at - step
					r.Outer(low, u)
					u[i] = at + step
					r.Outer(high, u)
					u[i] = at
					want := (high[j] - low[j]) / (2 * step)
					if math.Abs(grad[i]-want) > 1e-5*(1+math.Abs(want)) {
						t.Fatalf("%s: dl_%d/du[%d] at %v is %v, finite difference %v", describe(r), j, i, u, grad[i], want)
					}
				}
			}
		}
	}
}

func TestMonotoneSquareIsContinuouslyDifferentiable(t *testing.T) {
	r, err := New(Settings{Name: Approximation2, Monotone: true})
	if err != nil {
		t.Fatal(err)
	}
	above, slopeAbove := r.square(tangentBelow)
	below, slopeBelow := r.square(math.Nextafter(tangentBelow, 0))
	if math.Abs(above-below) > 1e-15 || math.Abs(slopeAbove-slopeBelow) > 1e-15 {
		t.Errorf("the tangent meets the square with (%v, %v) against (%v, %v)", below, slopeBelow, above, slopeAbove)
	}
	if _, slope := r.square(-3); slope <= 0 {
		t.Errorf("the slope far below is %v, want it positive", slope)
	}
}

func TestCoefficientIsTheChainRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, r := range every(t, 1) {
		dh, grad := make([]float64, r.InnerSize()), make([]float64, r.InnerSize())
		lambda := make([]float64, r.OuterSize())
		for range 500 {
			u := randomInner(rng, r, 0.1)
			for j := range lambda {
				lambda[j] = rng.ExpFloat64()
			}
			side, z := fairness.Side(rng.IntN(4)), 2*rng.NormFloat64()
			if rng.IntN(10) == 0 {
				z = float64(2*rng.IntN(2) - 1) // a kink
			}
			r.InnerDerivative(dh, side, z)
			var want float64
			for j := range lambda {
				r.OuterGradient(grad, j, u)
				for i := range dh {
					want += lambda[j] * dh[i] * grad[i]
				}
			}
			if got := r.Coefficient(u, lambda, side, z); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("%s side %d margin %v: coefficient %v, chain rule %v", describe(r), side, z, got, want)
			}
		}
	}
}

func TestTrackIsTheConvexCombination(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, r := range every(t, 1) {
		u, want, h := make([]float64, r.InnerSize()), make([]float64, r.InnerSize()), make([]float64, r.InnerSize())
		for step := range 300 {
			side, z, beta := fairness.Side(rng.IntN(3)), 2*rng.NormFloat64(), math.Pow(float64(step+1), -0.5)
			r.Inner(h, side, z)
			for i := range want {
				want[i] = (1-beta)*want[i] + beta*h[i]
			}
			r.Track(u, beta, side, z)
			for i := range u {
				if math.Abs(u[i]-want[i]) > 1e-13 {
					t.Fatalf("%s: u[%d] = %v after %d steps, want %v", describe(r), i, u[i], step+1, want[i])
				}
			}
		}
	}
}

func TestReversedExchangesTheSides(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	other := map[fairness.Side]fairness.Side{fairness.Neither: fairness.Neither, fairness.Group: fairness.Versus, fairness.Versus: fairness.Group}
	for _, name := range Names() {
		both, err := New(Settings{Name: name, Threshold: 1})
		if err != nil {
			t.Fatal(err)
		}
		reversed, err := New(Settings{Name: name, Threshold: 1, Reversed: true})
		if err != nil {
			t.Fatal(err)
		}
		h, mirrored := make([]float64, both.InnerSize()), make([]float64, both.InnerSize())
		for range 50 {
			side, z := fairness.Side(rng.IntN(3)), rng.NormFloat64()
			both.Inner(h, side, z)
			reversed.Inner(mirrored, other[side], z)
			for i := range h {
				if h[i] != mirrored[i] {
					t.Fatalf("%s: side %d gives %v, reversed %v", name, side, h, mirrored)
				}
			}
		}
		half := both.InnerSize() / 2
		if g, v := both.FrequencyIndex(); g != 0 || v != half {
			t.Errorf("%s: frequencies at (%d, %d), want (0, %d)", name, g, v, half)
		}
		if g, v := reversed.FrequencyIndex(); g != half || v != 0 {
			t.Errorf("%s reversed: frequencies at (%d, %d), want (%d, 0)", name, g, v, half)
		}
	}
}

func TestNewBothPushesDownThenUp(t *testing.T) {
	for _, name := range Names() {
		instances, err := NewBoth(Settings{Name: name, Threshold: 1})
		if err != nil {
			t.Fatal(err)
		}
		// With the multiplier of constraint 0 alone, a group's margin must have
		// a positive derivative (descending it lowers RD), with that of
		// constraint 1 alone a negative one.
		var signs []float64
		for _, r := range instances {
			u := make([]float64, r.InnerSize())
			for range 20 {
				r.Track(u, 0.2, fairness.Group, 0.25)
				r.Track(u, 0.2, fairness.Versus, -0.25)
			}
			for j := range r.OuterSize() {
				lambda := make([]float64, r.OuterSize())
				lambda[j] = 1
				signs = append(signs, r.Coefficient(u, lambda, fairness.Group, 0.25))
			}
		}
		if len(signs) != 2 || !(signs[0] > 0) || !(signs[1] < 0) {
			t.Errorf("%s: derivatives %v, want one positive, then one negative", name, signs)
		}
	}
}

func TestHotMethodsDoNotAllocate(t *testing.T) {
	for _, r := range every(t, 1) {
		u, h := make([]float64, MaxInner), make([]float64, MaxInner)
		values, lambda := make([]float64, MaxOuter), []float64{1, 2}
		var sum float64
		allocations := testing.AllocsPerRun(100, func() {
			r.Track(u, 0.1, fairness.Group, 0.3)
			r.Track(u, 0.1, fairness.Versus, -0.3)
			r.Inner(h, fairness.Group, 0.3)
			r.InnerDerivative(h, fairness.Versus, 0.3)
			r.Outer(values, u)
			r.OuterGradient(h, 0, u)
			sum += r.Coefficient(u, lambda, fairness.Group, 0.3) + r.EffectiveConstant(u, 0.05)
		})
		if allocations != 0 {
			t.Errorf("%s: %v allocations", describe(r), allocations)
		}
	}
}

func TestNewRejectsWithTheFieldAndTheRange(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		want     string
	}{
		{Settings{Name: "approximation-4"}, `unknown relaxation "approximation-4"`},
		{Settings{Name: MeanMargin, Threshold: -1}, "threshold of mean-margin is -1"},
		{Settings{Name: MeanMargin, Threshold: math.NaN()}, "threshold of mean-margin is NaN"},
		{Settings{Name: MeanMargin, Threshold: math.Inf(1)}, "threshold of mean-margin is +Inf"},
		{Settings{Name: MeanMargin, Epsilon: 1.5}, "epsilon of mean-margin is 1.5"},
		{Settings{Name: MeanMargin, Epsilon: -0.01}, "epsilon of mean-margin is -0.01"},
		{Settings{Name: MeanMargin, Epsilon: math.NaN()}, "epsilon of mean-margin is NaN"},
		{Settings{Name: Sigmoid, Slope: -2}, "slope of sigmoid is -2"},
		{Settings{Name: Sigmoid, Slope: math.Inf(1)}, "slope of sigmoid is +Inf"},
	} {
		if _, err := New(c.settings); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v): error %v, want it to say %q", c.settings, err, c.want)
		}
		if _, err := NewBoth(c.settings); err == nil {
			t.Errorf("NewBoth(%+v): no error", c.settings)
		}
	}
	if r, err := New(Settings{Name: Sigmoid, Epsilon: 1}); err != nil || r.Settings().Epsilon != 1 {
		t.Errorf("an epsilon of 1, the largest frequency: %v", err)
	}
	r, err := New(Settings{Name: Sigmoid})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Settings(); s.Epsilon != DefaultEpsilon || s.Slope != DefaultSlope {
		t.Errorf("defaults are epsilon %v and slope %v", s.Epsilon, s.Slope)
	}
}

func TestParseAndFactsCoverEveryName(t *testing.T) {
	for _, name := range Names() {
		parsed, err := Parse(string(name))
		if err != nil || parsed != name {
			t.Errorf("Parse(%q) = %q, %v", name, parsed, err)
		}
		facts := name.Facts()
		r, err := New(Settings{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if facts.Inner != r.InnerSize() || facts.Inner > MaxInner || facts.Outer != r.OuterSize() || facts.Outer > MaxOuter {
			t.Errorf("%s: facts give sizes %d and %d, the relaxation %d and %d", name, facts.Inner, facts.Outer, r.InnerSize(), r.OuterSize())
		}
		if facts.OneSided != (facts.Outer == 1) || len(facts.AtZero) != facts.Outer {
			t.Errorf("%s: one-sided %v with %d constraints and values %v", name, facts.OneSided, facts.Outer, facts.AtZero)
		}
	}
	if _, err := Parse("Approximation-1"); err == nil || !strings.Contains(err.Error(), "use one of approximation-1, approximation-2, approximation-3, mean-margin, sigmoid") {
		t.Errorf("Parse of an unknown name: %v", err)
	}
}
