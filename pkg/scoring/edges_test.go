package scoring

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestSharesAndSplits: which numbers are shares, what is said of others, and which options go together.
func TestSharesAndSplits(t *testing.T) {
	up := math.Nextafter(1, 2)
	for share, want := range map[float64]string{
		0: "", 1: "", .5: "", -5e-324: "is outside [0, 1]", up: "per cent", 5: "write 0.05 for 5 per cent", 99: "write 0.99 for 99 per cent", 100: "the share 100 is outside [0, 1]", math.Inf(1): "is outside",
	} {
		if err := CheckShare(share); (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "per cent") != (share > 1 && share < 100)) {
			t.Errorf("%v: %v", share, err)
		}
	}
	f := &follow.Follower{}
	for i, c := range []struct {
		of   Options
		want string
	}{
		{Options{From: "a", To: "b", Models: f}, ""}, {Options{From: "a", To: "b", Models: f, Shadow: f, Split: 1}, ""}, {Options{From: "a", To: "b", Models: f, Shadow: f, Split: up}, "a split of"},
		{Options{From: "a", To: "b", Models: f, Shadow: f, Split: -5e-324}, "a split of"}, {Options{From: "a", To: "b", Models: f, Shadow: f, Split: math.NaN()}, "a split of"},
		{Options{From: "a", To: "b", Models: f, Split: 5e-324}, "needs a shadow"}, {Options{From: "a", To: "b", Models: f, Explore: 2}, "explore: "}, {Options{From: "a", To: "b", Models: f, Explore: 1}, ""},
	} {
		if err := c.of.validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d: %v", i, err)
		}
	}
	o := Options{}.withDefaults()
	o.Notify(nil)
	o.Rejected(0, nil)
	if o.CommitEvery != 200*time.Millisecond || (Options{CommitEvery: 1}).withDefaults().CommitEvery != 1 || (Options{CommitEvery: -1}).withDefaults().CommitEvery != 200*time.Millisecond {
		t.Errorf("committed every %v", o.CommitEvery)
	}
	if Group("j", "a", "b") != "fairstream.j.score.a.b" {
		t.Error(Group("j", "a", "b"))
	}
}

// TestCountsOfOutcomes: an outcome counts once as rejected or scored, and in what else is true of it; counts add up.
func TestCountsOfOutcomes(t *testing.T) {
	var s Status
	for _, o := range []Outcome{{Rejection: &record.Rejection{}, Unread: []string{"a"}}, {}, {Explored: true, Positive: true, Propensity: 1}, {Propensity: 1}, {Propensity: 1, Positive: true}, {Unread: []string{"a"}}, {Propensity: .9}} {
		s.count(o)
	}
	if s.Rejected != 1 || s.Scored != 6 || s.Explored != 1 || s.Anonymous != 1 || s.Unread != 1 {
		t.Errorf("%+v", s)
	}
	sum := Status{Scored: 10, Rejected: 20, Explored: 30, Anonymous: 40, Unread: 50}
	if sum.add(&s); sum.Scored != 16 || sum.Rejected != 21 || sum.Explored != 31 || sum.Anonymous != 41 || sum.Unread != 51 {
		t.Errorf("%+v", sum)
	}
}

// TestTextsAsJSON: a text stands as it is if JSON has it so, and only then.
func TestTextsAsJSON(t *testing.T) {
	for text, want := range map[string]string{"": `""`, " a~": `" a~"`, "a\"": `"a\""`, "\\": `"\\"`, "\x1f": `"\u001f"`, "\x7f": "\"\x7f\"", "ü": `"ü"`} {
		if got := string(appendJSONString(nil, []byte(text))); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]bool{" ": true, "~": true, "\x1f": false, "\x7f": false, "": true} {
		if isPlain([]byte(text)) != want {
			t.Errorf("%q is plain: %t", text, !want)
		}
	}
}

// TestTheShareOfTheShadow: a record is in it by its key, else by its place, and so the same one always is.
func TestTheShareOfTheShadow(t *testing.T) {
	byKey, byPlace, partitions := 0, 0, 0
	for i := range int64(4000) {
		keyed, placed := &kafka.Record{Offset: i, Key: fmt.Append(nil, i)}, &kafka.Record{Offset: i}
		if inShare(.25, 0, keyed) {
			byKey++
		}
		if inShare(.25, 0, keyed) != inShare(.25, 3, &kafka.Record{Offset: 7 * i, Key: keyed.Key}) || inShare(.25, 0, keyed) != InShare(.25, keyed.Key) {
			t.Fatalf("the key %s is in the share of one place and not of another", keyed.Key)
		}
		if inShare(.25, 1, placed) {
			byPlace++
		}
		if inShare(.25, 1, placed) != inShare(.25, 2, placed) {
			partitions++
		}
	}
	if byKey < 900 || byKey > 1100 || byPlace < 900 || byPlace > 1100 || partitions < 1000 {
		t.Errorf("%d of 4,000 by their key, %d by their place; %d are in the share of one partition alone", byKey, byPlace, partitions)
	}
}

// regression is a document that predicts.
func regression(t *testing.T) *document.Document {
	t.Helper()
	doc, err := document.New(document.Regression, features.Parts{Columns: []features.Column{{Name: "x", Kind: features.Scaled, Mean: 1, Scale: .5, First: 1}}, Size: 2}, []float64{2, 4})
	must(t, err)
	doc.Config, err = document.NewConfig([]byte(`{"record":{"label":{"field":"y"}},"learner":{"level":0.95,"minimum_records":30},"constraints":[{"name":"sex","attribute":["sex","race"],"group":["m","a"],"versus":["f","b"],"criterion":"mean-difference","tau":1}]}`))
	must(t, err)
	doc.Label = &document.LabelSummary{Mean: 1}
	return doc
}

// TestPredictionsOfATopic: a regression predicts, has nothing to explore, and forgets what it read; attributes are written as far as a record has them.
func TestPredictionsOfATopic(t *testing.T) {
	d, err := NewDecider(&follow.Model{Document: regression(t), Version: 7, Term: 2, Alias: "stable"})
	must(t, err)
	got := d.Decide([]byte(`{"x":3,"sex":"m","race":"a"}`))
	if got.Score != 6 || got.Margin != 6 || got.Positive || got.Rejection != nil || d.Decides() || d.GivesProbability() {
		t.Errorf("%+v", got)
	}
	if attributes := string(d.appendAttributes(nil)); attributes != `,"attributes":{"sex":"m","race":"a"}` {
		t.Error(attributes)
	}
	d.Decide([]byte(`{"x":3,"race":"a"}`))
	if attributes := string(d.appendAttributes(nil)); attributes != `,"attributes":{"race":"a"}` {
		t.Error(attributes)
	}
	d.Decide([]byte(`{"x":3}`))
	if attributes := string(d.appendAttributes(nil)); attributes != `,"attributes":{}` {
		t.Error(attributes)
	}
	d.Forget()
	if len(d.record.Features) != 0 || d.key != nil {
		t.Errorf("%+v is kept", d.record)
	}
	var none *Decider
	none.Forget()
	for _, c := range []struct {
		of    *Decider
		share float64
		want  bool
	}{{d, .1, true}, {d, 0, false}, {none, .1, false}} {
		if err := c.of.Explorable(c.share); errors.Is(err, ErrNothingToExplore) != c.want {
			t.Errorf("a share of %v: %v", c.share, err)
		}
	}
	classifier, err := NewDecider(&follow.Model{Document: tiny(t), Version: 1, Alias: "stable"})
	must(t, err)
	if err := classifier.Explorable(.1); err != nil || !classifier.Decides() {
		t.Error(err)
	}
	broken := regression(t)
	broken.Model = []byte(`{`)
	if _, err := NewDecider(&follow.Model{Document: broken}); err == nil {
		t.Error("a document that cannot be read predicts")
	}
	if _, err := NewBareDecider(&follow.Model{Document: &document.Document{}}, "id"); err == nil {
		t.Error("a document without a label has a schema")
	}
}

// TestATaskKeepsFewBatches: those of an ordinary chunk.
func TestATaskKeepsFewBatches(t *testing.T) {
	for made, want := range map[int]int{0: 0, 1: 1, mostBatches: mostBatches, mostBatches + 3: mostBatches} {
		task := task{chunk: &kafka.Chunk{}}
		for range made {
			b := kafka.NewBatch()
			b.Add(&kafka.Message{Value: []byte("x")})
			task.batches = append(task.batches, b)
		}
		task.reset()
		for _, b := range task.batches {
			if b.Size() != 0 {
				t.Errorf("a batch of %d bytes is left", b.Size())
			}
		}
		if len(task.batches) != want {
			t.Errorf("%d of %d batches are kept", len(task.batches), made)
		}
	}
}
