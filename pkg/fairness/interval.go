package fairness

import "math"

// NormalQuantile is the quantile of the standard normal distribution, the z of P(Z ≤ z) = probability, in (0, 1). A
// two-sided interval of a level uses probability (1 + level)/2.
//
// It is not gonum's, which differs in the last bits, at 0.975 too: learners aim by this number, so published weights
// would have other bits.
func NormalQuantile(probability float64) float64 {
	return float64(math.Sqrt2 * math.Erfinv(float64(2*probability)-1))
}

// twoSided is the z of a two-sided interval: P(|Z| ≤ z) = level.
func twoSided(level float64) float64 { return NormalQuantile(float64((1 + level) / 2)) }

// Wilson returns the score interval of a rate (Wilson, JASA 22, 1927,
// pp. 209–212): the probabilities q that solve |rate − q| ≤ z √(q(1−q)/n).
//
// rate is in [0, 1], n > 0 the number of records or their effective number,
// which need not be whole, and level is in (0, 1). 0 ≤ lo ≤ rate ≤ hi ≤ 1.
func Wilson(rate, n, level float64) (lo, hi float64) {
	if !(rate >= 0 && rate <= 1) || !(n > 0) {
		panic("fairness: a Wilson interval needs a rate in [0, 1] and records")
	}
	checkLevel(level)
	z := twoSided(level)
	zz := z * z
	centre := (rate + zz/(2*n)) / (1 + zz/n)
	half := float64(z / (1 + zz/n) * math.Sqrt(rate*(1-rate)/n+zz/(4*n*n)))
	// Exact at the ends, where rounding could exclude the rate itself.
	lo, hi = min(rate, max(0, centre-half)), max(rate, min(1, centre+half))
	if rate == 0 {
		lo = 0
	}
	if rate == 1 {
		hi = 1
	}
	return lo, hi
}

// Newcombe returns the hybrid score interval of the difference rate1 − rate0 of
// two independent rates (Newcombe, Statistics in Medicine 17, 1998,
// pp. 873–890, method 10): with the Wilson intervals (l, u) of both and the
// difference d,
//
//	lo = d − √((rate1−l1)² + (u0−rate0)²)
//	hi = d + √((u1−rate1)² + (rate0−l0)²)
//
// The arguments are those of Wilson. −1 ≤ lo ≤ d ≤ hi ≤ 1. The level holds for
// one look at one comparison: it is pointwise, not simultaneous.
func Newcombe(rate1, n1, rate0, n0, level float64) (lo, hi float64) {
	l1, u1 := Wilson(rate1, n1, level)
	l0, u0 := Wilson(rate0, n0, level)
	difference := rate1 - rate0
	lo = difference - root(rate1-l1, u0-rate0)
	hi = difference + root(u1-rate1, rate0-l0)
	return max(-1, lo), min(1, hi)
}

// root is √(a² + b²) of numbers near 1, without the assembly of math.Hypot, whose
// last bit depends on the processor.
func root(a, b float64) float64 { return math.Sqrt(float64(a*a) + float64(b*b)) }

func checkLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic("fairness: the level of an interval is outside (0, 1)")
	}
}
