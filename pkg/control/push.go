package control

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

const (
	// leastTracking is the least weight of the newest record in the tracked values u.
	leastTracking = .01
	// normalizing is the weight of the newest record in the mean square of the relaxation's gradient.
	normalizing = .001
	// halfLogOdds is the unit in which relaxations see a margin, itself a logarithm of odds. Their hinges are at
	// ±1, where they stop pushing (approximation-1) or begin to pull margins together (approximation-3): so at
	// odds of 7 to 1. Hinges at odds of 2.7 to 1 cost accuracy: docs/learner.md.
	halfLogOdds = .5
	// largestPush bounds what one record of a rare group can do: ten times the largest gradient of the
	// logarithmic loss.
	largestPush = 10.0
)

// push drives one constrained model away from the free one, by the gradient of a relaxation of the difference.
type push struct {
	relaxations []surrogate.Relaxation // one, or one for each direction

	tracked   [2][surrogate.MaxInner]float64 // at the margins of the constrained model
	published [surrogate.MaxInner]float64    // at the published margins
	shares    shares
	square    float64 // mean square of the relaxation's gradient
}

func newPush(name surrogate.Name) (push, error) {
	// The slope makes the sigmoid that of the log odds: a probability.
	both, err := surrogate.NewBoth(surrogate.Settings{Name: name, Monotone: true, Slope: 1 / halfLogOdds})
	return push{relaxations: both, square: 1}, err
}

// gradient is that of the relaxation in the margin of the constrained model, at the constraint's multiplier and divided
// by its root mean square: the relaxations differ in stiffness by an order of magnitude. published is the margin that is
// published, records the number learnt, and fade the weight of the newest of them.
func (p *push) gradient(c *constraint, side fairness.Side, margin, published, records, fade float64) float64 {
	where := surrogate.Neither
	switch side {
	case fairness.Group:
		where = surrogate.Group
	case fairness.Versus:
		where = surrogate.Versus
	}
	p.shares.observe(side, fade)
	direction := 0
	if c.sign < 0 {
		direction = 1
	}
	beta := max(1/math.Sqrt(records), leastTracking)
	first := &p.relaxations[0]
	first.Track(p.published[:], beta, where, halfLogOdds*published)
	group, versus := first.FrequencyIndex()
	p.published[group], p.published[versus] = p.shares[0], p.shares[1]
	margin *= halfLogOdds
	for i := range p.relaxations {
		r := &p.relaxations[i]
		u := p.tracked[i][:r.InnerSize()]
		r.Track(u, beta, where, margin)
		// Exact frequencies have no lag and less noise than tracked ones.
		group, versus := r.FrequencyIndex()
		u[group], u[versus] = p.shares[0], p.shares[1]
	}
	var g float64
	if len(p.relaxations) == 1 {
		multipliers := [2]float64{}
		multipliers[direction] = 1
		g = p.relaxations[0].Coefficient(p.tracked[0][:], multipliers[:], where, margin)
	} else {
		multipliers := [1]float64{1}
		g = p.relaxations[direction].Coefficient(p.tracked[direction][:], multipliers[:], where, margin)
	}
	p.square += float64((float64(g*g) - p.square) * max(normalizing, 1/(1+records)))
	if g == 0 {
		return 0
	}
	return min(largestPush, max(-largestPush, c.multiplier*g/math.Sqrt(p.square)))
}
