package apptest

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Loans is the configuration of a job, without the brokers.
const Loans = `job: loans
topics: {input: in, model: weights, state: state, dead_letter: dead, history: history}
record: {label: {field: paid, positive: 1}, ignore: [pay]}
constraints:
  - {name: sex, attribute: sex, group: M, versus: F, tau: 0.2}
stream: {publish: {records: 1000000}}
log: {level: error}
`

// Load is the configuration of a text.
func Load(t *testing.T, yaml string, purpose config.Purpose) *config.Loaded {
	t.Helper()
	file := t.TempDir() + "/c.yaml"
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := config.Load(config.Sources{Files: []string{file}}, purpose)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// Job is a job on an embedded broker of its own.
type Job struct {
	Config *config.Loaded
	Client *kafka.Client

	broker *devbroker.Broker
	port   int32
}

// NewJob makes the topics of a job on a new broker, which ends with the test.
func NewJob(t *testing.T, yaml string) *Job {
	t.Helper()
	broker, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	address := broker.Addresses()[0]
	port, err := strconv.ParseInt(address[strings.LastIndexByte(address, ':')+1:], 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	j := &Job{broker: broker, port: int32(port), Config: Load(t, "kafka: {brokers: ["+address+"]}\n"+yaml, config.Learning)}
	if j.Client, err = kafka.Open(j.Config.Kafka, kafka.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Client.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := j.Client.CreateTopics(t.Context(), cluster.TopicSpecs(j.Config, 1)...); err != nil {
		t.Fatal(err)
	}
	return j
}

// Produce writes values to a topic.
func (j *Job) Produce(t *testing.T, topic string, values []string) {
	t.Helper()
	producer, err := j.Client.NewProducer(t.Context(), topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range values {
		if err := producer.Send(t.Context(), &kafka.Message{Value: []byte(value)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := producer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Learn learns what the input holds, and returns the log.
func (j *Job) Learn(ctx context.Context, t *testing.T) string {
	t.Helper()
	var log bytes.Buffer
	work := process.Job{Streams: &program.Streams{Out: &log, Err: &log}, Kind: board.Run, Config: j.Config, UntilEnd: true}
	if err := work.Run(ctx); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	return log.String()
}

// Learnt is a job that has learnt from 1,200 rows and published twice: versions 1/594 and 2/1188.
func Learnt(t *testing.T) *Job {
	t.Helper()
	j := NewJob(t, Loans)
	rows := JSON(1200)
	for _, part := range [][]string{rows[:600], rows[600:]} {
		j.Produce(t, j.Config.Topics.Input, part)
		j.Learn(t.Context(), t)
	}
	return j
}
