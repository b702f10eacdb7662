package clustertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
)

// Memory is a Cluster without a network.
type Memory struct {
	// Mutex guards all fields. It is held while Inject runs, which may release it for a while.
	Mutex   sync.Mutex
	Topics  map[string]*Topic
	changed chan struct{} // closed at the next append
	// Inject says of each operation whether it fails; nil: none does. Trace has all operations so far.
	Inject func(operation string) Fault
	Trace  []string
	// Batch is the number of records of a delivery; 0: 100.
	Batch  int
	made   int            // topics, ever
	epochs map[string]int // of transactional ids
}

// Topic has an ID of its own each time it is made.
type Topic struct {
	ID         kafka.TopicID
	Partitions []*Log
}

// Log is a partition: its records from offset Start on.
type Log struct {
	Start   int64
	Records []kafka.Message
}

// End is the offset of the next record.
func (l *Log) End() int64 { return l.Start + int64(len(l.Records)) }

// Fault says how an operation fails; without Err it succeeds.
type Fault struct {
	Err error
	// After: it had its effect nevertheless.
	After bool
}

func (f Fault) String() string {
	return fmt.Sprintf("%v, after its effect: %v", f.Err, f.After)
}

// ErrInjected is behind every error that a test injects.
var ErrInjected = errors.New("injected")

// ErrRetryable and ErrFatal are errors as internal/kafka would give them.
var (
	ErrRetryable = &kafka.Error{Operation: "test", Partition: -1, Class: kafka.Retry, Err: ErrInjected}
	ErrFatal     = &kafka.Error{Operation: "test", Partition: -1, Class: kafka.Fatal, Err: ErrInjected}
)

var _ cluster.Cluster = (*Memory)(nil)

// New makes a cluster with topics of so many partitions.
func New(topics map[string]int) *Memory {
	m := &Memory{Topics: map[string]*Topic{}, changed: make(chan struct{})}
	for name, partitions := range topics {
		m.Make(name, partitions)
	}
	return m
}

// Make makes a topic, empty, in place of one of the same name.
func (m *Memory) Make(name string, partitions int) {
	t := &Topic{}
	m.made++
	copy(t.ID[:], fmt.Sprintf("%d %s", m.made, name))
	for range partitions {
		t.Partitions = append(t.Partitions, &Log{})
	}
	m.Topics[name] = t
}

// Copy is another memory with the same records, and goes on by itself.
func (m *Memory) Copy() *Memory {
	m.Mutex.Lock()
	defer m.Mutex.Unlock()
	other := New(nil)
	other.made, other.Batch, other.epochs = m.made, m.Batch, maps.Clone(m.epochs)
	for name, from := range m.Topics {
		to := &Topic{ID: from.ID}
		for _, l := range from.Partitions {
			to.Partitions = append(to.Partitions, &Log{l.Start, slices.Clone(l.Records)})
		}
		other.Topics[name] = to
	}
	return other
}

// begin is the head of every operation; the lock is held when it returns without an error.
func (m *Memory) begin(ctx context.Context, format string, arguments ...any) (Fault, error) {
	if ctx.Err() != nil {
		return Fault{}, ctx.Err()
	}
	operation := fmt.Sprintf(format, arguments...)
	m.Mutex.Lock()
	m.Trace = append(m.Trace, operation)
	var f Fault
	if m.Inject != nil {
		f = m.Inject(operation)
	}
	if f.Err != nil && !f.After {
		m.Mutex.Unlock()
		return f, f.Err
	}
	return f, nil
}

func (m *Memory) partition(topic string, partition int32) (*Log, error) {
	t := m.Topics[topic]
	if t == nil || int(partition) >= len(t.Partitions) {
		return nil, fmt.Errorf("no %s/%d: %w", topic, partition, ErrFatal)
	}
	return t.Partitions[partition], nil
}

// Topic describes a topic.
func (m *Memory) Topic(ctx context.Context, name string) (kafka.TopicInfo, error) {
	_, err := m.begin(ctx, "describe %s", name)
	if err != nil {
		return kafka.TopicInfo{}, err
	}
	defer m.Mutex.Unlock()
	if _, err := m.partition(name, 0); err != nil {
		return kafka.TopicInfo{}, err
	}
	return kafka.TopicInfo{Name: name, ID: m.Topics[name].ID, Partitions: len(m.Topics[name].Partitions)}, nil
}

// Bounds gives the bounds of every partition.
func (m *Memory) Bounds(ctx context.Context, topic string) ([]kafka.Bounds, error) {
	if _, err := m.begin(ctx, "bounds of %s", topic); err != nil {
		return nil, err
	}
	defer m.Mutex.Unlock()
	var bounds []kafka.Bounds
	for _, l := range m.Topics[topic].Partitions {
		bounds = append(bounds, kafka.Bounds{Start: l.Start, End: l.End()})
	}
	return bounds, nil
}

// OffsetsAt gives the first offsets of records of that time or later, and the end of a partition without any.
func (m *Memory) OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error) {
	if _, err := m.begin(ctx, "offsets of %s by time", topic); err != nil {
		return nil, err
	}
	defer m.Mutex.Unlock()
	var offsets []int64
	for _, l := range m.Topics[topic].Partitions {
		offset := l.End()
		if i := slices.IndexFunc(l.Records, func(r kafka.Message) bool { return r.Timestamp >= at.UnixMilli() }); i >= 0 {
			offset = l.Start + int64(i)
		}
		offsets = append(offsets, offset)
	}
	return offsets, nil
}

// Append appends messages at once.
func (m *Memory) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) (int64, error) {
	f, err := m.begin(ctx, "append %s", describe(topic, messages))
	if err != nil {
		return 0, err
	}
	defer m.Mutex.Unlock()
	l, err := m.partition(topic, partition)
	if err != nil {
		return 0, err
	}
	offset := l.End()
	l.Records = append(l.Records, messages...)
	m.wake()
	return offset, f.Err
}

// describe names what is appended, for a trace.
func describe(topic string, messages []kafka.Message) string {
	var words []string
	for _, message := range messages {
		if message.Value == nil {
			words = append(words, "-"+string(message.Key))
		} else {
			words = append(words, string(message.Key))
		}
	}
	if len(words) > 4 {
		words = []string{fmt.Sprintf("(%d messages)", len(words))}
	}
	return topic + " " + strings.Join(words, " ")
}

// wake lets all who wait look again. The lock is held.
func (m *Memory) wake() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// Put appends records without an operation.
func (m *Memory) Put(topic string, partition int32, values ...string) {
	m.Mutex.Lock()
	defer m.Mutex.Unlock()
	l, err := m.partition(topic, partition)
	if err != nil {
		panic(err)
	}
	for _, value := range values {
		l.Records = append(l.Records, kafka.Message{Timestamp: 1000 + l.End(), Value: []byte(value)})
	}
	m.wake()
}

// Retry tries again at once.
func (m *Memory) Retry(ctx context.Context, operation string, attempt func(context.Context) error) error {
	for {
		err := attempt(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("%s: %w", operation, ctx.Err())
		case kafka.ClassOf(err) != kafka.Retry:
			return err
		}
	}
}

// at gives the record at an offset; the lock is held.
func (l *Log) at(offset int64) kafka.Record {
	return kafkatest.Record(offset, &l.Records[offset-l.Start])
}

// Read follows a partition. A loss is found as kafka.Client finds it.
func (m *Memory) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	if _, err := m.begin(ctx, "read %s/%d", topic, partition); err != nil {
		return 0, err
	}
	l, err := m.partition(topic, partition)
	if err != nil {
		m.Mutex.Unlock()
		return 0, err
	}
	id := m.Topics[topic].ID
	if from == kafka.Earliest {
		from = l.Start
	}
	if to == kafka.End {
		to = l.End()
	}
	for from < to {
		short := to != kafka.Forever && to > l.End() // kafka.Client waits a while
		if from < l.Start || from > l.End() || short && from == l.End() {
			loss := &kafka.DataLoss{Kind: kafka.LossAboveEnd, Topic: topic, Partition: partition, Offset: from, Bounds: kafka.Bounds{Start: l.Start, End: l.End()}, Resume: -1}
			if from < l.Start {
				loss.Kind = kafka.LossBelowStart
			}
			m.Mutex.Unlock()
			return from, loss
		}
		if m.Topics[topic].ID != id {
			m.Mutex.Unlock()
			return from, &kafka.DataLoss{Kind: kafka.LossRecreated, Topic: topic, Partition: partition, Offset: from, Lost: -1, Resume: -1}
		}
		if from < l.End() {
			r := l.at(from)
			m.Mutex.Unlock()
			if err := use(&r); err != nil {
				return from, err
			}
			from++
			m.Mutex.Lock()
			continue
		}
		changed := m.changed
		m.Mutex.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return from, ctx.Err()
		}
		m.Mutex.Lock()
	}
	m.Mutex.Unlock()
	return from, nil
}

// ReadInput is Read: a transaction shows its records at Commit.
func (m *Memory) ReadInput(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	return m.Read(ctx, topic, partition, from, to, use)
}
