package intake

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// Sizes of a parcel. Small ones stay in the processor's cache between decoding and learning.
const (
	parcelRecords = 384
	parcelBytes   = 128 << 10
	// parcelsPerTask are as many as a learner learns in the milliseconds that other work may keep a decoder from a processor, be it a part of this
	// process or a broker beside it. With three, it waited for a parcel or for its turn a sixth of the time. Who asks for smaller parcels to save
	// memory gets fewest of them: one to fill, one to learn, one to observe.
	parcelsPerTask = 8
	fewest         = 3
	// largestParcel is how many features the records of a parcel may keep room for: a few records of
	// thousands of fields must not make all parcels large for ever.
	largestParcel = 64 << 10
)

// Parcel is a few entries in a row.
type Parcel struct {
	observe.Batch       // its entries are room for records
	partition     int32 // of its entries
	Last          bool  // of its delivery
	Err           error // the delivery cannot be decoded further
	// Pending is why the delivery ends here: the schema of the record at offset Stop, which the parcel does not have, is not there yet.
	Pending *format.Pending
	Stop    int64
	large   bool // its delivery is
	// completed are records that waited for a label which an entry brought; others have room.
	completed []*record.Record
	used      int
}

func newParcel(records int) *Parcel {
	return &Parcel{Batch: observe.Batch{Entries: make([]observe.Entry, records)}}
}

// Task carries a delivery from the reader, by way of a decoder, to the learner. Its parcels go in
// circles between the latter two, so that what is decoded and not learnt yet is bounded.
type Task struct {
	Delivery *cluster.Delivery
	Filled   chan *Parcel // to the learner
	free     chan *Parcel
	held     atomic.Bool // a part that was given up may use its records for ever
}

// Pipeline is what reader, decoders and learner share. All channels have room for every task: only
// waiting for an idle task, a free parcel or a filled one ever blocks.
type Pipeline struct {
	idle   chan *Task
	work   chan *Task // to the decoders
	Order  chan *Task // to the learner, in the order of the reader
	source cluster.Source
	Holds  *Holds // used by the learner alone
	// juries decide in the decoders.
	juries *observe.Juries
	format format.Format
}

// NewPipeline returns one with idle tasks, for so many decoders. Its parcels have room for so many records, and are as few as can be; 0: for as many,
// and as many, as is fastest.
func NewPipeline(source cluster.Source, decoders, records int, juries *observe.Juries, f format.Format) *Pipeline {
	tasks, parcels := decoders+1, parcelsPerTask
	if records > 0 {
		parcels = fewest
	}
	records = cmp.Or(records, parcelRecords)
	p := &Pipeline{idle: make(chan *Task, tasks), work: make(chan *Task, tasks), Order: make(chan *Task, tasks), source: source, Holds: NewHolds(source), juries: juries, format: f}
	for range tasks {
		t := &Task{Filled: make(chan *Parcel, parcels), free: make(chan *Parcel, parcels)}
		for range parcels {
			t.free <- newParcel(records)
		}
		p.idle <- t
	}
	return p
}

// Read moves deliveries from the source into the pipeline, until ctx ends or the source fails.
func (p *Pipeline) Read(ctx context.Context) error {
	for {
		var t *Task
		select {
		case t = <-p.idle:
		case <-ctx.Done():
			return ctx.Err()
		}
		delivery, err := p.source.Next(ctx)
		if err != nil {
			return err
		}
		t.Delivery = delivery
		p.work <- t
		p.Order <- t
	}
}

// Decode is one decoder, until ctx ends.
func (p *Pipeline) Decode(ctx context.Context, schema *record.Schema) error {
	d := decoding{decoder: p.format.NewDecoder(schema), juries: p.juries}
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
	decoder format.Decoder
	juries  *observe.Juries
	jury    observe.Jury
}

// decode cuts the delivery into parcels. Its error is that of ctx; that the delivery cannot be read is
// told to the learner, whose turn to stop comes after all deliveries before this one.
func (t *Task) decode(ctx context.Context, d *decoding) error {
	next := func() (records []kafka.Record, err error) {
		if t.Delivery.Loss == nil {
			records, err = t.Delivery.Records(ctx)
		}
		return records, err
	}
	records, failure := next()
	for last := false; !last; {
		select {
		case p := <-t.free:
			if records = p.fill(t.Delivery.Partition, records, d); p.Pending != nil {
				// The schemas of the others are asked for too, so that all of them take one wait.
				for i := range records {
					d.decoder.Prepare(&records[i])
				}
				records = nil
			} else if len(records) == 0 && failure == nil {
				records, failure = next()
			}
			last = len(records) == 0
			p.Last, p.large, p.Err = last, t.Delivery.Large, failure
			if last && t.Delivery.Large {
				d.decoder.Forget()
			}
			t.Filled <- p
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// fill decodes and decides the first of records, and gives those that remain. If the schema of the first of these is not there yet, the parcel is
// pending.
func (p *Parcel) fill(partition int32, records []kafka.Record, d *decoding) (rest []kafka.Record) {
	p.Begin()
	p.partition, p.used, p.Pending = partition, 0, nil
	for size := 0; len(records) > 0 && p.Count < len(p.Entries) && size < parcelBytes; p.Count++ {
		e := &p.Entries[p.Count]
		e.Source = &records[0]
		if e.Rejection = d.decoder.Decode(&e.Record, e.Source); e.Rejection != nil && errors.As(e.Rejection, &p.Pending) {
			p.Stop = e.Source.Offset
			break
		}
		p.Place(e, d.juries.Grouper)
		size += len(e.Source.Value)
		records = records[1:]
	}
	d.juries.Decide(&p.Batch, &d.jury, partition)
	return records
}

// another is room for a record that waited.
func (p *Parcel) another() *record.Record {
	if p.used == len(p.completed) {
		p.completed = append(p.completed, &record.Record{})
	}
	p.used++
	return p.completed[p.used-1]
}

// trim gives back the memory of unusually wide records, and of an unusually large delivery, to which the entries point.
func (p *Parcel) trim() {
	if p.large {
		clear(p.Entries)
		return
	}
	features := 0
	for i := range p.Entries {
		features += cap(p.Entries[i].Record.Features)
	}
	for _, r := range p.completed {
		features += cap(r.Features)
	}
	if features > largestParcel {
		clear(p.Entries)
		p.completed = nil
	}
}

// Replace takes a parcel that is held out of the circle.
func (t *Task) Replace(p *Parcel) *Parcel {
	t.held.Store(true)
	other := newParcel(len(p.Entries))
	other.Last = p.Last
	return other
}

// GiveBack ends the use of a parcel, and that of its delivery after the last one.
func (p *Pipeline) GiveBack(t *Task, used *Parcel) {
	last := used.Last
	used.trim() // a part may give back the last parcel, and so the delivery, before another part gives back one before it
	t.free <- used
	if last {
		if !t.held.Swap(false) {
			t.Delivery.Release()
		}
		t.Delivery = nil
		p.idle <- t
	}
}

// Positions are where the source stands.
func (p *Pipeline) Positions() []kafka.Position { return p.source.Positions() }
