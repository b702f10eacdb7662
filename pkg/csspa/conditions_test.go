package csspa_test

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestTheBordersOfTheTheorems: on each border of the exponents and just beyond it, a schedule is made where the theorem holds and nowhere
// else, and Exponents agrees. The conditions are written as the print of the theorems has them, with strict and other signs.
func TestTheBordersOfTheTheorems(t *testing.T) {
	const off = 1e-6
	var exponents []float64
	for _, x := range []float64{0, 0.25, 0.5, 0.75, 1} {
		exponents = append(exponents, x-off, x, x+off)
	}
	for _, a := range exponents {
		for _, b := range exponents {
			first := b > 0.5 && b <= 1 && a > 0 && a <= 1 && 2*a-b > 1
			second := a > 0 && a < 1 && b > 0 && b < 1 && a >= b && 2*b >= a
			if _, err := csspa.Theorem1(1, a, b); (err == nil) != first {
				t.Errorf("Theorem 1 at a = %v, b = %v: %v", a, b, err)
			}
			if _, err := csspa.Theorem2(1, a, b); (err == nil) != second {
				t.Errorf("Theorem 2 at a = %v, b = %v: %v", a, b, err)
			}
			for _, horizon := range []bool{false, true} {
				if g := csspa.Exponents(a, b, horizon); g.Theorem1 != (first && !horizon) || g.Theorem2 != second || g.Reason == "" {
					t.Errorf("a = %v, b = %v, horizon %v: %+v", a, b, horizon, g)
				}
			}
		}
	}
	for _, k := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if _, err := csspa.Theorem1(k, 0.9, 0.6); err == nil {
			t.Errorf("Theorem 1 takes K = %v", k)
		}
		if _, err := csspa.Theorem2(k, 0.75, 0.5); err == nil {
			t.Errorf("Theorem 2 takes K = %v", k)
		}
	}
	for steps, good := range map[int]bool{-1: false, 0: false, 1: true} {
		if _, err := csspa.Theorem2Horizon(1, 0.75, 0.5, steps); (err == nil) != good {
			t.Errorf("a horizon of %d: %v", steps, err)
		}
	}
}

// TestTheFieldsOfASchedule: each field on its bounds is taken and beyond them refused.
func TestTheFieldsOfASchedule(t *testing.T) {
	good := csspa.PowerLaw{Alpha0: 0.1, Beta0: 1, A: 0.75, B: 0.5, Regularization: 4}
	tiny := math.SmallestNonzeroFloat64
	for name, c := range map[string]struct {
		set       func(s *csspa.PowerLaw, x float64)
		good, bad []float64
	}{
		"Alpha0":         {func(s *csspa.PowerLaw, x float64) { s.Alpha0 = x }, []float64{tiny, math.MaxFloat64}, []float64{0, -1, math.Inf(1), math.NaN()}},
		"Beta0":          {func(s *csspa.PowerLaw, x float64) { s.Beta0 = x }, []float64{tiny, 1}, []float64{0, math.Nextafter(1, 2), math.NaN()}},
		"A":              {func(s *csspa.PowerLaw, x float64) { s.A = x }, []float64{0, 9}, []float64{-tiny, math.Inf(1), math.NaN()}},
		"B":              {func(s *csspa.PowerLaw, x float64) { s.B = x }, []float64{0, 9}, []float64{-tiny, math.Inf(1), math.NaN()}},
		"Regularization": {func(s *csspa.PowerLaw, x float64) { s.Regularization = x }, []float64{0, 9}, []float64{-tiny, math.Inf(1), math.NaN()}},
		"Horizon":        {func(s *csspa.PowerLaw, x float64) { s.Horizon = int(x) }, []float64{0, 9}, []float64{-1}},
	} {
		for want, values := range map[bool][]float64{true: c.good, false: c.bad} {
			for _, x := range values {
				s := good
				c.set(&s, x)
				if err := s.Check(); (err == nil) != want {
					t.Errorf("%s %v: %v", name, x, err)
				}
			}
		}
	}
}
