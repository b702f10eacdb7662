package control

import (
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
)

// window holds the most recent records of one side of an enforced comparison: the rows, the margins that the
// models give them, and how they were decided before they were learnt. Every side has a window of its own, so a group of
// one per cent is measured on as many records as its counterpart; only older ones.
//
// A margin is that of the models when the record came, until refresh computes it again: a window of a rare
// group reaches far back, to models that have little to do with today's.
type window struct {
	capacity int
	models   int // margins per record
	next     int // where the next record goes, once full
	seen     int // records pushed so far
	steady   int // how many of the newest records the interpolation is chosen from
	stale    int // the record whose margins are computed again next
	margins  []float32
	// gradients are those of the record's loss in its margins when it was learnt, one per model.
	gradients []float32
	weights   []float32
	decided   []bool
	positive  []bool // labels
	rows      []features.Row
	count     fairness.Count // of the decisions before learning
}

// The margins of the very first records are those of models that had hardly learnt: the interpolation is chosen
// from the newest matureShare of what a side has brought, once that is more than leastSteady records.
const (
	matureShare = .75
	leastSteady = 256
)

// largestMargin bounds the margins that are kept, so that their differences are finite.
const largestMargin = 1e30

func newWindow(capacity, models int) *window {
	return &window{capacity: capacity, models: models}
}

func (w *window) len() int { return len(w.weights) }

// push adds a record in place of the oldest. gradients has one value per model.
func (w *window) push(r *Record, gradients []float64) {
	kept := float32(r.Weight)
	if kept <= 0 {
		return // a weight below all that single precision holds contributes nothing
	}
	decision := r.Published > 0
	at := len(w.weights)
	turned := false
	if at < w.capacity {
		w.weights = append(w.weights, kept)
		w.decided = append(w.decided, decision)
		w.positive = append(w.positive, r.Positive)
		for range w.models {
			w.margins, w.gradients = append(w.margins, 0), append(w.gradients, 0)
		}
		w.rows = append(w.rows, features.Row{})
	} else {
		at = w.next
		w.next++
		if turned = w.next == w.capacity; turned {
			w.next = 0
		}
		w.revert(at)
		w.weights[at], w.decided[at], w.positive[at] = kept, decision, r.Positive
	}
	w.setMargins(at, r.Margins.Average)
	slot := w.gradients[at*w.models : (at+1)*w.models]
	for k := range slot {
		slot[k] = float32(gradients[k])
	}
	w.rows[at].CopyFrom(r.Row)
	w.count.Add(decision, float64(kept))
	if turned {
		w.recount()
	}
	w.seen++
	w.steady = min(w.steady+1, w.capacity, max(leastSteady, int(matureShare*float64(w.seen))))
}

// revert takes back a decision. Where weights differ by many orders of magnitude the sums of small ones would
// fall below 0 by what was rounded off the large ones.
func (w *window) revert(at int) {
	c := &w.count
	c.Revert(w.decided[at], float64(w.weights[at]))
	for _, sum := range [...]*float64{&c.Weight, &c.WeightSquared, &c.PositiveWeight} {
		if *sum < 0 {
			*sum = 0
		}
	}
}

// recount sums up afresh, once in each turn of the window: a running count keeps the rounding errors of weights
// long gone.
func (w *window) recount() {
	w.count = fairness.Count{}
	for i, decision := range w.decided {
		w.count.Add(decision, float64(w.weights[i]))
	}
}

func (w *window) setMargins(at int, margins []float64) {
	slot := w.margins[at*w.models : (at+1)*w.models]
	for k := range slot {
		slot[k] = float32(bounded(margins[k], largestMargin))
	}
}

// at returns the margins of the record in a slot.
func (w *window) at(slot int) []float32 { return w.margins[slot*w.models : (slot+1)*w.models] }

// bounded is x within ±limit; not a number stays so. min and max, which also tell −0 from 0, take longer.
func bounded(x, limit float64) float64 {
	switch {
	case x > limit:
		return limit
	case x < -limit:
		return -limit
	}
	return x
}

// slot returns where the record of the given age is, 0 being the newest.
func (w *window) slot(age int) int {
	i := w.next - 1 - age
	if len(w.weights) < w.capacity {
		i = len(w.weights) - 1 - age
	}
	if i < 0 {
		i += len(w.weights)
	}
	return i
}

// age is the inverse of slot.
func (w *window) age(slot int) int {
	age := w.slot(0) - slot
	if age < 0 {
		age += len(w.weights)
	}
	return age
}

// reflect mirrors the margins and the gradients of a constrained model at those of the free one.
func (w *window) reflect(model int) {
	for at := 0; at < len(w.margins); at += w.models {
		w.margins[at+model] = 2*w.margins[at] - w.margins[at+model]
		w.gradients[at+model] = 2*w.gradients[at] - w.gradients[at+model]
	}
}
