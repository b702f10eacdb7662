package linear

import "github.com/fairstream/fairstream/pkg/features"

// How strongly weights are drawn to 0.
//
// A bin that a thousand records share can be trusted, a value that came twice can not; and a column that says
// nothing about the label had best keep all its weights at 0. So the weights come in groups (the fine bins of
// a column, its coarse bins, its levels, a cross), those of a group are taken for draws from N(0,
// 1/precision), and the precision is the one that makes the group's weights most likely, by the fixed point of
// MacKay (Bayesian Interpolation, Neural Computation 4, 1992, eq. 4.9; with a group for each input, Neal's
// automatic relevance determination):
//
//	precision = Σ_j known_j / Σ_j w_j²,  known_j = information_j / (information_j + precision)
//
// For the logistic loss the information on weight j is AdaGrad's sum of squared gradients G²_j, an estimate of the
// Fisher information of the records that forgetting has left. For the squared loss with noise of variance σ², in units
// of the labels', G²_j sums (r x)², and so the information is Σ x_j²/σ² = G²_j/σ⁴; the weights are in units of the
// labels' spread. A step spreads the prior's pull over the weight's records: see Step.

// prior keeps the precisions of all groups.
type prior struct {
	precisions []float64 // by group
	records    int64     // since the last choice
	shared     shared    // of the columns with few levels

	known, squared []float64 // scratch, by group
	weights        []int     // scratch, by group: how many
}

// fewLevels is how many levels a column has, at most, whose precision is that of all such columns together: thousands of fields that are there or not say much
// about the prior together, and each one nearly nothing.
const fewLevels = 2

// pool gives columns with few levels the sums of all such columns, by how well they predict: see shared.go.
func (p *prior) pool(noise float64, constants Constants) {
	known, squared, count := 0.0, 0.0, 0
	p.few(func(group int) {
		known += p.known[group]
		squared += p.squared[group]
		count += p.weights[group]
	})
	slope := p.shared.slope(noise)
	if p.shared = (shared{}); count >= leastShared && squared > 0 {
		factor := slope / (known / float64(count))
		known, squared = float64(count), float64(factor*factor)*squared
		p.shared.precision = constants.bounded(known / squared)
	}
	p.few(func(group int) { p.known[group], p.squared[group] = known, squared })
}

// few visits the groups of the columns with few levels.
func (p *prior) few(visit func(group int)) {
	for group := features.LevelKind; group < len(p.weights); group += features.GroupKinds {
		if n := p.weights[group]; n > 0 && n <= fewLevels {
			visit(group)
		}
	}
}

// bounded is a precision within its bounds.
func (c *Constants) bounded(precision float64) float64 {
	return min(c.MostPrecision, max(c.LeastPrecision, precision))
}

// choose takes one step of the fixed point, at a variance of the labels. know returns the information on a weight, and the weight.
func (p *prior) choose(e *features.Frozen, constants Constants, noise float64, know func(j int) (information, weight float64)) {
	p.extend(e.GroupCount(), constants.StartPrecision)
	e.Groups(func(group int, from, to int32) {
		p.weights[group] += int(to - from)
		for j := int(from); j < int(to); j++ {
			information, w := know(j)
			p.known[group] += information / (information + p.precisions[group])
			p.squared[group] += float64(w * w)
		}
	})
	p.pool(noise, constants)
	for group, known := range p.known {
		if p.squared[group] > 0 {
			p.precisions[group] = constants.bounded(known / p.squared[group])
		}
	}
}

// extend makes room for groups.
func (p *prior) extend(groups int, start float64) {
	for len(p.precisions) < groups {
		p.precisions = append(p.precisions, start)
	}
	p.known, p.squared = zeros(p.known, groups), zeros(p.squared, groups)
	p.weights = append(p.weights[:0], make([]int, groups)...)
}

// zeros returns count zeros, in the memory of old where that is enough.
func zeros(old []float64, count int) []float64 {
	if cap(old) < count {
		return make([]float64, count)
	}
	old = old[:count]
	clear(old)
	return old
}
