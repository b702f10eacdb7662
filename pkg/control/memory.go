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
	rows      []features.Packed
	slab      features.Slab // for rows
	came      []float64     // records learnt when it came
	// order is twice the number of a record that came without its label, and one more than the last of these for others; so it never falls
	// from one record to the next. learnt is how many had been learnt when its label came. Both are nil until a record comes without its label.
	order  []int64
	learnt []float64
	last   int64 // order of the last record that came without its label
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
		if m.order != nil {
			m.order, m.learnt = append(m.order, 0), append(m.learnt, 0)
		}
		for range m.models {
			m.margins, m.gradients = append(m.margins, 0), append(m.gradients, 0)
		}
		m.rows = append(m.rows, nil)
	}
	m.positive[slot], m.came[slot] = r.Positive, records
	if m.order != nil {
		m.order[slot], m.learnt[slot] = m.last+1, records
		if r.Brings == Itself && r.Number > 0 {
			m.last = 2 * r.Number
			m.order[slot] = m.last
		}
	}
	m.setMargins(int(slot), r.Margins.Average)
	of := m.gradients[int(slot)*m.models : (int(slot)+1)*m.models]
	for k := range of {
		of[k] = float32(gradients[k])
	}
	m.rows[slot].Pack(r.Row, &m.slab)
	return slot
}

// part makes room for records that come before their labels.
func (m *memory) part() {
	if m.order == nil {
		m.order, m.learnt = make([]int64, len(m.rows)), append([]float64{}, m.came...)
	}
}

// complete takes in that the label of a record came after so many records, and what it was learnt with then.
func (m *memory) complete(slot int32, r *Record, gradients []float64, records float64) {
	m.positive[slot], m.learnt[slot] = r.Positive, records
	of := m.gradients[int(slot)*m.models : (int(slot)+1)*m.models]
	for k := range of {
		of[k] += float32(gradients[k])
	}
}

// learntAt is how many records had been learnt when a record was.
func (m *memory) learntAt(slot int) float64 {
	if m.learnt != nil {
		return m.learnt[slot]
	}
	return m.came[slot]
}

// release takes note that a window holds a slot no more.
func (m *memory) release(slot int32) {
	if m.holders[slot]--; m.holders[slot] == 0 {
		m.vacant = append(m.vacant, slot)
		m.rows[slot] = m.rows[slot][:0]
	}
}

func (m *memory) setMargins(slot int, margins []float64) {
	of := m.margins[slot*m.models : (slot+1)*m.models]
	for k := range of {
		of[k] = float32(bounded(margins[k], largestMargin))
	}
}

// row makes a row that of the record in a slot, and returns it.
func (m *memory) row(slot int, into *features.Row) *features.Row {
	m.rows[slot].Unpack(into)
	return into
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
	row         features.Row
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
	free, constrained := m.learntMarginsOf(slot, l, records)
	m.takeOut(slot, l, free, constrained)
}

// learntMarginsOf computes the margins of a record again, in a lane, and returns how far learning it moved those of the free model and of constrained
// ones, for a gradient of 1.
func (m *memory) learntMarginsOf(slot int, l *lane, records float64) (free, constrained float64) {
	if !l.leaveOneOut {
		l.models.Margins(l.margins, m.row(slot, &l.row))
		return 0, 0
	}
	before := (m.learntAt(slot) - .5) / records
	if !(before > earliest) { // or not a number, in a state that was tampered with
		before = earliest
	}
	return l.influence.Margins(l.margins, m.rows[slot], &l.row, before)
}

// takeOut takes out of the margins in a lane what they owe to having learnt a record.
func (m *memory) takeOut(slot int, l *lane, free, constrained float64) {
	own := free
	for k, g := range m.gradients[slot*m.models : (slot+1)*m.models] {
		l.margins.Average[k] += float64(own * float64(g))
		own = constrained
	}
}
