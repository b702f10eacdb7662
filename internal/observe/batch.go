package observe

import (
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// Entry is one record of the input.
type Entry struct {
	Source    *kafka.Record
	Rejection error // a *record.Rejection; Record is not to be used then
	// levels are those of the record's attributes; nil: they are not known yet.
	levels []fairness.Level
	Record record.Record
	// decided are the decisions of the batch's panel; empty if the record is not in its sample.
	decided []release.Decision
}

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

// Sight is what is observed of a record.
type Sight struct {
	Made  // its levels are the batch's, once it is seen
	Entry *Entry
	// Number is how many records were learnt or kept, this one included.
	Number int64
	// Record is the one that was decided. Waits is the record that waits for its label now, or waited until this one brought it.
	Record *record.Record
	Waits  *Waiting
}

// Waiting is what is known of a decision whose label comes later.
type Waiting struct {
	Known, Positive bool
	Score           float64
	// Number is that of the sight; 0 if it is not known.
	Number int64
}

// joined says whether the record is one that waited.
func (s *Sight) joined() bool { return s.Record != &s.Entry.Record }

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
