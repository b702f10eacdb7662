package kafka

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// Ends of a range to Read, besides offsets.
const (
	Earliest int64 = -2            // the beginning of the log
	End      int64 = -1            // the end of the log, as it is when Read begins
	Forever  int64 = math.MaxInt64 // go on until ctx ends
)

// Read gives the records of a partition from one offset to before another, in order, and the offset to go on from. It
// is for state and model topics, which are read alone and to their end; it waits for brokers that are away. The record
// given to use is valid until use returns; an error of use ends reading and is returned as it is.
//
// These topics hold no transactions of ours, so Read gives uncommitted records whatever the isolation level: somebody's
// transaction that never ends would otherwise hide what an owner itself wrote behind it.
func (c *Client) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*Record) error) (next int64, err error) {
	return c.read(ctx, &rangeReader{client: c, topic: topic, partition: partition, isolation: wire.Uncommitted}, from, to, use)
}

// ReadInput is Read for topics of other writers: it gives what the configured isolation level shows.
func (c *Client) ReadInput(ctx context.Context, topic string, partition int32, from, to int64, use func(*Record) error) (next int64, err error) {
	return c.read(ctx, &rangeReader{client: c, topic: topic, partition: partition, isolation: c.link.Config.Isolation()}, from, to, use)
}

func (c *Client) read(ctx context.Context, r *rangeReader, from, to int64, use func(*Record) error) (next int64, err error) {
	if from, to, err = r.resolve(ctx, from, to); err != nil {
		return from, err
	}
	r.to = to
	for next = from; next < to; {
		all, err := r.chunks(ctx, next)
		if err != nil {
			return next, err
		}
		for _, chunk := range all {
			if err == nil && next < to {
				next, err = useChunk(ctx, chunk, next, to, use)
			}
			chunk.Release()
		}
		if err != nil {
			return next, err
		}
	}
	return next, nil
}

// resolve turns Earliest and End into offsets.
func (r *rangeReader) resolve(ctx context.Context, from, to int64) (int64, int64, error) {
	if from >= 0 && to >= 0 {
		return from, to, nil
	}
	err := r.client.link.Retry(ctx, "list offsets of "+r.topic, func(ctx context.Context) error {
		bounds, err := r.client.link.Readable(ctx, r.topic, r.isolation)
		if err != nil {
			return err
		}
		if int(r.partition) >= len(bounds) {
			r.client.link.Forget(r.topic)
			return fault.Explain("read", r.topic, r.partition, kafkago.UnknownTopicOrPartition)
		}
		if from == Earliest {
			from = bounds[r.partition].Start
		}
		if to == End {
			to = bounds[r.partition].End
		}
		return nil
	})
	return from, to, err
}

func useChunk(ctx context.Context, chunk *Chunk, next, to int64, use func(*Record) error) (int64, error) {
	for {
		records, err := chunk.Records(ctx)
		if err != nil {
			return next, err
		}
		if len(records) == 0 {
			return min(chunk.Next, to), nil
		}
		for i := range records {
			if records[i].Offset >= to {
				return to, nil
			}
			if err := use(&records[i]); err != nil {
				return records[i].Offset, err
			}
		}
	}
}

type rangeReader struct {
	client    *Client
	topic     string
	partition int32
	isolation int8
	id        TopicID // of the first answer
	wait      firstByte
	to        int64
	refused   int // out-of-range answers in a row
	short     int // answers in a row that the log ends before to
	corrupt   int
}

// chunks waits for chunks, the first of which begins at an offset.
func (r *rangeReader) chunks(ctx context.Context, from int64) (all []*Chunk, err error) {
	operation := fmt.Sprintf("read %s/%d", r.topic, r.partition)
	for len(all) == 0 {
		err = r.client.link.Retry(ctx, operation, func(ctx context.Context) (err error) {
			all, err = r.attempt(ctx, from)
			if err != nil {
				r.wait.failed()
				r.client.link.Forget(r.topic)
				return fault.Explain("read", r.topic, r.partition, err)
			}
			r.refused, r.corrupt = 0, 0
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(all) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return all, nil
}

// attempt is one fetch; nothing without an error when there is nothing new.
func (r *rangeReader) attempt(ctx context.Context, from int64) ([]*Chunk, error) {
	const maxWait, maxBytes = 500 * time.Millisecond, 4 << 20
	c := r.client
	leader, id, err := c.link.Leader(ctx, r.topic, r.partition)
	if err != nil {
		return nil, err
	}
	if r.id == (TopicID{}) {
		r.id = id
	}
	if id != r.id {
		return nil, &DataLoss{Kind: LossRecreated, Topic: r.topic, Partition: r.partition, Offset: from, Lost: -1, Resume: -1, OldID: r.id, NewID: id}
	}
	asked := time.Now()
	response, err := c.fetch(ctx, leader.Broker, &wire.Fetch{Topic: r.topic, ID: id, Isolation: r.isolation,
		Partitions: []wire.FetchPartition{{Partition: r.partition, Epoch: leader.Epoch, Offset: from}},
		MaxWait:    maxWait, MinBytes: 1, MaxBytes: maxBytes, MaxPartitionBytes: maxBytes, Patience: r.wait.patience()})
	if err != nil {
		return nil, err
	}
	defer response.buffer.Release()
	r.wait.answered(time.Since(asked), maxWait)
	if len(response.Partitions) != 1 || response.Partitions[0].Partition != r.partition {
		return nil, errors.New("the broker did not answer for the partition")
	}
	answered := &response.Partitions[0]
	err = wire.Code(answered.Code)
	if errors.Is(err, kafkago.OffsetOutOfRange) {
		return nil, r.outOfRange(ctx, from)
	}
	if err != nil {
		return nil, err
	}
	all, err := batches.NewChunks(r.topic, id, from, answered, response.buffer, nil)
	if err != nil {
		if r.corrupt++; r.corrupt < corruptStrikes {
			return nil, fault.Doubted(err)
		}
	}
	if err == nil && len(all) == 0 {
		err = r.ended(answered)
	}
	return all, err
}

// ended names the loss where a log ends before the last offset to read: that was in the log once, and nobody writes it again. Without it, the
// reader of a topic that was made again waits for ever. A leader that was elected a moment ago may not know the end yet.
func (r *rangeReader) ended(answered *wire.FetchedPartition) error {
	if r.to == Forever || answered.HighWatermark >= r.to {
		r.short = 0
		return nil
	}
	if r.short++; r.short < endStrikes {
		return nil
	}
	loss := &DataLoss{Kind: LossAboveEnd, Topic: r.topic, Partition: r.partition, Offset: r.to - 1, Bounds: Bounds{Start: answered.LogStart, End: answered.HighWatermark}}
	loss.Apply(LossFails)
	return loss
}

// outOfRange names the loss: in a log that is read to its end nothing can be skipped.
func (r *rangeReader) outOfRange(ctx context.Context, from int64) error {
	all, err := r.client.link.Readable(ctx, r.topic, r.isolation)
	if err != nil {
		return err
	}
	if int(r.partition) >= len(all) {
		return kafkago.UnknownTopicOrPartition
	}
	bounds := all[r.partition]
	r.refused++
	loss := &DataLoss{Topic: r.topic, Partition: r.partition, Offset: from, Bounds: bounds}
	switch {
	case from < bounds.Start:
		loss.Kind = LossBelowStart
	case from > bounds.End && r.refused >= rangeStrikes:
		loss.Kind = LossAboveEnd
	default:
		return kafkago.OffsetOutOfRange // of a broker that is not up to date
	}
	loss.Apply(LossFails)
	return loss
}
