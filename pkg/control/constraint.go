package control

import (
	"math"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

const (
	// leastMultiplier and mostMultiplier bound the multiplier of a constrained model, in units in which the
	// gradient of the relaxation has root mean square 1 or so (push.go) and that of the logarithmic loss is at most 1.
	// A constrained model starts with the least; while that is too little to reach tau the multiplier grows
	// by the first of the two factors at each choice, and while it is far more than needed it shrinks by the second.
	leastMultiplier  = .3
	mostMultiplier   = 1.5
	multiplierGrowth = 1.1
	multiplierDecay  = .9
	// tooLittle and tooMuch are the interpolation weights beyond which it does.
	tooLittle = 1.0
	tooMuch   = .25
	// leastInterpolation and mostInterpolation bound the choice. Between the free and the constrained model the secant
	// is a good guide; beyond it soon is none, and threshold.go takes over.
	leastInterpolation = -1.0
	mostInterpolation  = 1.5
	// mostNoise is the largest share of tau that is aimed at, or left to chance.
	mostNoise = .5
)

// measure is how the rates of both sides are compared: by their difference, or, for an impact ratio, by their relative
// difference
//
//	(group − versus) / max(group, versus)
//
// whose absolute value is what the ratio of the lower rate to the higher lacks of 1. Either is in [−1, 1], 0 for equal rates,
// and a constraint bounds its absolute value: a ratio of 0.8 or more is a relative difference of 0.2 or less.
type measure struct{ relative bool }

// of compares two rates.
func (m measure) of(rates [2]float64) float64 {
	difference := rates[0] - rates[1]
	if !m.relative || difference == 0 {
		return difference
	}
	return difference / max(rates[0], rates[1])
}

// leastRate bounds the rates in slopes: sampling error of a ratio has no bound where rates are 0.
const leastRate = 1e-3

// slopes are by how much the measure changes with each rate, absolute: 1/h and l/h² for the lower rate l and the higher h.
func (m measure) slopes(rates [2]float64) [2]float64 {
	if !m.relative {
		return [2]float64{1, 1}
	}
	low, high := max(leastRate, min(rates[0], rates[1])), max(leastRate, rates[0], rates[1])
	if rates[0] > rates[1] {
		return [2]float64{low / (high * high), 1 / high}
	}
	return [2]float64{1 / high, low / (high * high)}
}

// error is the standard error of the measure at two rates with these variances.
func (m measure) error(rates, variances [2]float64) float64 {
	slopes := m.slopes(rates)
	return math.Sqrt(float64(slopes[0]*slopes[0]*variances[0]) + float64(slopes[1]*slopes[1]*variances[1]))
}

// constraint is the state of one enforced comparison of rates.
type constraint struct {
	tau     float64 // the largest measure allowed
	measure measure
	most    float64 // weight of a record in a push, in units of the mean weight
	// labelled says that only records with a label count, missed how many came that did not count when they did.
	labelled bool
	missed   float64
	sparse   bool   // labels are missing of leastMissed of the records or more
	shares   shares // of the records that are on each side

	model      int     // its constrained model, 0 while it needs none
	sign       float64 // of the unconstrained model's difference: the constrained model works against it
	multiplier float64 // of the constrained model
	theta      float64 // allowance for sampling error, last time
	half       float64 // half-width of the interval of the difference, at this choice
	chosen     bool    // an interpolation has been chosen before
	reachable  bool    // some interpolation reached the target, last time
	changes    int64   // how often the window was cut because the records had changed
	cuts       cuts    // the last of these

	// What the windows showed last.
	difference float64 // at its interpolation weight 0
	noise      float64 // standard error of it
	chance     float64 // what chance makes of the largest of all differences
	error      float64 // standard error with that of a holdout
	looked     float64 // records learnt at the time
	pressing   bool    // it needs its model
	needed     float64 // records learnt when it last did
	several    bool    // comparisons share the doubt
}

// scale multiplies the push of a record.
func (c *constraint) scale(r *Record) float64 {
	if c.labelled {
		return 1
	}
	return r.scale()
}

// target is the absolute difference to aim at. While sampling error leaves only the least target, several comparisons are pressed
// no further than to the standard error of what is measured: they would be pressed against chance, and against each other.
func (c *constraint) target() float64 {
	aim := target(c.tau, c.theta, 0)
	if c.several && atFloor(c.tau, c.theta) {
		aim = max(aim, min(c.noise, mostNoise*c.tau))
	}
	return aim
}

// mostHalf is how far, in units of tau, the interval of a difference may reach for the constraint to have a say in what is
// decided for all others.
const mostHalf = 3.0

// shows says whether the records are enough to show a difference well beyond tau. Where they are not, a difference within the
// target is chance, so the constraint has a say in its own interpolation weight only, and none in what is decided for all others.
func (c *constraint) shows() bool { return c.half <= mostHalf*c.tau }

// cut takes note of a change.
func (c *constraint) cut(records, by float64) {
	c.changes++
	c.cuts.add(records, by)
}

// adjust moves the multiplier of the constrained model if it is far from what is needed.
func (c *constraint) adjust(interpolation float64) {
	switch {
	case !c.reachable || interpolation > tooLittle:
		c.multiplier = min(mostMultiplier, multiplierGrowth*c.multiplier)
	case interpolation < tooMuch:
		c.multiplier = max(leastMultiplier, multiplierDecay*c.multiplier)
	}
}

const (
	// releaseBelow is the need below which a comparison is pressed no more: it is pressed above 1.
	releaseBelow = .75
	// enterChance is how much more than chance a difference has to be for its comparison to enter: it is looked at often.
	enterChance = 1.25
	// mostIdle is the largest share of tau that is left to chance of a comparison without a model.
	mostIdle = .75
)

// family is how many comparisons are measured, and how many of them share the doubt.
type family struct{ measured, sharing int }

// always says that every comparison has a model from the start, and is pressed.
func (s *Settings) always() bool {
	return s.Without.Has(refine.ActiveSet) || s.Without.Has(refine.Window)
}

// leastMissed is the share of the records from which on labels are missing, and not only that of a record now and then.
const leastMissed = .05

// thin takes note whether labels are missing, of so many records.
func (c *constraint) thin(records float64) {
	c.sparse = c.labelled && c.missed >= leastMissed*records && c.missed > 0
}

// borne is the largest difference that needs no press: the target, or what chance makes of the largest of so many differences if
// that is more. But once sampling error leaves more than the least target, no more than a share of tau is left to chance. Where labels are missing, sampling
// error may never leave that, however many records come, so no more is left to chance there either, unless several comparisons share the doubt: they would
// be pressed against each other.
func (c *constraint) borne() float64 {
	chance, most := c.chance, mostNoise*c.tau
	if c.model == 0 {
		chance, most = float64(enterChance*chance), mostIdle*c.tau
	}
	if c.sparse && !c.several || !atFloor(c.tau, c.theta) {
		chance = min(chance, most)
	}
	return max(c.target(), chance)
}

// need is how much a comparison needs its model: the difference without it, in units of what is borne.
func (c *constraint) need() float64 { return math.Abs(c.difference) / c.borne() }

// press decides whether a comparison needs its model. More is needed to begin than to go on.
func (c *constraint) press(settings *Settings, records float64) {
	need := c.need()
	c.pressing = need > 1 || c.pressing && need >= releaseBelow || settings.always()
	if c.pressing {
		c.needed = records
	}
}

// slack is how many standard errors the difference without a model is within tau.
func (c *constraint) slack() float64 {
	return (c.tau - math.Abs(c.difference)) / max(c.error, 1e-12)
}

const (
	// trackedRecords is the length of the exponential average of decisions.
	trackedRecords = 2048.0
	// earlyTracking lets it follow closely at first: the newest record has the weight 1/(1+t/earlyTracking).
	earlyTracking = 4.0
)

// tracked are the inner values u of a constraint that the published average decides (auxu2 of the paper): for each side
// the frequency p± = E 1{s±} and that of positive decisions N± = E 1{s±, margin > 0}.
//
// One u has two estimators. The exponential average follows it while the constraint has a model. The window, whose
// records are decided again by the present average, replaces its rates at each choice: it varies less the longer it is.
type tracked struct{ frequency, positive [2]float64 }

// trackedShare is the weight of the newest of so many records.
func trackedShare(records float64) float64 {
	return 1 / min(1+float64(records/earlyTracking), trackedRecords)
}

// observe takes in a decision. weight is in units of the mean weight.
func (u *tracked) observe(side fairness.Side, decision bool, weight, share float64) {
	for i, on := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		hit, positive := 0.0, 0.0
		if side == on {
			hit = weight
			if decision {
				positive = weight
			}
		}
		u.frequency[i] += float64((hit - u.frequency[i]) * share)
		u.positive[i] += float64((positive - u.positive[i]) * share)
	}
}

// set replaces the rates of both sides.
func (u *tracked) set(rates [2]float64) {
	for i, rate := range rates {
		u.positive[i] = u.frequency[i] * rate
	}
}

// compare is R(u), the measure of the rates, which are Huber-smoothed where a side is rare.
func (u *tracked) compare(m measure) float64 {
	return m.of([2]float64{surrogate.Ratio(surrogate.DefaultEpsilon, u.frequency[0], u.positive[0]),
		surrogate.Ratio(surrogate.DefaultEpsilon, u.frequency[1], u.positive[1])})
}

// ascend takes one step of both multipliers (duau of the paper), of which one at most is above 0:
//
//	λ+ ← [λ+ + α (R(u) − target)]_+   λ− ← [λ− + α (−R(u) − target)]_+
//
// The published weights depend on the multipliers through the secant alone: interpolation is (λ+ − λ−) in units of the
// multiplier that the constrained model is learnt at, R(u) is counted in the direction that it works against, and step is
// α in these units. Between two choices, which set the multiplier exactly for what the window shows, the ascent goes on
// from there: before there is a window, and in the first thousand records after a change, it is all that acts.
func ascend(interpolation, step, difference, target float64) float64 {
	up, down := float64(step*(difference-target)), float64(step*(-difference-target))
	switch {
	case interpolation > 0:
		return min(mostInterpolation, max(0, interpolation+up))
	case interpolation < 0:
		return max(leastInterpolation, min(0, interpolation-down))
	}
	return max(0, up) - max(0, down)
}

// Target is the absolute difference to aim at where rates were measured on so many records of each side, which have these
// shares of all records. relative says that the rates are compared by their ratio.
func (a *Aim) Target(tau float64, relative bool, rates, records, sides [2]float64, sharing int) float64 {
	var v allowance
	slopes := measure{relative}.slopes(rates)
	for i, rate := range rates {
		v.add(a, float64(slopes[i]*slopes[i])*rate*(1-rate), records[i]/inflationOfAim, sides[i])
	}
	return target(tau, a.theta(tau, v, sharing), 0)
}

// Difference compares two rates as a constraint does: by their difference, or by their ratio.
func Difference(relative bool, rates [2]float64) float64 { return measure{relative}.of(rates) }
