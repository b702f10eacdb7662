package model

import "math"

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
	driftSigma = 3.0
	// windowShare is how often the window's sampling error counts in theta: the models move on between choices, and
	// over many holdouts the difference scatters as if it came twice.
	windowShare = 2.0
	// byChance is how many standard deviations of theta unseen records may show above the aim before it is called
	// optimism: only what is above the aim counts, so chance alone would seem to be some.
	byChance = .5
	// turnSigma is how many standard errors the free model's difference must be beyond 0 before its
	// sign decides which way to press.
	turnSigma = 3.0
	// reflectBelow is the pressure below which the pressed model has evidently been pressed the
	// wrong way, and is mirrored at the free one.
	reflectBelow = -.25
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
	promised  float64 // scratch: difference that the window shows at this choice
	measured  bool    // scratch: both sides have enough records to choose from
	backwards bool    // scratch: the bias has turned, and pressing makes it worse
}

// target is the absolute difference to aim at.
func (p *pressure) target() float64 { return target(p.tau, p.theta, p.optimism) }

// search is the scratch space of the choice of pressure, shared by all comparisons. First indices are the
// side.
type search struct {
	jumps [2][cells + 1]float64 // weight that comes to be decided positively in a cell of the pressure
	start [2]float64            // weight that is, at the least pressure
	curve [cells + 1]float64    // the difference along the pressure
	// lengths are those of the newest parts that are compared with the rest, in records per side.
	lengths []int
	newest  [2][len(recent) + 1]sums
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

// choose sets the pressure of comparison k from its windows. shares are those of the records that are on
// each side.
func (s *search) choose(p *pressure, k int, all []pressure, sides [2]*window, shares [2]float64, a *aim) {
	s.divide(min(sides[0].steady, sides[1].steady) / 2)
	total := s.read(k, all, sides)
	if part := s.changed(total); part >= 0 {
		// What was learnt about the difference no longer holds: the older records are dropped.
		p.changes++
		for _, w := range sides {
			w.steady = s.lengths[part]
		}
		s.divide(0)
		total = s.read(k, all, sides)
	}
	variance := 0.0
	for i := range total {
		rate := total[i].smoothed(total[i].positive)
		variance += a.sideError(rate*(1-rate), total[i].effective(), windowShare, shares[i])
	}
	p.theta = a.theta(p.tau, variance)
	p.optimism = 0
	if p.chosen {
		shown := p.orientation * (sides[0].count.Rate() - sides[1].count.Rate())
		p.optimism = min(p.tau, max(0, shown-float64(p.orientation*p.aimed)-float64(byChance*math.Sqrt(variance))))
	}
	s.draw(total)
	s.settle(p, total)
}

// divide sets the lengths that are compared with the rest, none above half of a side.
func (s *search) divide(half int) {
	s.lengths = s.lengths[:0]
	if half < recent[0] {
		return
	}
	for _, length := range recent {
		if length < half {
			s.lengths = append(s.lengths, length)
		}
	}
	s.lengths = append(s.lengths, half)
}

// read goes over the records of both sides, newest first.
func (s *search) read(k int, all []pressure, sides [2]*window) (total [2]sums) {
	for i, w := range sides {
		clear(s.jumps[i][:])
		s.start[i] = 0
		from := 0
		for part, length := range s.lengths {
			s.readPart(&total[i], i, w, from, length, k, all)
			s.newest[i][part] = total[i]
			from = length
		}
		s.readPart(&total[i], i, w, from, w.steady, k, all)
	}
	return total
}

// readPart goes over the records of the ages from, ..., to-1, in one or two runs of places.
func (s *search) readPart(total *sums, side int, w *window, from, to, k int, all []pressure) {
	for from < to {
		last := w.slot(from)
		count := min(to-from, last+1)
		s.readRun(total, side, w, last+1-count, last+1, k, all)
		from += count
	}
}

// readRun goes over the records in the places to-1, ..., from. One is decided positively at the pressures
// where rest + pressure × slope > 0, rest being what the other comparisons' pressures make of its margin: so
// each is a step in the pressure.
func (s *search) readRun(total *sums, side int, w *window, from, to, k int, all []pressure) {
	const scale = cells / (mostPressure - leastPressure)
	sum, start, jumps := *total, s.start[side], &s.jumps[side]
	value := all[k].value
	models := w.models
	margins, weights := w.margins[from*models:to*models], w.weights[from:to]
	for at := len(weights) - 1; at >= 0; at-- {
		free := float64(margins[at*models])
		slope := float64(margins[at*models+1+k]) - free
		rest := free
		if len(all) > 1 {
			for j := range all {
				if j != k {
					rest += float64(all[j].value * (float64(margins[at*models+1+j]) - free))
				}
			}
		}
		weight := float64(weights[at])
		sum.weight += weight
		sum.squared += float64(weight * weight)
		sum.positive += positivePart(weight, rest+float64(value*slope))
		sum.free += positivePart(weight, rest)
		low := positivePart(weight, rest+float64(leastPressure*slope))
		high := positivePart(weight, rest+float64(mostPressure*slope))
		start += low
		if low != high {
			// Only margins that are not numbers, from a state that was tampered with, have no cell.
			if cell := uint(int(float64((-rest/slope - leastPressure) * scale))); cell < uint(len(jumps)) {
				jumps[cell] += high - low
			}
		}
	}
	*total, s.start[side] = sum, start
}

// positivePart is the weight if the margin is positive, else 0: without a branch, because which it is cannot
// be foreseen.
func positivePart(weight, margin float64) float64 {
	// The sign bit of 0 − margin, which is set for positive margins only, spread over all bits.
	mask := uint64(int64(math.Float64bits(0-margin)) >> 63)
	return math.Float64frombits(math.Float64bits(weight) & mask)
}

// changed returns the part from which on the newest records are decided too differently from the older ones
// for chance, or -1.
func (s *search) changed(total [2]sums) int {
	for part := range s.lengths {
		difference, variance := 0.0, 0.0
		for i, sign := range [2]float64{1, -1} {
			young, old := s.newest[i][part], total[i].minus(s.newest[i][part])
			difference += float64(sign * (young.positive/young.weight - old.positive/old.weight))
			rate := total[i].smoothed(total[i].positive)
			variance += float64(rate * (1 - rate) * (1/young.effective() + 1/old.effective()))
		}
		sigma := changeSigma
		if part == len(s.lengths)-1 {
			sigma = driftSigma
		}
		if math.Abs(difference) > sigma*math.Sqrt(variance) {
			return part
		}
	}
	return -1
}

// draw computes the difference along the pressure.
func (s *search) draw(total [2]sums) {
	group, versus := 1/total[0].weight, 1/total[1].weight
	positive, other := s.start[0], s.start[1]
	for i := range s.curve {
		s.curve[i] = float64(positive*group) - float64(other*versus)
		positive += s.jumps[0][i]
		other += s.jumps[1][i]
	}
}

// settle takes the pressure nearest to 0 that keeps the difference within the aim.
func (s *search) settle(p *pressure, total [2]sums) {
	const width = (mostPressure - leastPressure) / cells
	const zero = int(-leastPressure / width)
	free := s.curve[zero]
	sign := 1.0
	if free < 0 {
		sign = -1
	}
	if math.Abs(free) > turnSigma*math.Sqrt(total[0].variance(total[0].free)+total[1].variance(total[1].free)) {
		turned := p.orientation != sign
		p.orientation = sign
		// Which way pressing goes may be wrong from now on, or not, if only the groups changed names.
		p.backwards = turned && sign*(s.curve[zero+cells/4]-free) > 0
	}
	aim := p.target()
	up, down := -1, -1
	for i := zero; i <= cells && up < 0; i++ {
		if sign*s.curve[i] <= aim {
			up = i
		}
	}
	for i := zero; i >= 0 && down < 0; i-- {
		if sign*s.curve[i] <= aim {
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
		for i := range s.curve {
			if math.Abs(s.curve[i]) < math.Abs(s.curve[choice]) {
				choice = i
			}
		}
	}
	p.value = leastPressure + float64(choice)*width
	p.backwards = p.backwards || p.value < reflectBelow
	p.promised = s.curve[choice]
}

// remember averages what the windows showed at the choices.
func (p *pressure) remember() {
	if !p.measured {
		return
	}
	if !p.chosen {
		p.chosen, p.fade = true, 1
	}
	p.aimed += float64(p.fade * (p.promised - p.aimed))
}
