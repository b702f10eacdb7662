package surrogate

// DefaultEpsilon is the side frequency below which a ratio is smoothed.
//
// At 0.01 the ratio is exact for every side that holds at least one record in a
// hundred, and the gradient of a smoothed ratio stays below 2/epsilon = 200: a
// side that has hardly been seen cannot throw the weights about. A smaller side
// is pulled towards zero, by the factor (p/ε)(2 − p/ε), that is 0.75 at half of
// epsilon; lower epsilon if such a group must be constrained at full strength
// in paper mode.
const DefaultEpsilon = 0.01

// Ratio is the Huber-smoothed ratio of the paper,
//
//	H(p, v) = v/p                 if p > epsilon
//	          (v/ε)(2 − p/ε)      otherwise,
//
// which is continuously differentiable for p ≥ 0 and defined at p = 0.
func Ratio(epsilon, p, v float64) float64 {
	if p > epsilon {
		return v / p
	}
	return float64(v / epsilon * (2 - p/epsilon))
}

// RatioGradient returns ∂H/∂p and ∂H/∂v.
func RatioGradient(epsilon, p, v float64) (dp, dv float64) {
	if p > epsilon {
		return -v / p / p, 1 / p
	}
	return -v / epsilon / epsilon, (2 - p/epsilon) / epsilon
}

// ratioSlope is ∂H/∂v alone, which does not depend on v.
func ratioSlope(epsilon, p float64) float64 {
	if p > epsilon {
		return 1 / p
	}
	return (2 - p/epsilon) / epsilon
}
