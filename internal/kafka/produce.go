package kafka

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/produce"
	"github.com/segmentio/kafka-go/protocol/rawproduce"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// DefaultBatchBytes stays below the default max.message.bytes (1 MiB) with room for headers.
const DefaultBatchBytes = 512 << 10

// Batch is filled with messages that are written together; see Transactor.AppendBatch. It belongs to one goroutine at a
// time.
type Batch struct {
	builder *batches.Builder
	framed  []byte // the finished batch, behind room for its size; empty before Encode
}

// NewBatch is an empty one.
func NewBatch() *Batch { return &Batch{builder: batches.NewBuilder()} }

// Add copies a message into the batch.
func (b *Batch) Add(m *Message) { b.builder.Add(m) }

// Size is the number of bytes of the messages before compression.
func (b *Batch) Size() int { return b.builder.Size() }

// Reset empties the batch and keeps its memory, unless that is of an exceptional message.
func (b *Batch) Reset() {
	if b.builder.Room() > keepBatch {
		*b = *NewBatch()
		return
	}
	b.builder.Reset()
	b.framed = b.framed[:0]
}

const keepBatch = 4 * DefaultBatchBytes

// Encode finishes and compresses a filled batch as the client's configuration says. AppendBatch does it otherwise.
func (c *Client) Encode(b *Batch) (err error) {
	b.framed, err = b.builder.Framed(b.framed[:0], wire.CodecOf(c.link.Config.CompressionType))
	return err
}

// errNothing is a caller's mistake: the broker closes the connection on an empty batch.
var errNothing = errors.New("there is no message to write")

// Append writes messages to a partition as one batch, in one attempt, acknowledged by every in-sync replica, and gives
// the offset of the first. After an error the messages may have been written nevertheless: a caller who must know gives
// every attempt a key of its own and reads back, one who need not uses Produce.
func (c *Client) Append(ctx context.Context, topic string, partition int32, messages ...Message) (offset int64, err error) {
	return c.appendBatch(ctx, topic, partition, builderOf(messages))
}

// Produce is Append, tried again until it succeeds, fails for good or ctx ends. A failure in between may leave a copy of
// the messages before the acknowledged ones.
func (c *Client) Produce(ctx context.Context, topic string, partition int32, messages ...Message) (offset int64, err error) {
	return c.produceBatch(ctx, topic, partition, builderOf(messages))
}

func builderOf(messages []Message) *batches.Builder {
	builder := batches.NewBuilder()
	for i := range messages {
		builder.Add(&messages[i])
	}
	return builder
}

func (c *Client) produceBatch(ctx context.Context, topic string, partition int32, builder *batches.Builder) (offset int64, err error) {
	err = c.link.Retry(ctx, fmt.Sprintf("write to %s/%d", topic, partition), func(ctx context.Context) (err error) {
		offset, err = c.appendBatch(ctx, topic, partition, builder)
		return err
	})
	return offset, err
}

func (c *Client) appendBatch(ctx context.Context, topic string, partition int32, builder *batches.Builder) (int64, error) {
	if builder.Len() == 0 {
		return 0, fmt.Errorf("kafka: write to %s/%d: %w", topic, partition, errNothing)
	}
	ctx, cancel := c.link.Bounded(ctx)
	defer cancel()
	offset, err := c.writeBatch(ctx, topic, partition, builder)
	if err != nil {
		c.link.Forget(topic) // its leader may have moved
	}
	return offset, fault.Explain("write to", topic, partition, err)
}

// writeBatch is one produce request. The broker may wait for its replicas for half of our own patience, so that its
// answer, not our deadline, says what happened. (kafka-go's Client asks for 500 ms unless its Timeout is set: with a
// replica down each attempt then fails after the append, and one message was seen written fifteen times.)
func (c *Client) writeBatch(ctx context.Context, topic string, partition int32, builder *batches.Builder) (int64, error) {
	framed, err := builder.Framed(nil, wire.CodecOf(c.link.Config.CompressionType))
	if err != nil {
		return 0, err
	}
	return c.sendBatch(ctx, topic, partition, "", framed)
}

// sendBatch writes a finished batch, before which framed has room for its size. transactionalID is empty outside
// transactions.
func (c *Client) sendBatch(ctx context.Context, topic string, partition int32, transactionalID string, framed []byte) (int64, error) {
	leader, _, err := c.link.Leader(ctx, topic, partition)
	if err != nil {
		return 0, err
	}
	binary.BigEndian.PutUint32(framed, uint32(len(framed)-4))
	response, err := link.Ask[*produce.Response](ctx, c.link, leader.Broker, &rawproduce.Request{
		TransactionalID: transactionalID,
		Acks:            -1,
		Timeout:         int32(c.link.Config.RequestTimeoutMillis / 2),
		Topics: []rawproduce.RequestTopic{{Topic: topic, Partitions: []rawproduce.RequestPartition{
			{Partition: partition, RecordSet: protocol.RawRecordSet{Reader: bytes.NewReader(framed)}}}}},
	})
	if err != nil {
		return 0, err
	}
	if len(response.Topics) != 1 || len(response.Topics[0].Partitions) != 1 {
		return 0, errors.New("the broker did not answer for the partition")
	}
	answer := response.Topics[0].Partitions[0]
	if err := wire.Code(answer.ErrorCode); TooLarge(err) {
		return 0, &Error{Operation: "write to", Topic: topic, Partition: partition, Class: Fatal, Advice: tooLargeAdvice(len(framed)-4, topic), Err: err}
	} else if err != nil {
		return 0, err
	}
	return answer.BaseOffset, nil
}

// TooLarge says whether a write failed because the topic does not take that many bytes at once.
func TooLarge(err error) bool {
	return errors.Is(err, kafkago.MessageSizeTooLarge) || errors.Is(err, kafkago.RecordListTooLarge)
}

func tooLargeAdvice(bytes int, topic string) string {
	const page = 64 << 10
	return fmt.Sprintf("the batch has %d bytes: raise the topic's limit (kafka-configs.sh --bootstrap-server ... --alter --entity-type topics "+
		"--entity-name %s --add-config max.message.bytes=%d), or set compression.type", bytes, topic, (bytes/page+2)*page)
}
