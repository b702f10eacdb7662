package backfill

import (
	"math"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

const (
	// The multiplier of a constraint begins with firstMultiplier, stays within the next two, and grows by a factor within the last two.
	firstMultiplier = .05
	leastMultiplier = .003
	mostMultiplier  = 1.5
	leastGrowth     = 1.2
	mostGrowth      = 4.0
	// closeEnough is how near the difference has to come to its target, in absolute terms and in standard errors.
	closeEnough   = .0005
	closeInErrors = .1
	// mostAttempts bounds how many multipliers of a constraint are tried.
	mostAttempts = 8
)

// pressed is a constraint that the model without constraints does not keep.
type pressed struct {
	Way climb `json:"way"`
	// Enforced is its place in the basis.
	Enforced int `json:"enforced"`
	// Multiplier has the sign of the difference that it works against.
	Multiplier float64 `json:"multiplier"`
	// Low and High are multipliers with the distance of the difference from its target, above 0 at Low. High is 0 before one is known.
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	AboveTarget float64 `json:"above_target"`
	BelowTarget float64 `json:"below_target"`
	// Without is how far the difference is above its target without the constraint.
	Without  float64 `json:"without"`
	Attempts int     `json:"attempts"`
	Found    bool    `json:"found"` // no other multiplier is tried
	// Slopes are those of the outer function, times its factor.
	Slopes [surrogate.MaxInner]float64 `json:"slopes"`
}

// Measured is what decisions about the records that were held out say of one comparison.
type Measured struct {
	Name       string     `json:"name"`
	Tau        float64    `json:"tau"`
	Difference float64    `json:"difference"`
	Error      float64    `json:"standard_error"`
	Target     float64    `json:"target"`
	Rates      [2]float64 `json:"rates"`
	Estimable  bool       `json:"estimable"`
}

// measure compares the rates of the records that were held out.
func (t *total) measure(e *model.Enforceable, aim *control.Aim, window, sharing int) Measured {
	m := Measured{Name: e.Name, Tau: e.Tau}
	var records, shares [2]float64
	variance := 0.0
	for side := range 2 {
		c := &t.held.sides[e.Index][side]
		weight, squared := c.weight.value(), c.squared.value()
		if squared == 0 {
			return m
		}
		records[side] = min(weight*weight/squared, float64(window))
		m.Rates[side] = (c.positive.value() + .5) / (weight + 1)
		shares[side] = t.sides[e.Index][side].value() / t.weight.value()
		variance += m.Rates[side] * (1 - m.Rates[side]) / records[side]
	}
	m.Estimable = records[0] >= fairness.DefaultMinimumRecords && records[1] >= fairness.DefaultMinimumRecords && shares[0] > 0 && shares[1] > 0
	m.Difference, m.Error = control.Difference(e.Relative, m.Rates), math.Sqrt(variance)
	if m.Estimable {
		m.Target = aim.Target(e.Tau, e.Relative, m.Rates, records, shares, sharing)
	}
	return m
}

// press returns the constraint that begins to be pressed, from the model without constraints.
func press(enforced int, m Measured, free []float64) *pressed {
	p := &pressed{Enforced: enforced, Multiplier: math.Copysign(firstMultiplier, m.Difference), Without: math.Abs(m.Difference) - m.Target}
	p.AboveTarget = p.Without
	p.Way.begin(free)
	return p
}

// settled says whether a difference is as near to its target as it has to be, or cannot come nearer.
func (p *pressed) settled(m Measured) bool {
	off := math.Copysign(1, p.Multiplier)*m.Difference - m.Target
	return math.Abs(off) <= max(closeEnough, closeInErrors*m.Error) || p.Attempts >= mostAttempts || off > 0 && math.Abs(p.Multiplier) >= mostMultiplier
}

// again says whether other constraints have since moved the difference away from its target: then multipliers are tried again.
func (p *pressed) again(m Measured) bool {
	if p.settled(m) {
		return false
	}
	p.Found, p.Low, p.High, p.AboveTarget = false, 0, 0, p.Without
	return true
}

// judge takes in what the model at its multiplier makes of the difference, and says whether it goes on with another multiplier.
func (p *pressed) judge(m Measured) bool {
	sign, size := math.Copysign(1, p.Multiplier), math.Abs(p.Multiplier)
	off := float64(sign*m.Difference) - m.Target
	p.Attempts++
	if p.Found = p.settled(m); p.Found {
		return false
	}
	if off > 0 {
		p.Low, p.AboveTarget = size, off
	} else {
		p.High, p.BelowTarget = size, off
	}
	next := size * min(mostGrowth, max(leastGrowth, p.Without/max(p.Without-off, closeEnough))) // as if the difference fell in proportion
	if p.High > 0 {
		next = p.Low + (p.High-p.Low)*min(.9, max(.1, p.AboveTarget/(p.AboveTarget-p.BelowTarget)))
	}
	p.Multiplier = sign * min(mostMultiplier, max(leastMultiplier, next))
	return true
}
