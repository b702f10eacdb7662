package follow

import (
	"testing"

	"github.com/fairstream/fairstream/internal/modeltopic"
)

// TestAMemoryIsFollowed as a topic of Kafka is: the alias decides, a document that is none is refused, and a deleted alias forgets.
func TestAMemoryIsFollowed(t *testing.T) {
	var topic Memory
	first, _ := encoded(t, "", modeltopic.Place{Version: 100}, 1)
	second, _ := encoded(t, "other", modeltopic.Place{Term: 2, Version: 200}, 2)
	for _, data := range [][]byte{first, second} {
		if err := topic.Publish("adult", data); err != nil {
			t.Fatal(err)
		}
	}
	if err := topic.Publish("adult", []byte(`{"format":"fairstream-weights"}`)); err == nil {
		t.Error("a document without weights is published")
	}
	if err := topic.Point("adult", "canary", 1, 200); err == nil {
		t.Error("an alias points to a version that was not published")
	}
	if err := topic.Point("adult", "canary", 1, 100); err != nil {
		t.Fatal(err)
	}
	forgotten := make(chan Forgotten, 1)
	swaps := make(chan Swapped, 10)
	latest, err := topic.Open(Options{Job: "adult", Alias: LatestAlias, Notify: func(e Event) {
		if swapped, is := e.(Swapped); is {
			swaps <- swapped
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = latest.Close() }()
	canary, err := topic.Open(Options{Job: "adult", Alias: "canary", Forget: true, Notify: func(e Event) {
		if gone, is := e.(Forgotten); is {
			forgotten <- gone
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = canary.Close() }()
	if m, err := latest.Wait(t.Context()); err != nil || m.Term != 2 || m.Version != 200 {
		t.Errorf("latest is %+v: %v", m, err)
	}
	if swapped := <-swaps; swapped.Before != nil || swapped.Model.Version != 200 {
		t.Errorf("what was superseded is used: %+v", swapped)
	}
	if m, err := canary.Wait(t.Context()); err != nil || m.Term != 1 || m.Version != 100 || m.Document.Job != "adult" {
		t.Errorf("canary is %+v: %v", m, err)
	}
	for version := int64(300); version < 303; version++ { // one after the other, while it is followed
		data, _ := encoded(t, "other", modeltopic.Place{Term: 2, Version: version}, 2)
		if err := topic.Publish("adult", data); err != nil {
			t.Fatal(err)
		}
		if swapped := <-swaps; swapped.Model.Version != version || swapped.Before == nil {
			t.Errorf("published is %d, and used %+v", version, swapped)
		}
	}
	topic.Delete("adult", "canary")
	if gone := <-forgotten; gone.Before.Version != 100 || canary.Current() != nil {
		t.Errorf("forgotten %+v, current %+v", gone.Before, canary.Current())
	}
	if _, err := topic.Open(Options{}); err == nil {
		t.Error("a follower without a job is opened")
	}
}
