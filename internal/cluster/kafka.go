package cluster

import (
	"context"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Kafka makes a cluster of a client.
func Kafka(client *kafka.Client) Cluster { return kafkaCluster{client} }

// kafkaCluster adds to a client that it tries again, and makes interfaces of its types. Append, Read,
// ReadInput and Retry are the client's own.
type kafkaCluster struct{ *kafka.Client }

func (c kafkaCluster) Topic(ctx context.Context, name string) (info kafka.TopicInfo, err error) {
	err = c.Retry(ctx, "describe "+name, func(ctx context.Context) error {
		info, err = c.Client.Topic(ctx, name)
		return err
	})
	return info, err
}

func (c kafkaCluster) Bounds(ctx context.Context, topic string) (bounds []kafka.Bounds, err error) {
	err = c.Retry(ctx, "list offsets of "+topic, func(ctx context.Context) error {
		bounds, err = c.Client.Bounds(ctx, topic)
		return err
	})
	return bounds, err
}

func (c kafkaCluster) OffsetsAt(ctx context.Context, topic string, at time.Time) (offsets []int64, err error) {
	err = c.Retry(ctx, "list offsets of "+topic, func(ctx context.Context) error {
		offsets, err = c.Client.OffsetsAt(ctx, topic, at)
		return err
	})
	return offsets, err
}

func (c kafkaCluster) Fetch(options kafka.FetchOptions) (Source, error) {
	fetcher, err := c.NewFetcher(options)
	if err != nil {
		return nil, err
	}
	return kafkaSource{fetcher}, nil
}

func (c kafkaCluster) Produce(ctx context.Context, topic string) (Sink, error) {
	return c.NewProducer(ctx, topic, 0)
}

func (c kafkaCluster) Transact(ctx context.Context, id string) (Transaction, error) {
	return c.NewTransactor(ctx, id)
}

type kafkaSource struct{ *kafka.Fetcher }

func (s kafkaSource) Next(ctx context.Context) (*Delivery, error) {
	chunk, err := s.Fetcher.Next(ctx)
	if err != nil {
		return nil, err
	}
	d := &Delivery{Partition: chunk.Partition, ID: chunk.ID, First: chunk.First, Next: chunk.Next, Epoch: chunk.Epoch, Turn: chunk.Turn, End: chunk.LastStable, Loss: chunk.Loss, Release: chunk.Release}
	d.Records = func(ctx context.Context) ([]kafka.Record, error) {
		records, err := chunk.Records(ctx)
		d.Large = chunk.Large()
		return records, err
	}
	return d, nil
}

var (
	_ Cluster = kafkaCluster{}
	_ Source  = kafkaSource{}
	_ Sink    = (*kafka.Producer)(nil)

	_ Transaction = (*kafka.Transactor)(nil)
)
