package serve

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/serve"
)

// flushWithin is how long the log has at the end for what waits for Kafka.
const flushWithin = 10 * time.Second

// log begins to log decisions, if that is configured. The function that it gives ends it, when no request is answered any more.
func (c *Server) log(ctx context.Context, options *serve.Options) (end func() error, err error) {
	s := &c.Config.Serve
	if s.Log == config.LogNone {
		return func() error { return nil }, nil
	}
	client, err := kafka.Open(c.Config.Kafka, kafka.Options{Notify: func(o kafka.Outage) {
		c.monitor.Failed(o.Operation, o.Err, o.Since)
		if o.Err != nil && o.Attempt == 1 {
			c.logger.Warn("kafka operation failed and is retried: decisions wait", zap.String("operation", o.Operation), zap.Error(o.Err))
		}
	}})
	if err != nil {
		return nil, err
	}
	topicMade := false
	l := serve.NewLog(serve.LogOptions{Wait: s.Log == config.LogWait, Timeout: s.LogTimeout, Bound: s.LogBuffer,
		Open: func(ctx context.Context) (serve.Producer, error) {
			if !topicMade {
				if err := c.prepare(ctx, client); err != nil {
					return nil, err
				}
				topicMade = true
			}
			return client.NewProducer(ctx, s.Topic, 0)
		},
		Failed: func(decisions int, err error) {
			c.logger.Error("decisions cannot be logged", zap.String("topic", s.Topic), zap.Int("decisions", decisions), zap.Error(err))
		}})
	options.Log = l
	writing, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- l.Run(writing) }()
	return func() error {
		l.Close()
		timer := time.AfterFunc(flushWithin, stop)
		err := <-ended
		timer.Stop()
		stop()
		if lost := l.Lost(); lost > 0 {
			c.logger.Error("decisions were answered and not logged", zap.Int64("decisions", lost))
		}
		if errors.Is(err, context.Canceled) {
			err = nil // what was lost is said
		}
		return errors.Join(err, client.Close())
	}, nil
}

// prepare makes the topic of decisions, if topics are made by the program, with as many partitions as the topic of records has, or one: a label that
// comes later must find its decision in its partition.
func (c *Server) prepare(ctx context.Context, client *kafka.Client) error {
	to, from := c.Config.Serve.Topic, c.Config.Topics.Input
	if c.Config.Topics.Management == config.VerifyTopics {
		return cluster.Exist(ctx, client, to)
	}
	partitions := 1
	if from != "" {
		if input, err := client.Topic(ctx, from); err == nil {
			partitions = input.Partitions
		} else if kafka.ClassOf(err) == kafka.Retry {
			return err
		}
	}
	results, err := client.CreateTopics(ctx, kafka.TopicSpec{Name: to, Kind: kafka.InputTopic, Partitions: partitions, ReplicationFactor: c.Config.Topics.Replication})
	if err == nil && results[0].Created {
		c.logger.Info("topic created", zap.String("topic", to), zap.Int("partitions", partitions))
	}
	return err
}
