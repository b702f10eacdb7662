package control

import (
	"math"
	"slices"
)

// Where no interpolation weight does.
//
// If the features tell the groups apart only by way of the label, no direction lowers the difference and
// keeps the signal: pushing harder turns the model around before it makes it fair. A threshold always
// helps, for towards either end all decisions become equal. So when a target is out of reach, or the
// published model has lost most of what the free one is worth, a common factor on all interpolation weights and a
// shift of every margin are searched together for the least error on recent records among the pairs that
// keep every constraint.

const (
	// everyoneRecords is how many recent records the error is measured on.
	everyoneRecords = 2048
	// lostSkill is the share of the unconstrained model's advantage over a constant decision whose loss starts
	// the search.
	lostSkill = .5
	// worthless is the share of that advantage below which only constant decisions are said to remain.
	worthless = .05
)

// factors are tried on the interpolation weights, in this order.
var factors = [...]float64{1, .75, .5, .25, 0}

// thresholds are quantiles of the margins, denser where nearly all decisions are equal.
var thresholds = [...]float64{0, .002, .005, .01, .02, .03, .045, .06, .08, .1, .13, .16, .2, .25, .3, .35, .4, .45, .5,
	.55, .6, .65, .7, .75, .8, .84, .87, .9, .92, .94, .955, .97, .98, .99, .995, .998, 1}

// bound is a constraint that a threshold has to keep: the difference of two windows within a target.
type bound struct {
	sides  [2]*window
	target float64
	measure
}

// threshold is a factor on all interpolation weights and a shift of all margins, and its error.
type threshold struct{ factor, shift, error float64 }

// thresholdSearch is the scratch space of the search.
type thresholdSearch struct {
	margins []float64
	cuts    []float64
	errors  [len(thresholds) + 1]float64
	rates   [2][len(thresholds) + 1]float64
	worst   [len(thresholds)]float64
}

// errorRates are those on the records of a window: of the unconstrained model, of the published one without a shift, and of the
// better constant decision.
func errorRates(w *window, interpolation []float64) (free, published, constant float64) {
	total, positive := 0.0, 0.0
	m := w.memory
	for i, slot := range w.slots {
		margins, label := m.at(int(slot)), m.positive[slot]
		x := float64(w.weights[i])
		total += x
		if label {
			positive += x
		}
		if (margins[0] > 0) != label {
			free += x
		}
		if (combineSingle(margins, 1, interpolation) > 0) != label {
			published += x
		}
	}
	return free / total, published / total, min(positive, total-positive) / total
}

// find returns the threshold of least error on everyone's records among those that keep every bound; at the ends of the
// thresholds every difference is 0, so there always is one.
func (s *thresholdSearch) find(everyone *window, interpolation []float64, bounds []bound) threshold {
	best := threshold{error: math.Inf(1)}
	for _, factor := range factors {
		s.cut(everyone, factor, interpolation)
		s.measure(everyone, factor, interpolation)
		clear(s.worst[:])
		for _, b := range bounds {
			s.compare(b, factor, interpolation)
		}
		for i, cut := range s.cuts {
			if s.worst[i] <= 1 && s.errors[i] < best.error {
				best = threshold{factor, -cut, s.errors[i]}
			}
		}
	}
	return best
}

// cut puts the thresholds at quantiles of the margins.
func (s *thresholdSearch) cut(w *window, factor float64, interpolation []float64) {
	s.margins = s.margins[:0]
	for _, slot := range w.slots {
		s.margins = append(s.margins, combineSingle(w.memory.at(int(slot)), factor, interpolation))
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
func (s *thresholdSearch) above(margin float64) int {
	n, _ := slices.BinarySearch(s.cuts, margin)
	return n
}

// measure computes the error rate at every threshold.
func (s *thresholdSearch) measure(w *window, factor float64, interpolation []float64) {
	clear(s.errors[:])
	negative, total := 0.0, 0.0
	m := w.memory
	for i, slot := range w.slots {
		x := float64(w.weights[i])
		total += x
		n := s.above(combineSingle(m.at(int(slot)), factor, interpolation))
		// Decided positively at the first n thresholds. Deciding a negative record so is an error there,
		// deciding a positive one so saves the error.
		if m.positive[slot] {
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

// compare raises worst to the difference at every threshold, in units of its target.
func (s *thresholdSearch) compare(b bound, factor float64, interpolation []float64) {
	for side, w := range b.sides {
		rates := &s.rates[side]
		clear(rates[:])
		total := 0.0
		for age := range w.steady {
			slot, x := w.slot(age)
			total += x
			n := s.above(combineSingle(w.memory.at(slot), factor, interpolation))
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
		s.worst[i] = max(s.worst[i], math.Abs(b.of([2]float64{s.rates[0][i], s.rates[1][i]}))/b.target)
	}
}
