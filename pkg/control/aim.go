package control

import (
	"math"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	// leastTarget is the share of tau that remains to aim at, however large sampling error is.
	leastTarget = .2
	// Inflation is by how much a difference of records whose decisions are counted again varies more than one of as many
	// records that were never learnt: what they owe to themselves is known roughly only. MeanInflation is the same for means of predictions, from
	// which it is not taken out, and inflationOfAim for the windows that interpolation weights are chosen from, whose margins are some records
	// old besides: bench/coverage, bench/regression.
	Inflation      = 1.5
	MeanInflation  = 2.0
	inflationOfAim = 2.0
)

// doubtful is the share of what leave-one-out takes out of a difference that counts as a standard error of it, beside Inflation. What a margin owes to its
// record is known to a factor of 0.5 to 2, and the more there is to take out, the more is not known: bench/coverage on credit and COMPAS.
const doubtful = .5

// inflated is by how much a difference of decisions that were counted again varies more than one of as many independent ones. learnt are the decisions of the
// same records by models that have learnt them.
func inflated(decided, learnt [2]fairness.Count) float64 {
	variance := 0.0
	for i := range decided {
		n := decided[i].Effective()
		if !(n > 0) {
			return Inflation
		}
		rate := (float64(n*decided[i].Rate()) + 1) / (n + 2)
		variance += rate * (1 - rate) / decided[i].Worth()
	}
	taken := (decided[0].Rate() - decided[1].Rate()) - (learnt[0].Rate() - learnt[1].Rate())
	return Inflation + float64(doubtful*doubtful)*float64(taken*taken)/variance
}

// Aim is how far below tau the enforced constraints are kept, for rates and means alike.
type Aim struct {
	quantiles []float64 // of the normal distribution, one-sided, where 1, 2, ... comparisons share the doubt
	evidence  []float64 // the same, two-sided
	interval  float64   // of the normal distribution, two-sided, at the level of intervals
	holdout   float64   // records in the future sample that the confidence speaks of
}

// NewAim returns the aim at a confidence that all constraints together hold in a future sample of so many records, and
// at intervals of a level that lie within tau. Those that share the doubt do so in equal parts (Bonferroni).
func NewAim(confidence float64, constraints, holdout int, level float64) Aim {
	a := Aim{interval: fairness.NormalQuantile(float64((1 + level) / 2)), holdout: float64(holdout)}
	for sharing := 1; sharing <= max(1, constraints); sharing++ {
		doubt := (1 - confidence) / float64(sharing)
		a.quantiles, a.evidence = append(a.quantiles, fairness.NormalQuantile(1-doubt)), append(a.evidence, fairness.NormalQuantile(1-doubt/2))
	}
	return a
}

// quantile is that of one of so many comparisons that share the doubt.
func (a *Aim) quantile(sharing int) float64 {
	return a.quantiles[max(0, min(sharing, len(a.quantiles))-1)]
}

// allowance is what a side adds to the variances of a difference: that which was measured, and that which a
// holdout will show.
type allowance struct{ measured, holdout float64 }

// add adds a side: spread is the variance of one record, seen the number of records that the difference was measured
// on, share that of the records of a holdout which are on the side.
func (a *allowance) add(aim *Aim, spread, seen, share float64) {
	unseen := aim.holdout * max(share, 1e-9)
	a.measured += spread / seen
	a.holdout += spread / unseen
}

// theta is the allowance for sampling error: so much that a holdout keeps tau at the confidence, and that the interval
// of the measured difference lies within tau. sharing is the number of comparisons that share the doubt.
func (a *Aim) theta(tau float64, v allowance, sharing int) float64 {
	theta := max(a.quantile(sharing)*math.Sqrt(v.measured+v.holdout), a.half(v))
	return min(theta, (1-leastTarget)*tau)
}

// half is the half-width of the interval of the measured difference.
func (a *Aim) half(v allowance) float64 { return a.interval * math.Sqrt(v.measured) }

// target is the absolute difference to aim at.
func target(tau, theta, gap float64) float64 {
	return max(tau-theta-gap, leastTarget*tau)
}

// atFloor says whether theta leaves no more than the least target.
func atFloor(tau, theta float64) bool { return theta >= (1-leastTarget)*tau }

// Settings of the control.
type Settings struct {
	Aim Aim
	// Window is how many recent records of each side a constraint is kept on, Minimum how many a side needs.
	Window, Minimum int
	// Forgetting is how many records back the past fades.
	Forgetting float64
	// Without are refinements that a study leaves out.
	Without refine.Set
}
