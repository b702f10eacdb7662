package control

import "math"

// leastTarget is the share of tau that remains to aim at, however large sampling error is.
const leastTarget = .2

// Aim is how far below tau the enforced constraints are kept, for rates and means alike.
type Aim struct {
	quantile float64 // of the normal distribution, one-sided, at the confidence of one constraint
	holdout  float64 // records in the future sample that the confidence speaks of
}

// NewAim returns the aim at a confidence that all constraints together hold in a future sample of so many records. They
// share the doubt in equal parts (Bonferroni).
func NewAim(confidence float64, constraints, holdout int) Aim {
	doubt := (1 - confidence) / float64(max(1, constraints))
	return Aim{quantile: normalQuantile(1 - doubt), holdout: float64(holdout)}
}

// normalQuantile is the one-sided quantile of the normal distribution.
func normalQuantile(probability float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*probability-1)
}

// sideVariance is what one side adds to the variance of a difference: spread is the variance of one record, seen how
// many records the difference was measured on, repeats how often their error counts, and share that of the records
// of a holdout that are on the side.
func (a *Aim) sideVariance(spread, seen, repeats, share float64) float64 {
	unseen := a.holdout * max(share, 1e-9)
	return float64(spread * (repeats/seen + 1/unseen))
}

// theta is the allowance for sampling error at a variance of the difference.
func (a *Aim) theta(tau, variance float64) float64 {
	return min(float64(a.quantile*math.Sqrt(variance)), (1-leastTarget)*tau)
}

// target is the absolute difference to aim at.
func target(tau, theta, gap float64) float64 {
	return max(tau-theta-gap, leastTarget*tau)
}

// atFloor says whether theta leaves no more than the least target.
func atFloor(tau, theta float64) bool { return theta >= (1-leastTarget)*tau }
