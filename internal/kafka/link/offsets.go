package link

import (
	"context"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/listoffsets"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// Names of ListOffsets for the ends of the log.
const (
	EarliestTime = -2
	LatestTime   = -1
)

// Bounds gives the bounds of every partition, by partition.
func (l *Link) Bounds(ctx context.Context, topic string) ([]fault.Bounds, error) {
	bounds, err := l.Readable(ctx, topic, l.Config.Isolation())
	if err != nil || l.Config.Isolation() == wire.Uncommitted {
		return bounds, err
	}
	written, err := l.listOffsets(ctx, topic, LatestTime, wire.Uncommitted)
	for i := range min(len(written), len(bounds)) {
		bounds[i].Unstable = max(0, written[i]-bounds[i].End)
	}
	return bounds, err
}

// Readable gives bounds without Unstable.
func (l *Link) Readable(ctx context.Context, topic string, isolation int8) ([]fault.Bounds, error) {
	starts, err := l.listOffsets(ctx, topic, EarliestTime, isolation)
	if err != nil {
		return nil, err
	}
	ends, err := l.listOffsets(ctx, topic, LatestTime, isolation)
	if err != nil {
		return nil, err
	}
	bounds := make([]fault.Bounds, min(len(starts), len(ends)))
	for i := range bounds {
		bounds[i] = fault.Bounds{Start: starts[i], End: ends[i]}
	}
	return bounds, nil
}

// OffsetsAt gives for every partition the first offset whose record is at time at or later; the end where there is none.
func (l *Link) OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error) {
	offsets, err := l.listOffsets(ctx, topic, at.UnixMilli(), l.Config.Isolation())
	if err != nil {
		return nil, err
	}
	ends, err := l.listOffsets(ctx, topic, LatestTime, l.Config.Isolation())
	if err != nil {
		return nil, err
	}
	for i := range offsets {
		if offsets[i] < 0 && i < len(ends) {
			offsets[i] = ends[i]
		}
	}
	return offsets, nil
}

// listOffsets asks the leaders of all partitions; a failure drops what is known of the topic.
func (l *Link) listOffsets(ctx context.Context, topic string, at int64, isolation int8) ([]int64, error) {
	layout, err := l.Layout(ctx, topic, false)
	if err != nil {
		return nil, fault.Explain("list offsets of", topic, fault.NoPartition, err)
	}
	partitions := make([]int32, len(layout.Leaders))
	for i := range partitions {
		partitions[i] = int32(i)
	}
	return l.ListOffsetsOf(ctx, topic, layout, partitions, at, isolation)
}

// ListOffsetsOf asks for some partitions, one request a leader, and gives the offsets in the order of partitions.
func (l *Link) ListOffsetsOf(ctx context.Context, topic string, layout *wire.Topic, partitions []int32, at int64, isolation int8) ([]int64, error) {
	fail := func(partition int32, err error) ([]int64, error) {
		l.Forget(topic)
		return nil, fault.Explain("list offsets of", topic, partition, err)
	}
	var brokers []int32
	byBroker := map[int32][]listoffsets.RequestPartition{}
	place := map[int32]int{}
	for i, partition := range partitions {
		leader := layout.Leaders[partition]
		if leader.Broker < 0 {
			return fail(partition, kafkago.LeaderNotAvailable)
		}
		if byBroker[leader.Broker] == nil {
			brokers = append(brokers, leader.Broker)
		}
		byBroker[leader.Broker] = append(byBroker[leader.Broker],
			listoffsets.RequestPartition{Partition: partition, CurrentLeaderEpoch: leader.Epoch, Timestamp: at})
		place[partition] = i
	}
	offsets := make([]int64, len(partitions))
	answered := 0
	for _, broker := range brokers {
		response, err := Ask[*listoffsets.Response](ctx, l, broker, &listoffsets.Request{ReplicaID: -1, IsolationLevel: isolation,
			Topics: []listoffsets.RequestTopic{{Topic: topic, Partitions: byBroker[broker]}}})
		if err != nil {
			return fail(fault.NoPartition, err)
		}
		for _, t := range response.Topics {
			for _, p := range t.Partitions {
				if p.ErrorCode != 0 {
					return fail(p.Partition, wire.Code(p.ErrorCode))
				}
				if i, asked := place[p.Partition]; asked {
					offsets[i] = p.Offset
					answered++
				}
			}
		}
	}
	if answered != len(partitions) {
		return fail(fault.NoPartition, fmt.Errorf("the brokers answered for %d of %d partitions", answered, len(partitions)))
	}
	return offsets, nil
}
