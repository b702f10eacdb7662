package model

import (
	"math"
	"slices"
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
// windows; so the true risk difference at any pressure can be read off, and the smallest pressure that
// keeps it within the aim is found exactly instead of by ascent. It has no step size and no limit cycle,
// and follows a change as fast as the window does.
//
// The aim is tau less two allowances: theta, for sampling error, and the optimism of margins that were
// computed anew after their records had been learnt from, which is measured by the difference between
// what was aimed at and what the decisions on unseen records then showed.
//
// docs/learner.md has the measurements that led here.

const (
	// leastPressure and mostPressure bound the search. Between the free and the pressed model the secant
	// is a good guide; beyond it soon is none, and shift.go takes over.
	leastPressure = -1.0
	mostPressure  = 1.5
	// cells is the resolution of the search: a cell is 1/512, below .001 of difference on the Adult records.
	cells = 1280
	// changeSigma is how many standard errors the newest records must differ from the older ones
	// before the older ones are dropped. The test runs at every choice of pressure, on a handful of
	// window lengths.
	changeSigma = 4.5
	// driftSigma is the same for the newer half against the older one. Halving too often costs little.
	driftSigma = 2.5
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
	orientation float64 // the sign of the free model's difference: pressing works against it
	reference   float64 // multiplier of the pressed model
	theta       float64 // allowance for sampling error, last time
	optimism    float64 // allowance for optimism, last time
	aimed       float64 // difference that the window showed at the chosen pressures, averaged like the window
	chosen      bool    // a pressure has been chosen before
	reachable   bool    // some pressure reached the aim, last time
	changes     int64   // how often the window was cut because the records had changed

	fade      float64 // scratch: weight of this choice in aimed
	backwards bool    // scratch: the bias has turned, and pressing makes it worse
}

// aim is the absolute difference to aim at.
func (p *pressure) aim() float64 {
	return max(p.tau-p.theta-p.optimism, leastTarget*p.tau)
}

// search is the scratch space of the choice of pressure, shared by all comparisons. Its first index is the
// side; records come newest first.
type search struct {
	rest   [2][]float64 // margin at pressure 0 of this comparison
	slope  [2][]float64 // change of the margin per unit of pressure
	weight [2][]float64
	jumps  [cells + 1]float64
	// lengths are those of the newest parts that are compared with the rest.
	lengths []int
}

// sums of one side's decisions. Positive weights are those at the present pressure, free ones those of
// the free model.
type sums struct{ weight, squared, positive, free float64 }

func (s sums) effective() float64 { return s.weight * s.weight / s.squared }

// smoothed is the rate of the weight k, with one positive and one negative decision added.
func (s sums) smoothed(k float64) float64 {
	n := s.effective()
	return (float64(n*k/s.weight) + 1) / (n + 2)
}

// variance is that of the rate k/n.
func (s sums) variance(k float64) float64 {
	rate := s.smoothed(k)
	return rate * (1 - rate) / s.effective()
}

func (s sums) minus(part sums) sums {
	return sums{s.weight - part.weight, s.squared - part.squared, s.positive - part.positive, s.free - part.free}
}

// tuning is what the choice of pressure takes from the configuration.
type tuning struct {
	quantile float64 // of the normal distribution, at the confidence asked for
	holdout  float64 // records in the future sample that the confidence speaks of
}

// choose sets the pressure of comparison k from its windows. shares are those of the records that are on
// each side.
func (s *search) choose(p *pressure, k int, all []pressure, sides [2]*window, shares [2]float64, c *tuning) {
	for i, w := range sides {
		s.load(i, w, k, all)
	}
	total := s.count(p, sides)
	variance := 0.0
	for i := range total {
		rate := total[i].smoothed(total[i].positive)
		unseen := c.holdout * max(shares[i], 1e-9)
		variance += float64(rate * (1 - rate) * (1/total[i].effective() + 1/unseen))
	}
	p.theta = min(float64(c.quantile*math.Sqrt(variance)), (1-leastTarget)*p.tau)
	p.optimism = 0
	if p.chosen {
		shown := p.orientation * (sides[0].count.Rate() - sides[1].count.Rate())
		p.optimism = min(p.tau, max(0, shown-p.orientation*p.aimed))
	}
	s.settle(p, s.fill(total), total)
}

// load computes where every record of a side stands, given the other comparisons' pressures.
func (s *search) load(side int, w *window, k int, all []pressure) {
	s.rest[side] = slices.Grow(s.rest[side][:0], w.steady)[:w.steady]
	s.slope[side] = slices.Grow(s.slope[side][:0], w.steady)[:w.steady]
	s.weight[side] = slices.Grow(s.weight[side][:0], w.steady)[:w.steady]
	rest, slope, weight := s.rest[side], s.slope[side], s.weight[side]
	at := w.slot(0)
	for age := range rest {
		margins := w.margins[at*w.models : (at+1)*w.models]
		free := float64(margins[0])
		margin := free
		if len(all) > 1 {
			for j := range all {
				if j != k {
					margin += float64(all[j].value * (float64(margins[1+j]) - free))
				}
			}
		}
		rest[age], slope[age], weight[age] = margin, float64(margins[1+k])-free, float64(w.weights[at])
		if at--; at < 0 {
			at = w.len() - 1
		}
	}
}

// count sums up both sides. If the newest records are decided too differently from the older ones for
// chance, what was learnt about the difference no longer holds: the older ones are dropped.
func (s *search) count(p *pressure, sides [2]*window) (total [2]sums) {
	lengths := recent[:]
	half := min(len(s.rest[0]), len(s.rest[1])) / 2
	for len(lengths) > 0 && lengths[len(lengths)-1] >= half {
		lengths = lengths[:len(lengths)-1]
	}
	if half >= recent[0] {
		lengths = append(s.lengths[:0], lengths...)
		lengths = append(lengths, half)
		s.lengths = lengths
	}
	var newest [2][len(recent) + 1]sums
	for i := range sides {
		total[i] = s.countSide(i, p.value, lengths, &newest[i])
	}
	for part, length := range lengths {
		difference, variance := 0.0, 0.0
		for i, sign := range [2]float64{1, -1} {
			young, old := newest[i][part], total[i].minus(newest[i][part])
			difference += float64(sign * (young.positive/young.weight - old.positive/old.weight))
			rate := total[i].smoothed(total[i].positive)
			variance += float64(rate * (1 - rate) * (1/young.effective() + 1/old.effective()))
		}
		sigma := changeSigma
		if length == half {
			sigma = driftSigma
		}
		if math.Abs(difference) > sigma*math.Sqrt(variance) {
			p.changes++
			for i, w := range sides {
				w.steady = length
				s.rest[i], s.slope[i], s.weight[i] = s.rest[i][:length], s.slope[i][:length], s.weight[i][:length]
				total[i] = newest[i][part]
			}
			return total
		}
	}
	return total
}

func (s *search) countSide(side int, pressure float64, lengths []int, newest *[len(recent) + 1]sums) (total sums) {
	slope, weight := s.slope[side], s.weight[side]
	part, next := 0, -1
	if len(lengths) > 0 {
		next = lengths[0]
	}
	for age, rest := range s.rest[side] {
		if age == next {
			newest[part] = total
			part++
			next = -1
			if part < len(lengths) {
				next = lengths[part]
			}
		}
		w := weight[age]
		total.weight += w
		total.squared += float64(w * w)
		if rest+float64(pressure*slope[age]) > 0 {
			total.positive += w
		}
		if rest > 0 {
			total.free += w
		}
	}
	return total
}

// fill computes how the difference changes along the pressure, and returns it at the least pressure.
//
// A record is decided positively if rest + pressure × slope > 0, so each is a step in the pressure.
func (s *search) fill(total [2]sums) (start float64) {
	clear(s.jumps[:])
	const scale = cells / (mostPressure - leastPressure)
	for i, sign := range [2]float64{1, -1} {
		slopes, weights := s.slope[i], s.weight[i]
		unit := sign / total[i].weight
		for age, rest := range s.rest[i] {
			slope := slopes[age]
			low, high := rest+float64(leastPressure*slope) > 0, rest+float64(mostPressure*slope) > 0
			if !low && !high {
				continue
			}
			share := float64(unit * weights[age])
			if low {
				start += share
				share = -share
			}
			if low != high {
				s.jumps[int(float64((-rest/slope-leastPressure)*scale))] += share
			}
		}
	}
	return start
}

// settle takes the pressure nearest to 0 that keeps the difference within the aim.
func (s *search) settle(p *pressure, start float64, total [2]sums) {
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
	if math.Abs(free) > turnSigma*math.Sqrt(total[0].variance(total[0].free)+total[1].variance(total[1].free)) {
		turned := p.orientation != sign
		p.orientation = sign
		// Which way pressing goes may be wrong from now on, or not, if only the groups changed names.
		p.backwards = turned && sign*(s.jumps[zero+cells/4]-free) > 0
	}
	aim := p.aim()
	up, down := -1, -1
	for i := zero; i <= cells && up < 0; i++ {
		if sign*s.jumps[i] <= aim {
			up = i
		}
	}
	for i := zero; i >= 0 && down < 0; i-- {
		if sign*s.jumps[i] <= aim {
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
	p.value = leastPressure + float64(choice)*width
	p.backwards = p.backwards || p.value < reflectBelow
	if !p.chosen {
		p.chosen, p.fade = true, 1
	}
	p.aimed += float64(p.fade * (s.jumps[choice] - p.aimed))
}
