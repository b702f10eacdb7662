package control

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/halves"
	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// Work between choices. The interval grows with the windows, so that the cost per record stays the same.
const (
	shortestInterval = 64
	longestInterval  = 2048
	// rereadPerRecord is how many records of the windows are read for each record learnt.
	rereadPerRecord = 8
)

// refreshedOfFew bounds the margins that are computed again for each record where labels are missing.
const refreshedOfFew = 32

// interval is how many records come between two choices, where so many are remembered, and so many labels come for each record.
//
// The fewer labels there are, the more each of them moves the models. So with margins that are as many records old as where all have labels,
// a choice would be about models that are gone, and until the next choice the published difference would go far from it. Where labels are
// missing, all margins are computed again before a choice, and choices keep up with labels rather than with records.
func interval(remembered int, proportion float64) int64 {
	records := int64(min(longestInterval, max(shortestInterval, remembered/rereadPerRecord)))
	if proportion >= 1 {
		return records
	}
	return max(shortestInterval, int64(float64(records)*proportion), int64(remembered/refreshedOfFew))
}

// Rates keeps differences of rates of decisions within tau.
type Rates struct {
	settings Settings
	models   Models
	enforced []int  // comparison of each constraint
	measured []int  // comparisons that are not enforced
	labelled []bool // by comparison: only records with a label count

	ratesState
	ratesScratch
}

// ratesState is what a snapshot saves.
type ratesState struct {
	records       float64
	untilChoice   int64     // records
	interval      int64     // between the last choice and the next
	active        []int     // constraints with a model, in the order of their models
	interpolation []float64 // by model: 0 is the unconstrained one, 1 the constrained one
	family        family
	constraints   []constraint
	pushes        []push
	tracked       []tracked // by constraint: u, of the published decisions
	balances      []balance
	memory        *memory
	windows       [][2]*window // by constraint: the group's and versus'
	beside        [][2]*window // of the comparisons that are not enforced
	everyone      *window      // the most recent records, whatever their groups
	shift         float64      // of every margin: see threshold.go
	constant      bool         // only (nearly) constant decisions keep the constraints
}

// ratesScratch has no meaning between two calls.
type ratesScratch struct {
	held      bool      // from Hold to Choose
	pushed    []float64 // per model
	margins   *linear.Margins
	row       features.Row // of a remembered record
	curve     curve
	threshold thresholdSearch
	bounds    []bound
	slacks    []float64
	perWeight float64 // relative weight of a record of weight 1
	// proportion is that of labels to records, at most 1: see interval.
	proportion float64
	places     []membership

	refreshing *halves.Work
	lanes      [2]lane
	decided    []bool  // decisions by the published model, by slot of the memory, after decidedAt records
	learnt     []bool  // the same decisions before what a margin owes to its record is taken out of it
	decidedAt  float64 // records
}

// membership is a window that a record goes into, with the weight that it has there.
type membership struct {
	window *window
	weight float32
}

// measurable says whether both sides of a constraint have enough records to choose from.
func (r *Rates) measurable(k int) bool {
	return r.windows[k][0].steady >= r.settings.Minimum && r.windows[k][1].steady >= r.settings.Minimum
}

// Predicted are none: decisions are counted.
func (r *Rates) Predicted(int) (means [2]float64, ok bool) { return means, false }

// prepare makes a lane ready for the models of today.
func (r *Rates) prepare(l *lane) *lane {
	if l.leaveOneOut = !r.settings.Without.Has(refine.LeaveOneOut); !l.leaveOneOut {
		return l
	}
	curvature, square, known := 0.0, 0.0, 0.0
	for _, k := range r.active {
		f, multiplier := &r.pushes[k].firmness, r.constraints[k].multiplier
		if f.records == 0 {
			square += float64(multiplier * multiplier)
			continue
		}
		known++
		curvature += f.loss + float64(multiplier*max(0, f.push))
		square += float64(float64(multiplier*multiplier) * f.square)
	}
	r.models.Influence(&l.influence, curvature/max(1, known), square/float64(len(r.active)+1))
	return l
}

// refresh computes the margins of the next few remembered records again.
func (r *Rates) refresh(count int) {
	m := r.memory
	count = min(count, m.used())
	first, second := &r.lanes[0], &r.lanes[1]
	first.from, first.count = m.stale, count/2
	second.from, second.count = m.behind(m.stale, count/2), count-count/2
	r.refreshing.Run(count)
	m.stale = m.behind(second.from, second.count)
}

func (r *Rates) refreshHalf(half int) {
	l := r.prepare(&r.lanes[half])
	r.memory.refresh(l.from, l.count, l, r.records)
}

// Which comparisons have a model.
//
// The free model keeps most of many comparisons by itself. Such a comparison is idle: it has its windows, which it
// is looked at in now and then, and costs no model, no push and no choice. It enters when the published decisions differ
// by more than the target, and by more than chance makes of one of so many comparisons: otherwise early records of rare
// groups would press everything. It leaves after a while in which it needed clearly less.

const (
	// leaveAfter is for how many records a comparison needs no model before it leaves.
	leaveAfter = 8192
	// mostRehearsed bounds the remembered records that a model is pushed with when it joins.
	mostRehearsed = 8192
)

// review looks at the idle comparisons that it is time for, and lets the one enter that needs it most.
func (r *Rates) review() {
	decided, worst, most := false, none, 1.0
	for k := range r.constraints {
		c := &r.constraints[k]
		if c.model > 0 || !r.measurable(k) {
			continue
		}
		if r.records-c.looked >= float64(r.windows[k][0].steady+r.windows[k][1].steady)/rereadPerRecord || c.need() > 1 {
			if !decided {
				r.memory.decide(r.interpolation, r.shift)
				decided = true
			}
			c.look(&r.curve, r.windows[k], r.records, &r.settings, r.family)
		}
		if need := c.need(); need > most {
			worst, most = k, need
		}
	}
	if worst != none {
		r.enter(worst)
	}
}

// enter gives a comparison a model, which starts from the free one and is pushed with remembered records at once.
func (r *Rates) enter(k int) {
	c := &r.constraints[k]
	c.model = r.models.Join()
	r.memory.join()
	r.active, r.interpolation = append(r.active, k), append(r.interpolation, 0)
	c.sign, c.multiplier, c.pressing, c.needed = signOf(c.difference), leastMultiplier, true, r.records
	r.balances[k], r.tracked[k] = balance{}, tracked{frequency: c.shares}
	r.pushes[k].begin()
	r.rehearse(k)
}

// rehearse pushes a model that has just joined with remembered records of both sides, in the proportion in which they
// come, from older to newer ones. The loss pulls it back, as far as it has left the free model's optimum.
func (r *Rates) rehearse(k int) {
	c, p, sides, m := &r.constraints[k], &r.pushes[k], r.windows[k], r.memory
	share := c.shares[0] / (c.shares[0] + c.shares[1])
	count := min(mostRehearsed, sides[0].steady+sides[1].steady)
	turn, done := 0.0, [2]int{}
	for range count {
		i, side := 1, fairness.Versus
		if turn += share; turn >= 1 {
			turn--
			i, side = 0, fairness.Group
		}
		w := sides[i]
		slot, weight := w.slot(w.steady - 1 - done[i]%w.steady)
		done[i]++
		row := m.row(slot, &r.row)
		r.models.Margins(r.margins, row)
		free, margin := r.margins.Iterate[0], r.margins.Iterate[c.model]
		p.track(side, margin, r.margins.Average[0], c.shares)
		g := p.learn(c, side, margin) + (logistic.Probability(margin) - logistic.Probability(free))
		g *= min(weight*r.perWeight, c.most)
		r.models.Nudge(row, c.model, g)
		m.gradients[slot*m.models+c.model] += float32(g)
	}
	r.models.Settle(c.model)
	l := r.prepare(&r.lanes[0])
	for _, w := range sides {
		for _, slot := range w.slots {
			m.refreshOne(int(slot), l, r.records)
		}
	}
}

// retire lets comparisons leave that have long been quiet.
func (r *Rates) retire() {
	for at := len(r.active) - 1; at >= 0; at-- {
		if r.records-r.constraints[r.active[at]].needed > leaveAfter {
			r.leave(at)
		}
	}
}

// leave takes the model from an active comparison.
func (r *Rates) leave(at int) {
	model := at + 1
	r.models.Leave(model)
	r.memory.leave(model)
	c := &r.constraints[r.active[at]]
	c.model, c.pressing = 0, false
	r.active, r.interpolation = slices.Delete(r.active, at, at+1), slices.Delete(r.interpolation, at, at+1)
	for i, k := range r.active {
		r.constraints[k].model = i + 1
	}
}

// share finds how many comparisons share the doubt, in Holm's order (Scandinavian Journal of Statistics 6, 1979, pp. 65–70).
//
// Of K comparisons that are said to be within tau, each may be wrong with a K-th of the doubt (Bonferroni). But the one
// that is within tau most clearly needs less; if it is so at a K-th, the next one may use a (K−1)-th, and so on. All are still right
// together at the confidence. Those that are left when one is not clear enough, and those that are pressed, share in
// equal parts. A side with too few records says nothing, and takes nothing from others.
func (r *Rates) share() {
	r.slacks = r.slacks[:0]
	r.family.measured = 0
	for k := range r.constraints {
		c := &r.constraints[k]
		if !r.measurable(k) {
			continue
		}
		r.family.measured++
		if c.chosen && (c.model == 0 || r.interpolation[c.model-1] == 0) {
			r.slacks = append(r.slacks, c.slack())
		}
	}
	slices.Sort(r.slacks)
	left := r.family.measured
	for i := len(r.slacks) - 1; i >= 0 && r.slacks[i] >= r.settings.Aim.quantile(left); i-- {
		left--
	}
	r.family.sharing = max(1, left)
}

// Given is a constraint whose model was found by other means than pushes.
type Given struct {
	// Comparison is its place among those that NewRates was given.
	Comparison int
	// Multiplier is that which its model was found at, with the sign of the difference that it works against.
	Multiplier float64
	// Rates are those of decisions by the given models together.
	Rates [2]float64
}

// Give begins with models that were found from so many records, of which these shares were on the sides of each comparison. Each
// constraint given has a model of its own then, which joins and counts in full.
func (r *Rates) Give(records float64, sides [][2]float64, given []Given) {
	r.records = records
	for k, i := range r.enforced {
		r.constraints[k].shares = sides[i]
	}
	for _, g := range given {
		k := slices.Index(r.enforced, g.Comparison)
		if k < 0 || r.constraints[k].model > 0 {
			panic("control: Give needs constraints that are enforced, and each once")
		}
		c := &r.constraints[k]
		c.model = r.models.Join()
		r.memory.join()
		r.active, r.interpolation = append(r.active, k), append(r.interpolation, 1)
		c.sign, c.multiplier, c.pressing, c.needed = signOf(g.Multiplier), math.Abs(g.Multiplier), true, records
		r.balances[k], r.tracked[k] = balance{}, tracked{frequency: c.shares}
		r.tracked[k].set(g.Rates)
		r.pushes[k].begin()
	}
}
