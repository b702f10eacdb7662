package clustertest

import (
	"context"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// source is a Source of a memory.
type source struct {
	*Memory
	options kafka.FetchOptions
	next    map[int32]int64
	ids     map[int32]kafka.TopicID // that next belongs to
	turn    int
	holds   map[int32]*hold
	ctx     context.Context // ended by Close
	cancel  context.CancelFunc
}

// hold is what Hold says of a partition.
type hold struct {
	turn  int // how often it was called
	until <-chan struct{}
}

// Fetch begins to follow all partitions of a topic.
func (m *Memory) Fetch(options kafka.FetchOptions) (cluster.Source, error) {
	if _, err := m.begin(context.Background(), "fetch %s", options.Topic); err != nil {
		return nil, err
	}
	defer m.Mutex.Unlock()
	s := &source{Memory: m, options: options, next: map[int32]int64{}, ids: map[int32]kafka.TopicID{}, holds: map[int32]*hold{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for i := range m.Topics[options.Topic].Partitions {
		s.ids[int32(i)] = m.Topics[options.Topic].ID
	}
	for partition, offset := range options.Offsets {
		s.next[partition] = offset
		if options.ID != (kafka.TopicID{}) {
			s.ids[partition] = options.ID
		}
	}
	return s, nil
}

func (s *source) Next(ctx context.Context) (*cluster.Delivery, error) {
	for {
		f, err := s.begin(ctx, "next of %s", s.options.Topic)
		if err != nil {
			return nil, err
		}
		delivery, changed := s.deliver(), s.changed
		s.Mutex.Unlock()
		if delivery != nil && delivery.Loss != nil && s.options.OnLoss == kafka.LossFails {
			return nil, delivery.Loss
		}
		if delivery != nil || f.Err != nil {
			return delivery, f.Err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// deliver is one chunk of the partition whose turn it is; nil if there is nothing new.
func (s *source) deliver() *cluster.Delivery {
	t := s.Topics[s.options.Topic]
	for range t.Partitions {
		partition := int32(s.turn % len(t.Partitions))
		s.turn++
		l, turn := t.Partitions[partition], 0
		if h := s.holds[partition]; h != nil {
			turn = h.turn
			select {
			case <-h.until:
			default:
				if t.ID == s.ids[partition] {
					continue
				}
			}
		}
		if loss := s.lost(t, l, partition); loss != nil {
			loss.Turn = turn
			return loss
		}
		from := s.next[partition]
		size := 100
		if s.Batch > 0 {
			size = s.Batch
		}
		to := min(l.End(), from+int64(size))
		if from == to {
			continue
		}
		s.next[partition] = to
		records := make([]kafka.Record, 0, to-from)
		for offset := from; offset < to; offset++ {
			records = append(records, l.at(offset))
		}
		return &cluster.Delivery{Partition: partition, ID: t.ID, First: from, Next: to, Epoch: -1, Turn: turn, End: l.End(),
			Records: func(context.Context) ([]kafka.Record, error) {
				given := records
				records = nil
				return given, nil
			}, Release: func() {}}
	}
	return nil
}

// lost is the delivery that tells of lost records; nil if none are.
func (s *source) lost(t *Topic, l *Log, partition int32) *cluster.Delivery {
	from, known := s.next[partition]
	if !known {
		s.next[partition], s.ids[partition] = l.Start, t.ID
		return nil
	}
	loss := &kafka.DataLoss{Topic: s.options.Topic, Partition: partition, Offset: from, Bounds: kafka.Bounds{Start: l.Start, End: l.End()}, Lost: -1}
	switch {
	case t.ID != s.ids[partition]:
		loss.Kind = kafka.LossRecreated
	case from < l.Start:
		loss.Kind, loss.Lost = kafka.LossBelowStart, l.Start-from
	case from > l.End():
		loss.Kind, loss.Lost = kafka.LossAboveEnd, from-l.End()
	default:
		return nil
	}
	loss.Resume = l.Start
	if s.options.OnLoss == kafka.LossLatest {
		loss.Resume = l.End()
	}
	s.next[partition], s.ids[partition] = loss.Resume, t.ID
	return &cluster.Delivery{Partition: partition, ID: t.ID, First: from, Next: loss.Resume, Epoch: -1, End: l.End(), Loss: loss, Release: func() {}}
}

func (s *source) Positions() []kafka.Position {
	s.Mutex.Lock()
	defer s.Mutex.Unlock()
	var positions []kafka.Position
	for i, l := range s.Topics[s.options.Topic].Partitions {
		positions = append(positions, kafka.Position{Partition: int32(i), Next: s.next[int32(i)], LogStart: l.Start, LastStable: l.End(), HighWatermark: l.End()})
	}
	return positions
}

// Hold holds a partition; the hold ends early if the topic is made again.
func (s *source) Hold(from kafka.Place, until <-chan struct{}) {
	s.Mutex.Lock()
	defer s.Mutex.Unlock()
	h := s.holds[from.Partition]
	if h == nil {
		h = &hold{}
		s.holds[from.Partition] = h
	}
	h.turn, h.until = h.turn+1, until
	s.next[from.Partition], s.ids[from.Partition] = from.Offset, from.ID
	go func() {
		select {
		case <-until:
			s.Mutex.Lock()
			defer s.Mutex.Unlock()
			s.wake()
		case <-s.ctx.Done():
		}
	}()
}

func (s *source) Close() { s.cancel() }
