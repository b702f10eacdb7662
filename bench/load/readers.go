package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// reader reads the whole input topic and says how many records there were.
type reader struct {
	name string
	read func(*load, context.Context) (int64, error)
	// learns says that read is a job, which has topics of its own: it would read what others left on its state topic.
	learns bool
}

var readers = []reader{
	{"Client.Fetch", (*load).fetchLoop, false}, // what the others are held against
	{"Reader", (*load).kafkaGoReader, false},
	{"franz-go", (*load).franz, false},
	{"fairstream", (*load).learn, true},
	{"no releases", (*load).learnOnly, true}, // fairstream with release.enabled: false
	{"50 pages", (*load).learnWatched, true}, // fairstream with its page open so often,
}

// timed is fairstream, and tells what its goroutine that learns takes.
var timed = reader{"learner", (*load).learnTimed, true}

func allReaders() []reader { return slices.Concat(readers, formatted, movers, []reader{timed}) }

func readerNames() []string {
	var names []string
	for _, r := range allReaders() {
		names = append(names, r.name)
	}
	return names
}

func (l *load) addresses() []string { return strings.Split(l.brokers, ",") }

// eachPartition runs read for every partition at once.
func (l *load) eachPartition(ctx context.Context, read func(partition int, next, end int64) (int64, error)) (int64, error) {
	bounds, err := l.bounds(ctx)
	if err != nil {
		return 0, err
	}
	counts, failures := make([]int64, len(bounds)), make([]error, len(bounds))
	var group sync.WaitGroup
	for i, b := range bounds {
		group.Go(func() { counts[i], failures[i] = read(i, b.Start, b.End) })
	}
	group.Wait()
	var sum int64
	for _, count := range counts {
		sum += count
	}
	return sum, errors.Join(failures...)
}

// fetchLoop reads with kafka-go's Client.Fetch, a loop for each partition, and looks at one byte of each
// record.
func (l *load) fetchLoop(ctx context.Context) (int64, error) {
	topic := l.topics().Input
	transport := &kafkago.Transport{MetadataTopics: []string{topic}}
	defer transport.CloseIdleConnections()
	client := &kafkago.Client{Addr: kafkago.TCP(l.addresses()...), Transport: transport, Timeout: 20 * time.Second}
	return l.eachPartition(ctx, func(partition int, next, end int64) (count int64, err error) {
		for next < end {
			response, err := client.Fetch(ctx, &kafkago.FetchRequest{Topic: topic, Partition: partition, Offset: next,
				MinBytes: 1, MaxBytes: 1 << 20, MaxWait: 500 * time.Millisecond})
			if err == nil {
				err = response.Error
			}
			if err != nil {
				return count, err
			}
			n, last, err := discard(response.Records, next)
			if err != nil {
				return count, err
			}
			if n == 0 {
				return count, fmt.Errorf("%s/%d: nothing at offset %d", topic, partition, next)
			}
			count, next = count+n, last+1
		}
		return count, nil
	})
}

// discard reads the records from an offset on: a fetch begins with the whole batch.
func discard(records kafkago.RecordReader, from int64) (count, last int64, err error) {
	var value [1]byte
	for {
		r, err := records.ReadRecord()
		if errors.Is(err, io.EOF) {
			return count, last, nil
		}
		if err != nil {
			return count, last, err
		}
		if r.Offset < from {
			continue
		}
		if _, err := io.ReadFull(r.Value, value[:]); err != nil && !errors.Is(err, io.EOF) {
			return count, last, err
		}
		count, last = count+1, r.Offset
	}
}

// kafkaGoReader reads with kafka-go's Reader, one for each partition, with room for many messages and
// fetches as large as those of the others.
func (l *load) kafkaGoReader(ctx context.Context) (int64, error) {
	return l.eachPartition(ctx, func(partition int, next, end int64) (count int64, err error) {
		r := kafkago.NewReader(kafkago.ReaderConfig{Brokers: l.addresses(), Topic: l.topics().Input, Partition: partition,
			QueueCapacity: 10_000, MinBytes: 1, MaxBytes: 1 << 20, MaxWait: 500 * time.Millisecond})
		defer func() { err = errors.Join(err, r.Close()) }()
		if err := r.SetOffset(next); err != nil {
			return 0, err
		}
		for next < end {
			m, err := r.ReadMessage(ctx)
			if err != nil {
				return count, err
			}
			count, next = count+1, m.Offset+1
		}
		return count, nil
	})
}

// franz reads with franz-go, all partitions by one client, as it comes.
func (l *load) franz(ctx context.Context) (count int64, err error) {
	topic := l.topics().Input
	bounds, err := l.bounds(ctx)
	if err != nil {
		return 0, err
	}
	starts, open := map[int32]kgo.Offset{}, 0
	for i, b := range bounds {
		starts[int32(i)] = kgo.NewOffset().At(b.Start)
		if b.Start < b.End {
			open++
		}
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(l.addresses()...), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: starts}))
	if err != nil {
		return 0, err
	}
	defer client.Close()
	for open > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return count, err
		}
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			end := bounds[p.Partition].End
			for _, r := range p.Records {
				if r.Offset < end {
					count++
				}
				if r.Offset == end-1 {
					open--
				}
			}
		})
	}
	return count, nil
}
