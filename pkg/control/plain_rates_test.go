package control

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// plainConstraint is one enforced comparison.
type plainConstraint struct {
	comparison  int
	tau         float64
	relative    bool
	relaxations []surrogate.Relaxation
	sides       [2]*plainWindow
	shares      [2]float64

	model                       int // 0 for none
	value, sign, multiplier     float64
	u                           [][]float64 // what each relaxation is a function of, at the constrained model's margins
	published                   []float64   // and the first one's at the published margins
	tracked                     float64     // records
	pushed                      float64     // records whose curvatures were averaged, and the averages
	lossCurvature               float64
	pushCurvature, pushSquare   float64 // for a multiplier of 1
	frequency, positive         [2]float64
	away, debt                  [2]float64
	turn                        int
	theta, half, noise          float64
	chance, error               float64
	difference, looked, needed  float64
	chosen, reachable, pressing bool
	several                     bool
	counted                     float64 // records
	sparse                      bool    // labels are missing of a twentieth, and are needed
	changes                     int
	cuts                        []change
}

func newPlainRates(settings Settings, comparisons []fairness.Comparison, relaxations []surrogate.Name, models *linear.Models) *plainRates {
	p := &plainRates{settings: settings, models: models, comparisons: comparisons, untilChoice: shortestInterval, interval: shortestInterval}
	for i, comparison := range comparisons {
		p.windows = append(p.windows, [2]*plainWindow{{capacity: settings.Window}, {capacity: settings.Window}})
		if !comparison.Enforce {
			continue
		}
		both, err := surrogate.NewBoth(surrogate.Settings{Name: relaxations[i], Monotone: true, Slope: 2})
		if err != nil {
			panic(err)
		}
		tau := comparison.Tau
		if comparison.Criterion == fairness.ImpactRatio {
			tau = 1 - tau
		}
		p.kept = append(p.kept, &plainConstraint{comparison: i, tau: tau, relative: comparison.Criterion == fairness.ImpactRatio,
			relaxations: both, sides: p.windows[i], sign: 1, multiplier: leastMultiplier, reachable: true})
		p.everyone = &plainWindow{capacity: 2048}
	}
	p.measured, p.sharing = max(1, len(p.kept)), max(1, len(p.kept))
	if p.always() {
		for _, c := range p.kept {
			p.enter(c)
		}
	}
	return p
}

func (p *plainRates) without(name refine.Name) bool { return p.settings.Without.Has(name) }
func (p *plainRates) always() bool                  { return p.without(refine.ActiveSet) || p.without(refine.Window) }

// publish is w = w_free + Σ_k interpolation_k (w_constrained_k − w_free), and the shift.
func (p *plainRates) publish(margins []float64) float64 { return p.combine(margins, 1) + p.shift }

func (p *plainRates) combine(margins []float64, factor float64) float64 {
	margin := margins[0]
	for _, c := range p.active {
		margin += factor * c.value * (margins[c.model] - margins[0])
	}
	return margin
}

// pushes are what the constraints add to the gradients for a record.
func (p *plainRates) pushes(r *Record) []float64 {
	p.records++
	for _, c := range p.kept {
		counts := r.Sides[c.comparison] != fairness.Uncounted
		if counts {
			c.counted++
		}
		c.sparse = p.comparisons[c.comparison].Criterion.NeedsLabel() && p.records-c.counted > 0 && p.records-c.counted >= .05*p.records
		if !counts {
			continue
		}
		fade := max(1/c.counted, 1/p.settings.Forgetting)
		for i, on := range []fairness.Side{fairness.Group, fairness.Versus} {
			hit := 0.0
			if r.Sides[c.comparison] == on {
				hit = 1
			}
			c.shares[i] += (hit - c.shares[i]) * fade
		}
	}
	pushes := make([]float64, len(p.active)+1)
	for _, c := range p.active {
		if r.Sides[c.comparison] == fairness.Uncounted {
			continue
		}
		side, margin, factor := r.Sides[c.comparison], r.Margins.Iterate[c.model], 1.0
		if r.Factors != nil {
			factor = r.Factors[c.comparison]
		}
		c.track(side, margin, r.Published)
		pushes[c.model] = p.scale(c, r) * p.limited(c, factor) * c.learn(side, margin)
		p.ascend(c, side, r.Published > 0, r.Relative*factor)
	}
	return pushes
}

// track follows u at the margins of the constrained model and at the published ones.
func (c *plainConstraint) track(side fairness.Side, margin, published float64) {
	c.tracked++
	beta := max(1/math.Sqrt(c.tracked), leastTracking)
	follow := func(r *surrogate.Relaxation, u []float64, margin float64) {
		inner := make([]float64, r.InnerSize())
		r.Inner(inner, side, margin/2)
		for k := range inner {
			u[k] = (1-beta)*u[k] + beta*inner[k]
		}
		group, versus := r.FrequencyIndex()
		u[group], u[versus] = c.shares[0], c.shares[1]
	}
	for i := range c.relaxations {
		follow(&c.relaxations[i], c.u[i], margin)
	}
	follow(&c.relaxations[0], c.published, published)
}

// gradient is that of the relaxation in the margin, by the chain rule.
func (c *plainConstraint) gradient(side fairness.Side, margin float64) float64 {
	instance, outer := 0, 0
	if c.sign < 0 {
		instance, outer = len(c.relaxations)-1, 2-len(c.relaxations)
	}
	r := &c.relaxations[instance]
	inner, slope := make([]float64, r.InnerSize()), make([]float64, r.InnerSize())
	r.InnerDerivative(inner, side, margin/2)
	r.OuterGradient(slope, outer, c.u[instance])
	g := 0.0
	for k := range inner {
		g += inner[k] * slope[k]
	}
	if g == 0 {
		return 0
	}
	unit := math.Sqrt(c.shares[0]*c.shares[1]/(c.shares[0]+c.shares[1])) / float64(len(c.relaxations))
	return min(largestPush, max(-largestPush, c.multiplier*unit*g))
}

// learn is the gradient of a record, which the averages of curvatures take in.
func (c *plainConstraint) learn(side fairness.Side, margin float64) float64 {
	c.pushed++
	fade, g := max(1/(1+c.pushed/4), 1./2048), c.gradient(side, margin)
	odds := math.Exp(margin)
	c.lossCurvature += fade * (odds/(1+odds)/(1+odds) - c.lossCurvature)
	c.pushCurvature += fade * ((c.gradient(side, margin+.5)-c.gradient(side, margin-.5))/c.multiplier - c.pushCurvature)
	c.pushSquare += fade * (math.Pow(g/c.multiplier, 2) - c.pushSquare)
	return g
}

// ascend follows the published decisions, and moves the one multiplier that is above 0.
func (p *plainRates) ascend(c *plainConstraint, side fairness.Side, decision bool, weight float64) {
	share := max(1/(1+c.counted/4), 1./2048)
	for i, on := range []fairness.Side{fairness.Group, fairness.Versus} {
		c.frequency[i], c.positive[i] = c.frequency[i]*(1-share), c.positive[i]*(1-share)
		if side == on {
			c.frequency[i] += share * weight
			if decision {
				c.positive[i] += share * weight
			}
		}
	}
	if p.shift != 0 || !c.pressing || p.without(refine.Ascent) {
		return
	}
	difference := c.sign * c.ascended()
	plus, minus := max(0, c.value), max(0, -c.value)
	if minus == 0 {
		plus = min(1.5, max(0, plus+share*(difference-c.target())))
	}
	if c.value <= 0 {
		minus = min(1, max(0, minus+share*(-difference-c.target())))
	}
	c.value = plus - minus
}

// ascended is R(u) of the published decisions.
func (c *plainConstraint) ascended() float64 {
	var rates [2]float64
	for i := range rates {
		rates[i] = surrogate.Ratio(surrogate.DefaultEpsilon, c.frequency[i], c.positive[i])
	}
	return c.compare(rates)
}

func (c *plainConstraint) compare(rates [2]float64) float64 {
	if c.relative && rates[0] != rates[1] {
		return (rates[0] - rates[1]) / max(rates[0], rates[1])
	}
	return rates[0] - rates[1]
}

// observe takes in a record that was learnt.
func (p *plainRates) observe(r *Record, gradients []float64) {
	p.keep(r, gradients)
	if len(p.kept) == 0 {
		return
	}
	if p.perWeight, p.proportion = r.Relative/r.Weight, r.Scale; r.Scale == 0 {
		p.proportion = 1
	}
	if !p.without(refine.Balance) {
		for _, c := range p.active {
			if r.Sides[c.comparison] != fairness.Uncounted {
				p.recall(c, r.Sides[c.comparison], p.scale(c, r))
			}
		}
	}
	if p.untilChoice--; p.untilChoice <= 0 && !p.without(refine.Window) {
		p.choose()
	}
}

// recall pushes remembered records of the sides that have stayed away for four times their mean distance.
func (p *plainRates) recall(c *plainConstraint, side fairness.Side, scale float64) {
	sides := [2]fairness.Side{fairness.Group, fairness.Versus}
	var due [2]int
	for i := range sides {
		c.away[i]++
		switch {
		case side == sides[i]:
			c.away[i] = 0
		case c.away[i]*c.shares[i] < 4:
			c.debt[i] = 0
		default:
			owed := c.shares[i]
			if side == sides[1-i] {
				owed /= c.shares[1-i]
			}
			c.debt[i] = min(8, c.debt[i]+owed)
			due[i] = int(c.debt[i])
			c.debt[i] -= float64(due[i])
		}
	}
	for i, on := range sides {
		for items := c.sides[i].newest(); due[i] > 0 && len(items) > 0; due[i]-- {
			c.turn++
			p.due++
			p.nudge(c, on, items[c.turn*65537%len(items)], false, scale)
		}
	}
}

// scale multiplies the push of a record without its label, or with it, where that does not matter.
func (p *plainRates) scale(c *plainConstraint, r *Record) float64 {
	if p.comparisons[c.comparison].Criterion.NeedsLabel() || r.Scale == 0 {
		return 1
	}
	return r.Scale
}

// limited bounds the weight of a record in the pushes of a comparison within strata.
func (p *plainRates) limited(c *plainConstraint, weight float64) float64 {
	if p.comparisons[c.comparison].Strata != "" && weight > mostFactor {
		return mostFactor
	}
	return weight
}

// nudge pushes a constrained model with a remembered record; one that has just joined is pulled back to the free one besides.
func (p *plainRates) nudge(c *plainConstraint, on fairness.Side, item plainItem, joining bool, scale float64) {
	at := p.models.NewMargins()
	p.models.Margins(at, &item.row)
	margin := at.Iterate[c.model]
	var g float64
	if joining {
		c.track(on, margin, at.Average[0])
		g = c.learn(on, margin) + logistic.Probability(margin) - logistic.Probability(at.Iterate[0])
	} else {
		g = c.gradient(on, margin)
	}
	g *= scale * p.limited(c, item.weight*p.perWeight)
	p.models.Nudge(&item.row, c.model, g)
	item.gradients[c.model] = single(item.gradients[c.model] + single(g))
}

// enter gives a comparison a copy of the free model, and pushes it with remembered records, the oldest first.
func (p *plainRates) enter(c *plainConstraint) {
	p.entered++
	c.model = p.models.Join()
	p.active = append(p.active, c)
	for _, r := range p.slots {
		r.margins, r.gradients = append(r.margins, r.margins[0]), append(r.gradients, r.gradients[0])
	}
	c.value, c.sign, c.multiplier, c.pressing, c.needed = 0, 1, leastMultiplier, true, p.records
	if c.difference < 0 {
		c.sign = -1
	}
	c.away, c.debt, c.turn, c.tracked = [2]float64{}, [2]float64{}, 0, 0
	c.pushed, c.lossCurvature, c.pushCurvature, c.pushSquare = 0, 0, 0, 0
	c.frequency, c.positive = c.shares, [2]float64{}
	c.u, c.published = nil, make([]float64, c.relaxations[0].InnerSize())
	for _, r := range c.relaxations {
		c.u = append(c.u, make([]float64, r.InnerSize()))
	}
	old := [2][]plainItem{c.sides[0].newest(), c.sides[1].newest()}
	slices.Reverse(old[0])
	slices.Reverse(old[1])
	turn, done := 0.0, [2]int{}
	for range min(8192, len(old[0])+len(old[1])) {
		i := 1
		if turn += c.shares[0] / (c.shares[0] + c.shares[1]); turn >= 1 {
			turn--
			i = 0
		}
		p.nudge(c, [2]fairness.Side{fairness.Group, fairness.Versus}[i], old[i][done[i]%len(old[i])], true, 1)
		done[i]++
	}
	p.models.Settle(c.model)
	influence := p.influence()
	for _, w := range c.sides {
		for _, item := range w.items {
			for k, margin := range p.marginsOf(item.plainRecord, influence) {
				item.margins[k] = single(margin)
			}
		}
	}
}

// leave takes the model from a comparison: later models move up.
func (p *plainRates) leave(c *plainConstraint) {
	p.left++
	p.models.Leave(c.model)
	at := c.model
	p.active = slices.Delete(p.active, at-1, at)
	for _, r := range p.slots {
		r.margins, r.gradients = slices.Delete(r.margins, at, at+1), slices.Delete(r.gradients, at, at+1)
	}
	c.model, c.value, c.pressing = 0, 0, false
	for i, other := range p.active {
		other.model = i + 1
	}
}
