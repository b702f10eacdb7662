package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// augmented is the method of multipliers. With penalty weight ρ it minimises,
// without constraints,
//
//	A(x) = F(x) + (1/2ρ) Σ_j ( [λ_j + ρ L_j(x)]_+² - λ_j² ) + (ρ/2) dist( x + ν/ρ, X )²
//
// (see minimize), then sets λ_j to [λ_j + ρ L_j]_+ and ν, a normal of X
// at x, to ρ (w - Π_X w) with w = x + ν/ρ. The set needs nothing but its
// projection: dist² is differentiable, with gradient 2 (w - Π_X w). ρ grows when a
// round did not reduce the infeasibility enough. Nocedal, Wright, "Numerical
// Optimization", 2nd ed., Algorithm 17.4; Rockafellar (1976) for the set.
type augmented[S any] struct {
	data   *csspa.Finite[S]
	set    csspa.Projection // nil for R^n
	lambda []float64        // λ, length J
	normal []float64        // ν, length n
	rho    float64

	// Value and gradient at the latest point.
	at       []float64
	value    float64
	gradient []float64
	levels   []float64 // L_j
	weights  []float64 // [λ_j + ρ L_j]_+
	shifted  []float64 // w, then w - Π_X w

	factor *mat.Cholesky // of a Hessian of A, for a change of variables; nil without
	stale  bool          // A has changed much since factor was computed
}

func newAugmented[S any](data *csspa.Finite[S], lambda, normal []float64) *augmented[S] {
	p := data.Problem()
	n, j := p.N, p.Constraints()
	a := &augmented[S]{
		data: data, set: p.X, lambda: make([]float64, j), normal: make([]float64, n), rho: 1,
		gradient: make([]float64, n), levels: make([]float64, j), weights: make([]float64, j), shifted: make([]float64, n),
	}
	copy(a.lambda, lambda)
	copy(a.normal, normal)
	return a
}

// solve improves x in place until the residual is at most the tolerance, or has not
// fallen for several rounds, which is where rounding errors of A end the descent. It
// leaves the best round's point and multipliers: a ρ that has grown in vain spoils later ones.
func (a *augmented[S]) solve(x []float64, tolerance float64, rounds int) {
	const patience = 6
	last, best, since := math.Inf(1), math.Inf(1), 0
	point, lambda, normal := slices.Clone(x), slices.Clone(a.lambda), slices.Clone(a.normal)
	defer func() {
		copy(x, point)
		copy(a.lambda, lambda)
		copy(a.normal, normal)
		a.at = nil
	}()
	threshold := 1e-2
	for range rounds {
		a.minimize(x, threshold)
		a.update(x)
		r := a.residual(x)
		if r.Max() < best {
			best, since = r.Max(), 0
			copy(point, x)
			copy(lambda, a.lambda)
			copy(normal, a.normal)
		} else {
			since++
		}
		if r.Max() <= tolerance || since == patience {
			return
		}
		infeasible := max(r.Feasibility, r.Complementarity)
		if infeasible > last/4 && infeasible > tolerance {
			a.rho = min(10*a.rho, 1e8)
			a.stale = true
		}
		last = infeasible
		threshold = max(threshold/10, tolerance/4)
	}
}

// evaluate computes A and its gradient at x.
func (a *augmented[S]) evaluate(x []float64) {
	if a.at != nil && slices.Equal(a.at, x) {
		return
	}
	a.at = append(a.at[:0], x...)
	a.value = a.data.Objective(x)
	a.data.Gradient(a.gradient, x)
	a.data.Constraints(a.levels, x)
	for j, l := range a.levels {
		a.weights[j] = max(0, a.lambda[j]+a.rho*l)
		a.value += (a.weights[j]*a.weights[j] - a.lambda[j]*a.lambda[j]) / (2 * a.rho)
	}
	a.data.AddConstraintGradient(a.gradient, x, a.weights)
	if a.set == nil {
		return
	}
	a.distance(x)
	for i, d := range a.shifted {
		a.value += a.rho / 2 * d * d
		a.gradient[i] += a.rho * d
	}
}

// distance stores w - Π_X w in a.shifted.
func (a *augmented[S]) distance(x []float64) {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = v + a.normal[i]/a.rho
	}
	copy(a.shifted, w)
	a.set.Project(w)
	for i := range a.shifted {
		a.shifted[i] -= w[i]
	}
}

// update moves the multipliers.
func (a *augmented[S]) update(x []float64) {
	a.at = nil
	a.evaluate(x)
	copy(a.lambda, a.weights)
	if a.set != nil {
		for i, d := range a.shifted {
			a.normal[i] = a.rho * d
		}
	}
	a.at = nil
}
