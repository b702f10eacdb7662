package kafka

import (
	"context"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/listoffsets"
)

// Bounds of a partition's log: a record at every offset from Start to before End may be there.
type Bounds struct {
	Start int64
	// End is the last stable offset under read_committed, the high watermark under read_uncommitted: what can be read.
	End int64
	// Unstable is how many offsets from End on are written, and cannot be read until a transaction ends.
	Unstable int64
}

const (
	earliestTime = -2 // ListOffsets' names for the ends of the log
	latestTime   = -1
)

// Bounds gives the bounds of every partition, by partition.
func (c *Client) Bounds(ctx context.Context, topic string) ([]Bounds, error) {
	bounds, err := c.readable(ctx, topic, c.isolation())
	if err != nil || c.isolation() == uncommitted {
		return bounds, err
	}
	written, err := c.listOffsets(ctx, topic, latestTime, uncommitted)
	for i := range min(len(written), len(bounds)) {
		bounds[i].Unstable = max(0, written[i]-bounds[i].End)
	}
	return bounds, err
}

// readable gives bounds without Unstable.
func (c *Client) readable(ctx context.Context, topic string, isolation int8) ([]Bounds, error) {
	starts, err := c.listOffsets(ctx, topic, earliestTime, isolation)
	if err != nil {
		return nil, err
	}
	ends, err := c.listOffsets(ctx, topic, latestTime, isolation)
	if err != nil {
		return nil, err
	}
	bounds := make([]Bounds, min(len(starts), len(ends)))
	for i := range bounds {
		bounds[i] = Bounds{Start: starts[i], End: ends[i]}
	}
	return bounds, nil
}

// OffsetsAt gives for every partition the first offset whose record is at time at or later; the end where there is none.
func (c *Client) OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error) {
	offsets, err := c.listOffsets(ctx, topic, at.UnixMilli(), c.isolation())
	if err != nil {
		return nil, err
	}
	ends, err := c.listOffsets(ctx, topic, latestTime, c.isolation())
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

const (
	uncommitted int8 = 0
	committed   int8 = 1
)

func (c *Client) isolation() int8 {
	if c.config.IsolationLevel == readUncommitted {
		return uncommitted
	}
	return committed
}

// listOffsets asks the leaders of all partitions; a failure drops what is known of the topic.
func (c *Client) listOffsets(ctx context.Context, topic string, at int64, isolation int8) ([]int64, error) {
	layout, err := c.topic(ctx, topic, false)
	if err != nil {
		return nil, c.explain("list offsets of", topic, -1, err)
	}
	partitions := make([]int32, len(layout.leaders))
	for i := range partitions {
		partitions[i] = int32(i)
	}
	return c.listOffsetsOf(ctx, topic, layout, partitions, at, isolation)
}

// listOffsetsOf asks for some partitions, one request a leader, and gives the offsets in the order of partitions.
func (c *Client) listOffsetsOf(ctx context.Context, topic string, layout *topicLayout, partitions []int32, at int64, isolation int8) ([]int64, error) {
	fail := func(partition int32, err error) ([]int64, error) {
		c.forget(topic)
		return nil, c.explain("list offsets of", topic, partition, err)
	}
	var brokers []int32
	byBroker := map[int32][]listoffsets.RequestPartition{}
	place := map[int32]int{}
	for i, partition := range partitions {
		leader := layout.leaders[partition]
		if leader.broker < 0 {
			return fail(partition, kafkago.LeaderNotAvailable)
		}
		if byBroker[leader.broker] == nil {
			brokers = append(brokers, leader.broker)
		}
		byBroker[leader.broker] = append(byBroker[leader.broker],
			listoffsets.RequestPartition{Partition: partition, CurrentLeaderEpoch: leader.epoch, Timestamp: at})
		place[partition] = i
	}
	offsets := make([]int64, len(partitions))
	answered := 0
	for _, broker := range brokers {
		response, err := ask[*listoffsets.Response](ctx, c, broker, &listoffsets.Request{ReplicaID: -1, IsolationLevel: isolation,
			Topics: []listoffsets.RequestTopic{{Topic: topic, Partitions: byBroker[broker]}}})
		if err != nil {
			return fail(-1, err)
		}
		for _, t := range response.Topics {
			for _, p := range t.Partitions {
				if p.ErrorCode != 0 {
					return fail(p.Partition, codeError(p.ErrorCode))
				}
				if i, asked := place[p.Partition]; asked {
					offsets[i] = p.Offset
					answered++
				}
			}
		}
	}
	if answered != len(partitions) {
		return fail(-1, fmt.Errorf("the brokers answered for %d of %d partitions", answered, len(partitions)))
	}
	return offsets, nil
}
