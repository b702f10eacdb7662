package fairness

import "math"

// Ratio is an impact ratio with its interval: the lower of two rates over the higher, in [0, 1]. All are NaN while it is
// not estimable.
type Ratio struct {
	Value float64
	Lo    float64
	Hi    float64
}

// unknownRatio is the ratio of rates that are not estimable.
func unknownRatio() Ratio { return Ratio{math.NaN(), math.NaN(), math.NaN()} }

// NewRatio is the lower of two rates over the higher, with the image of Koopman's interval. The four-fifths rule
// asks for 0.8 (Uniform Guidelines on Employee Selection Procedures, 29 CFR 1607.4(D), 1978).
//
// With the interval (l, u) of rate1/rate0 and f(r) = min(r, 1/r), it reaches from the lesser of f(l) and f(u) to their
// greater, or to 1 where l ≤ 1 ≤ u. It covers f of the true ratio wherever Koopman's covers the ratio. Two rates of 0
// are equal: the value is 1.
func NewRatio(rate1, n1, rate0, n0, level float64) Ratio {
	lo, hi := Koopman(rate1, n1, rate0, n0, level)
	return foldRatio(rate1, rate0, lo, hi)
}

// foldRatio is the lower of two rates over the higher, with the image of an interval of rate1/rate0.
func foldRatio(rate1, rate0, lo, hi float64) Ratio {
	r := Ratio{Value: 1, Lo: min(folded(lo), folded(hi)), Hi: max(folded(lo), folded(hi))}
	if rate1 != rate0 {
		r.Value = min(rate1, rate0) / max(rate1, rate0)
	}
	if lo <= 1 && hi >= 1 {
		r.Hi = 1
	}
	return r
}

// folded is the smaller of a ratio, in [0, ∞], and its inverse.
func folded(ratio float64) float64 {
	return min(ratio, 1/ratio)
}

// bisections halve an interval of length 1 until it is as short as double precision tells apart.
const bisections = 54

// Koopman returns the score interval of the ratio rate1/rate0 of two independent rates (Koopman, Biometrics 40, 1984,
// pp. 513–517): the ratios θ with
//
//	(rate1 − θ rate0)² ≤ z² (p1 (1−p1)/n1 + θ² p0 (1−p0)/n0)
//
// in which p1 = θ p0 are the rates of greatest likelihood at the ratio θ. Fagerland, Lydersen and Laake (Statistical
// Methods in Medical Research 24, 2015, pp. 224–254) recommend it for all sizes. Unlike an interval of log rates
// (Katz), it exists for rates of 0 and 1.
//
// The arguments are those of Wilson. 0 ≤ lo ≤ rate1/rate0 ≤ hi ≤ +Inf; lo is 0 if rate1 is, and hi is +Inf if rate0 is 0.
func Koopman(rate1, n1, rate0, n0, level float64) (lo, hi float64) {
	if !(rate1 >= 0 && rate1 <= 1 && rate0 >= 0 && rate0 <= 1) || !(n1 > 0 && n0 > 0) {
		panic("fairness: the interval of a ratio needs two rates in [0, 1] and records")
	}
	checkLevel(level)
	if rate1 == 0 && rate0 == 0 {
		return 0, math.Inf(1)
	}
	z := twoSided(level)
	zz := z * z
	// θ = t/(1−t): an interval of finite length, in which the two rates have equal parts.
	inside := func(t float64) bool { return ratioScore(t, rate1, n1, rate0, n0) <= zz }
	at := rate1 / (rate1 + rate0)
	low, high := 0.0, 1.0
	if rate1 > 0 {
		low = boundary(at, 0, inside)
	}
	if rate0 > 0 {
		high = boundary(at, 1, inside)
	}
	return low / (1 - low), high / (1 - high)
}

// boundary is the point between one that is inside and one that is not, at which a property ends.
func boundary(in, out float64, inside func(float64) bool) float64 {
	for range bisections {
		if middle := in + float64((out-in)/2); inside(middle) {
			in = middle
		} else {
			out = middle
		}
	}
	return in
}

// ratioScore is the square of the score of the ratio t/(1−t).
func ratioScore(t, rate1, n1, rate0, n0 float64) float64 {
	s := 1 - t
	x1, x0 := float64(n1*rate1), float64(n0*rate0)
	// The likelihood is greatest at p1 = t m and p0 = s m, where m is the lesser root of a m² − b m + x1 + x0.
	a := (n1 + n0) * t * s
	b := float64((n1+x0)*t) + float64((n0+x1)*s)
	m := 2 * (x1 + x0) / (b + math.Sqrt(max(0, float64(b*b)-float64(4*a*(x1+x0)))))
	p1, p0 := min(1, t*m), min(1, s*m)
	difference := float64(s*rate1) - float64(t*rate0)
	variance := float64(s*s*p1*(1-p1))/n1 + float64(t*t*p0*(1-p0))/n0
	if difference == 0 {
		return 0
	}
	return difference * difference / variance
}
