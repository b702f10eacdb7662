package stream

import (
	"context"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// adultLines are the bundled records as JSON, in their order.
var adultLines = sync.OnceValue(func() []string {
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		panic(err)
	}
	lines := make([]string, 0, adult.Records)
	for {
		err := reader.Next()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(reader.AppendJSON(nil)))
	}
})

func adultModel() model.Config {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus = model.Values("Male"), model.Values("Female")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	return model.Config{
		Record:      record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Ignore: []string{"fnlwgt"}},
		Learner:     model.DefaultLearner(),
		Constraints: []model.Constraint{constraint},
	}
}

var testTopics = Topics{Input: "records", Model: "models", State: "state", DeadLetter: "records.dlq", History: "records.history", Events: "records.events", Waiting: "records.waiting"}

func testOptions() Options {
	return Options{Job: "adult", Model: adultModel(), Topics: testTopics, UntilEnd: true, Config: Config{Decoders: 2}, Program: "test"}
}

// newWorld is a memory with the topics of a job.
func newWorld(partitions int) *clustertest.Memory {
	return clustertest.New(map[string]int{testTopics.Input: partitions, testTopics.Model: 1, testTopics.State: 1, testTopics.DeadLetter: 1, testTopics.History: 1, testTopics.Events: 1, testTopics.Waiting: 1})
}

// run runs a stream to its end.
func run(t *testing.T, cluster Cluster, options Options) *Stream {
	t.Helper()
	s := New(cluster, options)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // often of a clock that is not real
	defer cancel()
	if err := s.Run(ctx); err != nil {
		t.Fatalf("run: %v", err)
	}
	return s
}

// newest reads the newest document.
func newest(t *testing.T, cluster Cluster) *document.Document {
	t.Helper()
	models, err := ReadModels(t.Context(), cluster, testTopics.Model, "adult")
	if err != nil {
		t.Fatal(err)
	}
	m := models.Newest()
	if m == nil {
		t.Fatal("nothing was published")
	}
	doc, err := m.Document()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// plain learns the lines without a stream.
func plain(t *testing.T, lines []string) *document.Document {
	t.Helper()
	config := adultModel().WithDefaults()
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
			continue
		}
		learner.Learn(&r)
	}
	doc, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestLearnsWhatTheTopicHolds(t *testing.T) {
	world := newWorld(1)
	lines := adultLines()[:6000]
	world.Put(testTopics.Input, 0, lines...)
	s := run(t, world, testOptions())
	want := plain(t, lines)
	got := newest(t, world)
	if got.WeightsSHA256 != want.WeightsSHA256 || got.Version != int64(len(lines)) {
		t.Errorf("published %s at version %d, learning without a stream gives %s at %d", got.WeightsSHA256, got.Version, want.WeightsSHA256, want.Version)
	}
	if got.Job != "adult" || got.Offsets["records/0"] != 6000 || got.Rejected != 0 || got.Lineage.Program != "test" {
		t.Errorf("document of job %q with offsets %v, %d rejected, lineage %+v", got.Job, got.Offsets, got.Rejected, got.Lineage)
	}
	status := s.Status()
	if status.Phase != PhaseEnded || status.Version != 6000 || status.Published != 6000 || status.Measurements == nil {
		t.Errorf("status %+v", status)
	}
	for _, line := range world.Trace {
		t.Log(line)
	}
}
