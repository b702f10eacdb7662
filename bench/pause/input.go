package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
)

// endless is a cluster whose input has records without end, for so many weights.
type endless struct {
	*clustertest.Memory
	weights int
}

// Fetch gives the records from offset 0 on.
func (e *endless) Fetch(kafka.FetchOptions) (cluster.Source, error) {
	return &source{id: e.Topics["in"].ID, weights: e.weights, waiting: make(chan struct{}, fetched)}, nil
}

// Bounds are those of an input that has more records than anybody reads.
func (e *endless) Bounds(ctx context.Context, topic string) ([]kafka.Bounds, error) {
	if topic == "in" {
		return []kafka.Bounds{{Start: 0, End: most}}, nil
	}
	return e.Memory.Bounds(ctx, topic)
}

const (
	most  = 1 << 40
	chunk = 1000 // records of a delivery
)

// source is an input without end. What is fetched and not learnt is bounded by waiting.
type source struct {
	id      kafka.TopicID
	weights int
	next    atomic.Int64
	waiting chan struct{}
}

// fetched is how many deliveries may be fetched and not released.
const fetched = 64

func (s *source) Next(ctx context.Context) (*cluster.Delivery, error) {
	select {
	case s.waiting <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	next := s.next.Add(chunk)
	first := next - chunk
	given := false
	return &cluster.Delivery{ID: s.id, First: first, Next: next, Epoch: -1, End: most,
		Records: func(context.Context) ([]kafka.Record, error) {
			if given {
				return nil, nil
			}
			given = true
			return records(first, s.weights), nil
		},
		Release: func() { <-s.waiting },
	}, nil
}

func (s *source) Hold(kafka.Place, <-chan struct{}) {}

func (s *source) Positions() []kafka.Position {
	return []kafka.Position{{Next: s.next.Load(), LastStable: most, HighWatermark: most}}
}

func (s *source) Close() {}

// records are those of a delivery. Every level comes in its turn in every second record, and at random in the others.
func records(first int64, weights int) []kafka.Record {
	random := rand.New(rand.NewPCG(1, uint64(first)))
	all := make([]kafka.Record, 0, chunk)
	for i := int(first); i < int(first)+chunk; i++ {
		value := fmt.Appendf(make([]byte, 0, 256), `{"sex":%q,"y":"%d"`, [...]string{"Male", "Female"}[random.IntN(2)], random.IntN(2))
		for k := range 12 {
			level := (i/2 + k) % (weights/12 + 1)
			if i < 3000 {
				level = random.IntN(50) // so that the columns are of text
			} else if i%2 == 1 {
				level = random.IntN(weights/12 + 1)
			}
			value = fmt.Appendf(value, `,"f%d":"v%d"`, k, level)
		}
		message := kafka.Message{Timestamp: 1_700_000_000_000 + int64(i), Value: append(value, '}')}
		all = append(all, kafkatest.Record(int64(i), &message))
	}
	return all
}
