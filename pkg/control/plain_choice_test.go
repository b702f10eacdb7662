package control

import (
	"math"
	"slices"
	"sort"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
)

func (c *plainConstraint) target() float64 {
	least := .2 * c.tau
	if c.several && c.theta >= .8*c.tau {
		least = max(least, min(c.noise, c.tau/2))
	}
	return max(c.tau-c.theta, least)
}

// borne is the largest difference that needs no press.
func (c *plainConstraint) borne() float64 {
	chance, most := c.chance, .5*c.tau
	if c.model == 0 {
		chance, most = 1.25*c.chance, .75*c.tau
	}
	if c.theta < .8*c.tau || c.sparse && !c.several {
		chance = min(chance, most)
	}
	return max(c.target(), chance)
}

func (c *plainConstraint) need() float64 { return math.Abs(c.difference) / c.borne() }

// choose looks at the windows, and sets interpolation weights, multipliers and shift.
func (p *plainRates) choose() {
	if !p.without(refine.Refresh) {
		p.refresh()
	}
	p.review()
	for sweep := range 2 {
		for i := len(p.active) - 1; i >= 0 && (sweep == 0 || len(p.active) > 1); i-- {
			if c := p.active[i]; p.measurable(c) && p.take(c) && !p.without(refine.Turn) {
				p.turned++
				p.models.Reflect(c.model)
				for _, r := range p.slots {
					r.margins[c.model], r.gradients[c.model] = single(2*r.margins[0]-r.margins[c.model]), single(2*r.gradients[0]-r.gradients[c.model])
				}
				c.value = -c.value
				p.take(c)
			}
		}
	}
	for i := len(p.active) - 1; i >= 0; i-- {
		if p.records-p.active[i].needed > 8192 {
			p.leave(p.active[i])
		}
	}
	p.share()
	troubled := false
	for _, c := range p.active {
		if !p.measurable(c) {
			continue
		}
		switch {
		case p.without(refine.Reference):
		case !c.reachable || c.value > 1:
			c.multiplier = min(1.5, 1.1*c.multiplier)
		case c.value < .25:
			c.multiplier = max(.3, .9*c.multiplier)
		}
		troubled = troubled || !c.reachable && c.half <= 3*c.tau
	}
	if !p.without(refine.Threshold) {
		p.chooseShift(troubled)
	}
	p.interval = min(2048, max(64, p.used()/8))
	if p.proportion < 1 {
		p.interval = max(64, int(p.proportion*float64(p.interval)), p.used()/32)
	}
	p.untilChoice = p.interval
}

func (p *plainRates) measurable(c *plainConstraint) bool {
	return min(c.sides[0].steady, c.sides[1].steady) >= p.settings.Minimum
}

// review looks at the comparisons without a model, and lets the one enter that needs it most.
func (p *plainRates) review() {
	published := func(r *plainRecord) bool { return p.publish(r.margins) > 0 }
	var worst *plainConstraint
	for _, c := range p.kept {
		if c.model > 0 || !p.measurable(c) {
			continue
		}
		if p.records-c.looked >= float64(c.sides[0].steady+c.sides[1].steady)/8 || c.chosen && c.need() > 1 {
			p.cut(c, published)
			counts := p.allow(c, published)
			c.difference, c.looked, c.reachable = c.compare([2]float64{counts[0].rate(), counts[1].rate()}), p.records, true
		}
		if c.chosen && c.need() > 1 && (worst == nil || c.need() > worst.need()) {
			worst = c
		}
	}
	if worst != nil {
		p.enter(worst)
	}
}

// allow sets what sampling error is allowed for.
func (p *plainRates) allow(c *plainConstraint, decide func(*plainRecord) bool) (counts [2]plainCount) {
	var rates [2]float64
	for i, w := range c.sides {
		counts[i] = count(w.newest(), decide)
		rates[i] = counts[i].smoothed()
	}
	slopes := c.slopes(rates)
	window, holdout := 0.0, 0.0
	for i, rate := range rates {
		spread := slopes[i] * slopes[i] * rate * (1 - rate)
		worth := counts[i].effective()
		if p.comparisons[c.comparison].Criterion.NeedsLabel() && c.counted < p.records {
			worth = counts[i].worth()
		}
		window += spread * 2 / worth
		holdout += spread / (p.settings.Aim.holdout * max(c.shares[i], 1e-9))
	}
	c.half = p.settings.Aim.interval * math.Sqrt(window)
	c.theta = min(.8*c.tau, max(c.half, p.settings.Aim.quantiles[p.sharing-1]*math.Sqrt(window+holdout)))
	if p.without(refine.Target) {
		c.theta = 0
	}
	c.chance = p.settings.Aim.evidence[max(1, p.measured)-1] * math.Sqrt(window)
	c.noise, c.error, c.several, c.chosen = math.Sqrt(window), math.Sqrt(window+holdout), p.sharing > 1, true
	return counts
}

// slopes are the derivatives of the compared number in the rates, absolute.
func (c *plainConstraint) slopes(rates [2]float64) [2]float64 {
	if !c.relative {
		return [2]float64{1, 1}
	}
	of := func(rate, other float64) float64 {
		rate, other = max(leastRate, rate), max(leastRate, other)
		if rate > other {
			return other / (rate * rate)
		}
		return 1 / other
	}
	return [2]float64{of(rates[0], rates[1]), of(rates[1], rates[0])}
}

// ratesAlong are the rates of a side at every interpolation weight.
func (p *plainRates) ratesAlong(c *plainConstraint, items []plainItem) []float64 {
	rates, total := make([]float64, cells+1), 0.0
	value := c.value
	defer func() { c.value = value }()
	for _, item := range items {
		total += item.weight
		positive := func(i int) bool {
			c.value = grid(i)
			return p.combine(item.margins, 1) > 0
		}
		first := positive(0)
		turns := sort.Search(cells+1, func(i int) bool { return positive(i) != first }) // a margin is linear in the weight
		for i := range rates {
			if (i < turns) == first {
				rates[i] += item.weight
			}
		}
	}
	for i := range rates {
		rates[i] /= total
	}
	return rates
}

// take chooses an interpolation weight, and says whether the model has been pushed the wrong way.
func (p *plainRates) take(c *plainConstraint) (backwards bool) {
	decide := func(value float64) func(*plainRecord) bool {
		return func(r *plainRecord) bool {
			return p.combine(r.margins, 1)+(value-c.value)*(r.margins[c.model]-r.margins[0]) > 0
		}
	}
	p.cut(c, decide(c.value))
	p.allow(c, decide(c.value))
	var free [2]plainCount
	var along [2][]float64
	for i, w := range c.sides {
		free[i], along[i] = count(w.newest(), decide(0)), p.ratesAlong(c, w.newest())
	}
	differences := make([]float64, cells+1)
	for i := range differences {
		differences[i] = c.compare([2]float64{along[0][i], along[1][i]})
	}
	c.difference, c.looked = differences[origin], p.records
	sign, slopes := 1.0, c.slopes([2]float64{free[0].smoothed(), free[1].smoothed()})
	if c.difference < 0 {
		sign = -1
	}
	noise := slopes[0]*slopes[0]*free[0].variance() + slopes[1]*slopes[1]*free[1].variance()
	if math.Abs(c.difference) > turnSigma*math.Sqrt(noise) {
		backwards = c.sign != sign && sign*(differences[origin+cells/4]-c.difference) > 0
		c.sign = sign
	}
	c.pressing = c.need() > 1 || c.pressing && c.need() >= .75 || p.always()
	choice := origin
	c.reachable = true
	if c.pressing {
		c.needed = p.records
		choice, c.reachable = plainNearest(differences, sign, c.target())
	}
	backwards = backwards || grid(choice) < -.25
	rates := [2]float64{along[0][choice], along[1][choice]}
	if p.without(refine.ExactStep) {
		for i, w := range c.sides {
			rates[i] = count(w.newest(), func(r *plainRecord) bool { return p.publish(r.margins) > 0 }).rate()
		}
	} else {
		c.value = grid(choice)
	}
	for i, rate := range rates {
		c.positive[i] = c.frequency[i] * rate
	}
	return backwards
}

// plainNearest is the cell nearest to no interpolation within the aim, or that of the least difference.
func plainNearest(differences []float64, sign, aim float64) (choice int, reachable bool) {
	for distance := range cells + 1 {
		for _, i := range [2]int{origin + distance, origin - distance} {
			if i >= 0 && i <= cells && sign*differences[i] <= aim {
				return i, true
			}
		}
	}
	choice = origin
	for i, difference := range differences {
		if math.Abs(difference) < math.Abs(differences[choice])-1e-12 {
			choice = i
		}
	}
	return choice, false
}

// share goes through the comparisons in Holm's order.
func (p *plainRates) share() {
	var slacks []float64
	p.measured = 0
	for _, c := range p.kept {
		if p.measurable(c) {
			p.measured++
			if c.chosen && c.value == 0 {
				slacks = append(slacks, (c.tau-math.Abs(c.difference))/c.error)
			}
		}
	}
	slices.Sort(slacks)
	slices.Reverse(slacks)
	left := p.measured
	for _, slack := range slacks {
		if slack < p.settings.Aim.quantiles[left-1] {
			break
		}
		left--
	}
	p.sharing = max(1, left)
}

// chooseShift tries every factor and every threshold on every record.
func (p *plainRates) chooseShift(troubled bool) {
	p.shift, p.constant = 0, false
	everyone := p.everyone.items
	if len(everyone) < 256 {
		return
	}
	wrong := func(factor, cut float64) float64 {
		return count(everyone, func(r *plainRecord) bool { return (p.combine(r.margins, factor) > cut) != r.positive }).rate()
	}
	positives := count(everyone, func(r *plainRecord) bool { return r.positive }).rate()
	free, published, constant := wrong(0, 0), wrong(1, 0), min(positives, 1-positives)
	if !troubled && published <= free+lostSkill*max(0, constant-free) {
		return
	}
	var bounds []*plainConstraint
	for _, c := range p.active {
		if p.measurable(c) && c.half <= 3*c.tau {
			bounds = append(bounds, c)
		}
	}
	if len(bounds) == 0 {
		return
	}
	factor, shift, least := 0.0, 0.0, math.Inf(1)
	for _, candidate := range factors {
		var margins []float64
		for _, item := range everyone {
			margins = append(margins, p.combine(item.margins, candidate))
		}
		slices.Sort(margins)
		for i, q := range thresholds {
			cut := margins[int(q*float64(len(margins)-1))]
			if i == 0 {
				cut -= 1 + math.Abs(cut)
			}
			if i == len(thresholds)-1 {
				cut += 1 + math.Abs(cut)
			}
			fair := true
			for _, c := range bounds {
				fair = fair && math.Abs(c.compare(p.ratesOf(c, candidate, cut))) <= c.target()
			}
			if e := wrong(candidate, cut); fair && e < least-1e-12 {
				factor, shift, least = candidate, -cut, e
			}
		}
	}
	if !troubled && least >= published {
		return
	}
	for _, c := range p.active {
		c.value *= factor
	}
	p.shift, p.constant = shift, least >= constant-.05*max(0, constant-free)
	for _, c := range p.active {
		if p.measurable(c) {
			for i, rate := range p.ratesOf(c, 1, -shift) {
				c.positive[i] = c.frequency[i] * rate
			}
		}
	}
}

// ratesOf are the rates of both sides above a threshold.
func (p *plainRates) ratesOf(c *plainConstraint, factor, cut float64) (rates [2]float64) {
	for i, w := range c.sides {
		rates[i] = count(w.newest(), func(r *plainRecord) bool { return p.combine(r.margins, factor) > cut }).rate()
	}
	return rates
}

// counts decides the steady records of a comparison again by today's model, less what it owes to each. The difference varies by half of what this changes in it
// besides the error of its rates, whose variance is 1.5 times that of as many independent decisions.
func (p *plainRates) counts(comparison int) (counts [2]fairness.Count, inflation float64) {
	influence := p.influence()
	taken, variance := 0.0, 0.0
	for i, w := range p.windows[comparison] {
		var n, k, squared, moved float64
		for _, item := range w.newest() {
			decision, learnt := p.publish(p.marginsOf(item.plainRecord, influence)) > 0, p.publish(p.marginsOf(item.plainRecord, nil)) > 0
			counts[i].Add(decision, item.weight)
			n, squared = n+item.weight, squared+item.weight*item.weight
			if decision {
				k += item.weight
			}
			if decision != learnt {
				if decision {
					moved += item.weight
				} else {
					moved -= item.weight
				}
			}
		}
		if n == 0 {
			taken = math.NaN()
			continue
		}
		effective := n * n / squared
		rate := (effective*k/n + 1) / (effective + 2)
		variance += rate * (1 - rate) / counts[i].Worth()
		taken += [2]float64{1, -1}[i] * moved / n
	}
	if math.IsNaN(taken) {
		return counts, 1.5
	}
	return counts, (1.5*variance + taken/2*taken/2) / variance
}

// moved is by how much more the rates differ on the newest eighth, quarter or half of both windows than on the rest, by the difference or, beyond doubt, by one side; or on
// a thirty-second or sixteenth part of which one side is decided differently.
func (p *plainRates) moved(c *plainConstraint) float64 {
	if len(c.sides[0].newest()) < 512 || len(c.sides[1].newest()) < 512 || !p.measurable(c) {
		return 0
	}
	influence := p.influence()
	for _, part := range []int{32, 16, 8, 4, 2} {
		alone, surely, fewest := false, false, math.Inf(1)
		doublings := math.Ceil(math.Log2(float64(max(1, p.measured))))
		var young, old, rates, variances [2]float64
		for i, w := range c.sides {
			var weight, squared, positive [2]float64
			items := w.newest()
			for age, item := range items {
				old := 0
				if age >= len(items)/part {
					old = 1
				}
				weight[old] += item.weight
				squared[old] += item.weight * item.weight
				if p.publish(p.marginsOf(item.plainRecord, influence)) > 0 {
					positive[old] += item.weight
				}
			}
			n, k := weight[0]+weight[1], positive[0]+positive[1]
			effective := n * n / (squared[0] + squared[1])
			young[i], old[i], rates[i] = positive[0]/weight[0], positive[1]/weight[1], (effective*k/n+1)/(effective+2)
			variances[i] = rates[i] * (1 - rates[i]) * (squared[0]/weight[0]/weight[0] + squared[1]/weight[1]/weight[1])
			alone = alone || math.Abs(young[i]-old[i]) > math.Sqrt((12.25+2*math.Ln2*doublings)*variances[i])
			surely = surely || math.Abs(young[i]-old[i]) > math.Sqrt((20.25+2*math.Ln2*doublings)*variances[i])
			fewest = min(fewest, math.Floor(float64(len(items))/float64(part)))
		}
		by, sigma := c.compare(young)-c.compare(old), 3.0
		if n := len(c.cuts); n > 0 && p.records-c.cuts[n-1].records < 40_000 && math.Signbit(by) == math.Signbit(c.cuts[n-1].by) {
			sigma = 2.25
		}
		slopes := c.slopes(rates)
		deviation := math.Sqrt(slopes[0]*slopes[0]*variances[0] + slopes[1]*slopes[1]*variances[1])
		far := math.Abs(by) > math.Sqrt(sigma*sigma+2*math.Ln2*doublings)*deviation
		far = far || surely && fewest >= 128
		if part >= 16 {
			far = alone && fewest >= 128
		}
		if far && math.Abs(by) >= c.tau/2 {
			return by
		}
	}
	return 0
}

// collapse is what the published model makes of everyone.
func (p *plainRates) collapse() fairness.CollapseState {
	if p.everyone == nil {
		return fairness.CollapseNotEstimable
	}
	var c fairness.Confusion
	for _, item := range p.everyone.items {
		c.Add(item.positive, p.publish(item.margins) > 0, item.weight)
	}
	return fairness.DetectCollapse(c, fairness.DefaultLevel, fairness.DefaultCollapseOptions()).State
}
