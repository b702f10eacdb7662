package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// largeProblem is the number of variables from which on no Hessian is formed.
const largeProblem = 200

// minimize improves x in place until ‖∇A(x)‖_∞ <= threshold, if it can. Two things
// that a plain quasi-Newton method is bad at are helped along while the problem is
// small enough for a Hessian, taken as differences of gradients:
//
// Bad scaling, as of the powers of one feature: BFGS works in the variables z with
// x = x_0 + U⁻¹ z and Hessian UᵀU, where the curvature is near 1. The factor is kept
// while ρ stays the same.
//
// The last digits: once A is flat to within rounding no line search sees a
// descent, and a gradient of order √(rounding) is left. Newton steps on ∇A(x) = 0
// need no values of A.
func (a *augmented[S]) minimize(x []float64, threshold float64) {
	for range 3 {
		before := a.slope(x)
		if before <= threshold {
			return
		}
		if a.factor == nil || a.stale {
			a.factorize(x)
		}
		a.descend(x, threshold)
		if a.slope(x) > threshold && a.factorize(x) {
			a.newton(x, threshold)
		}
		if !(a.slope(x) < before) {
			return
		}
	}
}

// descend runs BFGS (the limited-memory form on large problems) on A.
func (a *augmented[S]) descend(x []float64, threshold float64) {
	origin := slices.Clone(x)
	point := make([]float64, len(x))
	at := func(z []float64) []float64 {
		copy(point, z)
		a.solveTriangle(point, blas.NoTrans)
		for i, v := range origin {
			point[i] += v
		}
		return point
	}
	problem := optimize.Problem{
		Func: func(z []float64) float64 {
			a.evaluate(at(z))
			return a.value
		},
		Grad: func(gradient, z []float64) {
			a.evaluate(at(z))
			copy(gradient, a.gradient)
			a.solveTriangle(gradient, blas.Trans)
		},
	}
	var method optimize.Method = &optimize.BFGS{}
	if len(x) > largeProblem {
		method = &optimize.LBFGS{Store: 50}
	}
	flat := flatness{func(z []float64) bool { return a.slope(at(z)) <= threshold }}
	settings := &optimize.Settings{Converger: flat, MajorIterations: 1000}
	before := a.valueAt(x)
	// A line search that finds nothing better is an error of Minimize, but its
	// best point is good.
	result, _ := optimize.Minimize(problem, make([]float64, len(x)), settings, method)
	if result != nil && result.F < before {
		copy(x, at(result.X))
	}
	if result != nil && result.Stats.FuncEvaluations > len(x)/2 {
		a.stale = true // a new Hessian costs less than such a long descent
	}
}

// flatness ends a descent when the gradient in the original variables is small.
type flatness struct{ reached func(z []float64) bool }

func (flatness) Init(int) {}

func (f flatness) Converged(l *optimize.Location) optimize.Status {
	if f.reached(l.X) {
		return optimize.GradientThreshold
	}
	return optimize.NotTerminated
}

// solveTriangle replaces v by U⁻¹ v, or U⁻ᵀ v; without a factor it is left alone.
func (a *augmented[S]) solveTriangle(v []float64, transpose blas.Transpose) {
	if a.factor == nil {
		return
	}
	u, ok := a.factor.RawU().(*mat.TriDense)
	if !ok {
		panic("reference: a Cholesky factor is not a *mat.TriDense")
	}
	blas64.Trsv(transpose, u.RawTriangular(), blas64.Vector{N: len(v), Inc: 1, Data: v})
}

// newton takes steps with the factor at hand as long as they halve ‖∇A‖_∞.
func (a *augmented[S]) newton(x []float64, threshold float64) {
	for range 8 {
		before := a.slope(x)
		if before <= threshold {
			return
		}
		step := slices.Clone(a.gradient)
		a.solveTriangle(step, blas.Trans)
		a.solveTriangle(step, blas.NoTrans)
		next := slices.Clone(x)
		for i := range next {
			next[i] -= step[i]
		}
		if !(a.slope(next) < before/2) {
			return
		}
		copy(x, next)
	}
}

// slope returns ‖∇A(x)‖_∞.
func (a *augmented[S]) slope(x []float64) float64 {
	a.evaluate(x)
	worst := 0.0
	for _, g := range a.gradient {
		worst = max(worst, math.Abs(g))
	}
	return worst
}

func (a *augmented[S]) valueAt(x []float64) float64 {
	a.evaluate(x)
	return a.value
}

// factorize computes the Cholesky factor of the Hessian of A at x, made positive
// definite by adding to its diagonal, and reports whether there is one.
func (a *augmented[S]) factorize(x []float64) bool {
	n := len(x)
	if n > largeProblem {
		return false
	}
	hessian := a.hessian(x)
	scale := 0.0
	for i := range n {
		scale = max(scale, math.Abs(hessian.At(i, i)))
	}
	var factor mat.Cholesky
	for shift := 1e-10; shift <= 1; shift *= 100 {
		for i := range n {
			hessian.SetSym(i, i, hessian.At(i, i)+shift*max(scale, 1e-6))
		}
		if factor.Factorize(hessian) {
			a.factor, a.stale = &factor, false
			return true
		}
	}
	return false
}

// hessian returns the forward differences of ∇A, made symmetric.
func (a *augmented[S]) hessian(x []float64) *mat.SymDense {
	n := len(x)
	a.evaluate(x)
	base := slices.Clone(a.gradient)
	rows := mat.NewDense(n, n, nil)
	point := slices.Clone(x)
	for i := range n {
		step := 1e-7 * max(1, math.Abs(x[i]))
		point[i] = x[i] + step
		a.evaluate(point)
		for k, g := range a.gradient {
			rows.Set(i, k, (g-base[k])/step)
		}
		point[i] = x[i]
	}
	h := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			h.SetSym(i, k, (rows.At(i, k)+rows.At(k, i))/2)
		}
	}
	return h
}
