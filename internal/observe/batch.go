package observe

import (
	"sync/atomic"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Batch is a few entries in a row: a decoder fills it and has the panel decide, the learner adds sights, and the parts observe these.
type Batch struct {
	Entries []Entry
	Count   int    // of the entries that are filled
	panel   *Panel // whose decisions the entries hold; nil: nobody's
	// What is observed of the entries that were learnt, and the levels of all, one behind the other.
	sights []Sight
	levels []fairness.Level
	// users are the parts that observe it. One that was given up may hold it for ever.
	users atomic.Int32
	held  atomic.Bool
}

// Begin empties the batch for other entries.
func (b *Batch) Begin() { b.Count, b.levels = 0, b.levels[:0] }

// Place finds the levels of an entry's attributes; with a nil grouper they are left to the learner.
func (b *Batch) Place(e *Entry, grouper *fairness.Grouper) {
	e.levels = nil
	if grouper == nil || e.Rejection != nil {
		return
	}
	from := len(b.levels)
	for i := range e.Record.Attributes {
		level := fairness.MissingLevel
		if v := &e.Record.Attributes[i]; !v.Missing {
			level = grouper.Level(i, v.Text)
		}
		b.levels = append(b.levels, level)
	}
	e.levels = b.levels[from:]
}

// Decide has a panel decide the entries, which are of one partition; nil: nobody decides.
func (b *Batch) Decide(by *Panel, jury *Jury, partition int32) {
	if b.panel = by; by == nil {
		return
	}
	jury.follow(by)
	for i := range b.Entries[:b.Count] {
		e := &b.Entries[i]
		e.decided = e.decided[:0]
		if e.Rejection == nil && len(e.Record.Features) > 0 && by.samples(partition, e.Source, &e.Record) {
			e.decided = jury.decide(e.decided, &e.Record)
		}
	}
}

// Sight is room for what is observed of an entry.
func (b *Batch) Sight(e *Entry) *Sight {
	b.sights = append(b.sights, Sight{})
	s := &b.sights[len(b.sights)-1]
	s.Entry, s.Levels, s.Record = e, e.levels, &e.Record
	return s
}

// Unsee drops the last sight.
func (b *Batch) Unsee() { b.sights = b.sights[:len(b.sights)-1] }
