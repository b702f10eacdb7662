// Command load measures fairstream from end to end: the Adult records, as JSON, in a topic of several
// partitions, read and learnt by pkg/stream as `fairstream run --until-end` does, without pages and with 50 open pages, beside
// three readers that throw away what they read: a bare loop of kafka-go's Client.Fetch, kafka-go's Reader, and franz-go.
//
//	test/broker/broker.sh start /tmp/kafka 19092 19093
//	go run ./bench/load -brokers 127.0.0.1:19092
//
// Each reads the whole topic once a round, in a process of its own, so that memory and garbage of one are
// not another's. The order moves on by one each round. What counts is the ratio within a round, and of the
// ratios the median: on a machine with other work, rates of different rounds cannot be compared.
//
// With -readers fairstream,learner it also says what the goroutine that learns takes. With -readers fairstream,avro,protobuf it also learns the same records from topics in Avro and Protobuf. With -readers copy,score it holds fairstream score --from --to against a plain copy of the topic: Client.Fetch and
// Client.Produce.
//
// It needs a broker that is already there, and leaves its topics, for the next run, unless -delete is
// given. research/performance.md has results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// load is one run of the program.
type load struct {
	brokers     string
	records     int64
	partitions  int
	compression string
	rounds      int
	remove      bool
	profile     string
	readers     string
	only        string        // the reader that this process is; empty: it starts the others
	job         string        // of a reader that learns
	format      string        // of the topic that is read; empty: JSON
	schema      string        // of a format
	kind        string        // of the schema, as a registry calls it
	learner     time.Duration // processor time of the goroutine that learns, by learnTimed

	client *kafka.Client
}

func main() {
	var l load
	flag.StringVar(&l.brokers, "brokers", "127.0.0.1:9092", "addresses, with commas")
	flag.Int64Var(&l.records, "records", 2_000_000, "how many records to learn")
	flag.IntVar(&l.partitions, "partitions", 4, "of the input topic")
	flag.StringVar(&l.compression, "compression", "none", "of the input topic: none, gzip, snappy, lz4 or zstd")
	flag.StringVar(&l.readers, "readers", "", "measure only these, with commas")
	flag.IntVar(&l.rounds, "rounds", 5, "how often each is measured, in turns")
	flag.BoolVar(&l.remove, "delete", false, "delete the topics in the end")
	flag.StringVar(&l.profile, "profile", "", "write a CPU profile of learning, of the last round, to this file, and say where the time went")
	flag.StringVar(&l.only, "only", "", "measure only this once, in this process, and print JSON: "+strings.Join(readerNames(), ", "))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := l.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func (l *load) topics() stream.Topics {
	input := fmt.Sprintf("load-%s-%d", l.compression, l.partitions)
	if l.format != "" {
		input += "-" + l.format
	}
	return stream.Topics{Input: input, Model: input + ".models", State: input + ".state", DeadLetter: input + ".dlq"}
}

// of is the load of a reader, which has the topics of its format.
func (l *load) of(r reader) *load {
	other := *l
	other.format = formatOf(r.name)
	return &other
}

func (l *load) run(ctx context.Context) (err error) {
	l.client, err = kafka.Open(kafka.Config{Brokers: strings.Split(l.brokers, ","), CompressionType: l.compression},
		kafka.Options{Notify: func(o kafka.Outage) {
			if o.Attempt == 3 && o.Err != nil {
				fmt.Fprintf(os.Stderr, "load: trying again: %v\n", o.Err)
			}
		}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.client.Close()) }()
	if l.only != "" {
		return l.one(ctx)
	}
	chosen, err := l.chosen()
	if err != nil {
		return err
	}
	for _, r := range chosen {
		if err := l.of(r).fill(ctx); err != nil { // at once if the topic is there
			return err
		}
	}
	if strings.Contains(l.readers, "score") {
		if err := l.publish(ctx); err != nil {
			return err
		}
	}
	if err := l.compare(ctx, chosen); err != nil {
		return err
	}
	if l.profile != "" {
		if err := printShares(l.profile); err != nil {
			return err
		}
	}
	if l.remove {
		topics := map[string]bool{}
		for _, r := range chosen {
			t := l.of(r).topics()
			for _, name := range []string{t.Input, t.Model, t.State, t.DeadLetter} {
				topics[name] = true
			}
		}
		for name := range topics {
			err = errors.Join(err, l.client.DeleteTopic(ctx, name))
		}
	}
	return err
}
