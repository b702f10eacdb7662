package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
)

// memory is a Cluster without a network. Each of its operations asks inject, if there is one, whether to
// fail, and is noted in trace.
type memory struct {
	mutex   sync.Mutex
	topics  map[string]*memoryTopic
	changed chan struct{} // closed at the next append
	inject  func(operation string) fault
	trace   []string
	fetch   int            // records of a delivery; 0: 100
	made    int            // topics, ever
	epochs  map[string]int // of transactional ids
}

type memoryTopic struct {
	id         kafka.TopicID
	partitions []*memoryLog
}

// memoryLog holds the records from offset start on.
type memoryLog struct {
	start   int64
	records []kafka.Message
}

func (l *memoryLog) end() int64 { return l.start + int64(len(l.records)) }

// fault says how an operation fails.
type fault struct {
	err error
	// after: it had its effect nevertheless.
	after bool
}

var errInjected = errors.New("injected")

// retryable and fatal errors, as internal/kafka would give them.
var (
	errRetryable = &kafka.Error{Operation: "test", Partition: -1, Class: kafka.Retry, Err: errInjected}
	errFatal     = &kafka.Error{Operation: "test", Partition: -1, Class: kafka.Fatal, Err: errInjected}
)

func newMemory(topics map[string]int) *memory {
	m := &memory{topics: map[string]*memoryTopic{}, changed: make(chan struct{})}
	for name, partitions := range topics {
		m.make(name, partitions)
	}
	return m
}

func (m *memory) make(name string, partitions int) {
	t := &memoryTopic{}
	m.made++
	copy(t.id[:], fmt.Sprintf("%d %s", m.made, name))
	for range partitions {
		t.partitions = append(t.partitions, &memoryLog{})
	}
	m.topics[name] = t
}

// copy is another memory with the same records.
func (m *memory) copy() *memory {
	other := newMemory(nil)
	other.made, other.fetch, other.epochs = m.made, m.fetch, maps.Clone(m.epochs)
	for name, from := range m.topics {
		to := &memoryTopic{id: from.id}
		for _, l := range from.partitions {
			to.partitions = append(to.partitions, &memoryLog{l.start, slices.Clone(l.records)})
		}
		other.topics[name] = to
	}
	return other
}

// begin is the head of every operation; the lock is held when it returns without an error.
func (m *memory) begin(ctx context.Context, format string, arguments ...any) (fault, error) {
	if ctx.Err() != nil {
		return fault{}, ctx.Err()
	}
	operation := fmt.Sprintf(format, arguments...)
	m.mutex.Lock()
	m.trace = append(m.trace, operation)
	var f fault
	if m.inject != nil {
		f = m.inject(operation)
	}
	if f.err != nil && !f.after {
		m.mutex.Unlock()
		return f, f.err
	}
	return f, nil
}

func (m *memory) partition(topic string, partition int32) (*memoryLog, error) {
	t := m.topics[topic]
	if t == nil || int(partition) >= len(t.partitions) {
		return nil, fmt.Errorf("no %s/%d: %w", topic, partition, errFatal)
	}
	return t.partitions[partition], nil
}

func (m *memory) Topic(ctx context.Context, name string) (kafka.TopicInfo, error) {
	_, err := m.begin(ctx, "describe %s", name)
	if err != nil {
		return kafka.TopicInfo{}, err
	}
	defer m.mutex.Unlock()
	if _, err := m.partition(name, 0); err != nil {
		return kafka.TopicInfo{}, err
	}
	return kafka.TopicInfo{Name: name, ID: m.topics[name].id, Partitions: len(m.topics[name].partitions)}, nil
}

func (m *memory) Bounds(ctx context.Context, topic string) ([]kafka.Bounds, error) {
	if _, err := m.begin(ctx, "bounds of %s", topic); err != nil {
		return nil, err
	}
	defer m.mutex.Unlock()
	var bounds []kafka.Bounds
	for _, l := range m.topics[topic].partitions {
		bounds = append(bounds, kafka.Bounds{Start: l.start, End: l.end()})
	}
	return bounds, nil
}

func (m *memory) OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error) {
	if _, err := m.begin(ctx, "offsets of %s by time", topic); err != nil {
		return nil, err
	}
	defer m.mutex.Unlock()
	var offsets []int64
	for _, l := range m.topics[topic].partitions {
		offset := l.end()
		if i := slices.IndexFunc(l.records, func(r kafka.Message) bool { return r.Timestamp >= at.UnixMilli() }); i >= 0 {
			offset = l.start + int64(i)
		}
		offsets = append(offsets, offset)
	}
	return offsets, nil
}

func (m *memory) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) (int64, error) {
	f, err := m.begin(ctx, "append %s", describe(topic, messages))
	if err != nil {
		return 0, err
	}
	defer m.mutex.Unlock()
	l, err := m.partition(topic, partition)
	if err != nil {
		return 0, err
	}
	offset := l.end()
	l.records = append(l.records, messages...)
	close(m.changed)
	m.changed = make(chan struct{})
	return offset, f.err
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

// put appends records without an operation.
func (m *memory) put(topic string, partition int32, values ...string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	l, err := m.partition(topic, partition)
	if err != nil {
		panic(err)
	}
	for _, value := range values {
		l.records = append(l.records, kafka.Message{Timestamp: 1000 + l.end(), Value: []byte(value)})
	}
	close(m.changed)
	m.changed = make(chan struct{})
}

func (m *memory) Retry(ctx context.Context, operation string, attempt func(context.Context) error) error {
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
func (l *memoryLog) at(offset int64) kafka.Record {
	return kafkatest.Record(offset, &l.records[offset-l.start])
}

func (m *memory) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	if _, err := m.begin(ctx, "read %s/%d", topic, partition); err != nil {
		return 0, err
	}
	l, err := m.partition(topic, partition)
	if err != nil {
		m.mutex.Unlock()
		return 0, err
	}
	id := m.topics[topic].id
	if from == kafka.Earliest {
		from = l.start
	}
	if to == kafka.End {
		to = l.end()
	}
	for from < to {
		short := to != kafka.Forever && to > l.end() // kafka.Client waits a while
		if from < l.start || from > l.end() || short && from == l.end() {
			loss := &kafka.DataLoss{Kind: kafka.LossAboveEnd, Topic: topic, Partition: partition, Offset: from, Bounds: kafka.Bounds{Start: l.start, End: l.end()}, Resume: -1}
			if from < l.start {
				loss.Kind = kafka.LossBelowStart
			}
			m.mutex.Unlock()
			return from, loss
		}
		if m.topics[topic].id != id {
			m.mutex.Unlock()
			return from, &kafka.DataLoss{Kind: kafka.LossRecreated, Topic: topic, Partition: partition, Offset: from, Lost: -1, Resume: -1}
		}
		if from < l.end() {
			r := l.at(from)
			m.mutex.Unlock()
			if err := use(&r); err != nil {
				return from, err
			}
			from++
			m.mutex.Lock()
			continue
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

func (m *memory) ReadInput(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	return m.Read(ctx, topic, partition, from, to, use)
}

// memorySource is a Source of a memory.
type memorySource struct {
	*memory
	options kafka.FetchOptions
	next    map[int32]int64
	ids     map[int32]kafka.TopicID // that next belongs to
	turn    int
}

func (m *memory) Fetch(options kafka.FetchOptions) (Source, error) {
	if _, err := m.begin(context.Background(), "fetch %s", options.Topic); err != nil {
		return nil, err
	}
	defer m.mutex.Unlock()
	s := &memorySource{memory: m, options: options, next: map[int32]int64{}, ids: map[int32]kafka.TopicID{}}
	for i := range m.topics[options.Topic].partitions {
		s.ids[int32(i)] = m.topics[options.Topic].id
	}
	for partition, offset := range options.Offsets {
		s.next[partition] = offset
		if options.ID != (kafka.TopicID{}) {
			s.ids[partition] = options.ID
		}
	}
	return s, nil
}

func (s *memorySource) Next(ctx context.Context) (*Delivery, error) {
	for {
		f, err := s.begin(ctx, "next of %s", s.options.Topic)
		if err != nil {
			return nil, err
		}
		delivery, changed := s.deliver(), s.changed
		s.mutex.Unlock()
		if delivery != nil && delivery.Loss != nil && s.options.OnLoss == kafka.LossFails {
			return nil, delivery.Loss
		}
		if delivery != nil || f.err != nil {
			return delivery, f.err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// deliver is one chunk of the partition whose turn it is; nil if there is nothing new.
func (s *memorySource) deliver() *Delivery {
	t := s.topics[s.options.Topic]
	for range t.partitions {
		partition := int32(s.turn % len(t.partitions))
		s.turn++
		l := t.partitions[partition]
		if loss := s.lost(t, l, partition); loss != nil {
			return loss
		}
		from := s.next[partition]
		size := 100
		if s.fetch > 0 {
			size = s.fetch
		}
		to := min(l.end(), from+int64(size))
		if from == to {
			continue
		}
		s.next[partition] = to
		records := make([]kafka.Record, 0, to-from)
		for offset := from; offset < to; offset++ {
			records = append(records, l.at(offset))
		}
		return &Delivery{Partition: partition, ID: t.id, First: from, Next: to, Epoch: -1, End: l.end(),
			Records: func(context.Context) ([]kafka.Record, error) {
				given := records
				records = nil
				return given, nil
			}, Release: func() {}}
	}
	return nil
}

// lost is the delivery that tells of lost records; nil if none are.
func (s *memorySource) lost(t *memoryTopic, l *memoryLog, partition int32) *Delivery {
	from, known := s.next[partition]
	if !known {
		s.next[partition], s.ids[partition] = l.start, t.id
		return nil
	}
	loss := &kafka.DataLoss{Topic: s.options.Topic, Partition: partition, Offset: from, Bounds: kafka.Bounds{Start: l.start, End: l.end()}, Lost: -1}
	switch {
	case t.id != s.ids[partition]:
		loss.Kind = kafka.LossRecreated
	case from < l.start:
		loss.Kind, loss.Lost = kafka.LossBelowStart, l.start-from
	case from > l.end():
		loss.Kind, loss.Lost = kafka.LossAboveEnd, from-l.end()
	default:
		return nil
	}
	loss.Resume = l.start
	if s.options.OnLoss == kafka.LossLatest {
		loss.Resume = l.end()
	}
	s.next[partition], s.ids[partition] = loss.Resume, t.id
	return &Delivery{Partition: partition, ID: t.id, First: from, Next: loss.Resume, Epoch: -1, End: l.end(), Loss: loss, Release: func() {}}
}

func (s *memorySource) Positions() []kafka.Position {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var positions []kafka.Position
	for i, l := range s.topics[s.options.Topic].partitions {
		positions = append(positions, kafka.Position{Partition: int32(i), Next: s.next[int32(i)], LogStart: l.start, LastStable: l.end(), HighWatermark: l.end()})
	}
	return positions
}

func (s *memorySource) Close() {}

// memoryTransaction shows what was appended at Commit. The process with the highest epoch of an id may write.
type memoryTransaction struct {
	memory *memory
	id     string
	epoch  int
	parts  []memoryPart
}

type memoryPart struct {
	log      *memoryLog
	messages []kafka.Message
}

func (m *memory) Transact(ctx context.Context, id string) (Transaction, error) {
	if _, err := m.begin(ctx, "transact %s", id); err != nil {
		return nil, err
	}
	defer m.mutex.Unlock()
	if m.epochs == nil {
		m.epochs = map[string]int{}
	}
	m.epochs[id]++
	return &memoryTransaction{memory: m, id: id, epoch: m.epochs[id]}, nil
}

// try begins an operation of the transaction, again and again as the real one does; the lock is held when it returns
// without an error, and f tells of an error to return after the effect.
func (t *memoryTransaction) try(ctx context.Context, format string, arguments ...any) (f fault, err error) {
	for {
		f, err = t.memory.begin(ctx, format, arguments...)
		if err != nil && ctx.Err() == nil && kafka.ClassOf(err) == kafka.Retry {
			continue
		}
		if err == nil && t.memory.epochs[t.id] != t.epoch {
			t.memory.mutex.Unlock()
			err = &kafka.Error{Operation: "write", Partition: -1, Class: kafka.Fatal, Err: &kafka.Fenced{ID: t.id}}
		}
		if f.err != nil && kafka.ClassOf(f.err) == kafka.Retry {
			f.err = nil // it is tried again, and the second attempt changes nothing
		}
		return f, err
	}
}

func (t *memoryTransaction) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) error {
	f, err := t.try(ctx, "append in a transaction %s", describe(topic, messages))
	if err != nil {
		return err
	}
	defer t.memory.mutex.Unlock()
	log, err := t.memory.partition(topic, partition)
	if err != nil {
		return err
	}
	t.parts = append(t.parts, memoryPart{log, messages})
	return f.err
}

func (t *memoryTransaction) Commit(ctx context.Context) error {
	f, err := t.try(ctx, "commit %s", t.id)
	if err != nil {
		return err
	}
	defer t.memory.mutex.Unlock()
	for _, part := range t.parts {
		part.log.records = append(part.log.records, part.messages...)
	}
	t.parts = nil
	close(t.memory.changed)
	t.memory.changed = make(chan struct{})
	return f.err
}
