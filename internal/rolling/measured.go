package rolling

import "github.com/fairstream/fairstream/internal/codec"

// Measured are the tallies of labelled records and, once a record has come without its label, of all that came, for what
// needs no label.
type Measured[T Tally[T]] struct {
	Rolling[T]
	came *Rolling[*arrivals[T]] // nil until a record comes without its label

	labels func(T) int64
}

// arrivals are records whose labels do not matter.
type arrivals[T Tally[T]] struct {
	records int64
	of      T
}

// Combine adds the records of others.
func (a *arrivals[T]) Combine(others *arrivals[T]) {
	a.records += others.records
	a.of.Combine(others.of)
}

// Reset returns them to no records.
func (a *arrivals[T]) Reset() {
	a.records = 0
	a.of.Reset()
}

// NewMeasured returns tallies of nothing. labels says how many labelled records a tally has.
func NewMeasured[T Tally[T]](empty func() T, labels func(T) int64) Measured[T] {
	return Measured[T]{Rolling: New(empty), labels: labels}
}

// Labelled returns the tally of labelled records, for one with its label.
func (m *Measured[T]) Labelled() T { return m.Open }

// Came returns the tally of all that came, for a record that comes now. kept is false as long as all come with their labels.
func (m *Measured[T]) Came() (tally T, kept bool) {
	if m.came == nil {
		return tally, false
	}
	m.came.Open.records++
	return m.came.Open.of, true
}

// Part begins to tell records from labels. So far they were the same.
func (m *Measured[T]) Part() {
	if m.came != nil {
		return
	}
	empty := func() *arrivals[T] { return &arrivals[T]{of: m.empty()} }
	same := func(t T) *arrivals[T] {
		a := empty()
		a.records = m.labels(t)
		a.of.Combine(t)
		return a
	}
	came := New(empty)
	came.total, came.Open, came.next = same(m.total), same(m.Open), m.next
	for _, block := range m.blocks {
		came.blocks = append(came.blocks, same(block))
	}
	m.came = &came
}

// Close ends the blocks that are full.
func (m *Measured[T]) Close() {
	m.Count(m.labels(m.Open))
	if m.came != nil {
		m.came.Count(m.came.Open.records)
	}
}

// Both returns the tally of labelled records, and that of all that came: of the whole stream, or of its recent part. came is nil
// (false) as long as the two are the same.
func (m *Measured[T]) Both(recent bool) (labelled, came T, parted bool) {
	if !recent {
		if labelled = m.All(); m.came != nil {
			return labelled, m.came.All().of, true
		}
		return labelled, came, false
	}
	if labelled = m.Recent(); m.came != nil {
		return labelled, m.came.Recent().of, true
	}
	return labelled, came, false
}

// EachOfBoth visits the tallies of labelled records, and then those of all that came.
func (m *Measured[T]) EachOfBoth(visit func(T)) {
	m.Each(visit)
	if m.came != nil {
		m.came.Each(func(a *arrivals[T]) { visit(a.of) })
	}
}

// CameFields codes the tallies of all that came.
func (m *Measured[T]) CameFields(c *codec.Coder, one func(T)) {
	parted := m.came != nil
	if c.Bool(&parted); !parted || c.Err() != nil {
		return
	}
	if c.Reading() {
		came := New(func() *arrivals[T] { return &arrivals[T]{of: m.empty()} })
		m.came = &came
	}
	m.came.Fields(c, func(a *arrivals[T]) {
		c.Count(&a.records)
		one(a.of)
	})
}
