package surrogate

import (
	"math"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestOuterGradientHasAsManyAsThereAre: the gradient of each outer constraint is that of Outer, beside its value by finite differences, and there is none before the
// first or behind the last.
func TestOuterGradientHasAsManyAsThereAre(t *testing.T) {
	for _, name := range Names() {
		r, err := New(Settings{Name: name, Threshold: 1.5})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		u := []float64{.4, .5, .3, .35, .45, .55}[:2*r.half]
		value := func(j int, u []float64) float64 {
			dst := make([]float64, r.OuterSize())
			r.Outer(dst, u)
			return dst[j]
		}
		gradient := make([]float64, 2*r.half)
		for j := range r.OuterSize() {
			r.OuterGradient(gradient, j, u)
			for k := range u {
				const h = 1e-6
				above, below := append([]float64(nil), u...), append([]float64(nil), u...)
				above[k], below[k] = u[k]+h, u[k]-h
				if slope := (value(j, above) - value(j, below)) / (2 * h); math.Abs(slope-gradient[k]) > 1e-5*max(1, math.Abs(slope)) {
					t.Errorf("%s, constraint %d in u[%d]: %v, by differences %v", name, j, k, gradient[k], slope)
				}
			}
		}
		for _, j := range []int{-1, r.OuterSize()} {
			func() {
				defer func() {
					if recover() != "surrogate: no such outer constraint" {
						t.Errorf("%s has constraint %d of %d", name, j, r.OuterSize())
					}
				}()
				r.OuterGradient(gradient, j, u)
			}()
		}
	}
}

// TestLongerSlicesKeepTheirEnds: each method writes what it is about, and nothing behind it.
func TestLongerSlicesKeepTheirEnds(t *testing.T) {
	const beyond = 7.5
	for _, name := range Names() {
		r, err := New(Settings{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		u := make([]float64, r.InnerSize()+2)
		for i := range u {
			u[i] = beyond
		}
		outer := append(make([]float64, r.OuterSize()), beyond, beyond)
		keeps := func(method string, slice []float64, size int) {
			t.Helper()
			for _, x := range slice[size:] {
				if x != beyond {
					t.Errorf("%s: %s writes %v behind the %d values that it is about", name, method, x, size)
				}
			}
		}
		r.Value(outer, u)
		keeps("Value", outer, r.OuterSize())
		r.Outer(outer, u)
		keeps("Outer", outer, r.OuterSize())
		for method, of := range map[string]func(dst []float64){
			"Inner":           func(dst []float64) { r.Inner(dst, fairness.Group, 0.3) },
			"InnerDerivative": func(dst []float64) { r.InnerDerivative(dst, fairness.Group, 0.3) },
			"Track":           func(dst []float64) { r.Track(dst, 0.5, fairness.Group, 0.3) },
			"OuterGradient":   func(dst []float64) { r.OuterGradient(dst, 0, u[:r.InnerSize()]) },
		} {
			dst := slices.Clone(u)
			of(dst)
			keeps(method, dst, r.InnerSize())
		}
	}
}
