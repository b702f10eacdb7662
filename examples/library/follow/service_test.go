package service

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// learnt is the weight document of a learner of so many records: who earns more than 40 repays, or who earns less.
func learnt(t *testing.T, records int, richer bool) []byte {
	t.Helper()
	config := model.Config{Record: record.Config{Label: record.Label{Field: "repaid", Positive: "yes"}}}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var loan record.Record
	for i := range records {
		income, repaid := i*37%80, "no"
		if (income > 40) == richer {
			repaid = "yes"
		}
		if err := decoder.DecodeJSON(&loan, fmt.Appendf(nil, `{"income":%d,"repaid":%q}`, income, repaid)); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&loan)
	}
	document, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	data, err := document.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestTheStableVersionDecides: a version decides once the alias points to it, and not before.
func TestTheStableVersionDecides(t *testing.T) {
	var topic follow.Memory
	swapped := make(chan int64, 10)
	follower, err := topic.Open(follow.Options{Job: "loans", Alias: follow.StableAlias, Notify: func(event follow.Event) {
		if e, is := event.(follow.Swapped); is {
			swapped <- e.Model.Version
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = follower.Close() }()
	s := &Service{Follower: follower}
	decides := func(version int64, positive bool) {
		t.Helper()
		decision, by, err := s.Decide(t.Context(), []byte(`{"income":75}`))
		if err != nil || by != version || decision.Positive != positive {
			t.Errorf("version %d decides %v (%v), want version %d and %v", by, decision.Positive, err, version, positive)
		}
	}
	for _, data := range [][]byte{learnt(t, 3000, true), learnt(t, 4000, false)} {
		if err := topic.Publish("loans", data); err != nil {
			t.Fatal(err)
		}
	}
	if err := topic.Point("loans", follow.StableAlias, 1, 3000); err != nil {
		t.Fatal(err)
	}
	<-swapped
	decides(3000, true)
	if err := topic.Point("loans", follow.StableAlias, 1, 4000); err != nil {
		t.Fatal(err)
	}
	<-swapped
	decides(4000, false)
	if _, _, err := s.Decide(t.Context(), []byte(`{"income":`)); err == nil {
		t.Error("a malformed application is decided")
	}
}
