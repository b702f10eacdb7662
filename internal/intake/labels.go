package intake

import (
	"container/list"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// LabelBuffer bounds the records that wait for their label. When a bound is reached the oldest gives way, and
// is counted.
type LabelBuffer struct {
	// Records is the number of records that may wait for their label, at least 1. If there are more, the oldest is
	// dropped and counted.
	Records int `yaml:"records"`
	// Bytes is the total size of the records that may wait for their label, at least 1 MiB.
	Bytes int `yaml:"bytes"`
}

// Labels keeps records that came without a label until a record with the same key brings it.
//
//	without a label               scored by the weights of that moment, and kept; a second one with
//	                              the key takes the place of the first
//	with one, its key waiting     the record that waits is learnt with the label
//	with one and with features    learnt as it is, if its key is not waiting
//	with one, without features    rejected as UnmatchedLabel, if its key is not waiting
//
// When it is full, the oldest record gives way: it is never learnt, and counted as dropped. The buffer is
// part of a snapshot, so a restart forgets no record that waits.
type Labels struct {
	limit   LabelBuffer
	decoder format.Decoder
	byKey   map[string]*list.Element
	order   *list.List // of *waiting, the oldest first
	count   LabelStatus
}

// LabelStatus is how a label buffer stands. Numbers but Waiting and Bytes count since the job began.
type LabelStatus struct {
	Waiting int `json:"-"` // records
	Bytes   int `json:"-"` // that they take
	// Scored were decided when they came; the first records of a job, while columns are not known yet,
	// are not, and those of a regression never. Positive of these decisions were positive.
	Scored   int64 `json:"scored"`
	Positive int64 `json:"positive"`
	// Joined is how many records were learnt when their label came, Judged how many of them had been scored, and Right how many of
	// these were scored correctly.
	Joined int64 `json:"joined"`
	Judged int64 `json:"judged"`
	Right  int64 `json:"right"`
	// Replaced gave way to a later record with the same key, Dropped to others in a full buffer.
	Replaced int64 `json:"replaced"`
	Dropped  int64 `json:"dropped"`
}

// waiting is a record in the buffer.
type waiting struct {
	observe.Waiting
	key   string
	value []byte // as it came
}

// overhead is what a record takes besides its key and value, roughly.
const overhead = 200

func (w *waiting) bytes() int { return len(w.key) + len(w.value) + overhead }

// decision is how a record was decided when it came, in a snapshot.
type decision byte

const (
	undecided decision = iota
	negative
	positive
)

func (w *waiting) decision() decision {
	switch {
	case !w.Known:
		return undecided
	case w.Positive:
		return positive
	}
	return negative
}

// NewLabels returns an empty buffer.
func NewLabels(limit LabelBuffer, decoder format.Decoder) *Labels {
	return &Labels{limit: limit, decoder: decoder, byKey: map[string]*list.Element{}, order: list.New()}
}

// Join keeps the record of a sight, or makes the sight one of the record to learn, for which there is room in p. If the rejection is a
// *format.Pending, the schema of the record that waits is not there yet, as after a restart, and Join is to be called again.
func (b *Labels) Join(s *observe.Sight, p *Parcel, d observe.Decider) (kept bool, rejection error) {
	r := s.Record
	if !r.HasLabel {
		s.Made = d.Await(r)
		w := &waiting{key: string(r.Key), value: slices.Clone(s.Entry.Source.Value)}
		b.score(w, &s.Made)
		s.Waits = &w.Waiting
		b.keep(w)
		return true, nil
	}
	element := b.byKey[string(r.Key)]
	switch {
	case element == nil && len(r.Features) > 0:
		return false, nil
	case element == nil:
		return false, &record.Rejection{Reason: UnmatchedLabel, Offset: -1,
			Detail: "no record with its key waits for a label: it came after its label, is in another partition (give both messages the same Kafka key), or was dropped from a full buffer (stream.labels)"}
	}
	earlier := element.Value.(*waiting)
	complete := p.another()
	if err := b.decoder.Decode(complete, &kafka.Record{Value: earlier.value}); err != nil {
		if _, pending := errors.AsType[*format.Pending](err); !pending {
			b.remove(element) // record.limits became narrower, or the schema is not known any more
		}
		return false, err
	}
	b.remove(element)
	complete.HasLabel, complete.Positive, complete.Label = true, r.Positive, r.Label
	b.count.Joined++
	s.Record, s.Waits = complete, &earlier.Waiting
	if earlier.Known {
		b.count.Judged++
		if earlier.Positive == r.Positive {
			b.count.Right++
		}
	}
	return false, nil
}

// score notes and counts the decision about a record that waits. There is none before the learner knows its columns, or of a regression.
func (b *Labels) score(w *waiting, m *observe.Made) {
	w.Known, w.Positive, w.Score = m.Known, m.Known && m.Positive, m.Score
	if w.Known {
		b.count.Scored++
	}
	if w.Positive {
		b.count.Positive++
	}
}

func (b *Labels) keep(w *waiting) {
	if earlier := b.byKey[w.key]; earlier != nil {
		b.remove(earlier)
		b.count.Replaced++
	}
	b.byKey[w.key] = b.order.PushBack(w)
	b.count.Bytes += w.bytes()
	for b.order.Len() > b.limit.Records || b.count.Bytes > b.limit.Bytes {
		b.remove(b.order.Front())
		b.count.Dropped++
	}
}

func (b *Labels) remove(element *list.Element) *waiting {
	w := b.order.Remove(element).(*waiting)
	delete(b.byKey, w.key)
	b.count.Bytes -= w.bytes()
	return w
}

// Status is nil without a buffer.
func (b *Labels) Status() *LabelStatus {
	if b == nil {
		return nil
	}
	status := b.count
	status.Waiting = b.order.Len()
	return &status
}

// AppendState writes the buffer, as sections: the counts (JSON), then key, value, decision (a byte), score and
// number of each record, the oldest first. Nothing is written without a buffer. A number above known is written as 0: the releases that are
// saved beside the buffer did not observe the record.
func (b *Labels) AppendState(dst []byte, known int64) []byte {
	if b == nil {
		return dst
	}
	counts, err := json.Marshal(b.count)
	if err != nil {
		panic("intake: counts that cannot be written as JSON")
	}
	dst = envelope.AppendSection(dst, counts)
	for element := b.order.Front(); element != nil; element = element.Next() {
		w := element.Value.(*waiting)
		dst = envelope.AppendSection(envelope.AppendSection(dst, []byte(w.key)), w.value)
		dst = append(dst, byte(w.decision()))
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(w.Score))
		number := w.Number.Load()
		if number > known {
			number = 0
		}
		dst = binary.LittleEndian.AppendUint64(dst, uint64(number))
	}
	return dst
}

// Restore fills a new buffer. If it is smaller than the one that was saved, the oldest records give way.
func (b *Labels) Restore(state []byte) error {
	if b == nil {
		return nil
	}
	counts, rest, err := envelope.Section(state)
	if err != nil {
		return err
	}
	var saved LabelStatus
	if err := json.Unmarshal(counts, &saved); err != nil {
		return err
	}
	for len(rest) > 0 {
		var key, value []byte
		if key, rest, err = envelope.Section(rest); err == nil {
			value, rest, err = envelope.Section(rest)
		}
		if err != nil || len(rest) < 17 || decision(rest[0]) > positive {
			return fmt.Errorf("the label buffer: %w", envelope.ErrShort)
		}
		w := &waiting{key: string(key), value: slices.Clone(value)}
		w.Known, w.Positive = decision(rest[0]) != undecided, decision(rest[0]) == positive
		w.Score = math.Float64frombits(binary.LittleEndian.Uint64(rest[1:]))
		w.Number.Store(int64(binary.LittleEndian.Uint64(rest[9:])))
		b.keep(w)
		rest = rest[17:]
	}
	saved.Dropped += b.count.Dropped
	saved.Bytes = b.count.Bytes
	b.count = saved
	return nil
}
