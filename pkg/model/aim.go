package model

import "math"

// leastTarget is the share of tau that remains to aim at, however large sampling error is.
const leastTarget = .2

// aim is how far below tau the enforced constraints are kept, for rates and means alike.
//
// The target of a constraint is tau less two allowances: theta, for sampling error, and the optimism of
// differences that were computed on records that had been learnt. The confidence is that of all enforced
// constraints together: they share the doubt in equal parts (Bonferroni).
type aim struct {
	quantile float64 // of the normal distribution, one-sided, at the confidence of one constraint
	holdout  float64 // records in the future sample that the confidence speaks of
}

func newAim(config LearnerConfig, enforced int) aim {
	doubt := (1 - config.Confidence) / float64(max(1, enforced))
	return aim{quantile: normalQuantile(1 - doubt), holdout: float64(config.HoldoutRecords)}
}

// normalQuantile is the one-sided quantile of the normal distribution.
func normalQuantile(probability float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*probability-1)
}

// sideError is what one side adds to the variance of a difference: spread is the variance of one record, seen how
// many records the difference was measured on, repeats how often their error counts, and share that of the records
// of a holdout that are on the side.
func (a *aim) sideError(spread, seen, repeats, share float64) float64 {
	unseen := a.holdout * max(share, 1e-9)
	return float64(spread * (repeats/seen + 1/unseen))
}

// theta is the allowance for sampling error at a variance of the difference.
func (a *aim) theta(tau, variance float64) float64 {
	return min(float64(a.quantile*math.Sqrt(variance)), (1-leastTarget)*tau)
}

// target is the absolute difference to aim at.
func target(tau, theta, optimism float64) float64 {
	return max(tau-theta-optimism, leastTarget*tau)
}
