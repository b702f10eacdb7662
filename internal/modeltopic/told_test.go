package modeltopic

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
)

// TestWhatAnOwnerIsToldOf, each once: what it published, and records that do not count. An alias of others that one of these overwrote is written again,
// and one that was deleted is gone.
func TestWhatAnOwnerIsToldOf(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	var told []Event
	p := publisher(t, world, Own{Term: 1, Notify: func(e Event) { told = append(told, e) }}, nil)
	first := publish(t, p, 100, nil)
	said, is := told[0].(Published)
	if !is || len(told) != 1 || said.Version != 100 || said.Term != 1 || said.SHA256 != first.SHA256 || said.Document.Version != 100 || said.Bytes != len(world.LastUnder("models", DocumentKey("adult", first.Place)).Value) {
		t.Errorf("%+v", told)
	}
	mine := MoveAlias("adult", "mine", 1, first, nil)
	if _, err := world.Append(t.Context(), "models", 0, mine, MoveAlias("adult", "yours", 1, first, nil)); err != nil {
		t.Fatal(err)
	}
	if err := p.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	told = nil
	damaged, err := world.Append(t.Context(), "models", 0, kafka.Message{Key: mine.Key, Value: []byte("[")}, kafka.Message{Key: []byte("adult/v/x/1"), Value: []byte("{}")},
		kafka.Message{Key: []byte("adult/yours")})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := []Event{Refused{Key: "adult/mine", Offset: damaged}, Refused{Key: "adult/v/x/1", Offset: damaged + 1}, AliasRepaired{Alias: "mine", Version: 100, Term: 1}}
	for i, e := range told {
		if refused, is := e.(Refused); is {
			if refused.Reason == "" {
				t.Errorf("%+v has no reason", e)
			}
			refused.Reason = ""
			told[i] = refused
		}
	}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("%+v", told)
	}
	if last := world.LastUnder("models", "adult/mine"); string(last.Value) != string(mine.Value) {
		t.Errorf("under the alias stands %s", last.Value)
	}
	if a, there := p.Alias("yours"); there {
		t.Errorf("a deleted alias points to %+v", a)
	}
	writes := len(world.Trace)
	if err := p.Assign(t.Context(), &Assignment{Aliases: map[string]Target{}}); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(world.Trace[writes:], func(o string) bool { return strings.HasPrefix(o, "append") }) {
		t.Errorf("an assignment that asks for nothing writes: %q", world.Trace[writes:])
	}
}

// TestWhatADocumentSaysOfItself counts, and not its header, which no signature covers; a late alias is not the latest.
func TestWhatADocumentSaysOfItself(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, world, Own{Term: 1}, nil)
	first := publish(t, p, 100, nil)
	publish(t, p, 200, nil)
	value := world.LastUnder("models", DocumentKey("adult", first.Place)).Value
	if _, err := world.Append(t.Context(), "models", 0, Document("adult", first.Place, "forged", value, nil), Document("adult", Place{1, 50}, "header", []byte("["), nil),
		MoveAlias("adult", Latest, 1, first, nil)); err != nil {
		t.Fatal(err)
	}
	m, _ := modelsOf(t, world, nil)
	if got := m.Find(1, 100).WeightsSHA256; got != first.SHA256 {
		t.Errorf("a document says %s, and %s is believed", first.SHA256, got)
	}
	if got := m.Find(1, 50).WeightsSHA256; got != "header" {
		t.Errorf("of a document that cannot be read, %s is known", got)
	}
	if latest := m.ByAlias(Latest); latest.Version != 200 {
		t.Errorf("the latest version is %d", latest.Version)
	}
}

// noting is a cluster that notes from which offsets it is read.
type noting struct {
	cluster.Cluster
	from []int64
}

func (n *noting) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	n.from = append(n.from, from)
	return n.Cluster.Read(ctx, topic, partition, from, to, use)
}

// TestAReaderGoesOn: a reader continues where it stopped, and starts from the beginning if the topic was recreated or truncated. It then forgets
// what it knew of the topic, but keeps its term and the versions that releases need.
func TestAReaderGoesOn(t *testing.T) {
	memory := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, memory, Own{Term: 3}, nil)
	first := publish(t, p, 100, nil)
	end := int64(len(memory.Topics["models"].Partitions[0].Records))
	world := &noting{Cluster: memory}
	r := Topic{Cluster: world, Name: "models", Job: "adult"}.Open()
	r.shelf.rule.Own, r.shelf.kept = 3, map[Place]bool{{3, 7}: true}
	for range 3 {
		if err := r.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	publish(t, p, 200, nil)
	if err := r.Look(t.Context()); err != nil || r.Latest() != 200 {
		t.Errorf("version %d, %v", r.Latest(), err)
	}
	if want := []int64{kafka.Earliest, end, end, end}; !slices.Equal(world.from, want) {
		t.Errorf("read from %v, not from %v", world.from, want)
	}
	memory.Again("models")
	world.from = nil
	if err := r.Look(t.Context()); err != nil || r.Latest() != 0 || world.from[0] != kafka.Earliest {
		t.Errorf("version %d, read from %v, %v", r.Latest(), world.from, err)
	}
	if _, there := r.Alias(Latest); there || r.shelf.rule.Own != 3 || !r.shelf.referred(Place{3, 7}) || r.shelf.referred(first.Place) {
		t.Errorf("%+v", r.shelf)
	}
}

// TestDocumentsThatChange: the shelf knows which one stood first while another stands in its place, and which one was deleted while it was needed.
func TestDocumentsThatChange(t *testing.T) {
	at := Place{1, 100}
	put := func(value string) kafka.Message { return Document("adult", at, "ab", []byte(value), nil) }
	gone := kafka.Message{Key: []byte(DocumentKey("adult", at))}
	for name, c := range map[string]struct {
		messages             []kafka.Message
		kept                 bool
		there, original, was bool
	}{
		"one":                       {[]kafka.Message{put("a")}, true, true, false, false},
		"the same again":            {[]kafka.Message{put("a"), put("a")}, true, true, false, false},
		"another":                   {[]kafka.Message{put("a"), put("b")}, true, true, true, false},
		"a third":                   {[]kafka.Message{put("a"), put("b"), put("c")}, true, true, true, false},
		"the first again":           {[]kafka.Message{put("a"), put("b"), put("a")}, true, true, false, false},
		"deleted":                   {[]kafka.Message{put("a"), gone}, true, false, false, true},
		"deleted, and not needed":   {[]kafka.Message{put("a"), gone}, false, false, false, false},
		"deleted after another":     {[]kafka.Message{put("a"), put("b"), gone}, true, false, false, true},
		"deleted, and written":      {[]kafka.Message{put("a"), gone, put("a")}, true, true, false, false},
		"deleted, and another then": {[]kafka.Message{put("a"), gone, put("b")}, true, true, false, false},
	} {
		s := newShelf("adult", nil)
		s.kept = map[Place]bool{at: c.kept}
		for i, message := range c.messages {
			record := kafkatest.Record(int64(i), &message)
			if err := s.apply(&record); err != nil {
				t.Fatal(err)
			}
		}
		_, there := s.documents[at]
		original, replaced := s.originals[at]
		_, was := s.gone[at]
		if there != c.there || replaced != c.original || was != c.was || replaced && original.Offset != 0 {
			t.Errorf("%s: there %v, replaced %v (%+v), gone %v", name, there, replaced, original, was)
		}
	}
}
