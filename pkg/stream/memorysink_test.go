package stream

import (
	"context"

	"github.com/fairstream/fairstream/internal/kafka"
)

// memorySink writes each batch at Flush.
type memorySink struct {
	memory  *memory
	topic   string
	pending []kafka.Message
}

func (m *memory) Produce(ctx context.Context, topic string) (Sink, error) {
	if _, err := m.begin(ctx, "produce to %s", topic); err != nil {
		return nil, err
	}
	m.mutex.Unlock()
	return &memorySink{memory: m, topic: topic}, nil
}

func (s *memorySink) Send(_ context.Context, message *kafka.Message) error {
	s.pending = append(s.pending, *message)
	return nil
}

func (s *memorySink) Flush(ctx context.Context) error {
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
