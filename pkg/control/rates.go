package control

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/halves"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// severalSweeps are made over several interpolation weights: the later ones change what the earlier were chosen for.
const severalSweeps = 2

// burstShare is the share of the records between two choices for which a side stays away in a burst of the other.
const burstShare = 1. / 8

// NewRates returns the control of the enforced ones of some comparisons. relaxations are by comparison.
func NewRates(settings Settings, comparisons []fairness.Comparison, relaxations []surrogate.Name, models Models) (*Rates, error) {
	r := &Rates{settings: settings, models: models, enforced: enforcedOf(comparisons)}
	r.untilChoice, r.interval = shortestInterval, shortestInterval
	count := len(r.enforced)
	r.memory, r.family = newMemory(), family{max(1, count), max(1, count)}
	for _, i := range r.enforced {
		p, err := newPush(relaxations[i])
		if err != nil {
			return nil, err
		}
		r.pushes = append(r.pushes, p)
		r.tracked, r.balances = append(r.tracked, tracked{}), append(r.balances, balance{})
		r.constraints = append(r.constraints, constraint{tau: comparisons[i].Bound(), measure: measure{comparisons[i].Criterion.OfRatio()}, labelled: comparisons[i].Criterion.NeedsLabel(), sign: 1, multiplier: leastMultiplier, reachable: true, most: mostWeight(&comparisons[i])})
		r.windows = append(r.windows, [2]*window{newWindow(settings.Window, r.memory), newWindow(settings.Window, r.memory)})
	}
	for i := range comparisons {
		r.labelled = append(r.labelled, comparisons[i].Criterion.NeedsLabel())
		if !comparisons[i].Enforce {
			r.measured = append(r.measured, i)
			r.beside = append(r.beside, [2]*window{newWindow(settings.Window, r.memory), newWindow(settings.Window, r.memory)})
		}
	}
	if count > 0 {
		r.everyone = newWindow(everyoneRecords, r.memory)
	}
	r.active, r.interpolation, r.slacks = make([]int, 0, count), make([]float64, 0, count), make([]float64, 0, count)
	r.pushed, r.margins = make([]float64, count+1), models.NewMargins()
	r.refreshing = halves.New(r.refreshHalf)
	for i := range r.lanes {
		r.lanes[i] = lane{models: models, margins: models.NewMargins()}
	}
	if settings.always() {
		for k := range r.constraints {
			r.enter(k)
		}
	}
	return r, nil
}

// Grow has nothing to do: decisions are counted on records, not on sums of rows.
func (r *Rates) Grow(*features.Frozen) {}

// Publish is the margin that is published, of those of all models.
func (r *Rates) Publish(margins []float64) float64 { return combine(margins, r.shift, r.interpolation) }

// Interpolation returns the interpolation weights, by constrained model.
func (r *Rates) Interpolation() []float64 { return r.interpolation }

// Shift is added to every margin.
func (r *Rates) Shift() float64 { return r.shift }

// Push returns what the constraints add to the gradient of each model for a record. It is valid until the next call.
func (r *Rates) Push(record *Record) []float64 {
	r.records++
	for k := range r.constraints {
		c, side := &r.constraints[k], record.Sides[r.enforced[k]]
		if side == fairness.Uncounted {
			c.missed++
		}
		if c.thin(r.records); side == fairness.Uncounted {
			continue
		}
		c.shares.observe(side, 1/min(r.records-c.missed, r.settings.Forgetting))
	}
	for at, k := range r.active {
		c, side, margin := &r.constraints[k], record.Sides[r.enforced[k]], record.Margins.Iterate[at+1]
		if side == fairness.Uncounted {
			r.pushed[at+1] = 0
			continue
		}
		share := trackedShare(r.records - c.missed)
		r.pushes[k].track(side, margin, record.Published, c.shares)
		factor := record.factor(r.enforced[k])
		r.pushed[at+1] = c.scale(record) * (min(factor, c.most) * r.pushes[k].learn(c, side, margin))
		r.tracked[k].observe(side, record.Published > 0, record.Relative*factor, share)
		if r.shift == 0 && c.pressing && !r.held && !r.settings.Without.Has(refine.Ascent) {
			r.interpolation[at] = ascend(r.interpolation[at], share, c.sign*r.tracked[k].compare(c.measure), c.target())
		}
	}
	return r.pushed[:len(r.active)+1]
}

// Observe takes in a record that was learnt with these gradients, and chooses again when it is time to.
func (r *Rates) Observe(record *Record, gradients []float64) {
	if len(record.Sides) == 0 {
		return
	}
	r.remember(record, gradients)
	if len(r.constraints) == 0 {
		return
	}
	r.perWeight, r.proportion = record.Relative/record.Weight, record.scale()
	if !r.settings.Without.Has(refine.Balance) {
		for _, k := range r.active {
			if side := record.Sides[r.enforced[k]]; side != fairness.Uncounted {
				r.recall(k, side, r.constraints[k].scale(record))
			}
		}
	}
	if r.held || r.settings.Without.Has(refine.Window) {
		return
	}
	if r.untilChoice--; r.untilChoice <= 0 {
		r.choose()
	}
}

// choose looks at the windows: at those of idle comparisons now and then, and chooses the interpolation weights of the active
// ones, one after the other, each for what the others are at the time.
func (r *Rates) choose() {
	if !r.settings.Without.Has(refine.Refresh) {
		r.refresh(r.stale())
	}
	r.review()
	sweeps := 1
	if len(r.active) > 1 {
		sweeps = severalSweeps
	}
	for range sweeps {
		for at := range r.active { // those that came last do least, and so leave first
			r.chooseOne(r.active[len(r.active)-1-at])
		}
	}
	r.retire()
	r.share()
	troubled := false
	for at, k := range r.active {
		c := &r.constraints[k]
		if r.measurable(k) && !r.settings.Without.Has(refine.Reference) {
			c.adjust(r.interpolation[at])
		}
		troubled = troubled || r.measurable(k) && !c.reachable && c.shows()
	}
	if !r.settings.Without.Has(refine.Threshold) {
		r.chooseShift(troubled)
	}
	r.interval = interval(r.memory.used(), r.proportion)
	r.untilChoice = r.interval
}

// Hold keeps interpolation weights and multipliers as they are until Choose. Those that were given were chosen on many records: the first
// choices from windows of a hundred would undo them, and leave multipliers that later choices take thousands of records to bring back.
func (r *Rates) Hold() { r.held = true }

// Choose ends what Hold began: the first choice is from all records in the windows, whose margins are computed again. Until then they are those of
// the models when each record came: what is published would be as far from its target as these models are from today's.
func (r *Rates) Choose() {
	if r.held = false; len(r.constraints) > 0 {
		if !r.settings.Without.Has(refine.Refresh) {
			r.refresh(r.memory.used())
		}
		r.choose()
	}
}

// stale is how many margins are computed again before a choice. In a burst of one side the models swing, so most margins that
// the windows hold are those of models that are gone: then all are computed again, and where labels are missing (interval).
func (r *Rates) stale() int {
	if r.proportion < 1 {
		return r.memory.used()
	}
	for _, k := range r.active {
		if r.balances[k].burst(r.constraints[k].shares, float64(r.interval)*burstShare) {
			return r.memory.used()
		}
	}
	return r.memory.refreshShare(r.interval)
}

func (r *Rates) chooseOne(k int) {
	if !r.measurable(k) {
		return
	}
	if backwards := r.take(k); backwards && !r.settings.Without.Has(refine.Turn) {
		r.reflect(k)
		r.take(k)
	}
}

// take chooses the interpolation weight of a constraint, and says whether its model has been pushed the wrong way.
func (r *Rates) take(k int) (backwards bool) {
	c := &r.constraints[k]
	chosen := c.choose(&r.curve, r.interpolation, r.windows[k], r.records, &r.settings, r.family)
	if r.settings.Without.Has(refine.ExactStep) {
		for side, w := range r.windows[k] {
			chosen.rates[side] = countAt(w, r.interpolation, r.shift).Rate()
		}
	} else {
		r.interpolation[c.model-1] = chosen.interpolation
	}
	r.tracked[k].set(chosen.rates)
	return chosen.backwards
}

// reflect mirrors a constrained model at the free one, after a reversal of a bias.
func (r *Rates) reflect(k int) {
	model := r.constraints[k].model
	r.models.Reflect(model)
	r.memory.reflect(model)
	r.interpolation[model-1] = -r.interpolation[model-1]
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
	for _, k := range r.active {
		if c := &r.constraints[k]; r.measurable(k) && c.shows() {
			r.bounds = append(r.bounds, bound{r.windows[k], c.target(), c.measure})
		}
	}
	if len(r.bounds) == 0 {
		return // without a bound the least error would be that of the unconstrained model
	}
	best := r.threshold.find(r.everyone, r.interpolation, r.bounds)
	if !troubled && best.error >= published {
		return // the interpolation weights keep the constraints, and nothing does at less cost
	}
	for k := range r.interpolation {
		r.interpolation[k] *= best.factor
	}
	r.shift = best.shift
	for _, k := range r.active {
		if r.measurable(k) {
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
	for i, slot := range r.everyone.slots {
		margin := combineSingle(r.memory.at(int(slot)), 1, r.interpolation) + r.shift
		c.Add(r.memory.positive[slot], margin > 0, float64(r.everyone.weights[i]))
	}
	return fairness.DetectCollapse(c, fairness.DefaultLevel, fairness.DefaultCollapseOptions()).State
}

// Counts are the decisions that the published model, less what it owes to each record, makes of recent records of the two
// sides of a comparison, enforced or not, and by how much their difference varies more than one of as many independent decisions. The margins are
// today's: those that the memory holds are some records old.
func (r *Rates) Counts(comparison int) (group, versus fairness.Count, inflation float64, ok bool) {
	var sides [2]*window
	if k := slices.Index(r.enforced, comparison); k >= 0 {
		sides = r.windows[k]
	} else {
		sides = r.beside[slices.Index(r.measured, comparison)]
	}
	r.decideAnew()
	var learnt [2]fairness.Count
	for i, n := range [2]*fairness.Count{&group, &versus} {
		w := sides[i]
		for age := range w.steady {
			slot, weight := w.slot(age)
			n.Add(r.decided[slot], weight)
			learnt[i].Add(r.learnt[slot], weight)
		}
	}
	return group, versus, inflated([2]fairness.Count{group, versus}, learnt), true
}

// decideAnew decides all remembered records by the published model, less what it owes to each and as it is, once for each number of records learnt.
func (r *Rates) decideAnew() {
	if r.decidedAt == r.records && len(r.decided) == len(r.memory.rows) {
		return
	}
	l := r.prepare(&r.lanes[0])
	r.decided = slices.Grow(r.decided[:0], len(r.memory.rows))[:len(r.memory.rows)]
	r.learnt = slices.Grow(r.learnt[:0], len(r.memory.rows))[:len(r.memory.rows)]
	for slot := range r.memory.rows {
		if r.memory.holders[slot] > 0 {
			free, constrained := r.memory.learntMarginsOf(slot, l, r.records)
			r.learnt[slot] = r.Publish(l.margins.Average) > 0
			r.memory.takeOut(slot, l, free, constrained)
			r.decided[slot] = r.Publish(l.margins.Average) > 0
		}
	}
	r.decidedAt = r.records
}

// Reports says how each enforced constraint is kept.
func (r *Rates) Reports(comparisons []fairness.Comparison) (reports []Report) {
	for k, i := range r.enforced {
		c := &r.constraints[k]
		if !comparisons[i].Known() {
			continue
		}
		report := Report{Comparison: i, Name: comparisons[i].Name, Criterion: comparisons[i].Criterion, Group: comparisons[i].GroupLabel(), Tau: c.tau, Target: c.target(), Theta: c.theta, Difference: c.difference,
			Rarest: min(c.shares[0], c.shares[1]), Reachable: c.reachable, Changes: c.changes, Unsteady: c.cuts.unsteady(r.records, r.family.measured), Away: apart(r.windows[k], c.shares, r.records), AtFloor: c.chosen && atFloor(c.tau, c.theta)}
		if sides := r.windows[k]; r.measurable(k) && min(sides[0].steady, sides[1].steady)/2 >= recent[0] {
			r.decideAnew()
			report.Moved = c.measure.moved(sides, r.decided, motion{
				sigma: func(by float64) float64 { return ofMany(c.cuts.moving(r.records, by), r.family.measured) },
				alone: ofMany(suddenSigma, r.family.measured), surely: ofMany(changeSigma, r.family.measured), least: movingLeast * c.tau,
			})
		}
		if c.model > 0 {
			report.Difference = r.tracked[k].compare(c.measure)
			report.Multiplier = c.sign * r.interpolation[c.model-1] * c.multiplier
			if p := &r.pushes[k]; !c.measure.relative { // the paper's threshold is that of a difference
				report.EffectiveConstant = p.relaxations[0].EffectiveConstant(p.published[:], c.tau) + (c.tau-math.Abs(report.Difference))/c.tau
			}
		}
		reports = append(reports, report)
	}
	return reports
}
