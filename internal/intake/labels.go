package intake

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/waiting"
	"github.com/fairstream/fairstream/pkg/record"
)

// LabelBuffer says where records wait for their label, and bounds them. When a bound is reached the oldest gives way, and
// is counted.
type LabelBuffer struct {
	// Dir is a folder for the records that wait for their label: as many as the disk holds. By default they are in memory. The topic
	// topics.waiting has them in both cases, so the folder may be deleted while the job does not run. Each process needs a folder of its own.
	Dir string `yaml:"dir"`
	// Records is the largest number of records that may wait for their label. 0 means 100,000 in memory, and no limit with a folder.
	Records int `yaml:"records"`
	// Bytes is the largest total size of the records that may wait for their label, at least 1 MiB. 0 means 64 MiB in memory, and no limit with a
	// folder.
	Bytes int `yaml:"bytes"`
	// Age is how long a record may wait for its label, such as 2160h for 90 days. It is measured in the time of the records: record.time, or else
	// the timestamp of Kafka; of several partitions, by the one that is furthest behind, unless it is read to its end. A label that comes later has no
	// effect. 0 means no limit.
	Age time.Duration `yaml:"age"`
	// Order is in which order labels are learnt if an age is set: records, each when its record is as old as the age, so in the order of the records; or
	// labels, each when it comes. In the order of labels, those that come early because of what they say, such as bad loans, are learnt before the others,
	// and the weights and measurements are biased until long after the age.
	Order Order `yaml:"order"`
}

// Order is in which order labels are learnt.
type Order string

// The orders. Empty stands for ByRecords.
const (
	ByRecords Order = "records"
	ByLabels  Order = "labels"
)

// Orders are those that may be configured.
var Orders = []Order{ByRecords, ByLabels}

// Holds says whether a label that is known is held until its record is as old as the age.
func (b *LabelBuffer) Holds() bool { return b.Age > 0 && b.Order != ByLabels }

// The bounds of a buffer in memory.
const (
	mostInMemory      = 100_000
	mostBytesInMemory = 64 << 20
)

// bounds are what is configured, or what is not bounded.
func (b *LabelBuffer) bounds() (records, bytes int64) {
	records, bytes = int64(b.Records), int64(b.Bytes)
	if records == 0 {
		records = mostInMemory
		if b.Dir != "" {
			records = math.MaxInt64
		}
	}
	if bytes == 0 {
		bytes = mostBytesInMemory
		if b.Dir != "" {
			bytes = math.MaxInt64
		}
	}
	return records, bytes
}

// Labels keeps records that came without a label until a record with the same key brings it.
//
//	without a label               scored by the weights of that moment, and kept; a second one with
//	                              the key takes the place of the first
//	with one, its key waiting     the record that waits is learnt with the label: at once, or, with an age,
//	                              when it is as old as that (LabelBuffer.Holds)
//	with one and with features    learnt as it is, if its key is not waiting
//	with one, without features    rejected as UnmatchedLabel, if its key is not waiting
//
// When it is full, or a record has waited for too long, the oldest gives way: if its label is held it is learnt then, otherwise never, and
// counted. The records are in a store (internal/waiting); a snapshot has its mark and the counts, so a restart forgets no record that waits.
type Labels struct {
	limit          LabelBuffer
	records, bytes int64
	format         format.Format
	decoder        format.Decoder
	timed          bool           // record.time is configured
	store          *waiting.Store // nil: not open
	mark           waiting.Mark   // of the last snapshot
	count          LabelStatus
	now            clock
	overdue        bool // the oldest may have waited for too long

	gone record.Record // scratch
}

// LabelStatus is how a label buffer stands. Numbers but Waiting, Held and Bytes count since the job began.
type LabelStatus struct {
	Waiting int64 `json:"-"` // records
	Held    int64 `json:"-"` // records whose label is known, and not learnt yet
	Bytes   int64 `json:"-"` // that both take
	// Ahead is the time that the records are taken to have, if that cannot be right because it is in the future; zero: it may be right.
	Ahead time.Time `json:"-"`
	// Scored were decided when they came; the first records of a job, while columns are not known yet,
	// are not, and those of a regression never. Positive of these decisions were positive.
	Scored   int64 `json:"scored"`
	Positive int64 `json:"positive"`
	// Joined is how many records were learnt when their label came, Judged how many of them had been scored, and Right how many of
	// these were scored correctly.
	Joined int64 `json:"joined"`
	Judged int64 `json:"judged"`
	Right  int64 `json:"right"`
	// Replaced gave way to a later record with the same key, Dropped to others in a full buffer; Expired waited for longer than
	// stream.labels.age, and Lost were on a topic that was deleted, or cannot be read any more.
	Replaced int64 `json:"replaced"`
	Dropped  int64 `json:"dropped"`
	Expired  int64 `json:"expired,omitempty"`
	Lost     int64 `json:"lost,omitempty"`
}

// Gone is how many records wait no more without having got a label.
func (s *LabelStatus) Gone() int64 { return s.Replaced + s.Dropped + s.Expired + s.Lost }

// slackShare is the part of stream.labels.age by which a partition that is read to its end may hold the time up.
const slackShare = 10

// NewLabels returns an empty buffer. Nothing can be joined before it is open.
func NewLabels(limit LabelBuffer, f format.Format, schema *record.Schema) *Labels {
	l := &Labels{limit: limit, format: f, decoder: f.NewDecoder(schema), timed: schema.Config().Time.Field != ""}
	l.records, l.bytes = limit.bounds()
	l.now.slack = limit.Age.Milliseconds() / slackShare
	return l
}

// Store is that of the records that wait; nil: it is not open.
func (b *Labels) Store() *waiting.Store { return b.store }

// Close ends the use of the store.
func (b *Labels) Close() {
	if b != nil && b.store != nil {
		_ = b.store.Close() // a snapshot has what counts
		b.store = nil
	}
}

// Awaiter decides a record whose label comes later.
type Awaiter interface {
	Await(s *observe.Sight)
	// Never takes note that the label of a record does not come any more. Counts says whether that matters.
	Never(r *record.Record)
	Counts() bool
	// Learns says whether weights come of what is taken in. If not, no label is held.
	Learns() bool
}

// Join keeps the record or the label of a sight, or makes the sight one of the record to learn, for which there is room in p. A rejection that is a
// *format.Pending says that the schema of the record that waits is not there yet, as after a restart, and Join is to be called again. One that is a
// *waiting.Failure ends the stream.
func (b *Labels) Join(s *observe.Sight, p *Parcel, d Awaiter) (kept Kept, rejection error) {
	kept, rejection = b.join(s, p, d)
	if _, pending := errors.AsType[*format.Pending](rejection); pending || b.limit.Age == 0 {
		return kept, rejection
	}
	if b.now.tick(p.partition, TimeOf(s.Entry), ownTime(s.Entry)) {
		b.overdue = true
	}
	b.now.note(b.store.Newest())
	return kept, rejection
}

// Kept is what is kept of a sight.
type Kept uint8

// A sight is to be learnt, or its record waits, or its label does.
const (
	Nothing Kept = iota
	Itself
	Label
)

func (b *Labels) join(s *observe.Sight, p *Parcel, d Awaiter) (kept Kept, rejection error) {
	r := s.Record
	if !r.HasLabel {
		d.Await(s)
		s.Waits = &observe.Waiting{Known: s.Made.Known, Positive: s.Made.Known && s.Made.Positive, Score: s.Made.Score, Number: s.Number}
		return Itself, b.keep(s)
	}
	waits, of, found, err := b.store.Get(r.Key)
	switch {
	case err != nil:
		return Nothing, err
	case !found && len(r.Features) > 0:
		return Nothing, nil
	case !found:
		return Nothing, &record.Rejection{Reason: UnmatchedLabel, Offset: -1,
			Detail: "no record with its key waits for a label: it came after its label, is in another partition (give both messages the same Kafka key), waited for too long, or was dropped from a full buffer (stream.labels)"}
	}
	return b.complete(s, p, waits, of, d)
}

// complete makes a sight of a label one of the record that waits for it, or holds it in the place of that record.
func (b *Labels) complete(s *observe.Sight, p *Parcel, waits []byte, of waiting.Ticket, d Awaiter) (kept Kept, err error) {
	earlier, value, ok := readPayload(waits)
	complete := p.another()
	if ok {
		err = b.decoder.Decode(complete, &kafka.Record{Value: value})
	} else {
		err = &record.Rejection{Reason: UnmatchedLabel, Offset: -1, Detail: "the record that waits for it is damaged"}
	}
	if _, pending := errors.AsType[*format.Pending](err); pending {
		return Nothing, err
	}
	label := labelOf(s.Record)
	if err == nil && b.limit.Holds() && d.Learns() {
		return Label, b.store.Hold(s.Record.Key, of, label.append(nil, waits))
	}
	// On another error record.limits became narrower, or the schema is not known any more.
	if removed := b.store.Remove(s.Record.Key, of); removed != nil || err != nil {
		return Nothing, cmp.Or(removed, err)
	}
	b.joined(s, complete, earlier, label)
	return Nothing, nil
}

// joined makes a sight one of a record that waited, and of its label.
func (b *Labels) joined(s *observe.Sight, complete *record.Record, earlier *observe.Waiting, label label) {
	complete.HasLabel, complete.Positive, complete.Label = true, label.positive, label.value
	if label.propensity > 0 {
		complete.Propensity = label.propensity
	}
	b.count.Joined++
	s.Record, s.Waits = complete, earlier
	if earlier.Known {
		b.count.Judged++
		if earlier.Positive == label.positive {
			b.count.Right++
		}
	}
}

// keep has the record of a sight wait. Whether it was decided is counted: there is no decision before the learner knows its columns, or of a
// regression.
func (b *Labels) keep(s *observe.Sight) error {
	if s.Waits.Known {
		b.count.Scored++
	}
	if s.Waits.Positive {
		b.count.Positive++
	}
	replaced, err := b.store.Put(s.Record.Key, payload(s.Waits, b.format.Whole(s.Entry.Source)), b.now.came(s.Entry))
	if replaced {
		b.count.Replaced++
	}
	for err == nil && b.full() {
		oldest, _, failed := b.store.Oldest()
		if failed != nil || oldest.Held { // it is learnt: see Due
			return failed
		}
		b.count.Dropped++
		err = b.store.DropOldest()
	}
	return err
}

// Rest takes note of the partitions that are read to their end, as far as the broker has told: no label that is there already is behind a record of theirs, nor in
// a transaction that is still open.
func (b *Labels) Rest(positions func() []kafka.Position, read Ledgers) {
	if b == nil || b.limit.Age == 0 {
		return
	}
	ends, next := map[int32]int64{}, read.Next()
	for _, p := range positions() {
		ends[p.Partition] = p.HighWatermark
	}
	if b.now.rest(func(partition int32) bool {
		end, told := ends[partition]
		at, known := next[partition]
		return told && known && end >= 0 && at >= end
	}) {
		b.overdue = true
	}
}

func (b *Labels) full() bool { return b.store.Len() > b.records || b.store.Bytes() > b.bytes }

// Status is nil without a buffer.
func (b *Labels) Status() *LabelStatus {
	if b == nil {
		return nil
	}
	status := b.count
	if b.limit.Age > 0 && b.now.ahead(time.Now()) {
		status.Ahead = time.UnixMilli(b.now.At).UTC()
	}
	status.Waiting, status.Held, status.Bytes = b.mark.Entries-b.mark.Held, b.mark.Held, b.mark.Bytes
	if b.store != nil {
		status.Waiting, status.Held, status.Bytes = b.store.Len()-b.store.Held(), b.store.Held(), b.store.Bytes()
	}
	return &status
}

// Send hands on what the topic of waiting records lacks, if it is enough for a batch.
func (b *Labels) Send(ctx context.Context) error {
	if b == nil || b.store == nil {
		return nil
	}
	return b.store.Send(ctx)
}

// Flush waits until the topic of waiting records has all.
func (b *Labels) Flush(ctx context.Context) error {
	if b == nil || b.store == nil {
		return nil
	}
	return b.store.Flush(ctx)
}

// Seal gives the mark for a snapshot once all that it counts is on the topic of waiting records; nil, and the mark at once, if nothing
// was joined.
func (b *Labels) Seal(ctx context.Context) (mark waiting.Mark, sealed <-chan waiting.Mark, err error) {
	if b == nil || b.store == nil {
		if b != nil {
			mark = b.mark
		}
		return mark, nil, nil
	}
	sealed, err = b.store.Seal(ctx)
	return mark, sealed, err
}
