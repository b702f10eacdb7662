package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"github.com/fairstream/fairstream/pkg/stream"
)

// bare reads every partition of the topic to its end with kafka-go's Client.Fetch, a loop for each, and
// looks at one byte of each record.
func (l *load) bare(ctx context.Context) (int64, error) {
	topic := l.topics().Input
	bounds, err := stream.Kafka(l.client).Bounds(ctx, topic)
	if err != nil {
		return 0, err
	}
	transport := &kafkago.Transport{MetadataTopics: []string{topic}}
	defer transport.CloseIdleConnections()
	client := &kafkago.Client{Addr: kafkago.TCP(strings.Split(l.brokers, ",")...), Transport: transport, Timeout: 20 * time.Second}
	counts, failures := make([]int64, len(bounds)), make([]error, len(bounds))
	var group sync.WaitGroup
	for i, b := range bounds {
		group.Go(func() { counts[i], failures[i] = discard(ctx, client, topic, i, b.Start, b.End) })
	}
	group.Wait()
	var sum int64
	for _, count := range counts {
		sum += count
	}
	return sum, errors.Join(failures...)
}

func discard(ctx context.Context, client *kafkago.Client, topic string, partition int, next, end int64) (count int64, err error) {
	var value [4096]byte
	for next < end {
		response, err := client.Fetch(ctx, &kafkago.FetchRequest{Topic: topic, Partition: partition, Offset: next,
			MinBytes: 1, MaxBytes: 1 << 20, MaxWait: 500 * time.Millisecond})
		if err != nil {
			return count, err
		}
		if response.Error != nil {
			return count, response.Error
		}
		for {
			r, err := response.Records.ReadRecord()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return count, err
			}
			if r.Offset < next {
				continue // a fetch begins with the whole batch
			}
			if _, err := io.ReadFull(r.Value, value[:1]); err != nil && !errors.Is(err, io.EOF) {
				return count, err
			}
			count++
			next = r.Offset + 1
		}
	}
	return count, nil
}
