package kafka

import (
	"context"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/link"
)

// Client speaks with one cluster. It is safe for concurrent use; a process needs one, opened first and closed last.
type Client struct {
	link    *link.Link
	buffers *batches.Buffers
}

// Open builds a client; the network is first used by the first call. All that is wrong with the configuration is in
// the error.
func Open(config Config, options Options) (*Client, error) {
	opened, err := link.Open(config, options)
	if err != nil {
		return nil, err
	}
	return &Client{link: opened, buffers: new(batches.Buffers)}, nil
}

// Telling is the same client, with the same connections, whose failures somebody else is told of. It is not closed by itself.
func (c *Client) Telling(notify func(Outage)) *Client {
	return &Client{link: c.link.Telling(notify), buffers: c.buffers}
}

// Close ends every call and closes every connection; it waits for the calls, not for the network.
func (c *Client) Close() error { return c.link.Close() }

// Ping asks the cluster who it is. Its error is the true cause of a failed connection.
func (c *Client) Ping(ctx context.Context) error { return c.link.Ping(ctx) }

// Retry runs attempt until it succeeds, fails for good or ctx ends, with growing pauses. Only errors of class Retry
// are tried again. The error at the end of ctx is both that of ctx and the last of attempt.
func (c *Client) Retry(ctx context.Context, operation string, attempt func(context.Context) error) error {
	return c.link.Retry(ctx, operation, attempt)
}

// Topic asks the cluster for a topic, afresh.
func (c *Client) Topic(ctx context.Context, name string) (TopicInfo, error) {
	return c.link.Topic(ctx, name)
}

// Bounds gives the bounds of every partition, by partition.
func (c *Client) Bounds(ctx context.Context, topic string) ([]Bounds, error) {
	return c.link.Bounds(ctx, topic)
}

// OffsetsAt gives for every partition the first offset whose record is at time at or later; the end where there is none.
func (c *Client) OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error) {
	return c.link.OffsetsAt(ctx, topic, at)
}
