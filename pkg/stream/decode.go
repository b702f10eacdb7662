package stream

import (
	"context"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// Sizes of a parcel. Small ones stay in the processor's cache between decoding and learning.
const (
	parcelRecords  = 384
	parcelBytes    = 256 << 10
	parcelsPerTask = 3
	// largestParcel is how many features the records of a parcel may keep room for: a few records of
	// thousands of fields must not make all parcels large for ever.
	largestParcel = 64 << 10
)

// entry is one record of the input. Record points into the delivery.
type entry struct {
	source    *kafka.Record
	rejection error // a *record.Rejection; record is not to be used then
	// levels are those of the record's attributes; nil: they are not known yet.
	levels []fairness.Level
	record record.Record
	// decided are the decisions of the parcel's panel; empty if the record is not in its sample.
	decided []release.Decision
}

// parcel is a few entries in a row.
type parcel struct {
	entries []entry // room for parcelRecords
	panel   *panel  // whose decisions the entries hold; nil: nobody's
	count   int
	last    bool  // of its delivery
	large   bool  // its delivery is
	err     error // the delivery cannot be decoded further
	// What is observed of the entries that were learnt, and the levels of all, one behind the other.
	sights []sight
	levels []fairness.Level
	// completed are records that waited for a label which an entry brought; others have room.
	completed []*record.Record
	used      int
	// users are the parts that observe it. One that was given up may hold it for ever.
	users atomic.Int32
	held  atomic.Bool
}

// task carries a delivery from the reader, by way of a decoder, to the learner. Its parcels go in
// circles between the latter two, so that what is decoded and not learnt yet is bounded.
type task struct {
	delivery     *cluster.Delivery
	filled, free chan *parcel
	held         atomic.Bool // a part that was given up may use its records for ever
}

// pipeline is what reader, decoders and learner share. All channels have room for every task: only
// waiting for an idle task, a free parcel or a filled one ever blocks.
type pipeline struct {
	idle  chan *task
	work  chan *task // to the decoders
	order chan *task // to the learner, in the order of the reader
	// panel are the frozen versions that the decoders apply; nil: none. What they decided for an earlier panel, the learner
	// decides again.
	panel atomic.Pointer[panel]
	// grouper tells the levels of records that the decoders find; nil: the learner finds them.
	grouper *fairness.Grouper
	// releasing is the part that the decisions of the panel belong to.
	releasing *isolate.Part
}

func newPipeline(decoders int) *pipeline {
	tasks := decoders + 1
	p := &pipeline{idle: make(chan *task, tasks), work: make(chan *task, tasks), order: make(chan *task, tasks)}
	for range tasks {
		t := &task{filled: make(chan *parcel, parcelsPerTask), free: make(chan *parcel, parcelsPerTask)}
		for range parcelsPerTask {
			t.free <- &parcel{entries: make([]entry, parcelRecords)}
		}
		p.idle <- t
	}
	return p
}

// read moves deliveries from the source into the pipeline, until ctx ends or the source fails.
func (p *pipeline) read(ctx context.Context, source cluster.Source) error {
	for {
		var t *task
		select {
		case t = <-p.idle:
		case <-ctx.Done():
			return ctx.Err()
		}
		delivery, err := source.Next(ctx)
		if err != nil {
			return err
		}
		t.delivery = delivery
		p.work <- t
		p.order <- t
	}
}

// decode is one decoder, until ctx ends.
func (p *pipeline) decode(ctx context.Context, schema *record.Schema) error {
	d := decoding{decoder: schema.NewDecoder(), grouper: p.grouper, present: &p.panel, releasing: p.releasing}
	for {
		select {
		case t := <-p.work:
			if err := t.decode(ctx, &d); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// decoding is what one decoder has to itself.
type decoding struct {
	decoder   *record.Decoder
	grouper   *fairness.Grouper
	present   *atomic.Pointer[panel]
	releasing *isolate.Part
	jury      jury
}

// decode cuts the delivery into parcels. Its error is that of ctx; that the delivery cannot be read is
// told to the learner, whose turn to stop comes after all deliveries before this one.
func (t *task) decode(ctx context.Context, d *decoding) error {
	next := func() (records []kafka.Record, err error) {
		if t.delivery.Loss == nil {
			records, err = t.delivery.Records(ctx)
		}
		return records, err
	}
	records, failure := next()
	for last := false; !last; {
		select {
		case p := <-t.free:
			if records = p.fill(t.delivery.Partition, records, d); len(records) == 0 && failure == nil {
				records, failure = next()
			}
			last = len(records) == 0
			p.last, p.large, p.err = last, t.delivery.Large, failure
			if last && t.delivery.Large {
				d.decoder.Forget()
			}
			t.filled <- p
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// fill decodes and decides the first of records, and gives those that remain.
func (p *parcel) fill(partition int32, records []kafka.Record, d *decoding) (rest []kafka.Record) {
	p.count, p.used, p.levels = 0, 0, p.levels[:0]
	for size := 0; len(records) > 0 && p.count < parcelRecords && size < parcelBytes; p.count++ {
		e := &p.entries[p.count]
		e.source = &records[0]
		e.rejection = d.decoder.DecodeJSON(&e.record, e.source.Value)
		e.levels = nil
		if d.grouper != nil && e.rejection == nil {
			from := len(p.levels)
			p.levels = d.appendLevels(p.levels, &e.record)
			e.levels = p.levels[from:]
		}
		size += len(e.source.Value)
		records = records[1:]
	}
	if p.panel = d.present.Load(); p.panel != nil {
		d.releasing.Try(func() { p.decide(partition, d) })
	}
	return records
}

// decide has the panel decide the records.
func (p *parcel) decide(partition int32, d *decoding) {
	d.jury.follow(p.panel)
	for i := range p.entries[:p.count] {
		e := &p.entries[i]
		e.decided = e.decided[:0]
		if e.rejection == nil && len(e.record.Features) > 0 && p.panel.samples(partition, e.source, &e.record) {
			e.decided = d.jury.decide(e.decided, &e.record)
		}
	}
}

// another is room for a record that waited.
func (p *parcel) another() *record.Record {
	if p.used == len(p.completed) {
		p.completed = append(p.completed, &record.Record{})
	}
	p.used++
	return p.completed[p.used-1]
}

// appendLevels appends the levels of a record's attributes.
func (d *decoding) appendLevels(dst []fairness.Level, r *record.Record) []fairness.Level {
	for i := range r.Attributes {
		level := fairness.MissingLevel
		if v := &r.Attributes[i]; !v.Missing {
			level = d.grouper.Level(i, v.Text)
		}
		dst = append(dst, level)
	}
	return dst
}

// trim gives back the memory of unusually wide records, and of an unusually large delivery, to which the entries point.
func (p *parcel) trim() {
	if p.large {
		clear(p.entries)
		return
	}
	features := 0
	for i := range p.entries {
		features += cap(p.entries[i].record.Features)
	}
	for _, r := range p.completed {
		features += cap(r.Features)
	}
	if features > largestParcel {
		clear(p.entries)
		p.completed = nil
	}
}

// replace takes a parcel that is held out of the circle.
func (t *task) replace(p *parcel) *parcel {
	t.held.Store(true)
	return &parcel{entries: make([]entry, parcelRecords), last: p.last}
}

// giveBack ends the use of a parcel, and that of its delivery after the last one.
func (p *pipeline) giveBack(t *task, used *parcel) {
	last := used.last
	used.trim() // a part may give back the last parcel, and so the delivery, before another part gives back one before it
	t.free <- used
	if last {
		if !t.held.Swap(false) {
			t.delivery.Release()
		}
		t.delivery = nil
		p.idle <- t
	}
}
