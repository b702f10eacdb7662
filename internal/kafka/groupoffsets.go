package kafka

import (
	"context"
	"errors"
	"maps"
	"slices"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/addoffsetstotxn"
	"github.com/segmentio/kafka-go/protocol/offsetfetch"
	"github.com/segmentio/kafka-go/protocol/txnoffsetcommit"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// noGeneration is that of an offset commit by a process that is no member of the group.
const noGeneration int32 = -1

// CommitOffsets makes the next offsets of a consumer group, by partition, part of the transaction at hand. Kafka's tools
// show them (kafka-consumer-groups.sh). The group must have no members.
func (t *Transactor) CommitOffsets(ctx context.Context, group, topic string, offsets map[int32]int64) error {
	if len(offsets) == 0 {
		return nil
	}
	if !t.groups[group] {
		t.begin()
		err := t.retry(ctx, "add offsets of group "+group, func(ctx context.Context) (int16, error) {
			answer, err := link.Ask[*addoffsetstotxn.Response](ctx, t.client.link, t.coordinator, &addoffsetstotxn.Request{
				TransactionalID: t.id, ProducerID: t.producer, ProducerEpoch: t.epoch, GroupID: group})
			if err != nil {
				return 0, err
			}
			return answer.ErrorCode, nil
		})
		if err != nil {
			return err
		}
		t.groups[group] = true
	}
	request := &txnoffsetcommit.Request{TransactionalID: t.id, GroupID: group, ProducerID: t.producer, ProducerEpoch: t.epoch, GenerationID: noGeneration,
		Topics: []txnoffsetcommit.RequestTopic{{Name: topic}}}
	for _, partition := range slices.Sorted(maps.Keys(offsets)) {
		request.Topics[0].Partitions = append(request.Topics[0].Partitions, txnoffsetcommit.RequestPartition{
			Partition: partition, CommittedOffset: offsets[partition], CommittedLeaderEpoch: -1})
	}
	return t.client.withGroup(ctx, t.keepers, group, "commit offsets of group "+group, func(ctx context.Context, keeper int32) error {
		answer, err := link.Ask[*txnoffsetcommit.Response](ctx, t.client.link, keeper, request)
		if err != nil {
			return err
		}
		for _, answered := range answer.Topics {
			for _, partition := range answered.Partitions {
				if err := wire.Code(partition.ErrorCode); err != nil {
					return t.fenced(err)
				}
			}
		}
		return nil
	})
}

// GroupOffsets gives the next offsets of a consumer group, by partition; those that it never committed are not there.
// A transaction that is about to end is waited for.
func (c *Client) GroupOffsets(ctx context.Context, group, topic string) (map[int32]int64, error) {
	info, err := c.link.Topic(ctx, topic)
	if err != nil {
		return nil, err
	}
	request := &offsetfetch.Request{GroupID: group, Topics: []offsetfetch.RequestTopic{{Name: topic}}}
	for i := range info.Partitions {
		request.Topics[0].PartitionIndexes = append(request.Topics[0].PartitionIndexes, int32(i))
	}
	offsets := map[int32]int64{}
	err = c.withGroup(ctx, map[string]int32{}, group, "ask for the offsets of group "+group, func(ctx context.Context, keeper int32) error {
		answer, err := link.Ask[*offsetfetch.Response](ctx, c.link, keeper, request)
		if err == nil {
			err = wire.Code(answer.ErrorCode)
		}
		if errors.Is(err, kafkago.GroupIdNotFound) {
			return nil // it never committed anything
		}
		if err != nil {
			return err
		}
		for _, answered := range answer.Topics {
			for _, partition := range answered.Partitions {
				if err := wire.Code(partition.ErrorCode); err != nil {
					return err
				}
				if partition.CommittedOffset >= 0 {
					offsets[partition.PartitionIndex] = partition.CommittedOffset
				}
			}
		}
		return nil
	})
	return offsets, err
}

// withGroup asks the broker that keeps a group's offsets, until it answers.
func (c *Client) withGroup(ctx context.Context, keepers map[string]int32, group, operation string, use func(ctx context.Context, keeper int32) error) error {
	return c.link.Retry(ctx, operation, func(ctx context.Context) error {
		ctx, cancel := c.link.Bounded(ctx)
		defer cancel()
		keeper, known := keepers[group]
		if !known {
			var err error
			if keeper, err = c.findCoordinator(ctx, group, groupCoordinator); err != nil {
				return fault.Explain(operation, "", fault.NoPartition, err)
			}
			keepers[group] = keeper
		}
		err := use(ctx, keeper)
		if err != nil && !errors.Is(err, kafkago.ConcurrentTransactions) {
			delete(keepers, group)
		}
		return fault.Explain(operation, "", fault.NoPartition, err)
	})
}
