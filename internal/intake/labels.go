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
	// the timestamp of Kafka. A label that comes later has no effect. 0 means no limit.
	Age time.Duration `yaml:"age"`
}

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
//	with one, its key waiting     the record that waits is learnt with the label
//	with one and with features    learnt as it is, if its key is not waiting
//	with one, without features    rejected as UnmatchedLabel, if its key is not waiting
//
// When it is full, or a record has waited for too long, the oldest gives way: it is never learnt, and counted. The records are in a
// store (internal/waiting); a snapshot has its mark and the counts, so a restart forgets no record that waits.
type Labels struct {
	limit          LabelBuffer
	records, bytes int64
	format         format.Format
	decoder        format.Decoder
	store          *waiting.Store // nil: not open
	mark           waiting.Mark   // of the last snapshot
	count          LabelStatus
	now            clock

	gone record.Record // scratch
}

// LabelStatus is how a label buffer stands. Numbers but Waiting and Bytes count since the job began.
type LabelStatus struct {
	Waiting int64 `json:"-"` // records
	Bytes   int64 `json:"-"` // that they take
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
	// stream.labels.age, and Lost were on a topic that was deleted.
	Replaced int64 `json:"replaced"`
	Dropped  int64 `json:"dropped"`
	Expired  int64 `json:"expired,omitempty"`
	Lost     int64 `json:"lost,omitempty"`
}

// Gone is how many records wait no more without having got a label.
func (s *LabelStatus) Gone() int64 { return s.Replaced + s.Dropped + s.Expired + s.Lost }

// NewLabels returns an empty buffer. Nothing can be joined before it is open.
func NewLabels(limit LabelBuffer, f format.Format, schema *record.Schema) *Labels {
	l := &Labels{limit: limit, format: f, decoder: f.NewDecoder(schema)}
	l.records, l.bytes = limit.bounds()
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
}

// Join keeps the record of a sight, or makes the sight one of the record to learn, for which there is room in p. A rejection that is a
// *format.Pending says that the schema of the record that waits is not there yet, as after a restart, and Join is to be called again. One that is a
// *waiting.Failure ends the stream.
func (b *Labels) Join(s *observe.Sight, p *Parcel, d Awaiter) (kept bool, rejection error) {
	kept, rejection = b.join(s, p, d)
	if _, pending := errors.AsType[*format.Pending](rejection); !pending && b.now.tick(TimeOf(s.Entry)) {
		if err := b.expire(d); err != nil {
			return false, err
		}
	}
	return kept, rejection
}

func (b *Labels) join(s *observe.Sight, p *Parcel, d Awaiter) (kept bool, rejection error) {
	r := s.Record
	if !r.HasLabel {
		d.Await(s)
		s.Waits = &observe.Waiting{Known: s.Made.Known, Positive: s.Made.Known && s.Made.Positive, Score: s.Made.Score, Number: s.Number}
		return true, b.keep(s)
	}
	waits, of, found, err := b.store.Get(r.Key)
	switch {
	case err != nil:
		return false, err
	case !found && len(r.Features) > 0:
		return false, nil
	case !found:
		return false, &record.Rejection{Reason: UnmatchedLabel, Offset: -1,
			Detail: "no record with its key waits for a label: it came after its label, is in another partition (give both messages the same Kafka key), waited for too long, or was dropped from a full buffer (stream.labels)"}
	}
	return false, b.learn(s, p, waits, of)
}

// learn makes a sight of a label one of the record that waits for it.
func (b *Labels) learn(s *observe.Sight, p *Parcel, waits []byte, of waiting.Ticket) error {
	earlier, value, ok := readPayload(waits)
	complete, err := p.another(), error(nil)
	if ok {
		err = b.decoder.Decode(complete, &kafka.Record{Value: value})
	} else {
		err = &record.Rejection{Reason: UnmatchedLabel, Offset: -1, Detail: "the record that waits for it is damaged"}
	}
	if _, pending := errors.AsType[*format.Pending](err); pending {
		return err
	}
	// On another error record.limits became narrower, or the schema is not known any more.
	label := s.Record
	if removed := b.store.Remove(label.Key, of); removed != nil || err != nil {
		return cmp.Or(removed, err)
	}
	complete.HasLabel, complete.Positive, complete.Label = true, label.Positive, label.Label
	if label.Propensity > 0 {
		complete.Propensity = label.Propensity
	}
	b.count.Joined++
	s.Record, s.Waits = complete, earlier
	if earlier.Known {
		b.count.Judged++
		if earlier.Positive == label.Positive {
			b.count.Right++
		}
	}
	return nil
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
	replaced, err := b.store.Put(s.Record.Key, payload(s.Waits, b.format.Whole(s.Entry.Source)), b.now.of(TimeOf(s.Entry)))
	if replaced {
		b.count.Replaced++
	}
	for err == nil && (b.store.Len() > b.records || b.store.Bytes() > b.bytes) {
		b.count.Dropped++
		err = b.store.DropOldest()
	}
	return err
}

// expire drops the records that have waited for too long.
func (b *Labels) expire(d Awaiter) error {
	for b.limit.Age > 0 {
		at, waits, err := b.store.Oldest()
		if err != nil || !waits || b.now.since(at) <= b.limit.Age.Milliseconds() {
			return err
		}
		b.count.Expired++
		if d.Counts() {
			if err := b.never(d); err != nil {
				return err
			}
		}
		if err := b.store.DropOldest(); err != nil {
			return err
		}
	}
	return nil
}

// never tells of the oldest record. One whose schema is not there yet, as after a restart, is not told of.
func (b *Labels) never(d Awaiter) error {
	payload, err := b.store.OldestPayload()
	if err != nil {
		return err
	}
	if _, value, ok := readPayload(payload); ok && b.decoder.Decode(&b.gone, &kafka.Record{Value: value}) == nil {
		d.Never(&b.gone)
	}
	return nil
}

// Status is nil without a buffer.
func (b *Labels) Status() *LabelStatus {
	if b == nil {
		return nil
	}
	status := b.count
	status.Waiting, status.Bytes = b.mark.Entries, b.mark.Bytes
	if b.store != nil {
		status.Waiting, status.Bytes = b.store.Len(), b.store.Bytes()
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
