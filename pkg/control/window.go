package control

import (
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// window holds the most recent records of one side of an enforced comparison: the rows, the margins that the
// models give them. Every side has a window of its own, so a group of one per cent is measured on as many records as its
// counterpart; only older ones.
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
	positive  []bool // labels
	rows      []features.Row
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
	at := len(w.weights)
	if at < w.capacity {
		w.weights = append(w.weights, kept)
		w.positive = append(w.positive, r.Positive)
		for range w.models {
			w.margins, w.gradients = append(w.margins, 0), append(w.gradients, 0)
		}
		w.rows = append(w.rows, features.Row{})
	} else {
		at = w.next
		w.next++
		if w.next == w.capacity {
			w.next = 0
		}
		w.weights[at], w.positive[at] = kept, r.Positive
	}
	w.setMargins(at, r.Margins.Average)
	slot := w.gradients[at*w.models : (at+1)*w.models]
	for k := range slot {
		slot[k] = float32(gradients[k])
	}
	w.rows[at].CopyFrom(r.Row)
	w.seen++
	w.steady = min(w.steady+1, w.capacity, max(leastSteady, int(matureShare*float64(w.seen))))
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

const (
	// hingePull is how much a push pulls margins back, for a multiplier of 1: a margin that reaches the hinge of its
	// relaxation is pushed no more.
	hingePull = .5
	// refreshPerRecord is for how many records, and for each enforced comparison, margins are computed again for
	// each record learnt; up to mostRefreshed while the windows are not as long as refreshTurn together, so that
	// on a short stream, too, they are those of today's models.
	refreshPerRecord = 2.0
	mostRefreshed    = 16.0
	refreshTurn      = 65536.0
	// earliest is the least share of records that are taken to have come before one.
	earliest = .01
)

// refreshShare is how many records of each window are refreshed before a choice that comes so many records after the
// last one.
func refreshShare(windows [][2]*window, interval int64) int {
	turn := 1
	for _, sides := range windows {
		turn = max(turn, sides[0].steady+sides[1].steady)
	}
	rate := min(mostRefreshed, max(refreshPerRecord, refreshTurn/float64(turn)))
	return max(1, int(rate*float64(interval)/2))
}

// refresh computes the margins of the next few records again, less what they owe to having been learnt, unless
// influence is nil. scratch has room for one row's.
func (w *window) refresh(models Models, influence *linear.Influence, scratch *linear.Margins, records int) {
	for range min(records, len(w.rows)) {
		if w.stale >= len(w.rows) {
			w.stale = 0
		}
		row := &w.rows[w.stale]
		models.Margins(scratch, row)
		if influence != nil {
			own := influence.Of(row, w.before(w.stale))
			for k, g := range w.gradients[w.stale*w.models : (w.stale+1)*w.models] {
				scratch.Average[k] += float64(own * float64(g))
			}
		}
		w.setMargins(w.stale, scratch.Average)
		w.stale++
	}
}

// before is the share of the records that the window ever had that had come when the one in a slot did. Of a side
// it takes the share of all records for constant.
func (w *window) before(slot int) float64 {
	return max(earliest, 1-(float64(w.age(slot))+.5)/float64(w.seen))
}
