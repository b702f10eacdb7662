package steps_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa/steps"
)

// TestFieldsAtTheirBounds: which values of a field can be used, and what the error names otherwise.
func TestFieldsAtTheirBounds(t *testing.T) {
	inf := math.Inf(1)
	for i, c := range []struct {
		law  steps.PowerLaw
		want string
	}{
		{steps.PowerLaw{Alpha0: 5e-324, Beta0: 5e-324}, ""},
		{steps.PowerLaw{Alpha0: math.MaxFloat64, Beta0: 1, A: 9, B: 9, Regularization: math.MaxFloat64, Horizon: 1}, ""},
		{steps.PowerLaw{Beta0: 1}, "PowerLaw.Alpha0 is 0"},
		{steps.PowerLaw{Alpha0: inf, Beta0: 1}, "PowerLaw.Alpha0 is +Inf"},
		{steps.PowerLaw{Alpha0: 1}, "PowerLaw.Beta0 is 0"},
		{steps.PowerLaw{Alpha0: 1, Beta0: math.Nextafter(1, 2)}, "PowerLaw.Beta0 is 1.00"},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1, A: -5e-324}, "exponents are a = -5e-324"},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1, B: -5e-324}, "exponents are a = 0, b = -5e-324"},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1, A: inf}, "exponents are a = +Inf"},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1, B: inf}, "exponents are a = 0, b = +Inf"},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1, Regularization: -5e-324}, "Regularization is -5e-324"},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1, Regularization: inf}, "Regularization is +Inf"},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1, Horizon: -1}, "Horizon is -1"},
	} {
		if err := c.law.Check(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d: error is %v, want %q", i, err, c.want)
		}
	}
}

// TestWhatTheSaddlePointMethodCanUse: α_1 below 1, α_1² δ_1 at most 1, and a pull that does not grow.
func TestWhatTheSaddlePointMethodCanUse(t *testing.T) {
	for i, c := range []struct {
		law  steps.PowerLaw
		want string
	}{
		{steps.PowerLaw{Alpha0: math.Nextafter(1, 0), Beta0: 1}, ""},
		{steps.PowerLaw{Alpha0: 1, Beta0: 1}, "the first step size α_1 is 1"},
		{steps.PowerLaw{Alpha0: 16, Beta0: 1, A: 0.5, Horizon: 400}, ""}, // 16/√400
		{steps.PowerLaw{Alpha0: 0.5, Beta0: 1, Regularization: 4. / 3}, ""},
		{steps.PowerLaw{Alpha0: 0.5, Beta0: 1, Regularization: 1.34}, "α_1² δ_1 is 1"},
		{steps.PowerLaw{Alpha0: 0.01, Beta0: 1, A: 0.25, B: 0.5, Regularization: 0.1}, ""},
		{steps.PowerLaw{Alpha0: 0.01, Beta0: 1, A: 0.2, B: 0.5, Regularization: 0.1}, "grows without bound"},
		{steps.PowerLaw{Alpha0: 0.01, Beta0: 1, A: 0.2, B: 0.5}, ""},
		{steps.PowerLaw{Alpha0: 0.01, Beta0: 1, A: 0.2, B: 0.5, Regularization: 0.1, Horizon: 100}, ""},
		{steps.PowerLaw{Alpha0: 0, Beta0: 1}, "PowerLaw.Alpha0 is 0"},
		// At t = 1 and no later: the powers of t fall.
		{steps.PowerLaw{Alpha0: 1.5, Beta0: 1, A: 0.75, B: 0.5}, "the first step size α_1 is 1.5"},
		{steps.PowerLaw{Alpha0: 0.5, Beta0: 1, A: 0.75, B: 0.5, Regularization: 1.2}, "α_1² δ_1 is 1.02"},
	} {
		if err := c.law.CheckSaddle(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d: error is %v, want %q", i, err, c.want)
		}
	}
}

// TestTheBordersOfTheMap: the exponents on the borders of what the theorems allow.
func TestTheBordersOfTheMap(t *testing.T) {
	for _, c := range []struct {
		a, b          float64
		first, second bool
	}{
		{1, 1, false, false}, {1, 0.99, true, false}, {1, 0.5, false, false}, {1, 0.51, true, false}, {1.01, 0.6, false, false}, {0.99, 1, false, false}, {0.9, 0.8, false, true},
		{0.875, 0.75, false, true}, {0.9, 0.9, false, true}, {0.5, 0.25, false, true}, {0, 0, false, false}, {0, 0.5, false, false}, {0.99, 0.99, false, true}, {0.99, 0.97, true, true},
	} {
		if g := steps.Exponents(c.a, c.b, false); g.Theorem1 != c.first || g.Theorem2 != c.second {
			t.Errorf("(%v, %v): %+v", c.a, c.b, g)
		}
	}
	for _, horizon := range []bool{false, true} { // the sum is harmonic at 2b = 1 and at 2a - b = 1, for powers of t
		for _, c := range []struct {
			a, b, rate float64
			logarithm  bool
		}{{0.8, 0.5, 0.2, true}, {0.8, 0.6, 0.2, true}, {0.8, 0.45, 0.1, false}, {0.85, 0.6, 0.15, false}, {0.7, 0.5, 0.2, false}} {
			if g := steps.Exponents(c.a, c.b, horizon); math.Abs(g.Rate-c.rate) > 1e-12 || g.Logarithm != (c.logarithm && !horizon) {
				t.Errorf("(%v, %v): %+v, want a rate of %v", c.a, c.b, g, c.rate)
			}
		}
	}
	if _, err := steps.Theorem2Horizon(1, 0.75, 0.5, 1); err != nil {
		t.Errorf("one step: %v", err)
	}
	if _, err := steps.Theorem2Horizon(1, 0.5, 0.75, 1); err == nil {
		t.Error("exponents that Theorem 2 does not allow")
	}
	if _, err := steps.Theorem2(0, 0.75, 0.5); err == nil {
		t.Error("K = 0")
	}
}

// TestPace: the sizes one after the other are those of each step, also again and after a jump.
func TestPace(t *testing.T) {
	for _, horizon := range []int{0, 9} {
		law := steps.PowerLaw{Alpha0: 0.1, Beta0: 1, A: 0.75, B: 0.5, Regularization: 3, Horizon: horizon}
		pace := steps.Pace{Law: law}
		for _, step := range []int{1, 2, 3, 3, 8, 9, 2, 1, 2} {
			if got, want := pace.At(step), law.At(step); got != want {
				t.Errorf("step %d: %+v, want %+v", step, got, want)
			}
		}
	}
}

// TestWhatTheoremOneLacks: of exponents at its borders, which condition fails; and a rate of Theorem 2 that is nothing but rounding is none.
func TestWhatTheoremOneLacks(t *testing.T) {
	const none, squares, mixed = "no theorem holds", "Σ β_t²", "Σ α_t²/β_t"
	up := math.Nextafter(1, 2)
	for _, c := range []struct {
		a, b float64
		want string
	}{
		{1, .75, ""}, {up, .75, none}, {1, 1, none}, {1, up, none}, {0, .75, none}, {.75, 0, none}, {5e-324, .75, none}, {.9, .5, squares}, {.9, 5e-324, none}, {.875, .75, mixed},
	} {
		g := steps.Exponents(c.a, c.b, false)
		if g.Theorem1 != (c.want == "") || c.want != "" && !strings.Contains(g.Reason, c.want) {
			t.Errorf("a = %v, b = %v: Theorem 1 %t, %s; want %q", c.a, c.b, g.Theorem1, g.Reason, c.want)
		}
	}
	for a, want := range map[float64]float64{1 - 1e-13: 0, 1 - 1e-9: 1e-9} {
		if g := steps.Exponents(a, .75, false); !g.Theorem2 || math.Abs(g.Rate-want) > 1e-12*(1+want) || (g.Rate == 0) != (want == 0) {
			t.Errorf("a = %v: the rate is %v, want %v", a, g.Rate, want)
		}
	}
}
