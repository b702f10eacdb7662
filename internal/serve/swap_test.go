package serve

import (
	"context"
	"math"
	"sync"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
)

// TestVersionsAreSwappedBetweenRequests: 1,000 swaps (50 with -short) of a follower under load, between documents that differ. No request fails, all records of one
// are decided by one version, none by an older version than the request before, and each margin is that of the version which the answer names.
func TestVersionsAreSwappedBetweenRequests(t *testing.T) {
	swaps := int64(1000)
	if testing.Short() {
		swaps = 50
	}
	var docs []*document.Document
	for records := 1500; records <= 3000; records += 500 {
		doc, _ := learntOf(t, records)
		docs = append(docs, doc)
	}
	_, lines := learnt(t, 3)
	margins := map[float64]bool{}
	var want [][]document.Decision
	for _, d := range docs {
		want = append(want, decisions(t, d, lines))
		margins[want[len(want)-1][0].Margin] = true
	}
	if len(margins) != len(docs) {
		t.Fatalf("%d documents have %d margins: the test cannot tell them apart", len(docs), len(margins))
	}
	topic := &follow.Memory{}
	publish := func(version int64) {
		t.Helper()
		d := *docs[version%int64(len(docs))]
		d.Version = version
		data, err := d.Encode()
		must(t, err)
		must(t, topic.Publish("adult", data))
	}
	swapped := make(chan int64, swaps+1) // no swap may be missed, and none waits
	publish(1)
	follower, err := topic.Open(follow.Options{Job: "adult", Alias: follow.LatestAlias, Notify: func(e follow.Event) {
		if s, is := e.(follow.Swapped); is {
			swapped <- s.Model.Version
		}
	}})
	must(t, err)
	defer func() { must(t, follower.Close()) }()
	<-swapped
	s := newService(t, small(follower))
	var group sync.WaitGroup
	asking, stop := context.WithCancel(t.Context())
	for range 4 {
		group.Go(func() {
			for last := int64(0); asking.Err() == nil; {
				results := score(t, s, bodyOf(lines))
				for i, r := range results {
					if r.Version != results[0].Version || r.Version < last {
						t.Errorf("record %d by version %d, the first by %d, the last request by %d", i, r.Version, results[0].Version, last)
					}
					if w := want[r.Version%int64(len(docs))][i]; math.Float64bits(*r.Margin) != math.Float64bits(w.Margin) {
						t.Errorf("record %d by version %d: margin %v, want %v", i, r.Version, *r.Margin, w.Margin)
					}
				}
				last = results[0].Version
			}
		})
	}
	for version := int64(2); version <= swaps+1; version++ {
		publish(version)
		if got := <-swapped; got != version {
			t.Fatalf("swapped to version %d, want %d", got, version)
		}
	}
	stop()
	group.Wait()
	if last := score(t, s, bodyOf(lines[:1])); last[0].Version != swaps+1 {
		t.Errorf("the last version does not decide: %+v", last)
	}
}
