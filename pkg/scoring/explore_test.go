package scoring

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestExplorationIsTheDocumentedRule: the vectors of docs/decisions.md, which come of the Python package mmh3 and the text of the rule.
func TestExplorationIsTheDocumentedRule(t *testing.T) {
	for id, number := range map[string]uint64{"c-000417": 0xfceef23741a7b0c0, "39": 0xc428858cb0c1f980, "Müller 7": 0xda86ad4abf3bec84} {
		if got := record.Mix(explorationSlot, record.Hash([]byte(id))); got != number {
			t.Errorf("%s: %#x, want %#x", id, got, number)
		}
		at := float64(number>>11) / (1 << 53)
		for _, share := range []float64{at, at + 1e-15} {
			if got := Explore(share, []byte(id), Outcome{}); got.Explored != (share > at) {
				t.Errorf("%s with the share %v: %+v", id, share, got)
			}
		}
	}
	var explored []int
	for i := range 200 {
		if Explore(.02, fmt.Appendf(nil, "c-%06d", i), Outcome{}).Explored {
			explored = append(explored, i)
		}
	}
	if want := []int{2, 31, 99, 125, 135, 144, 177}; !slices.Equal(explored, want) {
		t.Errorf("explored %v, want %v", explored, want)
	}
}

// TestExploration: negative decisions alone are changed, about the share that is asked for, and the propensity is the probability of what was decided.
func TestExploration(t *testing.T) {
	ids, explored := 20_000, 0
	for i := range ids {
		id := fmt.Appendf(nil, "%d", i)
		few, more := Explore(.1, id, Outcome{Margin: -1}), Explore(.3, id, Outcome{Margin: -1})
		if few.Explored && !more.Explored || more.Positive != more.Explored || more.Margin != -1 {
			t.Fatalf("%s: %+v, %+v", id, few, more)
		}
		if want := map[bool]float64{true: .1, false: .9}[few.Explored]; few.Propensity != want {
			t.Fatalf("%s: %+v", id, few)
		}
		if few.Explored {
			explored++
		}
	}
	if share := float64(explored) / float64(ids); share < .0915 || share > .1085 { // four standard errors
		t.Errorf("a share of %v", share)
	}
	id, rejection := []byte("c-000002"), &record.Rejection{}
	for _, pair := range [][2]Outcome{
		{Explore(1, id, Outcome{Positive: true}), {Positive: true, Propensity: 1}},
		{Explore(1, nil, Outcome{}), {Propensity: 1}},
		{Explore(1, []byte{}, Outcome{}), {Propensity: 1}},
		{Explore(0, id, Outcome{}), {}},
		{Explore(-.1, id, Outcome{}), {}}, {Explore(math.NaN(), id, Outcome{}), {}}, {Explore(2, id, Outcome{}), {}}, {Explore(math.Inf(1), id, Outcome{}), {}},
		{Explore(1e-9, id, Outcome{}), {Propensity: 1 - 1e-9}}, {Explore(math.SmallestNonzeroFloat64, id, Outcome{}), {Propensity: 1}},
		{Explore(1, id, Outcome{Rejection: rejection}), {Rejection: rejection}},
		{Explore(1, id, Outcome{Unread: []string{"age"}}), {Positive: true, Explored: true, Propensity: 1, Unread: []string{"age"}}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%+v, want %+v", pair[0], pair[1])
		}
	}
}

// tiny is a document that turns down where x is low. It identifies records.
func tiny(t *testing.T) *document.Document {
	t.Helper()
	config := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}, ID: "id"}, Learner: model.DefaultLearner()}.WithDefaults()
	config.Learner.Mode = model.Unconstrained
	learner, err := model.New(config)
	must(t, err)
	schema, err := record.NewSchema(config.Record, nil)
	must(t, err)
	decoder, rec := schema.NewDecoder(), record.Record{}
	for i := range 2000 {
		must(t, decoder.DecodeJSON(&rec, fmt.Appendf(nil, `{"x":"%s","y":%d}`, []string{"low", "high"}[i%2], i%2)))
		learner.Learn(&rec)
	}
	doc, err := learner.Document()
	must(t, err)
	return doc
}

// TestExploredDecisions: what is written of them, by the identifier of the record or else the key of the message, and never of what the shadow says.
func TestExploredDecisions(t *testing.T) {
	doc := tiny(t)
	d, err := NewDecider(&follow.Model{Document: doc, Version: 1, Alias: "stable"})
	must(t, err)
	shadow, err := NewDecider(&follow.Model{Document: doc, Version: 1, Alias: "candidate"})
	must(t, err)
	out := newWriter(&Options{From: "records", Explore: .02})
	for _, c := range []struct {
		value, key string
		decision   int
		explored   bool
		propensity float64
	}{
		{`{"id":"c-000002","x":"low"}`, "", 1, true, .02}, {`{"id":"c-000003","x":"low"}`, "", 0, false, .98},
		{`{"id":"c-000003","x":"low"}`, "c-000002", 0, false, .98}, {`{"x":"low"}`, "c-000002", 1, true, .02}, {`{"x":"low"}`, "", 0, false, 1},
		{`{"id":"c-000002","x":"high"}`, "", 1, false, 1}, {`{`, "c-000002", 0, false, 0}} {
		var key []byte
		if c.key != "" {
			key = []byte(c.key)
		}
		m, outcome, _ := out.message(0, &kafka.Record{Value: []byte(c.value), Key: key}, d, shadow)
		type decision struct {
			Decision   *int
			Explored   bool
			Propensity float64
		}
		var line struct {
			decision
			Shadow decision
		}
		must(t, json.Unmarshal(m.Value, &line))
		if line.Decision != nil && *line.Decision != c.decision || line.Explored != c.explored || line.Propensity != c.propensity || line.Shadow.Explored || line.Shadow.Propensity != 0 ||
			outcome.Anonymous() != (c.propensity == 1 && c.decision == 0) {
			t.Errorf("%+v: %s", c, m.Value)
		}
	}
}

// TestTheKeyIdentifies: a decision has the identifier of its record, else the key of the message if that is text, in what the shadow says too;
// the key of one message is never that of the next.
func TestTheKeyIdentifies(t *testing.T) {
	doc := tiny(t)
	d, err := NewDecider(&follow.Model{Document: doc, Version: 1, Alias: "stable"})
	must(t, err)
	shadow, err := NewDecider(&follow.Model{Document: doc, Version: 1, Alias: "candidate"})
	must(t, err)
	out := newWriter(&Options{From: "records"})
	for i, c := range []struct{ value, key, id string }{
		{`{"id":"a","x":"low"}`, "k", "a"}, {`{"x":"low"}`, "k\"1", "k\"1"}, {`{"x":"low"}`, "", ""}, {`{"x":"low"}`, "\x00\x00\xff\x01", ""}, {`{"x":"high"}`, "7", "7"},
	} {
		main, beside := d, shadow
		if i%2 == 1 { // as --split exchanges them
			main, beside = shadow, d
		}
		m, _, _ := out.message(0, &kafka.Record{Value: []byte(c.value), Key: []byte(c.key)}, main, beside)
		var line struct {
			ID     string
			Shadow struct{ ID string }
		}
		must(t, json.Unmarshal(m.Value, &line))
		if line.ID != c.id || line.Shadow.ID != c.id {
			t.Errorf("%s with the key %q: %s", c.value, c.key, m.Value)
		}
	}
}
