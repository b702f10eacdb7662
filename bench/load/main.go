// Command load measures fairstream from end to end: the Adult records, as JSON, in a topic of several
// partitions, read and learnt by pkg/stream as `fairstream run --until-end` does, beside a loop of
// kafka-go's Client.Fetch that throws away what it reads.
//
//	test/broker/broker.sh start /tmp/kafka 19092 19093
//	go run ./bench/load -brokers 127.0.0.1:19092
//
// It needs a broker that is already there, and leaves its topics, for the next run, unless -delete is
// given.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

// load is one run of the program.
type load struct {
	brokers    string
	records    int64
	partitions int
	rounds     int
	remove     bool
	profile    string

	client *kafka.Client
}

func main() {
	var l load
	flag.StringVar(&l.brokers, "brokers", "127.0.0.1:9092", "addresses, with commas")
	flag.Int64Var(&l.records, "records", 2_000_000, "how many records to learn")
	flag.IntVar(&l.partitions, "partitions", 4, "of the input topic")
	flag.IntVar(&l.rounds, "rounds", 3, "how often each is measured, in turns")
	flag.BoolVar(&l.remove, "delete", false, "delete the topics in the end")
	flag.StringVar(&l.profile, "profile", "", "write a CPU profile of learning to this file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := l.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func (l *load) topics() stream.Topics {
	input := fmt.Sprintf("load-%d", l.partitions)
	return stream.Topics{Input: input, Model: input + ".models", State: input + ".state", DeadLetter: input + ".dlq"}
}

func (l *load) run(ctx context.Context) (err error) {
	l.client, err = kafka.Open(kafka.Config{Brokers: strings.Split(l.brokers, ",")}, kafka.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.client.Close()) }()
	if err := l.fill(ctx); err != nil {
		return err
	}
	var stopProfile func()
	if l.profile != "" {
		file, err := os.Create(l.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		stopProfile = func() { pprof.StopCPUProfile(); _ = file.Close() }
	}
	for round := range l.rounds {
		bare, err := measure(func() (int64, error) { return l.bare(ctx) })
		if err != nil {
			return err
		}
		learnt, err := measure(func() (int64, error) { return l.learn(ctx, round) })
		if err != nil {
			return err
		}
		fmt.Printf("bare Client.Fetch  %v\nfairstream         %v\nratio              %.2f\n", bare, learnt, learnt.rate()/bare.rate())
	}
	if stopProfile != nil {
		stopProfile()
	}
	if l.remove {
		t := l.topics()
		for _, name := range []string{t.Input, t.Model, t.State, t.DeadLetter} {
			err = errors.Join(err, l.client.DeleteTopic(ctx, name))
		}
	}
	return err
}

// fill writes the Adult records, over and over, until the topic holds enough.
func (l *load) fill(ctx context.Context) error {
	t := l.topics()
	specs := append(stream.Options{Topics: t}.TopicSpecs(0), kafka.TopicSpec{Name: t.Input, Kind: kafka.InputTopic, Partitions: l.partitions})
	if _, err := l.client.CreateTopics(ctx, specs...); err != nil {
		return err
	}
	bounds, err := stream.Kafka(l.client).Bounds(ctx, t.Input)
	if err != nil {
		return err
	}
	var there int64
	for _, b := range bounds {
		there += b.End - b.Start
	}
	lines, err := adultLines()
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

func adultLines() ([][]byte, error) {
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		return nil, err
	}
	var lines [][]byte
	for {
		switch err := reader.Next(); {
		case err == io.EOF:
			return lines, nil
		case err != nil:
			return nil, err
		}
		lines = append(lines, reader.AppendJSON(nil))
	}
}

// learn reads and learns the whole topic, as a job that has no state.
func (l *load) learn(ctx context.Context, round int) (int64, error) {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus = model.OneOrMore{"Male"}, model.OneOrMore{"Female"}
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	s := stream.New(stream.Kafka(l.client), stream.Options{
		Job: fmt.Sprintf("load-%d-%d", time.Now().UnixMilli(), round),
		Model: model.Config{
			Record:      record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Ignore: []string{"fnlwgt"}},
			Learner:     model.DefaultLearner(),
			Constraints: []model.Constraint{constraint},
		},
		Topics:   l.topics(),
		UntilEnd: true,
		Program:  "load",
	})
	if err := s.Run(ctx); err != nil {
		return 0, err
	}
	return s.Status().Version, nil
}

// result is what a measurement found.
type result struct {
	records     int64
	elapsed     time.Duration
	cpu         time.Duration
	allocations uint64
}

func (r result) rate() float64 { return float64(r.records) / r.elapsed.Seconds() }

func (r result) String() string {
	n := float64(r.records)
	return fmt.Sprintf("%8.0f records/s  %.3f us CPU and %.4f allocations a record  (%d records, peak memory of the process %d MiB)",
		r.rate(), float64(r.cpu.Microseconds())/n, float64(r.allocations)/n, r.records, peakMemory()>>20)
}

func measure(work func() (int64, error)) (result, error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, start := processCPU(), time.Now()
	records, err := work()
	elapsed, used := time.Since(start), processCPU()-cpu
	runtime.ReadMemStats(&after)
	return result{records, elapsed, used, after.Mallocs - before.Mallocs}, err
}

func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is in bytes.
func peakMemory() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Maxrss << 10
}
