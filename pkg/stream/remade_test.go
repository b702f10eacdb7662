package stream

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestTheModelTopicIsMadeAgain under an owner: it notices, writes its documents and aliases again, and goes on saving and publishing.
func TestTheModelTopicIsMadeAgain(t *testing.T) {
	for _, documents := range []int{1, 3} { // one document stands at offset 0, which every log has
		synctest.Test(t, func(t *testing.T) {
			world, options := releasing(0)
			options.Publish, options.Snapshot = Cadence{Records: 500}, Cadence{Interval: time.Second}
			var told events
			options.Notify = told.add
			b := inBackground(t, world, options)
			for i := range documents {
				world.Put(testTopics.Input, 0, adultLines()[500*i:500*(i+1)]...)
				time.Sleep(5 * time.Second)
			}
			before, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
			if err != nil || len(before.Versions) < documents || len(before.Aliases) < 2 {
				t.Fatalf("%d versions, aliases %v, error %v", len(before.Versions), before.Aliases, err)
			}
			world.Again(testTopics.Model)
			time.Sleep(2 * repairEvery)
			after, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
			if err != nil {
				t.Fatal(err)
			}
			if newest, was := after.Newest(), before.Newest(); newest == nil || newest.Place() != was.Place() || string(newest.Data) != string(was.Data) {
				t.Fatalf("the newest document is %+v, and was version %d", newest, was.Version)
			}
			for name, was := range before.Aliases {
				if after.Aliases[name] != was || after.ByAlias(name) == nil {
					t.Errorf("alias %s is %+v, and was %+v", name, after.Aliases[name], was)
				}
			}
			if remade := of[ModelsRemade](&told); len(remade) != 1 || remade[0].Documents == 0 || remade[0].Aliases != len(before.Aliases) ||
				remade[0].Documents+remade[0].Missing != len(before.Versions) {
				t.Errorf("told %+v", remade)
			}
			saves := len(of[Saved](&told))
			world.Put(testTopics.Input, 0, adultLines()[500*documents:500*(documents+1)]...)
			time.Sleep(5 * time.Second)
			if len(of[Saved](&told)) == saves || b.Status().Published != int64(500*(documents+1)) {
				t.Errorf("it saves no more, and published version %d", b.Status().Published)
			}
			if err := b.end(); err != nil {
				t.Fatal(err)
			}
			agrees(t, world, options)
		})
	}
}

// TestTopicsAreMadeAgain on brokers, where a topic is away for a moment: the owner goes on, and a page goes on following the history.
func TestTopicsAreMadeAgain(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		options := c.options()
		options.Publish, options.Snapshot = Cadence{Records: 500}, Cadence{Records: 500}
		c.put(t, 1, adultLines()[:1000])
		b := inBackground(t, c, options)
		reading, stop := context.WithCancel(t.Context())
		defer stop()
		last := make(chan int64, 1000)
		followed := make(chan error, 1)
		go func() {
			followed <- FollowHistory(reading, c, c.topics.History, options.Job, 1000, func(e *history.Entry) { last <- e.Sequence })
		}()
		within(t, "weights", func() bool { return b.Status().Published > 0 && b.Status().Version == 1000 && len(last) > 0 })
		c.remake(t, c.topics.Model, options)
		c.remake(t, c.topics.History, options)
		for len(last) > 0 {
			<-last
		}
		c.put(t, 1, adultLines()[1000:2000])
		within(t, "weights again", func() bool { return b.Status().Published > 1000 && b.Status().Version == 2000 })
		within(t, "the page knows new entries", func() bool { return len(last) > 0 })
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		stop()
		if err := <-followed; !errors.Is(err, context.Canceled) {
			t.Errorf("following the history ended with %v", err)
		}
		models, err := ReadModels(t.Context(), c, c.topics.Model, options.Job)
		if err != nil || models.Newest() == nil || models.Newest().Version <= 1000 || models.ByAlias(CandidateAlias) == nil {
			t.Errorf("models %+v, error %v", models, err)
		}
		entries := map[string]int{}
		if _, err := c.Read(t.Context(), c.topics.History, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error { entries[string(r.Value)]++; return nil }); err != nil {
			t.Fatal(err)
		}
		for entry, n := range entries {
			if n > 2 { // once more, at most, where it was read back
				t.Errorf("an entry was written %d times: %.100s", n, entry)
			}
		}
	})
}

// TestTheHistoryIsMadeAgain: entries go on behind the head, each is written once, and the damage is told.
func TestTheHistoryIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		options.Publish = Cadence{Records: 100}
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		for i := range 10 {
			world.Put(testTopics.Input, 0, adultLines()[100*i:100*(i+1)]...)
			time.Sleep(5 * time.Second)
		}
		world.Again(testTopics.History)
		for i := 10; i < 13; i++ {
			world.Put(testTopics.Input, 0, adultLines()[100*i:100*(i+1)]...)
			time.Sleep(5 * time.Second)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if damaged := of[HistoryDamaged](&told); len(damaged) != 1 || !strings.Contains(damaged[0].Problem, "made again") {
			t.Errorf("told %+v", damaged)
		}
		seen := map[string]bool{}
		publications := 0
		for _, r := range world.Topics[testTopics.History].Partitions[0].Records {
			var e history.Entry
			if err := json.Unmarshal(r.Value, &e); err != nil || seen[e.ID] {
				t.Errorf("entry %d, %s, error %v, is there twice: %v", e.Sequence, e.ID, err, seen[e.ID])
			}
			if seen[e.ID] = true; e.Kind == history.Publication {
				publications++
			}
		}
		if publications != 3 {
			t.Errorf("%d publications behind", publications)
		}
	})
}

// TestAHistoryEntryOfALaterOwner: an entry of a higher term, of which the state topic knows nothing, ends the process with the topic's name after
// stream.standby_timeout, instead of stopping its saves in silence; the next start claims a higher term.
func TestAHistoryEntryOfALaterOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		options.Publish = Cadence{Records: 100}
		world.Put(testTopics.Input, 0, adultLines()[:100]...)
		b := inBackground(t, world, options)
		time.Sleep(5 * time.Second)
		synctest.Wait() // nobody writes now
		log := history.NewChain(history.Head{}, history.Everything)
		for i, r := range world.Topics[testTopics.History].Partitions[0].Records {
			if _, _, _, err := log.Follow(int64(i), r.Value); err != nil {
				t.Fatal(err)
			}
		}
		forged, _, err := log.Next(history.Entry{Job: "adult", Time: time.Now(), Term: 2, ID: "reset/2", Kind: history.Reset})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := world.Append(t.Context(), testTopics.History, 0, kafka.Message{Key: []byte("adult"), Value: forged}); err != nil {
			t.Fatal(err)
		}
		world.Put(testTopics.Input, 0, adultLines()[100:300]...)
		begun := time.Now()
		var ahead *chronicle.Ahead
		if err := <-b.result; !errors.As(err, &ahead) || ahead.Term != 2 || ahead.Own != 1 || !strings.Contains(err.Error(), testTopics.History) ||
			!strings.Contains(err.Error(), "fairstream audit") {
			t.Fatalf("it ended with %v", err)
		}
		if took := time.Since(begun); took > b.options.StandbyTimeout+5*time.Second {
			t.Errorf("it waited for %v", took)
		}
		s := run(t, world, options)
		if status := s.Status(); status.Version != 300 || status.Claim.Term < 3 || status.Published != 300 {
			t.Errorf("the next start: version %d, term %d", status.Version, status.Claim.Term)
		}
	})
}
