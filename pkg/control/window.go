package control

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// memory holds the records of all windows, each record once, however many windows it is in: the row, the margins that the
// models give it, the gradients that it was learnt with. A record has a slot; a slot that no window holds any more
// is given to the next record.
//
// A margin is that of the models when the record came, until refresh computes it again: a window of a rare
// group reaches far back, to models that have little to do with today's.
type memory struct {
	models  int // margins of a record
	margins []float32
	// gradients are those of the record's loss in its margins when it was learnt, one per model.
	gradients []float32
	positive  []bool // labels
	rows      []features.Row
	came      []float64 // records learnt when it came
	// vacant are the slots that no window holds; the last one is given away next. A new record usually takes the place
	// of the oldest one of its own side, so the slots of a window ascend, and whoever reads it goes through memory in order.
	vacant []int32
	stale  int // the slot whose margins are computed again next

	holders []int32   // of each slot: windows that hold it
	decided []float32 // scratch, by slot: see decide
}

// largestMargin bounds the margins that are kept, so that their differences are finite.
const largestMargin = 1e30

func newMemory() *memory { return &memory{models: 1} }

// used is the number of records.
func (m *memory) used() int { return len(m.rows) - len(m.vacant) }

// add keeps a record that came after so many, and returns its slot, which a window is to hold. gradients has one value per model.
func (m *memory) add(r *Record, gradients []float64, records float64) (slot int32) {
	if last := len(m.vacant) - 1; last >= 0 {
		slot, m.vacant = m.vacant[last], m.vacant[:last]
	} else {
		slot = int32(len(m.rows))
		m.positive, m.came, m.holders = append(m.positive, false), append(m.came, 0), append(m.holders, 0)
		for range m.models {
			m.margins, m.gradients = append(m.margins, 0), append(m.gradients, 0)
		}
		m.rows = append(m.rows, features.Row{})
	}
	m.positive[slot], m.came[slot] = r.Positive, records
	m.setMargins(int(slot), r.Margins.Average)
	of := m.gradients[int(slot)*m.models : (int(slot)+1)*m.models]
	for k := range of {
		of[k] = float32(gradients[k])
	}
	m.rows[slot].CopyFrom(r.Row)
	return slot
}

// release takes note that a window holds a slot no more.
func (m *memory) release(slot int32) {
	if m.holders[slot]--; m.holders[slot] == 0 {
		m.vacant = append(m.vacant, slot)
		m.rows[slot].Empty()
	}
}

func (m *memory) setMargins(slot int, margins []float64) {
	of := m.margins[slot*m.models : (slot+1)*m.models]
	for k := range of {
		of[k] = float32(bounded(margins[k], largestMargin))
	}
}

// at returns the margins of the record in a slot.
func (m *memory) at(slot int) []float32 { return m.margins[slot*m.models : (slot+1)*m.models] }

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

// decide sets 1 for each slot that the published model decides positively, else 0: one look at all records serves every
// comparison.
func (m *memory) decide(interpolation []float64, shift float64) {
	m.decided = slices.Grow(m.decided[:0], cap(m.rows))[:len(m.rows)]
	for slot := range m.decided {
		m.decided[slot] = 0
		if combineSingle(m.at(slot), 1, interpolation)+shift > 0 {
			m.decided[slot] = 1
		}
	}
}

// join makes room for one more model, which is the free one still.
func (m *memory) join() {
	m.margins, m.gradients = widen(m.margins, m.models), widen(m.gradients, m.models)
	m.models++
}

// leave drops a model.
func (m *memory) leave(model int) {
	m.margins, m.gradients = narrow(m.margins, m.models, model), narrow(m.gradients, m.models, model)
	m.models--
}

// widen repeats the first of so many values of each record behind the last.
func widen(values []float32, models int) []float32 {
	records := len(values) / models
	values = slices.Grow(values, records)[:records*(models+1)]
	for i := records - 1; i >= 0; i-- {
		to := values[i*(models+1) : (i+1)*(models+1)]
		copy(to, values[i*models:(i+1)*models])
		to[models] = to[0]
	}
	return values
}

// narrow drops one of so many values of each record.
func narrow(values []float32, models, model int) []float32 {
	kept := values[:0]
	for i := 0; i < len(values); i += models {
		kept = append(kept, values[i:i+model]...)
		kept = append(kept, values[i+model+1:i+models]...)
	}
	return kept
}

// reflect mirrors the margins and the gradients of a constrained model at those of the free one.
func (m *memory) reflect(model int) {
	for at := 0; at < len(m.margins); at += m.models {
		m.margins[at+model] = 2*m.margins[at] - m.margins[at+model]
		m.gradients[at+model] = 2*m.gradients[at] - m.gradients[at+model]
	}
}

const (
	// hingePull is how much a push pulls margins back, for a multiplier of 1: a margin that reaches the hinge of its
	// relaxation is pushed no more.
	hingePull = .5
	// refreshPerRecord is for how many records margins are computed again for each record learnt and each constrained model;
	// up to mostRefreshed while there are fewer than refreshTurn, so that on a short stream, too, they are those of today's
	// models.
	refreshPerRecord = 2.0
	mostRefreshed    = 16.0
	refreshTurn      = 65536.0
	// idleShare is the share of this that does where the free model is published, which nothing presses.
	idleShare = .25
	// earliest is the least share of records that are taken to have come before one.
	earliest = .01
)

// refreshShare is how many records are refreshed before a choice that comes so many records after the last one.
func (m *memory) refreshShare(interval int64) int {
	rate := min(mostRefreshed, max(refreshPerRecord*float64(max(1, m.models-1)), refreshTurn/float64(max(1, m.used()))))
	if m.models == 1 {
		rate *= idleShare
	}
	return max(1, int(rate*float64(interval)))
}

// lane is what one goroutine needs to compute margins again. There are two lanes: each half of that work reads the models, and writes
// the margins of its own records.
type lane struct {
	models      Models
	margins     *linear.Margins
	influence   linear.Influence
	leaveOneOut bool // margins are those of models that have not learnt their records
	from, count int  // what refresh is to do: so many records from a slot on
}

// refresh computes the margins of so many records again, from a slot on. records is the number learnt.
func (m *memory) refresh(slot, count int, l *lane, records float64) {
	for ; count > 0; slot++ {
		if slot >= len(m.rows) {
			slot = 0
		}
		if m.holders[slot] > 0 {
			m.refreshOne(slot, l, records)
			count--
		}
	}
}

// behind returns the slot behind the next few records from a slot on.
func (m *memory) behind(slot, count int) int {
	for ; count > 0; slot++ {
		if slot >= len(m.rows) {
			slot = 0
		}
		if m.holders[slot] > 0 {
			count--
		}
	}
	return slot
}

func (m *memory) refreshOne(slot int, l *lane, records float64) {
	m.marginsOf(slot, l, records)
	m.setMargins(slot, l.margins.Average)
}

// marginsOf computes the margins of a record again, in a lane, less what they owe to having been learnt.
func (m *memory) marginsOf(slot int, l *lane, records float64) {
	row := &m.rows[slot]
	l.models.Margins(l.margins, row)
	if l.leaveOneOut {
		own := l.influence.Of(row, max(earliest, (m.came[slot]-.5)/records))
		for k, g := range m.gradients[slot*m.models : (slot+1)*m.models] {
			l.margins.Average[k] += float64(own * float64(g))
		}
	}
}

// window is the most recent records of one side of an enforced comparison, or of everyone, by their slots in the memory.
// Every side has a window of its own, so a group of one per cent is measured on as many records as its
// counterpart; only older ones.
type window struct {
	memory   *memory
	capacity int
	slots    []int32
	weights  []float32 // of the records, in this comparison
	next     int       // where the next record goes, once full
	seen     int       // records pushed so far
	steady   int       // how many of the newest records the interpolation is chosen from
}

// The margins of the very first records are those of models that had hardly learnt: the interpolation is chosen
// from the newest matureShare of what a side has brought, once that is more than leastSteady records.
const (
	matureShare = .75
	leastSteady = 256
)

func newWindow(capacity int, of *memory) *window {
	return &window{capacity: capacity, memory: of}
}

func (w *window) len() int { return len(w.slots) }

// yield lets a full window go of its oldest record, for the new one that push is to bring next.
func (w *window) yield() {
	if len(w.slots) == w.capacity {
		w.memory.release(w.slots[w.next])
	}
}

// push adds the record of a slot in place of the one that yield let go of.
func (w *window) push(slot int32, weight float32) {
	w.memory.holders[slot]++
	if len(w.slots) < w.capacity {
		w.slots, w.weights = append(w.slots, slot), append(w.weights, weight)
	} else {
		w.slots[w.next], w.weights[w.next] = slot, weight
		w.next++
		if w.next == w.capacity {
			w.next = 0
		}
	}
	w.seen++
	w.steady = min(w.steady+1, Measured(w.seen, w.capacity))
}

// Measured is how many records of a side the present decisions are counted on, of so many that the side has brought.
func Measured(records, window int) int {
	return min(records, window, max(leastSteady, int(matureShare*float64(records))))
}

// drop lets go of all records but the newest ones.
func (w *window) drop(newest int) {
	old := w.len() - newest
	w.slots, w.weights = lead(w.slots, w.next), lead(w.weights, w.next)
	for _, slot := range slices.Backward(w.slots[:old]) { // the oldest last, which is given away first
		w.memory.release(slot)
	}
	w.slots, w.weights = slices.Delete(w.slots, 0, old), slices.Delete(w.weights, 0, old)
	w.next, w.steady = 0, newest
}

// lead rotates a ring in place, so that the value at a place comes first.
func lead[T any](ring []T, first int) []T {
	slices.Reverse(ring[:first])
	slices.Reverse(ring[first:])
	slices.Reverse(ring)
	return ring
}

// place returns where in slots the record of the given age is, 0 being the newest.
func (w *window) place(age int) int {
	i := w.next - 1 - age
	if len(w.slots) < w.capacity {
		i = len(w.slots) - 1 - age
	}
	if i < 0 {
		i += len(w.slots)
	}
	return i
}

// slot returns the slot of the record of the given age, and its weight.
func (w *window) slot(age int) (slot int, weight float64) {
	at := w.place(age)
	return int(w.slots[at]), float64(w.weights[at])
}

// cameAt is how many records had been learnt when the record of the given age came.
func (w *window) cameAt(age int) float64 { return w.memory.came[w.slots[w.place(age)]] }
