package control

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Work between choices. The interval grows with the windows, so that the cost per record stays the same.
const (
	shortestInterval = 64
	longestInterval  = 2048
	// rereadPerRecord is how many records of the windows are read for each record learnt.
	rereadPerRecord = 8
	// severalSweeps are made over several interpolation weights: the later ones change what the earlier were chosen for.
	severalSweeps = 2
)

// Rates keeps differences of rates of decisions within tau.
type Rates struct {
	settings Settings
	models   Models
	enforced []int // comparison of each constraint

	ratesState
	ratesScratch
}

// ratesState is what a snapshot saves.
type ratesState struct {
	records       float64
	untilChoice   int64     // records
	interval      int64     // between the last choice and the next
	interpolation []float64 // by constraint: 0 is the unconstrained model, 1 the constrained one
	constraints   []constraint
	pushes        []push
	tracked       []tracked // by constraint: u, of the published decisions
	balances      []balance
	windows       [][2]*window // by constraint: the group's and versus'
	everyone      *window      // the most recent records, whatever their groups
	shift         float64      // of every margin: see threshold.go
	constant      bool         // only (nearly) constant decisions keep the constraints
}

// ratesScratch has no meaning between two calls.
type ratesScratch struct {
	pushed    []float64 // per model
	weighted  Record    // with its weight in a comparison
	margins   *linear.Margins
	curve     curve
	threshold thresholdSearch
	bounds    []bound
	measured  []bool // by constraint: both sides have enough records to choose from
}

// NewRates returns the control of the enforced ones of some comparisons. relaxations are by comparison.
func NewRates(settings Settings, comparisons []fairness.Comparison, relaxations []surrogate.Name, models Models) (*Rates, error) {
	r := &Rates{settings: settings, models: models, enforced: enforcedOf(comparisons)}
	r.untilChoice, r.interval = shortestInterval, shortestInterval
	count := len(r.enforced)
	for _, i := range r.enforced {
		p, err := newPush(relaxations[i])
		if err != nil {
			return nil, err
		}
		r.pushes = append(r.pushes, p)
		r.tracked, r.balances = append(r.tracked, tracked{}), append(r.balances, balance{})
		r.constraints = append(r.constraints, constraint{tau: comparisons[i].Tau, sign: 1, multiplier: leastMultiplier, reachable: true})
		r.windows = append(r.windows, [2]*window{newWindow(settings.Window, count+1), newWindow(settings.Window, count+1)})
	}
	if count > 0 {
		r.everyone = newWindow(everyoneRecords, count+1)
	}
	r.interpolation, r.pushed, r.margins = make([]float64, count), make([]float64, count+1), models.NewMargins()
	r.measured = make([]bool, count)
	return r, nil
}

// Publish is the margin that is published, of those of all models.
func (r *Rates) Publish(margins []float64) float64 { return combine(margins, r.shift, r.interpolation) }

// Interpolation returns the interpolation weights, and Shift what is added to every margin.
func (r *Rates) Interpolation() []float64 { return r.interpolation }

// Shift is added to every margin.
func (r *Rates) Shift() float64 { return r.shift }

// Push returns what the constraints add to the gradient of each model for a record. It is valid until the next call.
func (r *Rates) Push(record *Record) []float64 {
	r.records++
	fade, share := max(1/r.records, 1/r.settings.Forgetting), trackedShare(r.records)
	for k := range r.constraints {
		c, side, margin := &r.constraints[k], record.Sides[r.enforced[k]], record.Margins.Iterate[k+1]
		r.pushes[k].track(side, margin, record.Published, r.records, fade)
		r.pushed[k+1] = record.factor(r.enforced[k]) * r.pushes[k].gradient(c, side, margin)
		r.tracked[k].observe(side, record.Published > 0, record.Relative*record.factor(r.enforced[k]), share)
		if r.shift == 0 && !r.settings.Without.Has(refine.Ascent) {
			r.interpolation[k] = ascend(r.interpolation[k], share, c.sign*r.tracked[k].difference(), c.target())
		}
	}
	return r.pushed
}

// Observe takes in a record that was learnt with these gradients, and chooses again when it is time to.
func (r *Rates) Observe(record *Record, gradients []float64) {
	if len(r.constraints) == 0 {
		return
	}
	r.everyone.push(record, gradients)
	for k, i := range r.enforced {
		switch record.Sides[i] {
		case fairness.Group:
			r.windows[k][0].push(r.in(i, record), gradients)
		case fairness.Versus:
			r.windows[k][1].push(r.in(i, record), gradients)
		}
	}
	if !r.settings.Without.Has(refine.Balance) {
		for k, i := range r.enforced {
			r.recall(k, record, record.Sides[i])
		}
	}
	if r.settings.Without.Has(refine.Window) {
		return
	}
	if r.untilChoice--; r.untilChoice <= 0 {
		r.choose()
	}
}

// in is the record with the weight that it has in a comparison.
func (r *ratesScratch) in(comparison int, record *Record) *Record {
	if record.Factors == nil {
		return record
	}
	r.weighted = *record
	r.weighted.Weight *= record.Factors[comparison]
	return &r.weighted
}

// recall pushes remembered records of the sides that stay away.
func (r *Rates) recall(k int, record *Record, side fairness.Side) {
	due := r.balances[k].observe(side, r.pushes[k].shares)
	for i, on := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		w := r.windows[k][i]
		for range min(due[i], w.steady*mostRecalled) {
			slot := r.balances[k].next(w)
			row := &w.rows[slot]
			r.models.Margins(r.margins, row)
			relative := float64(w.weights[slot]) * (record.Relative / record.Weight)
			g := relative * r.pushes[k].gradient(&r.constraints[k], on, r.margins.Iterate[k+1])
			r.models.Nudge(row, k+1, g)
			w.gradients[slot*w.models+k+1] += float32(g)
		}
	}
}

// choose chooses the interpolation weights, one after the other, each for what the others are at the time.
func (r *Rates) choose() {
	r.refresh()
	sweeps := 1
	if len(r.constraints) > 1 {
		sweeps = severalSweeps
	}
	for range sweeps {
		for k := range r.constraints {
			r.chooseOne(k)
		}
	}
	reread, troubled := 0, false
	for k := range r.constraints {
		c := &r.constraints[k]
		reread += r.windows[k][0].steady + r.windows[k][1].steady
		if r.measured[k] && !r.settings.Without.Has(refine.Reference) {
			c.adjust(r.interpolation[k])
		}
		troubled = troubled || r.measured[k] && !c.reachable && c.shows()
	}
	if !r.settings.Without.Has(refine.Threshold) {
		r.chooseShift(troubled)
	}
	r.interval = int64(min(longestInterval, max(shortestInterval, reread/rereadPerRecord)))
	r.untilChoice = r.interval
}

// refresh computes some margins again in every window. A push pulls back as far as margins are near its hinge; the mean
// square of its gradient is the square of its multiplier.
func (r *Rates) refresh() {
	if r.settings.Without.Has(refine.Refresh) {
		return
	}
	pull, square := 0.0, 0.0
	for k := range r.constraints {
		multiplier := r.constraints[k].multiplier
		pull += float64(hingePull * multiplier)
		square += float64(multiplier * multiplier)
	}
	models := float64(len(r.constraints) + 1)
	today := r.models.Influence(pull/models, square/models)
	influence := &today
	if r.settings.Without.Has(refine.LeaveOneOut) {
		influence = nil
	}
	share := refreshShare(r.windows, r.interval)
	for _, sides := range r.windows {
		for _, w := range sides {
			w.refresh(r.models, influence, r.margins, share)
		}
	}
	r.everyone.refresh(r.models, influence, r.margins, share/4)
}

func (r *Rates) chooseOne(k int) {
	sides := r.windows[k]
	r.measured[k] = sides[0].steady >= r.settings.Minimum && sides[1].steady >= r.settings.Minimum
	if !r.measured[k] {
		return
	}
	if backwards := r.take(k); backwards && !r.settings.Without.Has(refine.Turn) {
		r.reflect(k)
		r.take(k)
	}
}

// take chooses the k-th interpolation weight, and says whether its model has been pushed the wrong way.
func (r *Rates) take(k int) (backwards bool) {
	chosen := r.constraints[k].choose(&r.curve, k, r.interpolation, r.windows[k], r.pushes[k].shares, r.records, &r.settings)
	if r.settings.Without.Has(refine.ExactStep) {
		for side, w := range r.windows[k] {
			chosen.rates[side] = countAt(w, r.interpolation, r.shift).Rate()
		}
	} else {
		r.interpolation[k] = chosen.interpolation
	}
	r.tracked[k].set(chosen.rates)
	return chosen.backwards
}

// reflect mirrors a constrained model at the free one, after a reversal of a bias.
func (r *Rates) reflect(k int) {
	r.models.Reflect(k + 1)
	for _, sides := range r.windows {
		sides[0].reflect(k + 1)
		sides[1].reflect(k + 1)
	}
	r.everyone.reflect(k + 1)
	r.interpolation[k] = -r.interpolation[k]
}

// chooseShift decides whether the interpolation weights just chosen will do, and looks for a threshold if not.
func (r *Rates) chooseShift(troubled bool) {
	r.shift, r.constant = 0, false
	if r.everyone.len() < everyoneRecords/8 {
		return
	}
	free, published, constant := errorRates(r.everyone, r.interpolation)
	if !troubled && published <= free+float64(lostSkill*max(0, constant-free)) {
		return
	}
	r.bounds = r.bounds[:0]
	for k := range r.constraints {
		if c := &r.constraints[k]; r.measured[k] && c.shows() {
			r.bounds = append(r.bounds, bound{r.windows[k], c.target()})
		}
	}
	best := r.threshold.find(r.everyone, r.interpolation, r.bounds)
	if !troubled && best.error >= published {
		return // the interpolation weights keep the constraints, and nothing does at less cost
	}
	for k := range r.interpolation {
		r.interpolation[k] *= best.factor
	}
	r.shift = best.shift
	for k := range r.constraints {
		if r.measured[k] {
			r.tracked[k].set([2]float64{countAt(r.windows[k][0], r.interpolation, r.shift).Rate(), countAt(r.windows[k][1], r.interpolation, r.shift).Rate()})
		}
	}
	r.constant = best.error >= constant-worthless*max(0, constant-free)
}

// Constant says that on recent records only (nearly) constant decisions keep every enforced constraint.
func (r *Rates) Constant() bool { return r.constant }

// Collapse is what the present interpolation and shift make of recent records. The choice may just have been made: it
// has no decisions of its own yet.
func (r *Rates) Collapse() fairness.CollapseState {
	if r.everyone == nil {
		return fairness.CollapseNotEstimable
	}
	var c fairness.Confusion
	for i, weight := range r.everyone.weights {
		margin := combineSingle(r.everyone.at(i), 1, r.interpolation) + r.shift
		c.Add(r.everyone.positive[i], margin > 0, float64(weight))
	}
	return fairness.DetectCollapse(c, fairness.DefaultLevel, fairness.DefaultCollapseOptions()).State
}

// Counts are the decisions that the published model, less what it owes to each record, makes of recent records of the two
// sides of a comparison. There are none of a comparison that is not enforced.
func (r *Rates) Counts(comparison int) (group, versus fairness.Count, ok bool) {
	k := slices.Index(r.enforced, comparison)
	if k < 0 {
		return group, versus, false
	}
	sides := r.windows[k]
	return countAt(sides[0], r.interpolation, r.shift), countAt(sides[1], r.interpolation, r.shift), true
}

// Reports says how each enforced constraint is kept.
func (r *Rates) Reports(comparisons []fairness.Comparison) (reports []Report) {
	for k, i := range r.enforced {
		c, p := &r.constraints[k], &r.pushes[k]
		difference := r.tracked[k].difference()
		if !comparisons[i].Known() {
			continue
		}
		reports = append(reports, Report{Comparison: i, Name: comparisons[i].Name, Criterion: comparisons[i].Criterion, Group: comparisons[i].GroupLabel(), Tau: c.tau,
			Multiplier: c.sign * r.interpolation[k] * c.multiplier, Target: c.target(), Theta: c.theta,
			Difference: difference, EffectiveConstant: p.relaxations[0].EffectiveConstant(p.published[:], c.tau) + (c.tau-math.Abs(difference))/c.tau,
			Rarest: min(p.shares[0], p.shares[1]), Reachable: c.reachable, Changes: c.changes, Unsteady: c.unsteady(r.records), AtFloor: c.chosen && atFloor(c.tau, c.theta)})
	}
	return reports
}
