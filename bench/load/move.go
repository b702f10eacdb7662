package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// movers read the input and write to another topic. They are measured if -readers names them.
var movers = []reader{
	{"copy", (*load).copyLoop, false}, // what score is held against
	{"score", (*load).score, false},
}

// output makes a topic to write to, and gives its name and what deletes it.
func (l *load) output(ctx context.Context) (name string, remove func() error, err error) {
	name = fmt.Sprintf("%s.out-%d", l.topics().Input, time.Now().UnixNano())
	_, err = l.client.CreateTopics(ctx, kafka.TopicSpec{Name: name, Kind: kafka.InputTopic, Partitions: l.partitions})
	if err == nil { // until its partitions have leaders
		err = l.client.Retry(ctx, "list offsets of "+name, func(ctx context.Context) error {
			_, err := l.client.Bounds(ctx, name)
			return err
		})
	}
	return name, func() error { return l.client.DeleteTopic(context.WithoutCancel(ctx), name) }, err
}

// copyLoop copies the records as they are with kafka-go's Client.Fetch and Client.Produce, a loop for each partition.
func (l *load) copyLoop(ctx context.Context) (count int64, err error) {
	to, remove, err := l.output(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	topic := l.topics().Input
	transport := &kafkago.Transport{MetadataTopics: []string{topic, to}}
	defer transport.CloseIdleConnections()
	client := &kafkago.Client{Addr: kafkago.TCP(l.addresses()...), Transport: transport, Timeout: 20 * time.Second}
	return l.eachPartition(ctx, func(partition int, next, end int64) (count int64, err error) {
		for next < end {
			response, err := client.Fetch(ctx, &kafkago.FetchRequest{Topic: topic, Partition: partition, Offset: next, MinBytes: 1, MaxBytes: kafka.DefaultBatchBytes, MaxWait: 500 * time.Millisecond})
			if err == nil {
				err = response.Error
			}
			if err != nil {
				return count, err
			}
			c := &copier{records: response.Records, from: next, last: next - 1}
			for err = c.advance(); err == nil; err = c.advance() { // a fetch may hold more than one message takes
				written, err := client.Produce(ctx, &kafkago.ProduceRequest{Topic: to, Partition: partition, RequiredAcks: kafkago.RequireAll, Records: c})
				if err == nil {
					err = written.Error
				}
				if err != nil {
					return count, err
				}
			}
			if !errors.Is(err, io.EOF) {
				return count, err
			}
			count, next = count+c.count, c.last+1
		}
		return count, nil
	})
}

// copier hands on the records of a fetch from an offset on, as many at a time as a topic takes.
type copier struct {
	records           kafkago.RecordReader
	from, last, count int64
	at                *kafkago.Record // the next one
	size              int             // of what was handed on since advance
}

// advance begins the next message; io.EOF says that there is none.
func (c *copier) advance() (err error) {
	c.size = 0
	for c.at == nil || c.at.Offset < c.from {
		if c.at, err = c.records.ReadRecord(); err != nil {
			return err
		}
	}
	return nil
}

// ReadRecord is part of kafkago.RecordReader.
func (c *copier) ReadRecord() (*kafkago.Record, error) {
	if c.at == nil && c.size < kafka.DefaultBatchBytes {
		at, err := c.records.ReadRecord()
		if err != nil {
			return nil, err
		}
		c.at = at
	}
	if c.at == nil {
		return nil, io.EOF
	}
	r := c.at
	c.at, c.count, c.last = nil, c.count+1, r.Offset
	if r.Value != nil {
		c.size += r.Value.Len()
	}
	return r, nil
}

// score decides the whole topic as `fairstream score --from --to --until-end` does.
func (l *load) score(ctx context.Context) (count int64, err error) {
	to, remove, err := l.output(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	models, err := follow.Open(follow.Options{Kafka: kafka.Config{Brokers: l.addresses()}, Topic: l.topics().Model, Job: scoredJob, Alias: follow.LatestAlias})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, models.Close()) }()
	s, err := scoring.New(scoring.Options{Kafka: kafka.Config{Brokers: l.addresses(), CompressionType: l.compression}, Job: scoredJob, From: l.topics().Input, To: to, Models: models, UntilEnd: true})
	if err != nil {
		return 0, err
	}
	if err := s.Run(ctx); err != nil {
		return 0, err
	}
	status := s.Status()
	return status.Scored + status.Rejected, nil
}

// scoredJob is the job whose weights decide.
const scoredJob = "load-scored"

// publish publishes weights for score, once, learnt from the topic.
func (l *load) publish(ctx context.Context) error {
	found, err := stream.ReadModels(ctx, stream.Kafka(l.client), l.topics().Model, scoredJob)
	if err != nil || found.Newest() != nil {
		return err
	}
	o := l.options()
	o.Job, o.Topics = scoredJob, l.topics()
	return stream.New(stream.Kafka(l.client), o).Run(ctx)
}
