package control

import (
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

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
	return max(1/(1+records/earlyTracking), 1/trackedRecords)
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
