package problems

import "math"

// hinge is max(0, v), with the kink replaced on [-ε, ε] by the parabola
// (v+ε)²/4ε, which joins it with equal slope and is above it by at most ε/4. For
// ε = 0 the slope at the kink is taken as 0.
func hinge(v, epsilon float64) (value, slope float64) {
	switch {
	case v <= -epsilon:
		return 0, 0
	case v < epsilon:
		return (v + epsilon) * (v + epsilon) / (4 * epsilon), (v + epsilon) / (2 * epsilon)
	default:
		return v, 1
	}
}

// logistic is log(1 + exp(-v)) without overflow.
func logistic(v float64) (value, slope float64) {
	if v > 0 {
		e := math.Exp(-v)
		return math.Log1p(e), -e / (1 + e)
	}
	e := math.Exp(v)
	return -v + math.Log1p(e), -1 / (1 + e)
}

func dot(x, z []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * z[i])
	}
	return sum
}

func addScaled(dst []float64, scale float64, x []float64) {
	if scale == 0 {
		return
	}
	for i, v := range x {
		dst[i] += float64(scale * v)
	}
}
