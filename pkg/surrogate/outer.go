package surrogate

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Value writes V_j(u), the relaxation before its threshold is taken off.
func (r *Relaxation) Value(dst, u []float64) {
	dst, u = dst[:r.outer], u[:2*r.half]
	epsilon, h := r.settings.Epsilon, r.half
	first, second := Ratio(epsilon, u[0], u[1]), Ratio(epsilon, u[h], u[h+1])
	switch r.kind {
	case approximation1:
		dst[0] = first + second - 1
		dst[1] = 1 - Ratio(epsilon, u[0], u[2]) - Ratio(epsilon, u[h], u[h+2])
	case approximation2:
		dst[0], _ = r.square(first + second - 1)
	case approximation3:
		sum := first + second
		dst[0] = float64(sum*sum) + 1 - 2*(Ratio(epsilon, u[0], u[2])+Ratio(epsilon, u[h], u[h+2]))
	default:
		dst[0] = first - second
		dst[1] = second - first
	}
}

// Outer writes l_j(u) = V_j(u) − cτ, or V(u) − (cτ)²: at most 0 where the
// relaxed constraint holds.
func (r *Relaxation) Outer(dst, u []float64) {
	r.Value(dst, u)
	for j := range dst[:r.outer] {
		dst[j] -= r.level
	}
}

// OuterGradient writes the gradient of l_j in u, 0 ≤ j < OuterSize().
func (r *Relaxation) OuterGradient(dst []float64, j int, u []float64) {
	if j < 0 || j >= r.outer {
		panic("surrogate: no such outer constraint")
	}
	dst, u = dst[:2*r.half], u[:2*r.half]
	clear(dst)
	for _, base := range [2]int{0, r.half} {
		upper, lower := r.ratioWeights(j, base, u)
		dp, dv := RatioGradient(r.settings.Epsilon, u[base], u[base+1])
		dst[base] = float64(upper * dp)
		dst[base+1] = upper * dv
		if r.half == 3 {
			dp, dv = RatioGradient(r.settings.Epsilon, u[base], u[base+2])
			dst[base] += float64(lower * dp)
			dst[base+2] = lower * dv
		}
	}
}

// ratioWeights returns the derivatives of l_j in the two ratios of the half that
// begins at base: the one over u[base+1] and, if there is one, over u[base+2].
func (r *Relaxation) ratioWeights(j, base int, u []float64) (upper, lower float64) {
	switch r.kind {
	case approximation1:
		if j == 0 {
			return 1, 0
		}
		return 0, -1
	case approximation2:
		_, slope := r.square(r.upperSum(u) - 1)
		return slope, 0
	case approximation3:
		return 2 * r.upperSum(u), -2
	}
	if (j == 0) == (base == 0) {
		return 1, 0
	}
	return -1, 0
}

// upperSum is A + B.
func (r *Relaxation) upperSum(u []float64) float64 {
	return Ratio(r.settings.Epsilon, u[0], u[1]) + Ratio(r.settings.Epsilon, u[r.half], u[r.half+1])
}

// square returns m² and its derivative; in the monotone form, below
// tangentBelow, the tangent of the square there.
func (r *Relaxation) square(m float64) (value, slope float64) {
	if r.settings.Monotone && m < tangentBelow {
		return float64(tangentBelow * (2*m - tangentBelow)), 2 * tangentBelow
	}
	return float64(m * m), 2 * m
}

// Coefficient returns dL/dz of one record, with L = Σ_j lambda_j l_j(E h) and
// the expectation replaced by u:
//
//	Σ_j lambda_j (dh/dz)ᵀ ∇l_j(u)
//
// so that the record's share of the gradient in the weights is the coefficient
// times its features. No allocation.
func (r *Relaxation) Coefficient(u, lambda []float64, side fairness.Side, z float64) float64 {
	base, sign := r.halfOf(side)
	if sign == 0 {
		return 0
	}
	u, lambda = u[:2*r.half], lambda[:r.outer]
	slope := sign * ratioSlope(r.settings.Epsilon, u[base])
	m := sign * z
	switch r.kind {
	case approximation1:
		var c float64
		if m > -1 {
			c = lambda[0]
		}
		if m < 1 {
			c -= lambda[1]
		}
		return c * slope
	case approximation2:
		if m <= -1 {
			return 0
		}
		_, c := r.square(r.upperSum(u) - 1)
		return lambda[0] * c * slope
	case approximation3:
		var c float64
		if m > -1 {
			c = 2 * r.upperSum(u)
		}
		if m < 1 {
			c -= 2
		}
		return lambda[0] * c * slope
	case meanMargin:
		return (lambda[0] - lambda[1]) * slope
	default:
		return (lambda[0] - lambda[1]) * slope * r.settings.Slope * LogisticDerivative(r.settings.Slope*z)
	}
}

// EffectiveConstant is the c for which the relaxation, evaluated at u, would
// just hold at tau: the largest V_j divided by tau, or √V/tau for a squared
// one. It lets a reader of an adaptive run compare with the c of the paper.
func (r *Relaxation) EffectiveConstant(u []float64, tau float64) float64 {
	var values [MaxOuter]float64
	r.Value(values[:], u)
	switch r.kind {
	case approximation2, approximation3:
		return math.Sqrt(max(0, values[0])) / tau
	}
	return max(values[0], values[1]) / tau
}
