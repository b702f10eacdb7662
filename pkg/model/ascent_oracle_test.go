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
	if d.shift != 0 || !p.pressing {
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

// recall pushes remembered records of the sides that stay away for four times their mean distance.
func (d *denseAdaptive) recall(k int, side fairness.Side) {
	p, sides := &d.pressures[k], [2]fairness.Side{fairness.Group, fairness.Versus}
	due := [2]int{}
	for i := range sides {
		p.away[i]++
		if side == sides[i] {
			p.away[i] = 0
			continue
		}
		if p.away[i]*p.shares[i] < 4 {
			p.debt[i] = 0
			continue
		}
		owed := p.shares[i]
		if side == sides[1-i] {
			owed /= p.shares[1-i]
		}
		p.debt[i] = math.Min(8, p.debt[i]+owed)
		due[i] = int(p.debt[i])
		p.debt[i] -= float64(due[i])
	}
	for i := range sides {
		w := d.sides[k][i]
		for ; due[i] > 0 && w.steady > 0; due[i]-- {
			p.turn++
			item := w.items[len(w.items)-1-p.turn*65537%w.steady]
			model := slices.Index(d.active, k) + 1
			gradients := make([]float64, len(d.iterates))
			gradients[model] = item.weight * d.perWeight * p.push(sides[i], dot(d.iterates[model], item.features))
			d.descend(item.features, item.touched, gradients, gradients[model]*gradients[model]/float64(len(gradients)), false)
			item.gradients[model] = float64(float32(item.gradients[model]) + float32(gradients[model]))
		}
	}
}
