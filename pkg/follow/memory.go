package follow

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
)

// Memory is a model topic in memory, for the tests of programs that follow one. Its methods may be called from any goroutine;
// the zero value is an empty topic.
type Memory struct {
	mutex   sync.Mutex
	records []kafka.Message
	changed chan struct{} // closed when a record is added; nil while nobody waits
	sums    map[modeltopic.Place]string
	term    int64 // the highest
}

// Publish adds a weight document, such as replay --save writes, as one of a job: under its version and the term of its lineage, or
// term 1 if it has none. The alias latest then points to it.
func (m *Memory) Publish(job string, data []byte) error {
	d, err := document.Parse(data)
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	d.Job, d.Lineage.Term = job, max(1, d.Lineage.Term)
	value, err := d.Encode()
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	at := modeltopic.Place{Term: d.Lineage.Term, Version: d.Version}
	m.mutex.Lock()
	if m.sums == nil {
		m.sums = map[modeltopic.Place]string{}
	}
	m.sums[at], m.term = d.WeightsSHA256, max(m.term, at.Term)
	m.mutex.Unlock()
	m.add(modeltopic.Document(job, at, d.WeightsSHA256, value, nil))
	return m.Point(job, LatestAlias, at.Term, at.Version)
}

// Point makes an alias point to a document that was published.
func (m *Memory) Point(job, alias string, term, version int64) error {
	at := modeltopic.Place{Term: term, Version: version}
	m.mutex.Lock()
	sum, published := m.sums[at]
	owner := m.term
	m.mutex.Unlock()
	if !published {
		return fmt.Errorf("follow: no version %d of term %d was published", version, term)
	}
	m.add(modeltopic.MoveAlias(job, alias, owner, modeltopic.Target{Place: at, SHA256: sum}, nil))
	return nil
}

// Delete deletes an alias, as the owner of a job does with a candidate that was rejected.
func (m *Memory) Delete(job, alias string) {
	m.add(kafka.Message{Key: []byte(modeltopic.AliasKey(job, alias))})
}

// Open follows the topic as the function Open follows a cluster's. Kafka and Topic of the options are not used.
func (m *Memory) Open(o Options) (*Follower, error) {
	o.Topic = cmp.Or(o.Topic, "memory")
	if err := o.validate(); err != nil {
		return nil, err
	}
	return open(memoryLog{m}, o, func() error { return nil })
}

func (m *Memory) add(messages ...kafka.Message) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.records = append(m.records, messages...)
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

// read reads the topic as a client of Kafka does.
func (m *Memory) read(ctx context.Context, from, to int64, use func(*kafka.Record) error) (int64, error) {
	m.mutex.Lock()
	from = max(0, from)
	if to == kafka.End {
		to = int64(len(m.records))
	}
	for from < to {
		if from < int64(len(m.records)) {
			message := m.records[from]
			m.mutex.Unlock()
			r := kafkatest.Record(from, &message)
			if err := use(&r); err != nil {
				return from, err
			}
			from++
			m.mutex.Lock()
			continue
		}
		if m.changed == nil {
			m.changed = make(chan struct{})
		}
		changed := m.changed
		m.mutex.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return from, ctx.Err()
		}
		m.mutex.Lock()
	}
	m.mutex.Unlock()
	return from, nil
}

// memoryLog is how a reader sees a Memory.
type memoryLog struct{ *Memory }

func (l memoryLog) Read(ctx context.Context, _ string, _ int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	return l.read(ctx, from, to, use)
}
