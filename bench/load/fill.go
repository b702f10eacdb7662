package main

import (
	"context"

	"github.com/fairstream/fairstream/bench/lines"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// fill writes the Adult records, over and over, until the topic holds enough.
func (l *load) fill(ctx context.Context) error {
	t := l.topics()
	specs := append(stream.Options{Topics: t}.TopicSpecs(0), kafka.TopicSpec{Name: t.Input, Kind: kafka.InputTopic, Partitions: l.partitions})
	if _, err := l.client.CreateTopics(ctx, specs...); err != nil {
		return err
	}
	bounds, err := l.bounds(ctx)
	if err != nil {
		return err
	}
	var there int64
	for _, b := range bounds {
		there += b.End - b.Start
	}
	lines, err := lines.Adult()
	if err == nil {
		lines, err = encoded(l.format, lines)
	}
	if err != nil {
		return err
	}
	producer, err := l.client.NewProducer(ctx, t.Input, 0)
	if err != nil {
		return err
	}
	for ; there < l.records; there++ {
		if err := producer.Send(ctx, &kafka.Message{Value: lines[there%int64(len(lines))]}); err != nil {
			return err
		}
	}
	return producer.Flush(ctx)
}

// bounds are those of the input, by partition.
func (l *load) bounds(ctx context.Context) ([]kafka.Bounds, error) {
	return stream.Kafka(l.client).Bounds(ctx, l.topics().Input)
}
