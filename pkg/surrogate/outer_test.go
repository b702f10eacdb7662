package surrogate

import (
	"math"
	"testing"
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
