// Package logistic is the logistic function with the same bits on every machine. It imports nothing of the project.
//
// The files:
//
//	logistic.go  the logistic function, with the same bits on every machine
//	log.go       the logarithm of losses, with the same bits on every machine
package logistic

import "math"

// Probability is σ(x) = 1/(1+exp(−x)), with the same bits on every machine.
//
// math.Exp is assembly that takes fused multiply-add where the processor has it,
// so two machines can differ in the last bit, and from there in every weight.
// Weights are identified by their hash: whatever enters a learner's state must
// use this function instead. The error is below 2 units in the last place; x may
// be any number; beyond ±708 the result is exactly 0 or 1, and NaN gives NaN.
func Probability(x float64) float64 {
	e := expNegative(math.Abs(x))
	if x >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}

// Probabilities is Probability of x and of −x, for hardly more than one of them.
func Probabilities(x float64) (plus, minus float64) {
	e := expNegative(math.Abs(x))
	plus, minus = 1/(1+e), e/(1+e)
	if x >= 0 {
		return plus, minus
	}
	return minus, plus
}

// Derivative is σ(x)(1−σ(x)), to the same precision: it does not lose
// its digits where σ is next to 1.
func Derivative(x float64) float64 {
	e := expNegative(math.Abs(x))
	return e / ((1 + e) * (1 + e))
}

// The reduction of the exponent: x = k ln2/32 + r with |r| ≤ ln2/64. ln2/32 is
// split in two so that k times the first part, of 33 bits, is exact.
const (
	stepsPerUnit = 0x1.71547652b82fep+5
	stepHigh     = 0x1.62e42fefp-6
	stepLow      = 0x1.473de6af278edp-39
	// expLimit keeps the result a normal number; beyond it exp(−x) counts as 0,
	// which is exact to 1e−307.
	expLimit = 708
)

// powers is 2^(j/32), rounded to nearest from 60 decimal digits.
var powers = [32]float64{
	0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0,
	0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0,
	0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
	0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0,
	0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0,
	0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
	0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0,
	0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0,
}

// expNegative is exp(−x) for x ≥ 0: 2^(k/32) from the table times the Taylor
// polynomial of exp(r), whose remainder r⁷/5040 is below 4e−18. Every product
// is rounded by its conversion before it is added.
func expNegative(x float64) float64 {
	if !(x < expLimit) {
		if x != x {
			return x
		}
		return 0
	}
	k := int(-float64(x*stepsPerUnit) - 0.5) // rounds −x to the nearest step
	r := -x - float64(float64(k)*stepHigh)
	r -= float64(float64(k) * stepLow)
	p := float64(r*(1.0/720)) + 1.0/120
	p = float64(p*r) + 1.0/24
	p = float64(p*r) + 1.0/6
	p = float64(p*r) + 0.5
	p = float64(float64(p*r)*r) + r
	power := powers[k&31]
	scale := math.Float64frombits(uint64(1023+k>>5) << 52)
	return (power + float64(power*p)) * scale
}
