package model

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// denseAdaptive is the adaptive learner written down plainly from the comments of adaptive.go, pressure.go and
// shift.go: dense vectors, averages updated at every record, every pressure tried on every record.
type denseAdaptive struct {
	config                    LearnerConfig
	enforced                  []int
	iterates, averages        [][]float64 // by model, by weight
	curvature, precisions     []float64
	bounded                   float64 // mean share of steps that the bound leaves
	records, mean             float64
	squaredError              float64
	pressures                 []densePressure
	shift                     float64
	constant                  bool
	active                    []int // pressures that have a model, in the order of the models
	measured, sharing         int   // pressures with enough records, and those that share the doubt
	slots                     []*denseItem
	vacant                    []int
	stale                     int
	everyone                  *denseWindow
	sides                     [][2]*denseWindow // by enforced comparison, those that are only measured last
	compared                  []int             // comparisons of sides
	untilChoice, lastInterval int
	published                 float64 // margin of the record that is learnt
	perWeight                 float64
}

type densePressure struct {
	pressure
	relaxations         []surrogate.Relaxation
	tracked             [][]float64
	records             float64 // tracked
	shares              [2]float64
	frequency, positive [2]float64 // of the sides, and of positive published decisions
	away                [2]float64 // records since the last one of a side
	debt                [2]float64
	half                float64 // half-width of the interval
	turn                int
	firm                struct{ records, loss, push, square float64 } // averages over the records that were pushed
}

func newDenseAdaptive(config LearnerConfig, size int, enforced []int, comparisons []fairness.Comparison, constraints []Constraint) *denseAdaptive {
	d := &denseAdaptive{config: config, enforced: enforced, squaredError: .125,
		everyone: &denseWindow{capacity: 2048}, untilChoice: 64, lastInterval: 64, measured: max(1, len(enforced)), sharing: max(1, len(enforced))}
	d.iterates, d.averages = [][]float64{make([]float64, size)}, [][]float64{make([]float64, size)}
	d.curvature, d.precisions = slices.Repeat([]float64{startCurvature}, size), slices.Repeat([]float64{startPrecision}, size)
	d.precisions[features.Intercept], d.bounded = 0, 1
	for _, i := range enforced {
		both, err := surrogate.NewBoth(surrogate.Settings{Name: constraints[i].Relaxation, Monotone: true, Slope: 2})
		if err != nil {
			panic(err)
		}
		p := densePressure{pressure: pressure{tau: comparisons[i].Tau, orientation: 1, reference: .3, reachable: true}, relaxations: both}
		for k := range both {
			p.tracked = append(p.tracked, make([]float64, both[k].InnerSize()))
		}
		d.pressures = append(d.pressures, p)
	}
	d.compared = slices.Clone(enforced)
	for i := range comparisons {
		if !comparisons[i].Enforce {
			d.compared = append(d.compared, i)
		}
	}
	for range d.compared {
		d.sides = append(d.sides, [2]*denseWindow{{capacity: config.Window}, {capacity: config.Window}})
	}
	return d
}

// margins are those of the averages.
func (d *denseAdaptive) margins(x []float64) (all []float64) {
	for _, w := range d.averages {
		all = append(all, dot(w, x))
	}
	return all
}

// combine is the published margin, at a factor of the pressures and without the shift.
func (d *denseAdaptive) combine(margins []float64, factor float64) float64 {
	margin := margins[0]
	for at, k := range d.active {
		margin += factor * d.pressures[k].value * (margins[at+1] - margins[0])
	}
	return margin
}

// learn decides a record, keeps it in the windows, and learns it. touched are the weights of its row, those
// whose value is 0 included.
func (d *denseAdaptive) learn(x []float64, touched []int32, positive bool, weight float64, sides []fairness.Side) (margin float64) {
	margins := d.margins(x)
	margin = d.combine(margins, 1) + d.shift
	d.published = margin
	gradients := d.step(x, touched, positive, weight, sides)
	if len(d.enforced) > 0 {
		item := &denseItem{features: x, touched: slices.Clone(touched), margins: single(margins), gradients: single(gradients),
			weight: float64(float32(weight)), positive: positive, came: d.records}
		d.keep(item, sides)
		d.perWeight = math.Min(weight/d.mean, largestWeight) / weight
	}
	for _, k := range d.active {
		d.recall(k, sides[d.enforced[k]])
	}
	if d.untilChoice--; d.untilChoice == 0 && len(d.enforced) > 0 {
		d.choose()
	}
	return margin
}

func (d *denseAdaptive) step(x []float64, touched []int32, positive bool, weight float64, sides []fairness.Side) (gradients []float64) {
	d.records++
	forgetting := float64(d.config.Forgetting)
	d.mean += (weight - d.mean) * math.Max(1/d.records, 1/forgetting)
	weight = math.Min(weight/d.mean, largestWeight)
	label := -1.0
	if positive {
		label = 1
	}
	gradients = make([]float64, len(d.iterates))
	square := 0.0
	fade := math.Max(1/d.records, 1/forgetting)
	for k, i := range d.enforced {
		for at, on := range []fairness.Side{fairness.Group, fairness.Versus} {
			hit := 0.0
			if sides[i] == on {
				hit = 1
			}
			// In this order: a remembered record of one side or of the other depends on the last bit.
			d.pressures[k].shares[at] += (hit - d.pressures[k].shares[at]) * fade
		}
	}
	for k, w := range d.iterates {
		z := dot(w, x)
		gradients[k] = -label / (1 + math.Exp(label*z))
		if k == 0 {
			d.squaredError += (gradients[0]*gradients[0] - d.squaredError) * math.Max(1/(startRecords+d.records), 1/errorRecords)
		} else {
			p, side := &d.pressures[d.active[k-1]], sides[d.enforced[d.active[k-1]]]
			p.track(side, z)
			gradients[k] += p.learn(side, z)
			d.ascend(p, side, weight)
		}
		gradients[k] *= weight
		square += gradients[k] * gradients[k] / float64(len(d.iterates))
	}
	d.bounded += (d.descend(x, touched, gradients, square, true) - d.bounded) * math.Max(1/(startRecords+d.records), 1/errorRecords)
	share := math.Max(1/(averagingShare*forgetting), 1/(1+d.records/earlyAveraging))
	for k, w := range d.iterates {
		for j := range w {
			d.averages[k][j] += share * (w[j] - d.averages[k][j])
		}
	}
	return gradients
}

// descend takes a step of every model. learnt says that the row is a new record, which weights are drawn to 0 with.
func (d *denseAdaptive) descend(x []float64, touched []int32, gradients []float64, square float64, learnt bool) float64 {
	if square == 0 && !learnt {
		return 1
	}
	length, leverage := 0.0, 0.0
	steps, pulls := make([]float64, len(touched)), make([]float64, len(touched))
	for i, j := range touched {
		v := x[j]
		d.curvature[j] = d.curvature[j]*(1-1/float64(d.config.Forgetting)) + square*v*v
		steps[i] = d.slow(j) * d.config.Step / math.Sqrt(d.curvature[j])
		pulls[i] = d.config.Regularization + d.precisions[j]*square*v*v/d.curvature[j]
		length += v * v * steps[i] / (1 + steps[i]*pulls[i])
		leverage += v * v / (d.curvature[j] + d.precisions[j])
	}
	share := math.Min(1, boundOf(leverage)/length)
	for i, j := range touched {
		for k, w := range d.iterates {
			drawn := w[j]
			if !learnt {
				drawn = 0
			}
			w[j] -= share * steps[i] * (gradients[k]*x[j] + pulls[i]*drawn) / (1 + steps[i]*pulls[i])
		}
	}
	return share
}

// slow is what a prior beyond the first leaves of a step.
func (d *denseAdaptive) slow(j int32) float64 {
	return d.curvature[j] / (d.curvature[j] + math.Max(0, d.precisions[j]-startPrecision))
}

// boundOf is how many gradients a row of that leverage may move its own margin.
func boundOf(leverage float64) float64 {
	return math.Min(mostMove, math.Max(leastMove, movePerLeverage*leverage))
}

// track follows what the relaxation is a function of.
func (p *densePressure) track(side fairness.Side, z float64) {
	p.records++
	beta := math.Max(1/math.Sqrt(p.records), leastTracking)
	for i := range p.relaxations {
		r := &p.relaxations[i]
		h := make([]float64, r.InnerSize())
		r.Inner(h, side, z/2)
		for k := range h {
			p.tracked[i][k] = (1-beta)*p.tracked[i][k] + beta*h[k]
		}
		group, versus := r.FrequencyIndex()
		p.tracked[i][group], p.tracked[i][versus] = p.shares[0], p.shares[1]
	}
}

// push is the gradient of the relaxation in the margin, from its values and derivatives one by one.
func (p *densePressure) push(side fairness.Side, z float64) float64 {
	instance, outer := 0, 0
	if p.orientation < 0 {
		instance, outer = len(p.relaxations)-1, 2-len(p.relaxations)
	}
	r := &p.relaxations[instance]
	slope, gradient := make([]float64, r.InnerSize()), make([]float64, r.InnerSize())
	r.InnerDerivative(slope, side, z/2)
	r.OuterGradient(gradient, outer, p.tracked[instance])
	g := dot(slope, gradient)
	if g == 0 {
		return 0
	}
	unit := math.Sqrt(p.shares[0]*p.shares[1]/(p.shares[0]+p.shares[1])) / float64(len(p.relaxations))
	return math.Min(largestPush, math.Max(-largestPush, p.reference*unit*g))
}

func (d *denseAdaptive) choose() {
	d.refresh()
	d.review()
	for sweep := range 2 {
		if sweep > 0 && len(d.active) < 2 {
			break
		}
		for i := len(d.active) - 1; i >= 0; i-- {
			if k := d.active[i]; d.measurable(k) && d.choosePressure(k) {
				d.mirror(k)
				d.choosePressure(k)
			}
		}
	}
	for at := len(d.active) - 1; at >= 0; at-- {
		if d.records-d.pressures[d.active[at]].needed > 8192 {
			d.leave(at)
		}
	}
	d.share()
	troubled := false
	for _, k := range d.active {
		p := &d.pressures[k]
		switch {
		case !d.measurable(k):
			continue
		case !p.reachable || p.value > pressedTooLittle:
			p.reference = math.Min(mostReference, referenceGrowth*p.reference)
		case p.value < pressedTooMuch:
			p.reference = math.Max(leastReference, referenceDecay*p.reference)
		}
		troubled = troubled || !p.reachable && p.half <= 3*p.tau
	}
	d.chooseShift(troubled)
	used := len(d.slots) - len(d.vacant)
	d.lastInterval = min(longestInterval, max(shortestInterval, used/rereadPerRecord))
	d.untilChoice = d.lastInterval
}

func (d *denseAdaptive) measurable(k int) bool {
	return d.sides[k][0].steady >= d.config.MinimumRecords && d.sides[k][1].steady >= d.config.MinimumRecords
}

// decide is the decision at a pressure of one comparison, the other pressures being what they are.
func (d *denseAdaptive) decide(k int, value float64) func(*denseItem) bool {
	return func(item *denseItem) bool {
		margin := item.margins[0]
		for at, j := range d.active {
			pressure := d.pressures[j].value
			if j == k {
				pressure = value
			}
			margin += pressure * (item.margins[at+1] - item.margins[0])
		}
		return margin > 0
	}
}

// alongPressure returns the rate of positive decisions at every pressure of the grid.
func (d *denseAdaptive) alongPressure(k int, items []*denseItem) []float64 {
	rates := make([]float64, cells+1)
	total := 0.0
	for _, item := range items {
		rest, slope := item.margins[0], 0.0
		for at, j := range d.active {
			if j == k {
				slope = item.margins[at+1] - item.margins[0]
			} else {
				rest += d.pressures[j].value * (item.margins[at+1] - item.margins[0])
			}
		}
		total += item.weight
		for i := range rates {
			if rest+grid(i)*slope > 0 {
				rates[i] += item.weight
			}
		}
	}
	for i := range rates {
		rates[i] /= total
	}
	return rates
}

// allow sets what sampling error is allowed for, and returns the standard error of the unconstrained model's difference.
func (d *denseAdaptive) allow(k int, items [2][]*denseItem, decided func(*denseItem) bool) (noise float64) {
	p := &d.pressures[k]
	window, holdout := 0.0, 0.0
	for i := range items {
		now := rateOf(items[i], decided)
		unseen := float64(d.config.HoldoutRecords) * p.shares[i]
		window += now.variance() * 2 / now.effective()
		holdout += now.variance() / unseen
		free := rateOf(items[i], d.decide(k, 0))
		noise += free.variance() / free.effective()
	}
	together := d.quantile(d.sharing) * math.Sqrt(window+holdout)
	p.half = normalQuantile((1+d.config.Level)/2) * math.Sqrt(window)
	p.theta = math.Min(math.Max(together, p.half), .8*p.tau)
	p.chance = math.Sqrt(window) * normalQuantile(1-(1-d.config.Confidence)/float64(max(1, d.measured))/2)
	p.noise, p.error, p.several, p.seen = math.Sqrt(window), math.Sqrt(window+holdout), d.sharing > 1, true
	return math.Sqrt(noise)
}

func (d *denseAdaptive) choosePressure(k int) (backwards bool) {
	p, sides := &d.pressures[k], d.sides[k]
	d.cut(k, d.decide(k, p.value))
	items := [2][]*denseItem{sides[0].newest(), sides[1].newest()}
	noise := d.allow(k, items, d.decide(k, p.value))
	group, versus := d.alongPressure(k, items[0]), d.alongPressure(k, items[1])
	differences := make([]float64, cells+1)
	for i := range differences {
		differences[i] = group[i] - versus[i]
	}
	free, sign := differences[noPressure], 1.0
	if free < 0 {
		sign = -1
	}
	if math.Abs(free) > turnSigma*noise {
		turned := p.orientation != sign
		p.orientation = sign
		backwards = turned && sign*(differences[noPressure+cells/4]-free) > 0
	}
	p.difference, p.looked = free, d.records
	need := math.Abs(free) / d.borne(p)
	p.pressing = need > 1 || p.pressing && need >= .75
	choice := noPressure
	p.reachable = true
	if p.pressing {
		p.needed = d.records
		choice = nearest(differences, sign, p.target())
		if p.reachable = choice >= 0; !p.reachable {
			choice = noPressure
			for i, difference := range differences {
				if math.Abs(difference) < math.Abs(differences[choice])-1e-12 {
					choice = i
				}
			}
		}
	}
	p.value = grid(choice)
	p.positive = [2]float64{p.frequency[0] * group[choice], p.frequency[1] * versus[choice]}
	return backwards || p.value < reflectBelow
}

// nearest returns the place nearest to no pressure at which the difference keeps to the aim, -1 if there is none.
func nearest(differences []float64, sign, aim float64) int {
	for distance := range cells + 1 {
		for _, i := range [2]int{noPressure + distance, noPressure - distance} {
			if i >= 0 && i <= cells && sign*differences[i] <= aim {
				return i
			}
		}
	}
	return -1
}

// cut drops the older records where the newest are decided too differently.
func (d *denseAdaptive) cut(k int, decide func(*denseItem) bool) {
	p, sides := &d.pressures[k], d.sides[k]
	items := [2][]*denseItem{sides[0].newest(), sides[1].newest()}
	half := min(len(items[0]), len(items[1])) / 2
	var lengths []int
	for _, length := range recent {
		if length < half {
			lengths = append(lengths, length)
		}
	}
	if half >= recent[0] {
		lengths = append(lengths, half)
	}
	for _, length := range lengths {
		difference, variance := 0.0, 0.0
		for i, sign := range []float64{1, -1} {
			young, old := rateOf(items[i][:length], decide), rateOf(items[i][length:], decide)
			difference += sign * (young.rate() - old.rate())
			variance += rateOf(items[i], decide).variance() * (1/young.effective() + 1/old.effective())
		}
		sigma := changeSigma
		if length == half {
			sigma = driftSigma
		}
		sigma = math.Sqrt(sigma*sigma + 2*math.Ln2*math.Ceil(math.Log2(float64(max(1, d.measured)))))
		if math.Abs(difference) > sigma*math.Sqrt(variance) {
			p.changes++
			d.drop(sides, length)
			return
		}
	}
}

// mirror reflects a pressed model at the free one, wherever it left a trace.
func (d *denseAdaptive) mirror(k int) {
	model := slices.Index(d.active, k) + 1
	for j := range d.curvature {
		d.iterates[model][j] = 2*d.iterates[0][j] - d.iterates[model][j]
		d.averages[model][j] = 2*d.averages[0][j] - d.averages[model][j]
	}
	for _, item := range d.slots {
		item.margins[model] = float64(float32(2*item.margins[0] - item.margins[model]))
		item.gradients[model] = float64(float32(2*item.gradients[0] - item.gradients[model]))
	}
	d.pressures[k].value = -d.pressures[k].value
}

// The constants of pkg/linear and pkg/control, written out once more.
const (
	startCurvature, startPrecision, leastPrecision, mostPrecision  = 2.0, 5.0, .3, 300.0
	largestWeight, startRecords, errorRecords                      = 100.0, 1000.0, 5000.0
	leastTracking, largestPush                                     = .01, 10.0
	halfLogOdds, pressedTooLittle, pressedTooMuch                  = .5, 1.0, .25
	turnSigma, reflectBelow, leastTarget                           = 3.0, -.25, .2
	changeSigma, driftSigma, lostSkill                             = 4.5, 3.0, .5
	shortestInterval, longestInterval, rereadPerRecord             = 64, 2048, 8
	averagingShare, earlyAveraging, adaptRecords                   = .5, 4.0, 2048
	movePerLeverage, leastMove, mostMove                           = 2.0, 1.5, 4.0
	leastReference, mostReference, referenceGrowth, referenceDecay = .3, 1.5, 1.1, .9
	everyoneRecords, worthless, cells, noPressure                  = 2048, .05, 1280, 512
	leastPressure, mostPressure                                    = -1.0, 1.5
)

var (
	recent     = []int{256, 512, 1024, 2048, 4096}
	factors    = []float64{1, .75, .5, .25, 0}
	thresholds = []float64{0, .002, .005, .01, .02, .03, .045, .06, .08, .1, .13, .16, .2, .25, .3, .35, .4, .45, .5,
		.55, .6, .65, .7, .75, .8, .84, .87, .9, .92, .94, .955, .97, .98, .99, .995, .998, 1}
)

// normalQuantile is the one-sided quantile of the normal distribution.
func normalQuantile(probability float64) float64 { return math.Sqrt2 * math.Erfinv(2*probability-1) }

// grid returns the interpolation weights that are searched.
func grid(i int) float64 { return leastPressure + float64(i)*(mostPressure-leastPressure)/cells }

func dot(a, b []float64) (sum float64) {
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

// adapt is linear.Models.Adapt, written down group by group.
func (d *denseAdaptive) adapt(e *features.Frozen) {
	members := map[int][]int32{}
	e.Groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			members[group] = append(members[group], j)
		}
	})
	for _, weights := range members {
		known, squared := 0.0, 0.0
		for _, j := range weights {
			information := d.curvature[j] - startCurvature
			known += information / (information + d.precisions[j])
			squared += d.averages[0][j] * d.averages[0][j]
		}
		if squared > 0 {
			for _, j := range weights {
				d.precisions[j] = min(mostPrecision, max(leastPrecision, known/squared))
			}
		}
	}
}
