package control

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
)

// constraint is the state of one enforced comparison of rates.
type constraint struct {
	tau        float64
	sign       float64    // of the unconstrained model's difference: the constrained model works against it
	multiplier float64    // of the constrained model
	theta      float64    // allowance for sampling error, last time
	half       float64    // half-width of the interval of the difference, at this choice
	chosen     bool       // an interpolation has been chosen before
	reachable  bool       // some interpolation reached the target, last time
	changes    int64      // how often the window was cut because the records had changed
	cuts       [2]float64 // records learnt at the last two of these, the newer one first; 0 for none
}

// target is the absolute difference to aim at.
func (c *constraint) target() float64 { return target(c.tau, c.theta, 0) }

// shows says whether the records are enough to show that the difference is within tau. Where they are not, a difference
// within the target is chance, so the constraint has a say in its own interpolation weight only, and none in what is decided for
// all others.
func (c *constraint) shows() bool { return c.half <= c.tau }

// unsteadyRecords is within how many records two changes are more than chance: a steady stream has one falsely in a tenth
// of streams of 40,000 records, and two in a sixtieth.
const unsteadyRecords = 40_000

// cut takes note of a change.
func (c *constraint) cut(records float64) {
	c.changes++
	c.cuts[0], c.cuts[1] = records, c.cuts[0]
}

// unsteady says that the records have changed more than once of late.
func (c *constraint) unsteady(records float64) bool {
	return c.cuts[1] > 0 && records-c.cuts[1] < unsteadyRecords
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
