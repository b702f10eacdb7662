package model

import (
	"math"
	"slices"
	"sort"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// pressure is the state of one enforced comparison.
type pressure struct {
	tau, value, orientation, reference, theta        float64
	difference, noise, chance, error, looked, needed float64
	reachable, several, pressing, seen, joined       bool
	changes                                          int64
}

func (p *pressure) atFloor() bool { return p.theta >= .8*p.tau }

func (p *pressure) target() float64 {
	if p.several && p.atFloor() {
		return math.Max(leastTarget*p.tau, math.Min(p.noise, p.tau/2))
	}
	return math.Max(p.tau-p.theta, leastTarget*p.tau)
}

func (d *denseAdaptive) quantile(sharing int) float64 {
	return normalQuantile(1 - (1-d.config.Confidence)/float64(max(1, sharing)))
}

// borne is the largest difference that needs no pressure.
func (d *denseAdaptive) borne(p *densePressure) float64 {
	switch {
	case p.atFloor() && p.joined:
		return math.Max(p.target(), p.chance)
	case p.atFloor():
		return math.Max(p.target(), 1.25*p.chance)
	case p.joined:
		return math.Max(p.target(), math.Min(p.chance, .5*p.tau))
	}
	return math.Max(p.target(), math.Min(1.25*p.chance, .75*p.tau))
}

// review looks at the comparisons without a model, and gives one to that which needs it most.
func (d *denseAdaptive) review() {
	worst, most := -1, 1.0
	published := func(item *denseItem) bool { return d.combine(item.margins, 1)+d.shift > 0 }
	for k := range d.pressures {
		p, sides := &d.pressures[k], d.sides[k]
		if slices.Contains(d.active, k) || !d.measurable(k) {
			continue
		}
		due := d.records-p.looked >= float64(sides[0].steady+sides[1].steady)/8
		if due || p.seen && math.Abs(p.difference)/d.borne(p) > 1 {
			d.cut(k, published)
			items := [2][]*denseItem{sides[0].newest(), sides[1].newest()}
			d.allow(k, items, published)
			p.difference = rateOf(items[0], published).rate() - rateOf(items[1], published).rate()
			p.looked, p.reachable = d.records, true
		}
		if need := math.Abs(p.difference) / d.borne(p); p.seen && need > most {
			worst, most = k, need
		}
	}
	if worst >= 0 {
		d.enter(worst)
	}
}

// enter gives a comparison a copy of the free model, and pushes it with remembered records.
func (d *denseAdaptive) enter(k int) {
	p, sides := &d.pressures[k], d.sides[k]
	d.active = append(d.active, k)
	p.joined = true
	model := len(d.active)
	d.iterates, d.averages = append(d.iterates, slices.Clone(d.iterates[0])), append(d.averages, slices.Clone(d.averages[0]))
	for _, item := range d.slots {
		item.margins, item.gradients = append(item.margins, item.margins[0]), append(item.gradients, item.gradients[0])
	}
	p.value, p.orientation, p.reference, p.pressing, p.needed = 0, 1, .3, true, d.records
	if p.difference < 0 {
		p.orientation = -1
	}
	p.away, p.debt, p.turn, p.records = [2]float64{}, [2]float64{}, 0, 0
	p.firm.records, p.firm.loss, p.firm.push, p.firm.square = 0, 0, 0, 0
	p.frequency, p.positive = p.shares, [2]float64{}
	for i := range p.tracked {
		clear(p.tracked[i])
	}
	old := [2][]*denseItem{sides[0].newest(), sides[1].newest()}
	slices.Reverse(old[0])
	slices.Reverse(old[1])
	turn, done := 0.0, [2]int{}
	for range min(8192, len(old[0])+len(old[1])) {
		i := 1
		if turn += p.shares[0] / (p.shares[0] + p.shares[1]); turn >= 1 {
			turn--
			i = 0
		}
		item := old[i][done[i]%len(old[i])]
		done[i]++
		free, z := dot(d.iterates[0], item.features), dot(d.iterates[model], item.features)
		side := [2]fairness.Side{fairness.Group, fairness.Versus}[i]
		p.track(side, z)
		gradients := make([]float64, len(d.iterates))
		gradients[model] = item.weight * d.perWeight * (p.learn(side, z) + 1/(1+math.Exp(-z)) - 1/(1+math.Exp(-free)))
		d.descend(item.features, item.touched, gradients, gradients[model]*gradients[model]/float64(len(gradients)), false)
		item.gradients[model] = float64(float32(item.gradients[model]) + float32(gradients[model]))
	}
	for j := range d.averages[model] {
		d.averages[model][j] = d.averages[0][j] + d.iterates[model][j] - d.iterates[0][j]
	}
	for _, w := range sides {
		for _, item := range w.items {
			d.score(item)
		}
	}
}

func (d *denseAdaptive) leave(at int) {
	p := &d.pressures[d.active[at]]
	p.value, p.pressing, p.joined = 0, false, false
	d.active = slices.Delete(d.active, at, at+1)
	d.iterates, d.averages = slices.Delete(d.iterates, at+1, at+2), slices.Delete(d.averages, at+1, at+2)
	for _, item := range d.slots {
		item.margins, item.gradients = slices.Delete(item.margins, at+1, at+2), slices.Delete(item.gradients, at+1, at+2)
	}
}

// share goes through the comparisons in Holm's order.
func (d *denseAdaptive) share() {
	var slacks []float64
	left := 0
	for k := range d.pressures {
		if p := &d.pressures[k]; d.measurable(k) {
			left++
			if p.seen && p.value == 0 {
				slacks = append(slacks, (p.tau-math.Abs(p.difference))/p.error)
			}
		}
	}
	d.measured = left
	sort.Sort(sort.Reverse(sort.Float64Slice(slacks)))
	for _, slack := range slacks {
		if slack < d.quantile(left) {
			break
		}
		left--
	}
	d.sharing = max(1, left)
}
