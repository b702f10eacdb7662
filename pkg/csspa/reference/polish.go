package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// polish takes Newton steps on ∇A(x) = 0 from a point that a quasi-Newton method
// can no longer improve: A itself is then flat to within rounding, which leaves a
// gradient of order √(rounding), while the gradient is still exact. The Hessian is
// a difference of gradients. A step is kept only if it lowers ‖∇A‖_∞; problems of
// more than 200 variables are left as they are, as the Hessian would cost too much.
func (a *augmented[S]) polish(x []float64, threshold float64) {
	n := len(x)
	if n > 200 {
		return
	}
	for range 3 {
		before := a.slope(x)
		if before <= threshold || before > 1e-3 {
			return
		}
		right := mat.NewVecDense(n, slices.Clone(a.gradient))
		var step mat.VecDense
		if err := step.SolveVec(a.hessian(x), right); err != nil {
			return
		}
		next := slices.Clone(x)
		for i := range next {
			next[i] -= step.AtVec(i)
		}
		if !(a.slope(next) < before) {
			return
		}
		copy(x, next)
	}
}

// slope evaluates at x and returns ‖∇A‖_∞.
func (a *augmented[S]) slope(x []float64) float64 {
	a.evaluate(x)
	worst := 0.0
	for _, g := range a.gradient {
		worst = max(worst, math.Abs(g))
	}
	return worst
}

// hessian returns the central differences of ∇A, made symmetric.
func (a *augmented[S]) hessian(x []float64) *mat.Dense {
	n := len(x)
	h := mat.NewDense(n, n, nil)
	point := slices.Clone(x)
	for i := range n {
		d := 1e-6 * max(1, math.Abs(x[i]))
		for _, side := range []float64{1, -1} {
			point[i] = x[i] + side*d
			a.evaluate(point)
			for k, g := range a.gradient {
				h.Set(i, k, h.At(i, k)+side*g/(2*d))
			}
		}
		point[i] = x[i]
	}
	for i := range n {
		for k := range i {
			mean := (h.At(i, k) + h.At(k, i)) / 2
			h.Set(i, k, mean)
			h.Set(k, i, mean)
		}
	}
	return h
}
