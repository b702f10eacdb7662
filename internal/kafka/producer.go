package kafka

import (
	"context"
	"errors"
	"fmt"

	kafkago "github.com/segmentio/kafka-go"

	"github.com/fairstream/fairstream/internal/kafka/batches"
)

// Producer writes many messages to the partitions of a topic, in batches. It belongs to one goroutine, and has one
// request in flight: with more, a retried batch would land behind its successor.
type Producer struct {
	client     *Client
	topic      string
	batchBytes int
	partitions []int
	batches    []*batches.Builder
	sticky     int
	byKey      kafkago.Murmur2Balancer
}

// NewProducer asks for the topic's partitions. batchBytes 0 is DefaultBatchBytes; a larger message goes alone.
func (c *Client) NewProducer(ctx context.Context, topic string, batchBytes int) (*Producer, error) {
	var info TopicInfo
	err := c.link.Retry(ctx, "describe "+topic, func(ctx context.Context) (err error) {
		info, err = c.link.Topic(ctx, topic)
		return err
	})
	if err != nil {
		return nil, err
	}
	if batchBytes <= 0 {
		batchBytes = DefaultBatchBytes
	}
	p := &Producer{client: c, topic: topic, batchBytes: batchBytes, byKey: kafkago.Murmur2Balancer{Consistent: true}}
	for i := range info.Partitions {
		p.partitions = append(p.partitions, i)
		p.batches = append(p.batches, batches.NewBuilder())
	}
	return p, nil
}

// Send copies a message into the batch of its partition, after writing that batch if it is full.
func (p *Producer) Send(ctx context.Context, message *Message) error {
	for {
		partition := p.partition(message)
		batch := p.batches[partition]
		if batch.Len() == 0 || batch.Size()+messageSize(message) <= p.batchBytes {
			batch.Add(message)
			return nil
		}
		if err := p.write(ctx, partition); err != nil {
			return err
		}
	}
}

// partition chooses as Java's producer does: by the murmur2 hash of the key; without a key, one partition a batch in
// turn (KIP-480), since spreading single messages would make small batches.
func (p *Producer) partition(message *Message) int {
	if message.Key == nil {
		return p.sticky
	}
	return p.byKey.Balance(kafkago.Message{Key: message.Key}, p.partitions...)
}

// Flush writes what is pending. When it returns nil, every message sent is acknowledged.
func (p *Producer) Flush(ctx context.Context) error {
	var all error
	for partition, batch := range p.batches {
		if batch.Len() > 0 {
			all = errors.Join(all, p.write(ctx, partition))
		}
	}
	return all
}

// write leaves the batch in place when it fails, so that Flush tries it again.
func (p *Producer) write(ctx context.Context, partition int) error {
	if _, err := p.client.produceBatch(ctx, p.topic, int32(partition), p.batches[partition]); err != nil {
		return fmt.Errorf("%d messages: %w", p.batches[partition].Len(), err)
	}
	p.batches[partition].Reset()
	if partition == p.sticky {
		p.sticky = (p.sticky + 1) % len(p.partitions)
	}
	return nil
}

// messageSize is an upper bound of the encoded size.
func messageSize(m *Message) int {
	const overhead = 30
	size := overhead + len(m.Key) + len(m.Value)
	for _, h := range m.Headers {
		size += 10 + len(h.Key) + len(h.Value)
	}
	return size
}
