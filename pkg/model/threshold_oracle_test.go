package model

import (
	"math"
	"slices"
	"sort"
)

func (d *denseAdaptive) chooseShift(troubled bool) {
	d.shift, d.constant = 0, false
	everyone := d.everyone.items
	if len(everyone) < everyoneRecords/8 {
		return
	}
	wrong := func(decide func(*denseItem) bool) float64 {
		return rateOf(everyone, func(item *denseItem) bool { return decide(item) != item.positive }).rate()
	}
	positives := rateOf(everyone, func(item *denseItem) bool { return item.positive }).rate()
	free := wrong(func(item *denseItem) bool { return item.margins[0] > 0 })
	published := wrong(func(item *denseItem) bool { return d.combine(item.margins, 1) > 0 })
	advantage := math.Max(0, math.Min(positives, 1-positives)-free)
	if !troubled && published <= free+lostSkill*advantage {
		return
	}
	var read [][2][]*denseItem
	for _, sides := range d.sides {
		read = append(read, [2][]*denseItem{sides[0].newest(), sides[1].newest()})
	}
	shows := func(k int) bool { return d.measurable(k) && d.pressures[k].half <= 3*d.pressures[k].tau }
	if !slices.ContainsFunc(d.active, shows) {
		return
	}
	factor, shift, least := 0.0, 0.0, math.Inf(1)
	for _, candidate := range factors {
		for _, cut := range d.cuts(candidate) {
			decide := func(item *denseItem) bool { return d.combine(item.margins, candidate) > cut }
			fair := true
			for _, k := range d.active {
				sides := read[k]
				if !shows(k) {
					continue
				}
				difference := rateOf(sides[0], decide).rate() - rateOf(sides[1], decide).rate()
				fair = fair && math.Abs(difference) <= d.pressures[k].target()
			}
			if e := wrong(decide); fair && e < least-1e-12 {
				factor, shift, least = candidate, -cut, e
			}
		}
	}
	if !troubled && least >= published {
		return
	}
	for _, k := range d.active {
		d.pressures[k].value *= factor
	}
	d.shift = shift
	d.constant = least >= math.Min(positives, 1-positives)-worthless*advantage
	for _, k := range d.active {
		sides, decide := read[k], func(item *denseItem) bool { return d.combine(item.margins, 1)+shift > 0 }
		if p := &d.pressures[k]; d.measurable(k) {
			p.positive = [2]float64{p.frequency[0] * rateOf(sides[0], decide).rate(), p.frequency[1] * rateOf(sides[1], decide).rate()}
		}
	}
}

// cuts are the thresholds that are tried: quantiles of the margins, and beyond all of them.
func (d *denseAdaptive) cuts(factor float64) (cuts []float64) {
	var margins []float64
	for _, item := range d.everyone.items {
		margins = append(margins, d.combine(item.margins, factor))
	}
	sort.Float64s(margins)
	for _, q := range thresholds {
		cuts = append(cuts, margins[int(q*float64(len(margins)-1))])
	}
	last := len(cuts) - 1
	cuts[0] -= 1 + math.Abs(cuts[0])
	cuts[last] += 1 + math.Abs(cuts[last])
	return cuts
}
