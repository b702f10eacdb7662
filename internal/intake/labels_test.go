package intake

import (
	"fmt"
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// keyed is a configuration whose labels come later.
func keyed() model.Config {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus, constraint.Tau = model.Values("Male"), model.Values("Female"), .05
	c := model.Config{Record: record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Key: "person"}, Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{constraint}}
	c.Learner.Warmup = 50
	return c
}

func keyedSchema(t testing.TB) *record.Schema {
	t.Helper()
	schema, err := keyed().WithDefaults().Schema()
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestASmallerBufferCountsWhatItDrops: records that give way when a snapshot is restored under a smaller stream.labels are counted.
func TestASmallerBufferCountsWhatItDrops(t *testing.T) {
	schema := keyedSchema(t)
	large := NewLabels(LabelBuffer{Records: 10, Bytes: 1 << 20}, format.JSON.NewDecoder(schema))
	for i := range 12 {
		large.keep(&waiting{key: fmt.Sprint(i), value: []byte("{}")})
	}
	small := NewLabels(LabelBuffer{Records: 4, Bytes: 1 << 20}, format.JSON.NewDecoder(schema))
	if err := small.Restore(large.AppendState(nil, 0)); err != nil {
		t.Fatal(err)
	}
	if s := small.Status(); s.Waiting != 4 || s.Dropped != 8 {
		t.Errorf("%+v; of 12 records 2 gave way before, and 6 at the restart", s)
	}
}

func TestLabelBufferIsBoundedInBytes(t *testing.T) {
	schema := keyedSchema(t)
	b := NewLabels(LabelBuffer{Records: 1000, Bytes: 5000}, format.JSON.NewDecoder(schema))
	for i := range 100 {
		b.keep(&waiting{key: fmt.Sprint(i), value: make([]byte, 300)})
		if b.count.Bytes > 5000 {
			t.Fatalf("%d bytes wait", b.count.Bytes)
		}
	}
	b.keep(&waiting{key: "large", value: make([]byte, 6000)})
	if b.order.Len() != 0 || b.count.Bytes != 0 || b.count.Dropped != 101 {
		t.Errorf("%d records of %d bytes wait, %d were dropped", b.order.Len(), b.count.Bytes, b.count.Dropped)
	}
}

// A record that waits is not decided while the learner holds its first records back, even when records of weight 0
// have carried the version past the warm-up.
func TestNoDecisionBeforeTheLearnerIsReady(t *testing.T) {
	config := keyed()
	config.Record.Weight = "weight"
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	b := NewLabels(LabelBuffer{Records: 10, Bytes: 1 << 20}, format.JSON.NewDecoder(keyedSchema(t)))
	nothing := record.Record{HasLabel: true, Attributes: make([]record.Value, 1)}
	for range config.Learner.Warmup + 1 {
		learner.Learn(&nothing)
	}
	waits := record.Record{Attributes: make([]record.Value, 1)}
	made, kept := observe.Learner(learner).Await(&waits), &waiting{}
	if b.score(kept, &made); kept.decision() != undecided || b.count.Scored != 0 {
		t.Errorf("version %d, warm-up %d: decision %d, %d scored", learner.Version(), config.Learner.Warmup, kept.decision(), b.count.Scored)
	}
}

// FuzzLabels: the same for the label buffer.
func FuzzLabels(f *testing.F) {
	schema := keyedSchema(f)
	limit := LabelBuffer{Records: 4, Bytes: 1 << 20}
	full := NewLabels(limit, format.JSON.NewDecoder(schema))
	observed := &waiting{key: "a", value: []byte(`{"person":"a"}`)}
	observed.Known, observed.Positive, observed.Score = true, true, 1.5
	observed.Number.Store(7)
	full.keep(observed)
	full.keep(&waiting{key: "b", value: []byte(`{"person":"b"}`)})
	f.Add(full.AppendState(nil, math.MaxInt64))
	f.Add(NewLabels(limit, format.JSON.NewDecoder(schema)).AppendState(nil, math.MaxInt64))
	f.Fuzz(func(t *testing.T, state []byte) {
		b := NewLabels(limit, format.JSON.NewDecoder(schema))
		if b.Restore(state) != nil {
			return
		}
		again := NewLabels(limit, format.JSON.NewDecoder(schema))
		if err := again.Restore(b.AppendState(nil, math.MaxInt64)); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if *again.Status() != *b.Status() {
			t.Errorf("read again: %+v, before %+v", again.Status(), b.Status())
		}
	})
}
