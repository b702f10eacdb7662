package clustertest

import (
	"context"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// sink writes each batch at Flush.
type sink struct {
	memory  *Memory
	topic   string
	pending []kafka.Message
}

// Produce prepares writing to partition 0 of a topic.
func (m *Memory) Produce(ctx context.Context, topic string) (cluster.Sink, error) {
	if _, err := m.begin(ctx, "produce to %s", topic); err != nil {
		return nil, err
	}
	m.Mutex.Unlock()
	return &sink{memory: m, topic: topic}, nil
}

func (s *sink) Send(_ context.Context, message *kafka.Message) error {
	s.pending = append(s.pending, *message)
	return nil
}

func (s *sink) Flush(ctx context.Context) error {
	if len(s.pending) == 0 {
		return nil
	}
	err := s.memory.Retry(ctx, "flush", func(ctx context.Context) error {
		_, err := s.memory.Append(ctx, s.topic, 0, s.pending...)
		return err
	})
	if err == nil {
		s.pending = nil
	}
	return err
}

// transaction shows what was appended at Commit. The process with the highest epoch of an id may write.
type transaction struct {
	memory *Memory
	id     string
	epoch  int
	parts  []part
}

type part struct {
	log      *Log
	messages []kafka.Message
}

// Transact opens a transactional id, and fences who had it before.
func (m *Memory) Transact(ctx context.Context, id string) (cluster.Transaction, error) {
	if _, err := m.begin(ctx, "transact %s", id); err != nil {
		return nil, err
	}
	defer m.Mutex.Unlock()
	if m.epochs == nil {
		m.epochs = map[string]int{}
	}
	m.epochs[id]++
	return &transaction{memory: m, id: id, epoch: m.epochs[id]}, nil
}

// try begins an operation of the transaction, again and again as the real one does; the lock is held when it returns
// without an error, and f tells of an error to return after the effect.
func (t *transaction) try(ctx context.Context, format string, arguments ...any) (f Fault, err error) {
	for {
		f, err = t.memory.begin(ctx, format, arguments...)
		if err != nil && ctx.Err() == nil && kafka.ClassOf(err) == kafka.Retry {
			continue
		}
		if err == nil && t.memory.epochs[t.id] != t.epoch {
			t.memory.Mutex.Unlock()
			err = &kafka.Error{Operation: "write", Partition: -1, Class: kafka.Fatal, Err: &kafka.Fenced{ID: t.id}}
		}
		if f.Err != nil && kafka.ClassOf(f.Err) == kafka.Retry {
			f.Err = nil // it is tried again, and the second attempt changes nothing
		}
		return f, err
	}
}

func (t *transaction) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) error {
	f, err := t.try(ctx, "append in a transaction %s", describe(topic, messages))
	if err != nil {
		return err
	}
	defer t.memory.Mutex.Unlock()
	log, err := t.memory.partition(topic, partition)
	if err != nil {
		return err
	}
	t.parts = append(t.parts, part{log, messages})
	return f.Err
}

func (t *transaction) Commit(ctx context.Context) error {
	f, err := t.try(ctx, "commit %s", t.id)
	if err != nil {
		return err
	}
	defer t.memory.Mutex.Unlock()
	for _, part := range t.parts {
		part.log.Records = append(part.log.Records, part.messages...)
	}
	t.parts = nil
	t.memory.wake()
	return f.Err
}
