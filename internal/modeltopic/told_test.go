package modeltopic

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
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
