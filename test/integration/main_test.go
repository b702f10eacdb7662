package integration

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

func TestMain(m *testing.M) { os.Exit(broker.Main(m)) }

// cluster is a broker with topics of one test's own.
type cluster struct {
	stream.Cluster
	client    *kafka.Client
	topics    stream.Topics
	addresses []string
}

// onBrokers runs a test on the embedded broker and on a real one.
func onBrokers(t *testing.T, test func(t *testing.T, c *cluster)) {
	t.Run("embedded", func(t *testing.T) {
		b, err := devbroker.Start(devbroker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		test(t, newCluster(t, b.Addresses()...))
	})
	t.Run("real", func(t *testing.T) { test(t, newCluster(t, broker.Shared(t).Address)) })
}

func newCluster(t *testing.T, addresses ...string) *cluster {
	t.Helper()
	client, err := kafka.Open(kafka.Config{Brokers: addresses}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	name := strings.NewReplacer("/", ".", "#", ".").Replace(t.Name())
	c := &cluster{stream.Kafka(client), client,
		stream.Topics{Input: name, Model: name + ".models", State: name + ".state", DeadLetter: name + ".dlq"}, addresses}
	specs := append(c.options().TopicSpecs(1), kafka.TopicSpec{Name: name, Kind: kafka.InputTopic, Partitions: 1})
	if _, err := client.CreateTopics(t.Context(), specs...); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *cluster) options() stream.Options {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus = model.Values("Male"), model.Values("Female")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	learner := model.DefaultLearner()
	learner.Warmup = 100
	return stream.Options{
		Job: "adult",
		Model: model.Config{
			Record:      record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Ignore: []string{"fnlwgt"}},
			Learner:     learner,
			Constraints: []model.Constraint{constraint},
		},
		Topics: c.topics, UntilEnd: true, Program: "test",
	}
}

// franz is the other client, closed at the end of the test.
func (c *cluster) franz(t *testing.T, options ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append(options, kgo.SeedBrokers(c.addresses...))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func (c *cluster) run(t *testing.T, options stream.Options) *stream.Stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	s := stream.New(c, options)
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

// put writes lines to the input.
func (c *cluster) put(t *testing.T, lines []string) {
	t.Helper()
	var messages []kafka.Message
	for _, line := range lines {
		messages = append(messages, kafka.Message{Value: []byte(line)})
	}
	if _, err := c.client.Produce(t.Context(), c.topics.Input, 0, messages...); err != nil {
		t.Fatal(err)
	}
}

// weightsOf are those of a learner that is given the lines and nothing else.
func weightsOf(t *testing.T, config model.Config, lines []string) string {
	t.Helper()
	config = config.WithDefaults()
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var r record.Record
	for _, line := range lines {
		if err := decoder.DecodeJSON(&r, []byte(line)); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&r)
	}
	document, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	return document.WeightsSHA256
}

// adultLines are the first Adult records in JSON, every value a string.
func adultLines(t *testing.T, count int) []string {
	t.Helper()
	var lines []string
	reader := csv.NewReader(adult.Open())
	header, err := reader.Read()
	for len(lines) < count && err == nil {
		var row []string
		if row, err = reader.Read(); err == nil {
			fields := map[string]string{}
			for i, name := range header {
				fields[name] = row[i]
			}
			var line []byte
			line, err = json.Marshal(fields)
			lines = append(lines, string(line))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
