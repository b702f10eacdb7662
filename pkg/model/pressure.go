package model

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// The multiplier of an enforced comparison is chosen here.
//
// The adaptive learner trains a free model and, for each enforced comparison, a pressed one whose
// multiplier is held at a reference. Published is
//
//	w = w_free + Σ_k pressure_k (w_pressed_k − w_free)
//
// the secant of the path that the solution of the saddle point takes as the multipliers grow
// (multiplier_k = pressure_k × reference). Both models' margins of the most recent records are in the
// windows, taken before those records were learnt; so the true risk difference at any pressure can be
// read off, and the smallest pressure that keeps it within tau, less a margin for sampling error, is
// found exactly instead of by ascent. It has no step size, no memory and no limit cycle, and
// follows a change as fast as the window does. docs/learner.md has the measurements that led here.

const (
	// leastPressure and mostPressure bound the search. Beyond, the secant is no guide.
	leastPressure = -2.0
	mostPressure  = 4.0
	// cells is the resolution of the search; a cell is 1/256, about .001 of difference on the Adult records.
	cells = 1536
	// changeSigma is how many standard errors the newest records must differ from the older ones
	// before the older ones are dropped. The test runs at every choice of pressure, on a handful of
	// window lengths.
	changeSigma = 5.0
	// turnSigma is how many standard errors the free model's difference must be beyond 0 before its
	// sign decides which way to press.
	turnSigma = 3.0
	// reflectBelow is the pressure below which the pressed model has evidently been pressed the
	// wrong way, and is mirrored at the free one.
	reflectBelow = -.25
	// leastTarget is the share of tau that remains to aim at when sampling error would eat all of it.
	leastTarget = .1
)

// recent are the lengths, in records per side, of the newest part that is compared with the rest.
var recent = [...]int{256, 512, 1024, 2048, 4096}

// pressure is the state of one enforced comparison.
type pressure struct {
	tau         float64
	value       float64 // of the pressure: 0 is the free model, 1 the pressed one
	orientation float64 // +1: pressing lowers the difference; -1: it raises it
	target      float64 // the absolute difference aimed at, last time
	reachable   bool    // some pressure reached the target, last time
	misses      int64   // consecutive choices for which none did
	changes     int64   // how often the window was cut because the records had changed
}

// search is the scratch space of the choice of pressure, shared by all comparisons.
type search struct {
	rest  [2][]float64 // margin at pressure 0 of this comparison, newest record first
	slope [2][]float64 // change of the margin per unit of pressure
	jumps [cells + 1]float64
}

// choose sets the pressure of comparison k from its windows. It reports whether the pressed model must
// be mirrored: the caller does so and chooses again.
func (s *search) choose(p *pressure, k int, all []pressure, sides [2]*window, shares [2]float64, c *tuning) (mirror bool) {
	for i, w := range sides {
		s.load(i, w, k, all)
	}
	s.cutAtChange(p, sides)
	at := s.describe(p.value, sides)
	s.target(p, at, shares, c)
	start := s.jump(sides)
	return s.settle(p, start, at)
}

// tuning is what the choice of pressure takes from the configuration.
type tuning struct {
	quantile float64 // of the normal distribution, at the confidence asked for
	holdout  float64 // records in the future sample that the confidence speaks of
}

// load computes where every record of a side stands, given the other comparisons' pressures.
func (s *search) load(side int, w *window, k int, all []pressure) {
	rest, slope := s.rest[side][:0], s.slope[side][:0]
	for age := range w.steady {
		at := w.slot(age) * w.models
		margins := w.margins[at : at+w.models]
		free := float64(margins[0])
		margin := free
		for j := range all {
			if j != k {
				margin += float64(all[j].value * (float64(margins[1+j]) - free))
			}
		}
		rest = append(rest, margin)
		slope = append(slope, float64(margins[1+k])-free)
	}
	s.rest[side], s.slope[side] = rest, slope
}

// cutAtChange drops the older records of both sides if the newest ones are decided too differently for
// chance: what was learnt about the difference then no longer holds.
func (s *search) cutAtChange(p *pressure, sides [2]*window) {
	var newest [2][len(recent)]fairness.Count
	var total [2]fairness.Count
	for i, w := range sides {
		part := 0
		for age := range s.rest[i] {
			for part < len(recent) && age == recent[part] {
				newest[i][part] = total[i]
				part++
			}
			positive := s.rest[i][age]+float64(p.value*s.slope[i][age]) > 0
			total[i].Add(positive, float64(w.weights[w.slot(age)]))
		}
	}
	for part, length := range recent {
		if 2*length > len(s.rest[0]) || 2*length > len(s.rest[1]) {
			return
		}
		difference, variance := 0.0, 0.0
		for i, sign := range [2]float64{1, -1} {
			older := without(total[i], newest[i][part])
			difference += float64(sign * (newest[i][part].Rate() - older.Rate()))
			rate := smoothed(total[i])
			variance += float64(rate * (1 - rate) * (1/newest[i][part].Effective() + 1/older.Effective()))
		}
		if math.Abs(difference) > changeSigma*math.Sqrt(variance) {
			p.changes++
			for i, w := range sides {
				w.steady = length
				s.rest[i], s.slope[i] = s.rest[i][:length], s.slope[i][:length]
			}
			return
		}
	}
}

// described is one side at the present pressure, and without any.
type described struct {
	now  fairness.Count
	free fairness.Count
}

// describe counts the decisions at a pressure and at none.
func (s *search) describe(value float64, sides [2]*window) (at [2]described) {
	for i, w := range sides {
		for age, rest := range s.rest[i] {
			weight := float64(w.weights[w.slot(age)])
			at[i].now.Add(rest+float64(value*s.slope[i][age]) > 0, weight)
			at[i].free.Add(rest > 0, weight)
		}
	}
	return at
}

// target sets what to aim at: tau less the quantile of the sampling error that a holdout and the window
// make together, with the rates as they are now.
func (s *search) target(p *pressure, at [2]described, shares [2]float64, c *tuning) {
	variance := 0.0
	for i := range at {
		rate := smoothed(at[i].now)
		unseen := c.holdout * max(shares[i], 1e-9)
		variance += float64(rate * (1 - rate) * (1/at[i].now.Effective() + 1/unseen))
	}
	p.target = max(p.tau-float64(c.quantile*math.Sqrt(variance)), leastTarget*p.tau)
}

// jump fills in how the difference changes along the pressure, and returns it at the least pressure.
//
// A record is decided positively if rest + pressure × slope > 0, so each is a step in the pressure.
func (s *search) jump(sides [2]*window) (start float64) {
	clear(s.jumps[:])
	const scale = cells / (mostPressure - leastPressure)
	for i, sign := range [2]float64{1, -1} {
		w := sides[i]
		total := 0.0
		for age := range s.rest[i] {
			total += float64(w.weights[w.slot(age)])
		}
		for age, rest := range s.rest[i] {
			slope := s.slope[i][age]
			share := sign * float64(w.weights[w.slot(age)]) / total
			low, high := rest+float64(leastPressure*slope) > 0, rest+float64(mostPressure*slope) > 0
			if low {
				start += share
			}
			if low == high {
				continue
			}
			cell := int(float64((-rest/slope - leastPressure) * scale))
			if low {
				s.jumps[cell] -= share
			} else {
				s.jumps[cell] += share
			}
		}
	}
	return start
}

// settle takes the pressure nearest to 0 that keeps the difference within the target.
func (s *search) settle(p *pressure, start float64, at [2]described) (mirror bool) {
	const width = (mostPressure - leastPressure) / cells
	const zero = int(-leastPressure / width)
	difference := start
	for i := range s.jumps {
		step := s.jumps[i]
		s.jumps[i] = difference
		difference += step
	}
	free := s.jumps[zero]
	sign := 1.0
	if free < 0 {
		sign = -1
	}
	if math.Abs(free) > turnSigma*math.Sqrt(variance(at[0].free)+variance(at[1].free)) {
		p.orientation = sign
	}
	up, down := -1, -1
	for i := zero; i <= cells && up < 0; i++ {
		if sign*s.jumps[i] <= p.target {
			up = i
		}
	}
	for i := zero; i >= 0 && down < 0; i-- {
		if sign*s.jumps[i] <= p.target {
			down = i
		}
	}
	choice := zero
	p.reachable = true
	switch {
	case up >= 0 && (down < 0 || up-zero <= zero-down):
		choice = up
	case down >= 0:
		choice = down
	default:
		p.reachable = false
		for i := range s.jumps {
			if math.Abs(s.jumps[i]) < math.Abs(s.jumps[choice]) {
				choice = i
			}
		}
	}
	if p.reachable {
		p.misses = 0
	} else {
		p.misses++
	}
	p.value = leastPressure + float64(choice)*width
	return p.value < reflectBelow
}

// without returns the counts of total less those of part. Weights are positive, so a rounding error of
// the difference cannot matter for a rate.
func without(total, part fairness.Count) fairness.Count {
	return fairness.Count{
		Records: total.Records - part.Records, Positives: total.Positives - part.Positives,
		Weight: total.Weight - part.Weight, WeightSquared: total.WeightSquared - part.WeightSquared,
		PositiveWeight: total.PositiveWeight - part.PositiveWeight,
	}
}

// smoothed is a rate with one positive and one negative decision added.
func smoothed(c fairness.Count) float64 {
	n := c.Effective()
	return (float64(n*c.Rate()) + 1) / (n + 2)
}

func variance(c fairness.Count) float64 {
	rate := smoothed(c)
	return rate * (1 - rate) / c.Effective()
}
