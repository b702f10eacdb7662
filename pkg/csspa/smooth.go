package csspa

import "math"

// Reciprocal is 1/v for v > knee, and its tangent at the knee below: (2 - v/knee)/knee.
// The ratio z Reciprocal(v) is the paper's Huber approximation of z/v. A followed
// denominator may come near 0, or below it, where 1/v would be steep or wrong in sign.
func Reciprocal(v, knee float64) (value, slope float64) {
	if v > knee {
		return 1 / v, -1 / (v * v)
	}
	return (2 - v/knee) / knee, -1 / (knee * knee)
}

// Root is √(v + ε²) - ε for v >= 0 and its tangent at 0 below: the square root with
// its vertical tangent tilted. It is below √v by at most ε. Of a mean square v it is
// √(E[..]² + ε²) - ε, so convexity survives. The sparse additive model's penalty is
// a sum of such roots.
func Root(v, epsilon float64) (value, slope float64) {
	if v < 0 {
		return v / (2 * epsilon), 1 / (2 * epsilon)
	}
	r := math.Sqrt(v + epsilon*epsilon)
	return r - epsilon, 1 / (2 * r)
}
