package model

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// ascend follows the published decisions, and moves one multiplier against what they show.
func (d *denseAdaptive) ascend(p *densePressure, side fairness.Side, weight float64) {
	share := math.Max(1/(1+d.records/4), 1.0/2048)
	for i, on := range []fairness.Side{fairness.Group, fairness.Versus} {
		p.frequency[i] *= 1 - share
		p.positive[i] *= 1 - share
		if side == on {
			p.frequency[i] += share * weight
			if d.published > 0 {
				p.positive[i] += share * weight
			}
		}
	}
	if d.shift != 0 {
		return
	}
	const epsilon = .01
	var rates [2]float64
	for i, f := range p.frequency {
		rates[i] = p.positive[i] / f
		if f <= epsilon {
			rates[i] = p.positive[i] / epsilon * (2 - f/epsilon)
		}
	}
	difference := p.orientation * (rates[0] - rates[1])
	plus, minus := math.Max(0, p.value), math.Max(0, -p.value)
	if minus == 0 {
		plus = math.Min(1.5, math.Max(0, plus+share*(difference-p.target())))
	}
	if p.value <= 0 {
		minus = math.Min(1, math.Max(0, minus+share*(-difference-p.target())))
	}
	p.value = plus - minus
}

// recall pushes remembered records of a side that stays away for four times its mean distance.
func (d *denseAdaptive) recall(k int, side fairness.Side) {
	p, here := &d.pressures[k], map[fairness.Side]int{fairness.Group: 0, fairness.Versus: 1}
	present, is := here[side]
	if !is {
		return
	}
	missing := 1 - present
	p.away[present] = 0
	p.away[missing]++
	if p.away[missing]*p.shares[missing]/(p.shares[0]+p.shares[1]) < 4 {
		p.debt = 0
		return
	}
	p.debt = math.Min(8, p.debt+p.shares[missing]/p.shares[present])
	w := d.sides[k][missing]
	for ; p.debt >= 1; p.debt-- {
		if w.steady == 0 {
			continue
		}
		p.turn++
		age := p.turn * 65537 % w.steady
		item := &w.items[(w.seen-1-age)%w.capacity]
		gradients := make([]float64, len(d.iterates))
		gradients[k+1] = item.weight / d.mean * p.push([2]fairness.Side{fairness.Group, fairness.Versus}[missing], dot(d.iterates[k+1], item.features))
		d.descend(item.features, item.touched, gradients, gradients[k+1]*gradients[k+1]/float64(len(gradients)))
		item.gradients = slices.Clone(item.gradients)
		item.gradients[k+1] = float64(float32(item.gradients[k+1]) + float32(gradients[k+1]))
	}
}
