package record

import "sync/atomic"

// layout recognises records that bring the same features in the same order as the record before, as most
// do: who reads them can then keep what it found out about their names.
type layout struct {
	id       uint64    // 0 once a record has differed
	features []*column // of the record before, up to where the present one differs
}

// layouts counts the layouts of all decoders, so that no two of them use the same id.
var layouts atomic.Uint64

// add takes note of the n-th feature of the present record.
func (l *layout) add(n int, c *column) {
	if n < len(l.features) && l.features[n] == c {
		return
	}
	l.id = 0
	l.features = append(l.features[:n], c)
}

// of returns the id of the present record's layout, n features long.
func (l *layout) of(n int) uint64 {
	if n < len(l.features) {
		l.id = 0
		l.features = l.features[:n]
	}
	if l.id == 0 {
		l.id = layouts.Add(1)
	}
	return l.id
}
