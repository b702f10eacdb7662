package model

import (
	"math"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// The fixed numbers of the adaptive learner. docs/learner.md has the measurements behind those that have any.
const (
	// leastReference and mostReference bound the multiplier of a pressed model, in units in which the
	// gradient of the relaxation has root mean square 1 and that of the logarithmic loss is at most 1.
	// A pressed model starts with the least; while that is too little to reach tau the multiplier grows
	// by the first of the two factors at each choice of the pressure, and while it is far more than
	// needed it shrinks by the second.
	leastReference  = .3
	mostReference   = 1.5
	referenceGrowth = 1.1
	referenceDecay  = .9
	// pressedTooLittle and pressedTooMuch are the pressures beyond which it does.
	pressedTooLittle = 1.0
	pressedTooMuch   = .25
	// averagingShare of the forgetting is the length of the average that is published.
	averagingShare = .5
	// earlyAveraging lets the average follow closely at first: its weight is 1/(1+t/earlyAveraging).
	earlyAveraging = 4.0
	// leastTracking is the least weight of the newest record in the tracked values u.
	leastTracking = .01
	// normalizing is the weight of the newest record in the mean square of the relaxation's gradient.
	normalizing = .001
	// halfLogOdds is the unit in which relaxations see a margin, itself a logarithm of odds. Their hinges are at
	// ±1, where they stop pushing (approximation-1) or begin to pull margins together (approximation-3): so at
	// odds of 7 to 1. Hinges at odds of 2.7 to 1 cost accuracy: docs/learner.md.
	halfLogOdds = .5
	// largestPush bounds what one record of a rare group can do: ten times the largest gradient of the
	// loss.
	largestPush = 10.0
	// largestWeight bounds a record's weight in the loss, relative to the mean.
	largestWeight = 100.0
)

// adaptive learns a free model and one pressed model per enforced comparison, side by side: see
// pressure.go for what they are for. Each takes steps of AdaGrad (Duchi, Hazan and Singer, JMLR 12, 2011)
// on the logarithmic loss, the pressed ones with the gradient of their relaxation added; each is
// averaged exponentially (Polyak and Juditsky, SIAM J. document.Control Optim. 30, 1992), and only averages are
// ever used for decisions.
//
// With K enforced comparisons, weight j takes 2 + 2(K+1) numbers in values:
//
//	G²_j, the precision of its prior, then for each model: w_j, r_j
//
// w_j is the iterate. The average is w_j − decay·r_j: a change d of w_j between two averagings moves r_j
// by d/decay, and then every average moves towards its iterate when decay alone shrinks. So averaging
// costs nothing for weights that a record does not touch.
type adaptive struct {
	step, regularization   float64
	forgetting, averaging  float64
	models, stride         int
	enforced               []int // indices of the enforced comparisons
	pressed                []pressed
	aim                    aim
	minimum                int
	values                 []float64
	decay                  float64
	records                float64 // learnt
	meanWeight             float64
	squaredError           float64 // of the free iterate's probability, averaged
	positives              float64 // share of positive labels, averaged
	untilChoice            int64   // records
	interval               int64   // between the last choice and the next
	pressures              []pressure
	evidence               evidence
	shift                  float64 // of every margin: see shift.go
	constant               bool    // only (nearly) constant decisions keep the constraints
	everyone               *window // the most recent records, whatever their groups
	search                 search
	shifting               shifting
	raw, average, gradient []float64 // scratch, per model
	shown                  float64   // scratch: the published margin
}

// pressed is what drives one pressed model away from the free one.
type pressed struct {
	relaxations []surrogate.Relaxation         // one, or one for each direction
	tracked     [2][surrogate.MaxInner]float64 // at the margins of the pressed model
	published   [surrogate.MaxInner]float64    // at the published margins
	shares      [2]float64                     // of the records that are on each side
	square      float64                        // mean square of the relaxation's gradient
}

func newAdaptive(config LearnerConfig, enforced []int, comparisons []fairness.Comparison, relaxations []surrogate.Name) (*adaptive, error) {
	a := &adaptive{
		step: config.Step, regularization: config.Regularization,
		forgetting: float64(config.Forgetting), averaging: averagingShare * float64(config.Forgetting),
		models: len(enforced) + 1, stride: modelsAt + 2*(len(enforced)+1), enforced: enforced,
		aim:     newAim(config, len(enforced)),
		minimum: config.MinimumRecords, decay: 1, squaredError: startSkill * .25, positives: .5, untilChoice: shortestInterval, interval: shortestInterval,
	}
	for _, i := range enforced {
		// The slope makes the sigmoid that of the log odds: a probability.
		both, err := surrogate.NewBoth(surrogate.Settings{Name: relaxations[i], Monotone: true, Slope: 1 / halfLogOdds})
		if err != nil {
			return nil, err
		}
		p := pressed{relaxations: both, square: 1}
		a.pressed = append(a.pressed, p)
		a.pressures = append(a.pressures, pressure{tau: comparisons[i].Tau, orientation: 1, reference: leastReference, reachable: true})
	}
	if len(enforced) > 0 {
		a.everyone = newWindow(everyoneRecords, a.models)
	}
	a.raw = make([]float64, a.models)
	a.average = make([]float64, a.models)
	a.gradient = make([]float64, a.models)
	return a, nil
}

// grow makes room for weights.
func (a *adaptive) grow(size int32) {
	for len(a.values) < int(size)*a.stride {
		start := len(a.values)
		a.values = append(a.values, make([]float64, a.stride)...)
		a.values[start+curvatureAt] = startCurvature
		if start > int(intercept)*a.stride {
			a.values[start+precisionAt] = startPrecision
		}
	}
}

// margin returns the margin of a row under what is published, and leaves those of all models in scratch,
// where learn takes them from.
func (a *adaptive) margin(row *Row) float64 {
	a.averages(row)
	margin := a.average[0] + a.shift
	for k := range a.pressures {
		margin += float64(a.pressures[k].value * (a.average[k+1] - a.average[0]))
	}
	a.shown = margin
	return margin
}

// learn takes one step from the row that margin was just asked about.
func (a *adaptive) learn(row *Row, positive bool, weight float64, sides []fairness.Side) {
	a.records++
	weight = a.relative(weight)
	label := -1.0
	if positive {
		label = 1
	}
	square := 0.0
	for k, z := range a.raw {
		g := -label * surrogate.Logistic(-label*z)
		if k == 0 {
			a.observe(g, positive)
		}
		if k > 0 {
			g += a.push(k-1, sides[a.enforced[k-1]], z)
		}
		a.gradient[k] = weight * g
		square += float64(a.gradient[k] * a.gradient[k])
	}
	a.descend(row, square/float64(a.models))
	a.decay *= 1 - max(1/a.averaging, 1/(1+a.records/earlyAveraging))
	if a.decay < rescaleBelow {
		a.rescale()
	}
}

// relative is a record's weight in units of the mean weight, so that the scale of weights is of no
// consequence.
func (a *adaptive) relative(weight float64) float64 {
	a.meanWeight += float64((weight - a.meanWeight) * max(1/a.records, 1/a.forgetting))
	if a.meanWeight <= 0 {
		return 0
	}
	return min(weight/a.meanWeight, largestWeight)
}

// push is the gradient of the pressed model's relaxation in its margin, at the reference multiplier and
// divided by its root mean square: the relaxations differ in stiffness by an order of magnitude.
func (a *adaptive) push(k int, side fairness.Side, z float64) float64 {
	p := &a.pressed[k]
	where := surrogate.Side(side)
	if side > fairness.Versus {
		where = surrogate.Neither
	}
	fade := max(1/a.records, 1/a.forgetting)
	for i, on := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		hit := 0.0
		if side == on {
			hit = 1
		}
		p.shares[i] += float64((hit - p.shares[i]) * fade)
	}
	direction := 0
	if a.pressures[k].orientation < 0 {
		direction = 1
	}
	beta := max(1/math.Sqrt(a.records), leastTracking)
	first := &p.relaxations[0]
	first.Track(p.published[:], beta, where, halfLogOdds*a.shown)
	group, versus := first.FrequencyIndex()
	p.published[group], p.published[versus] = p.shares[0], p.shares[1]
	z *= halfLogOdds
	for i := range p.relaxations {
		r := &p.relaxations[i]
		u := p.tracked[i][:r.InnerSize()]
		r.Track(u, beta, where, z)
		// Exact frequencies have no lag and less noise than tracked ones.
		group, versus := r.FrequencyIndex()
		u[group], u[versus] = p.shares[0], p.shares[1]
	}
	var g float64
	if len(p.relaxations) == 1 {
		multipliers := [2]float64{}
		multipliers[direction] = 1
		g = p.relaxations[0].Coefficient(p.tracked[0][:], multipliers[:], where, z)
	} else {
		multipliers := [1]float64{1}
		g = p.relaxations[direction].Coefficient(p.tracked[direction][:], multipliers[:], where, z)
	}
	p.square += float64((float64(g*g) - p.square) * max(normalizing, 1/(1+a.records)))
	if g == 0 {
		return 0
	}
	return min(largestPush, max(-largestPush, a.pressures[k].reference*g/math.Sqrt(p.square)))
}

// Work between choices of the pressure. The interval grows with the windows, so that the cost per record
// stays the same.
const (
	shortestInterval = 64
	longestInterval  = 1024
	// rereadPerRecord is how many records of the windows are read for each record learnt.
	rereadPerRecord = 8
	// severalSweeps are made over several pressures: the later ones change what the earlier were chosen for.
	severalSweeps = 2
)

// tune chooses the pressures, when it is time to. windows holds those of every comparison.
func (a *adaptive) tune(windows [][2]*window) {
	a.untilChoice--
	if a.untilChoice > 0 || len(a.pressures) == 0 {
		return
	}
	a.refresh(windows)
	sweeps := 1
	if len(a.pressures) > 1 {
		sweeps = severalSweeps
	}
	for range sweeps {
		a.sweep(windows)
	}
	reread, troubled := 0, false
	for k := range a.pressures {
		p, sides := &a.pressures[k], windows[a.enforced[k]]
		reread += sides[0].steady + sides[1].steady
		if p.measured {
			p.adjustReference()
			troubled = troubled || !p.reachable
		}
	}
	a.settleShift(windows, troubled)
	for k := range a.pressures {
		a.pressures[k].remember()
	}
	a.interval = int64(min(longestInterval, max(shortestInterval, reread/rereadPerRecord)))
	a.untilChoice = a.interval
}

// sweep chooses one pressure after the other, each for what the others are at the time.
func (a *adaptive) sweep(windows [][2]*window) {
	for k := range a.pressures {
		p, sides := &a.pressures[k], windows[a.enforced[k]]
		p.measured = sides[0].steady >= a.minimum && sides[1].steady >= a.minimum
		if !p.measured {
			continue
		}
		a.choose(p, k, sides)
		if p.backwards {
			a.mirror(k, windows)
			a.choose(p, k, sides)
			p.backwards = false
		}
	}
}

func (a *adaptive) choose(p *pressure, k int, sides [2]*window) {
	shares := a.pressed[k].shares
	fresh := float64(a.interval) * (shares[0] + shares[1])
	p.fade = min(1, fresh/float64(sides[0].len()+sides[1].len()))
	a.search.choose(p, k, a.pressures, sides, shares, &a.aim)
}

// adjustReference moves the multiplier of the pressed model if it is far from what is needed.
func (p *pressure) adjustReference() {
	switch {
	case !p.reachable || p.value > pressedTooLittle:
		p.reference = min(mostReference, referenceGrowth*p.reference)
	case p.value < pressedTooMuch:
		p.reference = max(leastReference, referenceDecay*p.reference)
	}
}

// mirror reflects a pressed model at the free one. It touches every weight, after a reversal of a bias.
func (a *adaptive) mirror(k int, windows [][2]*window) {
	for at := 0; at < len(a.values); at += a.stride {
		for half := range 2 {
			free, pressed := &a.values[at+modelsAt+half], &a.values[at+modelsAt+2*(k+1)+half]
			*pressed = 2**free - *pressed
		}
	}
	for _, sides := range windows {
		sides[0].mirror(k)
		sides[1].mirror(k)
	}
	a.everyone.mirror(k)
	a.pressures[k].value = -a.pressures[k].value
}

// weight is the free average plus the pressures, and the shift in the intercept.
func (a *adaptive) weight(j int) float64 {
	w := a.averageWeight(j, a.pressures)
	if j == int(intercept) {
		w += a.shift
	}
	return w
}

// unconstrained writes the free average.
func (a *adaptive) unconstrained(dst []float64) {
	for j := range dst {
		dst[j] = a.averageWeight(j, nil)
	}
}

func (a *adaptive) averageWeight(j int, pressures []pressure) float64 {
	numbers := a.values[j*a.stride+modelsAt : (j+1)*a.stride]
	free := numbers[0] - float64(a.decay*numbers[1])
	w := free
	for k := range pressures {
		average := numbers[2*k+2] - float64(a.decay*numbers[2*k+3])
		w += float64(pressures[k].value * (average - free))
	}
	return w
}

// control reports how each enforced constraint is kept.
func (a *adaptive) control(comparisons []fairness.Comparison) []document.Control {
	var controls []document.Control
	for k, i := range a.enforced {
		p := &a.pressures[k]
		c := document.Control{Name: comparisons[i].Name, Criterion: comparisons[i].Criterion,
			Multiplier: p.orientation * p.value * p.reference,
			Target:     p.target(), Theta: p.theta, Optimism: p.optimism, Reachable: p.reachable, Changes: p.changes}
		c.EffectiveConstant = a.pressed[k].relaxations[0].EffectiveConstant(a.pressed[k].published[:], p.tau)
		controls = append(controls, c)
	}
	return controls
}
