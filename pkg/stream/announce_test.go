package stream

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// told is an event as a consumer reads it.
type told struct {
	ID, Type string
	Value    json.RawMessage
}

// storyOf reads a topic of events as a consumer does: what repeats an ID is dropped. again is how many records repeat one.
func storyOf(t *testing.T, cluster Cluster, topic string) (story []told, again int) {
	t.Helper()
	seen := map[string]string{}
	_, err := cluster.Read(t.Context(), topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		header := map[string]string{}
		for _, h := range r.Headers() {
			header[h.Key] = string(h.Value)
		}
		if string(r.Key) != "adult" || header["ce_source"] != "/fairstream/adult" || header["ce_specversion"] != "1.0" || header["content-type"] != "application/json" {
			t.Errorf("key %s, headers %v", r.Key, header)
		}
		var about struct {
			Subject, Change, Step string
			EventTime             *time.Time `json:"event_time"`
		}
		if err := json.Unmarshal(r.Value, &about); err != nil {
			t.Fatal(err)
		}
		wantType, wantSubject := "io.fairstream.decisions."+about.Change+".v1", about.Subject
		if about.Step != "" {
			wantType, wantSubject = "io.fairstream.release."+about.Step+".v1", "releases"
		}
		if header["ce_type"] != wantType || header["ce_subject"] != wantSubject || (header["ce_time"] != "") != (about.EventTime != nil) {
			t.Errorf("%s has the headers %v", r.Value, header)
		}
		id := header["ce_id"]
		if before, repeated := seen[id]; repeated {
			if again++; before != string(r.Value) {
				t.Errorf("id %s names two events:\n%s\n%s", id, before, r.Value)
			}
			return nil
		}
		seen[id] = string(r.Value)
		story = append(story, told{id, header["ce_type"], slices.Clone(r.Value)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return story, again
}

// eventsOf are the events about decisions, in the order of the topic.
func eventsOf(t *testing.T, cluster Cluster, topic string) (ids []string, events []history.Judged, again int) {
	t.Helper()
	story, again := storyOf(t, cluster, topic)
	for _, one := range story {
		if !strings.HasPrefix(one.Type, "io.fairstream.decisions.") {
			continue
		}
		var judged history.Judged
		if err := json.Unmarshal(one.Value, &judged); err != nil {
			t.Fatal(err)
		}
		ids, events = append(ids, one.ID), append(events, judged)
	}
	return ids, events, again
}

// sameStory fails a test whose history is damaged, or whose events are others than those of the history.
func sameStory(t *testing.T, cluster Cluster, topics Topics) (audit *history.Audit, again int) {
	t.Helper()
	audit = whole(t, cluster, topics)
	return audit, sameEvents(t, cluster, topics, audit)
}

// sameEvents fails a test whose events are others than those of the history, in another order, or not numbered without gaps.
func sameEvents(t *testing.T, cluster Cluster, topics Topics, audit *history.Audit) (again int) {
	t.Helper()
	bySequence := map[int64]string{}
	numbers := map[string]int64{}
	tell := func(e history.Event, subject string, number int64, value any) {
		bySequence[e.Sequence] = inJSON(t, value)
		if numbers[subject]++; number != numbers[subject] {
			t.Errorf("%s: event %d is behind event %d", subject, number, numbers[subject]-1)
		}
	}
	for _, d := range audit.Decisions {
		tell(d.Event, d.Subject, d.Number, d.Judged)
	}
	for _, r := range audit.Releases {
		tell(r.Event, "releases", r.Number, r.Released)
	}
	var got, want []string
	for _, sequence := range slices.Sorted(maps.Keys(bySequence)) {
		want = append(want, bySequence[sequence])
	}
	story, again := storyOf(t, cluster, topics.Events)
	for _, one := range story {
		got = append(got, string(one.Value))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events are\n%s\nand the history tells\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return again
}

func inJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// toldEvents of a run that fails are those of the history, in order and numbered without gaps; with one partition, they are those of an undisturbed run.
func toldEvents(t *testing.T, partitions int) (func(*testing.T, *failure), func(*testing.T)) {
	shifted := func() (*clustertest.Memory, Options) {
		world := newWorld(partitions)
		for part := range partitions {
			world.Put(testTopics.Input, int32(part), adultLines()[part*1200/partitions:(part+1)*1200/partitions]...)
		}
		world.Batch = 240
		options := testOptions()
		options.Model.Learner.Warmup = 50
		options.Snapshot, options.Publish = Cadence{Records: 240}, Cadence{Records: 750}
		options.Model.Constraints[0].Enforce = new(bool)
		options.Monitoring.Exact = true // which has a sequence, and so an event, after few records
		return world, options
	}
	world, options := shifted()
	run(t, world, options)
	ids, want, _ := eventsOf(t, world, testTopics.Events)
	if len(want) < 2 || ids[1] != "decisions/1/0/as_made/2" {
		t.Fatalf("an undisturbed run has the events %s %+v", ids, want)
	}
	return func(t *testing.T, f *failure) {
		world, options := shifted()
		f.in(world, nil)
		if err := New(world, options).Run(t.Context()); !f.injected(err) {
			t.Fatal(err)
		}
		f.end()
		run(t, world, options)
		if _, again := sameStory(t, world, testTopics); again > 0 {
			t.Errorf("%d events are on the topic twice, although no owner wrote late", again)
		}
		if _, got, _ := eventsOf(t, world, testTopics.Events); partitions == 1 && inJSON(t, got) != inJSON(t, want) {
			t.Errorf("events %+v, undisturbed %+v", got, want)
		}
	}, nothingMore
}

// TestEventsAreToldSoon: a snapshot is taken for them, long before its interval ends.
func TestEventsAreToldSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		options.Snapshot, options.Publish = Cadence{Interval: time.Hour}, Cadence{Interval: time.Hour}
		b := inBackground(t, world, options)
		synctest.Wait()
		world.Put(testTopics.Input, 0, adultLines()[:4000]...)
		time.Sleep(2 * announceEvery)
		if _, events, _ := eventsOf(t, world, testTopics.Events); len(events) == 0 {
			t.Error("no event so far")
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAResetBeginsOtherEvents: numbers start again at 1, and no ID is used for another event.
func TestAResetBeginsOtherEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:2000]...)
		options := testOptions()
		run(t, world, options)
		first, _, _ := eventsOf(t, world, testTopics.Events)
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		run(t, world, options)
		both, _, again := eventsOf(t, world, testTopics.Events)
		if len(first) == 0 || len(both) != 2*len(first) || again != 0 || !slices.Equal(both[:len(first)], first) {
			t.Errorf("events %v, then %v", first, both)
		}
		if judged := whole(t, world, testTopics).Decisions; len(judged) != len(both) {
			t.Errorf("%d events, and the history tells %d", len(both), len(judged))
		}
	})
}

// TestEventsOnBrokers: the topic is created as it must be, and a second process goes on.
func TestEventsOnBrokers(t *testing.T) {
	onBrokers(t, 2, func(t *testing.T, c *realTopics) {
		for range 2 {
			c.put(t, 2, adultLines()[:3000])
			c.run(t, c.options())
		}
		audit, again := sameStory(t, c, c.topics)
		if len(audit.Decisions) == 0 || again > 0 {
			t.Errorf("%s, %d again", fmt.Sprint(audit.Decisions), again)
		}
	})
}
