package control

import (
	"math"

	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

const (
	// leastTracking is the least weight of the newest record in the tracked values u.
	leastTracking = .01
	// halfLogOdds is the unit in which relaxations see a margin, itself a logarithm of odds. Their hinges are at
	// ±1, where they stop pushing (approximation-1) or begin to pull margins together (approximation-3): so at
	// odds of 7 to 1. Hinges at odds of 2.7 to 1 cost accuracy: research/learner.md.
	halfLogOdds = .5
	// largestPush bounds what one record of a rare group can do: ten times the largest gradient of the
	// logarithmic loss.
	largestPush = 10.0
	// mostFactor bounds by how much a record counts more in a push than others of its side, because few of these are in
	// its stratum.
	mostFactor = 8.0
	// nearHinge is how far from a hinge, in log odds, margins count as being at it.
	nearHinge = .5
)

// push drives one constrained model away from the free one, by the gradient of a relaxation of the difference.
type push struct {
	relaxations []surrogate.Relaxation // one, or one for each direction

	records   float64                        // tracked
	tracked   [2][surrogate.MaxInner]float64 // at the margins of the constrained model
	published [surrogate.MaxInner]float64    // at the published margins
	firmness  firmness
}

func newPush(name surrogate.Name) (push, error) {
	// The slope makes the sigmoid that of the log odds: a probability.
	both, err := surrogate.NewBoth(surrogate.Settings{Name: name, Monotone: true, Slope: 1 / halfLogOdds})
	return push{relaxations: both}, err
}

// mostWeight is the largest weight of a record in a push: unlimited where only records have weights.
func mostWeight(c *fairness.Comparison) float64 {
	if c.Strata == "" {
		return math.Inf(1)
	}
	return mostFactor
}

// begin forgets what was tracked.
func (p *push) begin() {
	p.records, p.tracked, p.published, p.firmness = 0, [2][surrogate.MaxInner]float64{}, [surrogate.MaxInner]float64{}, firmness{}
}

// track follows the inner values u (auxu2 of the paper) with a record: at the margin of the constrained model, whose
// gradient they enter, and at the published one.
func (p *push) track(side fairness.Side, margin, published float64, shares shares) {
	p.records++
	beta := 1 / min(math.Sqrt(p.records), 1/leastTracking)
	first := &p.relaxations[0]
	first.Track(p.published[:], beta, side, halfLogOdds*published)
	group, versus := first.FrequencyIndex()
	p.published[group], p.published[versus] = shares[0], shares[1]
	for i := range p.relaxations {
		r := &p.relaxations[i]
		u := p.tracked[i][:r.InnerSize()]
		r.Track(u, beta, side, halfLogOdds*margin)
		// Exact frequencies have no lag and less noise than tracked ones.
		group, versus := r.FrequencyIndex()
		u[group], u[versus] = shares[0], shares[1]
	}
}

// directed is a push at the multiplier of its constraint, as it is now.
type directed struct {
	relaxation  *surrogate.Relaxation
	tracked     *[surrogate.MaxInner]float64
	multipliers [surrogate.MaxOuter]float64 // of its outer functions: which way it pushes
	factor      float64                     // the multiplier, in its unit
}

// aim directs d. It fills d in place, since to copy a structure whose fields were just stored, a processor waits until they are in its cache.
func (d *directed) aim(p *push, c *constraint) {
	direction := 0
	if c.sign < 0 {
		direction = 1
	}
	if d.factor = c.multiplier * p.unit(c.shares); len(p.relaxations) == 1 {
		d.relaxation, d.tracked = &p.relaxations[0], &p.tracked[0]
		d.multipliers[direction] = 1
	} else {
		d.relaxation, d.tracked = &p.relaxations[direction], &p.tracked[direction]
		d.multipliers[0] = 1
	}
}

// gradient is that of the relaxation in the margin of the constrained model (the second term of primu of the paper).
func (d *directed) gradient(side fairness.Side, margin float64) float64 {
	g := d.relaxation.Coefficient(d.tracked[:], d.multipliers[:], side, halfLogOdds*margin)
	if g == 0 {
		return 0
	}
	return min(largestPush, max(-largestPush, float64(d.factor*g)))
}

// gradient is that of a push at the constraint's multiplier.
func (p *push) gradient(c *constraint, side fairness.Side, margin float64) float64 {
	var d directed
	d.aim(p, c)
	return d.gradient(side, margin)
}

// learn returns the gradient for a record that is learnt, and counts the record in what holds the margins.
func (p *push) learn(c *constraint, side fairness.Side, margin float64) (gradient float64) {
	var d directed
	d.aim(p, c)
	gradient = d.gradient(side, margin)
	if c.multiplier > 0 {
		p.firmness.observe(c.multiplier, margin, d.gradient(side, margin-nearHinge), gradient, d.gradient(side, margin+nearHinge))
	}
	return gradient
}

// unit is the unit of multipliers: with it, a gradient of approximation-1 whose hinges no margin has reached has root mean
// square 1, however rare a group is. That of a square is halved, as is the derivative of a square at 1.
func (p *push) unit(shares shares) float64 {
	unit := math.Sqrt(shares[0] * shares[1] / (shares[0] + shares[1]))
	if len(p.relaxations) > 1 {
		unit /= 2
	}
	return unit
}

// What holds the margins of a constrained model.
//
// Later records pull a margin back to where it was before a record moved it, by the curvature of what the model minimises: by how much more they push a
// margin down for each unit that it is higher. The curvature of the loss is p(1 − p). A push whose gradient is constant up to a hinge
// pulls back only margins that are near it: on one side they are pushed, on the other they are not. So its curvature is the
// density of margins at its hinges, which is high where a push is strong or labels are clear.

// firmness is, on average over the records of a push: the curvature of the loss in the margin of the constrained model, that of the
// push, and the square of the push's gradient. The last two are for a multiplier of 1.
type firmness struct {
	records            float64
	loss, push, square float64
}

// observe takes in a record that is pushed by a gradient, and would be by others if its margin were nearHinge lower or higher.
func (f *firmness) observe(multiplier, margin, lower, gradient, higher float64) {
	f.records++
	share, probability := trackedShare(f.records), logistic.Probability(margin)
	f.loss += float64((float64(probability*(1-probability)) - f.loss) * share)
	f.push += float64(((higher-lower)/(2*nearHinge*multiplier) - f.push) * share)
	f.square += float64((float64(gradient*gradient)/float64(multiplier*multiplier) - f.square) * share)
}

// Pushed is the objective that a push follows, for those who minimise it by other means.
type Pushed struct {
	// Relaxation has the term as its Outer-th outer function, of margins times MarginUnit.
	Relaxation surrogate.Relaxation
	Outer      int
	// Factor is what the term is multiplied by in the mean objective of a record.
	Factor float64
}

// MarginUnit is in what relaxations see a margin.
const MarginUnit = halfLogOdds

// NewPushed returns the objective of a push at a multiplier, which has the sign of the difference that it works against.
func NewPushed(name surrogate.Name, multiplier float64, sides [2]float64) (Pushed, error) {
	p, err := newPush(name)
	if err != nil {
		return Pushed{}, err
	}
	direction := 0
	if multiplier < 0 {
		direction = 1
	}
	pushed := Pushed{Factor: float64(math.Abs(multiplier)*p.unit(sides)) / halfLogOdds}
	if len(p.relaxations) == 1 {
		pushed.Relaxation, pushed.Outer = p.relaxations[0], direction
	} else {
		pushed.Relaxation = p.relaxations[direction]
	}
	return pushed, nil
}
