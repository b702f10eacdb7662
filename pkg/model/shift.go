package model

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Where pressure alone does not do.
//
// If the features tell the groups apart only by way of the label, no direction lowers the difference and
// keeps the signal: pressing harder turns the model around before it makes it fair. A threshold always
// helps, for towards either end all decisions become equal. So when a pressure is out of reach, or the
// published model has lost most of what the free one is worth, a common factor on all pressures and a
// shift of every margin are searched together for the least error on recent records among the pairs that
// keep every constraint.

const (
	// everyoneRecords is how many recent records the error is measured on.
	everyoneRecords = 2048
	// lostSkill is the share of the free model's advantage over a constant decision whose loss starts
	// the search.
	lostSkill = .5
	// worthless is the share of that advantage below which only constant decisions are said to remain.
	worthless = .05
)

// factors are tried on the pressures, in this order.
var factors = [...]float64{1, .75, .5, .25, 0}

// thresholds are quantiles of the margins, denser where nearly all decisions are equal.
var thresholds = [...]float64{0, .002, .005, .01, .02, .03, .045, .06, .08, .1, .13, .16, .2, .25, .3, .35, .4, .45, .5,
	.55, .6, .65, .7, .75, .8, .84, .87, .9, .92, .94, .955, .97, .98, .99, .995, .998, 1}

// shifting is the scratch space of the search.
type shifting struct {
	margins []float64
	cuts    []float64
	errors  [len(thresholds) + 1]float64
	rates   [2][len(thresholds) + 1]float64
	worst   [len(thresholds)]float64
}

// settleShift decides whether the pressures just chosen will do, and searches if they will not.
func (a *adaptive) settleShift(windows [][2]*window, troubled bool) {
	a.shift, a.constant = 0, false
	if a.everyone.len() < everyoneRecords/8 {
		return
	}
	free, published, constant := a.errors()
	if !troubled && published <= free+float64(lostSkill*max(0, constant-free)) {
		return
	}
	factor, shift, least := a.shifting.search(a, windows)
	if !troubled && least >= published {
		return // the pressures keep the constraints, and nothing does at less cost
	}
	for k := range a.pressures {
		a.pressures[k].value *= factor
	}
	a.shift = shift
	a.constant = least >= constant-worthless*max(0, constant-free)
	for k := range a.pressures {
		if p := &a.pressures[k]; p.measured {
			// It is this difference, not that of the pressure alone, that unseen records are held to.
			p.promised = a.difference(windows[a.enforced[k]])
		}
	}
}

// difference is that of the decisions that the windows' margins would get now.
func (a *adaptive) difference(sides [2]*window) float64 {
	var rates [2]float64
	for side, w := range sides {
		total, positive := 0.0, 0.0
		for age := range w.steady {
			i := w.slot(age)
			x := float64(w.weights[i])
			total += x
			if a.combine(w.margins[i*w.models:(i+1)*w.models], 1)+a.shift > 0 {
				positive += x
			}
		}
		rates[side] = positive / total
	}
	return rates[0] - rates[1]
}

// errors returns the error rates on recent records of the free model, the published one and the better
// constant decision.
func (a *adaptive) errors() (free, published, constant float64) {
	w := a.everyone
	total, positive := 0.0, 0.0
	for i, weight := range w.weights {
		margins := w.margins[i*w.models : (i+1)*w.models]
		x := float64(weight)
		total += x
		if w.positive[i] {
			positive += x
		}
		if (margins[0] > 0) != w.positive[i] {
			free += x
		}
		if (a.combine(margins, 1) > 0) != w.positive[i] {
			published += x
		}
	}
	return free / total, published / total, min(positive, total-positive) / total
}

// collapse is what the present pressures and shift make of recent records. The choice may just have been made: it
// has no decisions of its own yet.
func (a *adaptive) collapse() fairness.CollapseState {
	if a.everyone == nil {
		return fairness.CollapseNotEstimable
	}
	var c fairness.Confusion
	w := a.everyone
	for i, weight := range w.weights {
		margin := a.combine(w.margins[i*w.models:(i+1)*w.models], 1) + a.shift
		c.Add(w.positive[i], margin > 0, float64(weight))
	}
	return fairness.DetectCollapse(c, fairness.DefaultLevel, fairness.DefaultCollapseOptions()).State
}

// combine is the margin at a factor of the pressures.
func (a *adaptive) combine(margins []float32, factor float64) float64 {
	free := float64(margins[0])
	margin := free
	for k := range a.pressures {
		margin += float64(float64(factor*a.pressures[k].value) * (float64(margins[k+1]) - free))
	}
	return margin
}

// search returns the factor and the shift of least error among those that keep every constraint that can
// be measured; at the ends of the thresholds every difference is 0, so there always is one.
func (s *shifting) search(a *adaptive, windows [][2]*window) (factor, shift, least float64) {
	least = math.Inf(1)
	for _, candidate := range factors {
		s.cut(a, candidate)
		s.measure(a, candidate)
		clear(s.worst[:])
		for k := range a.pressures {
			sides := windows[a.enforced[k]]
			if sides[0].steady >= a.minimum && sides[1].steady >= a.minimum {
				s.compare(a, sides, candidate, a.pressures[k].target())
			}
		}
		for i, cut := range s.cuts {
			if s.worst[i] <= 1 && s.errors[i] < least {
				factor, shift, least = candidate, -cut, s.errors[i]
			}
		}
	}
	return factor, shift, least
}

// cut places the thresholds at quantiles of the margins.
func (s *shifting) cut(a *adaptive, factor float64) {
	w := a.everyone
	s.margins = s.margins[:0]
	for i := range w.weights {
		s.margins = append(s.margins, a.combine(w.margins[i*w.models:(i+1)*w.models], factor))
	}
	slices.Sort(s.margins)
	s.cuts = s.cuts[:0]
	last := len(s.margins) - 1
	for _, q := range thresholds {
		s.cuts = append(s.cuts, s.margins[int(q*float64(last))])
	}
	// Beyond all margins, so that each end is a constant decision.
	s.cuts[0] -= 1 + math.Abs(s.cuts[0])
	s.cuts[len(s.cuts)-1] += 1 + math.Abs(s.cuts[len(s.cuts)-1])
}

// above returns how many thresholds a margin exceeds.
func (s *shifting) above(margin float64) int {
	n, _ := slices.BinarySearch(s.cuts, margin)
	return n
}

// measure computes the error rate at every threshold.
func (s *shifting) measure(a *adaptive, factor float64) {
	w := a.everyone
	clear(s.errors[:])
	negative, total := 0.0, 0.0
	for i, weight := range w.weights {
		x := float64(weight)
		total += x
		n := s.above(a.combine(w.margins[i*w.models:(i+1)*w.models], factor))
		// Decided positively at the first n thresholds. Deciding a negative record so is an error there,
		// deciding a positive one so saves the error.
		if w.positive[i] {
			negative += x
			s.errors[0] -= x
			s.errors[n] += x
		} else {
			s.errors[0] += x
			s.errors[n] -= x
		}
	}
	sum := negative
	for i := range thresholds {
		sum += s.errors[i]
		s.errors[i] = sum / total
	}
}

// compare raises worst to the constraint's difference at every threshold, in units of its aim.
func (s *shifting) compare(a *adaptive, sides [2]*window, factor, aim float64) {
	for side, w := range sides {
		rates := &s.rates[side]
		clear(rates[:])
		total := 0.0
		for age := range w.steady {
			i := w.slot(age)
			x := float64(w.weights[i])
			total += x
			n := s.above(a.combine(w.margins[i*w.models:(i+1)*w.models], factor))
			rates[0] += x
			rates[n] -= x
		}
		sum := 0.0
		for i := range thresholds {
			sum += rates[i]
			rates[i] = sum / total
		}
	}
	for i := range thresholds {
		s.worst[i] = max(s.worst[i], math.Abs(s.rates[0][i]-s.rates[1][i])/aim)
	}
}
