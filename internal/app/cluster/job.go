package cluster

import (
	"context"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TopicsOf are the topics of a job; one that monitors the decisions of others publishes no model.
func TopicsOf(c *config.Loaded) stream.Topics {
	t := c.Topics
	if len(c.Monitor.Fields()) > 0 {
		t.Model = "" // nothing is published
	}
	return stream.Topics{Input: t.Input, Model: t.Model, State: t.State, DeadLetter: t.DeadLetter, Waiting: t.Waiting, History: t.History, Events: t.Events}
}

// Options are what every stream of a job begins with.
func Options(c *config.Loaded) stream.Options {
	return stream.Options{Job: c.Job, Model: c.Model(), Topics: TopicsOf(c), Config: c.Stream, Monitoring: c.Monitor, Release: c.Release, Program: program.Version()}
}

// TopicSpecs are all topics of a job, the input too, which has as many partitions if it is made.
func TopicSpecs(c *config.Loaded, partitions int) []kafka.TopicSpec {
	input := kafka.TopicSpec{Name: c.Topics.Input, Kind: kafka.InputTopic, Partitions: partitions, ReplicationFactor: c.Topics.Replication}
	return append([]kafka.TopicSpec{input}, Options(c).TopicSpecs(c.Topics.Replication)...)
}

// ReadState reads the state topic of a job to its end.
func ReadState(ctx context.Context, client *kafka.Client, c *config.Loaded) (*stream.State, error) {
	if err := Exist(ctx, client, c.Topics.State); err != nil {
		return nil, err
	}
	return stream.ReadState(ctx, stream.Kafka(client), c.Topics.State, c.Job)
}

// WaitingTransaction is the transactional id under which the records of a job that wait for their label are written.
func WaitingTransaction(c *config.Loaded) string { return stream.WaitingTransaction(c.Job) }
