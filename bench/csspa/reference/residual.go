package reference

import (
	"math"
	"slices"
)

// Residual measures how far (x, λ) is from the Karush-Kuhn-Tucker conditions, in
// the units of the problem; all three are 0 at an optimum of a convex problem.
type Residual struct {
	// Stationarity is ‖x - Π_X[ x - ∇F(x) - Σ_j λ_j ∇L_j(x) ]‖_∞.
	Stationarity float64
	// Feasibility is the larger of max_j L_j(x) and the distance of x from X (in one coordinate).
	Feasibility float64
	// Complementarity is max_j |λ_j L_j(x)|.
	Complementarity float64
}

// Max returns the largest of the three.
func (r Residual) Max() float64 { return max(r.Stationarity, r.Feasibility, r.Complementarity) }

func (a *augmented[S]) residual(x []float64) Residual {
	var r Residual
	gradient, levels := make([]float64, len(x)), make([]float64, len(a.lambda))
	a.data.Gradient(gradient, x)
	a.data.AddConstraintGradient(gradient, x, a.lambda)
	a.data.Constraints(levels, x)
	for j, l := range levels {
		r.Feasibility = max(r.Feasibility, l)
		r.Complementarity = max(r.Complementarity, math.Abs(a.lambda[j]*l))
	}
	step := make([]float64, len(x))
	for i, g := range gradient {
		step[i] = x[i] - g
	}
	nearest := slices.Clone(x)
	if a.set != nil {
		a.set.Project(step)
		a.set.Project(nearest)
	}
	for i := range x {
		r.Stationarity = max(r.Stationarity, math.Abs(x[i]-step[i]))
		r.Feasibility = max(r.Feasibility, math.Abs(x[i]-nearest[i]))
	}
	return r
}
