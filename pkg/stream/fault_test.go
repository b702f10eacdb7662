package stream

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/pkg/document"
)

// outcome is what a job leaves behind.
type outcome struct {
	sha      string
	version  int64
	rejected int64
	offsets  string
	ledgers  string
	letters  map[string]bool // partition/offset
	events   int
}

// outcomeOf reads it from the topics.
func outcomeOf(t *testing.T, world *clustertest.Memory) outcome {
	t.Helper()
	audit, _ := sameStory(t, world, testTopics)
	doc := newest(t, world)
	state, err := ReadState(t.Context(), world, testTopics.State, "adult")
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{sha: doc.WeightsSHA256, version: doc.Version, rejected: doc.Rejected,
		offsets: fmt.Sprint(doc.Offsets), ledgers: fmt.Sprint(state.Snapshot.Partitions), letters: map[string]bool{}, events: len(audit.Decisions)}
	for _, letter := range world.Topics[testTopics.DeadLetter].Partitions[0].Records {
		where := map[string]string{}
		for _, h := range letter.Headers {
			where[h.Key] = string(h.Value)
		}
		o.letters[where[deadletter.HeaderPartition]+"/"+where[deadletter.HeaderOffset]] = true
	}
	return o
}

func (o outcome) equal(p outcome) bool {
	return o.sha == p.sha && o.version == p.version && o.rejected == p.rejected && o.offsets == p.offsets && o.ledgers == p.ledgers &&
		maps.Equal(o.letters, p.letters) && o.events == p.events
}

// shortRun is a job of a few hundred records, some of them bad, that saves and publishes often.
func shortRun(partitions int) (*clustertest.Memory, Options) {
	world := newWorld(partitions)
	for i, line := range adultLines()[:400] {
		if i%37 == 5 {
			line = fmt.Sprintf(`{"bad":%d`, i)
		}
		world.Put(testTopics.Input, int32(i%partitions), line)
	}
	world.Batch = 64
	options := testOptions()
	options.Model.Learner.Warmup = 50
	options.Snapshot, options.Publish = Cadence{Records: 100}, Cadence{Records: 150}
	options.Decoders = 1
	options.Monitoring.Exact = true // which has a sequence, and so an event, after few records
	return world, options
}

// aRun fails, and the next run must leave what an undisturbed one leaves.
func aRun(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
	world, options := shortRun(1)
	run(t, world, options)
	want := outcomeOf(t, world)
	if want.version != 389 || len(want.letters) != 11 || want.events == 0 {
		t.Fatalf("the undisturbed run learnt %d records, rejected %d and had %d events", want.version, len(want.letters), want.events)
	}
	return func(t *testing.T, f *failure) {
		world, options := shortRun(1)
		f.in(world, nil)
		if err := New(world, options).Run(t.Context()); !f.injected(err) {
			t.Fatalf("%s, and the run ended with %v", f, err)
		}
		f.end()
		run(t, world, options)
		if got := outcomeOf(t, world); !got.equal(want) {
			t.Errorf("then %+v, undisturbed %+v", got, want)
		}
	}, nothingMore
}

// aKilledRun ends without a chance to do anything; with several partitions, counts and sums agree.
func aKilledRun(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
	world, options := shortRun(3)
	run(t, world, options)
	want := outcomeOf(t, world)
	return func(t *testing.T, f *failure) {
		world, options := shortRun(3)
		ctx, kill := context.WithCancel(t.Context())
		defer kill()
		f.in(world, kill)
		err := New(world, options).Run(ctx)
		if last := world.Trace[len(world.Trace)-1]; f.end() && err == nil && !strings.Contains(last, "/beat/") { // all is saved when it leaves
			t.Fatalf("the run survived %s", last)
		}
		run(t, world, options)
		got := outcomeOf(t, world)
		got.sha = want.sha // the order between partitions may differ
		if !got.equal(want) {
			t.Errorf("then %+v, undisturbed %+v", got, want)
		}
	}, nothingMore
}

// TestTheSameWeightsWhatever: sizes of fetches and parcels, decoders and the cadence of snapshots have no
// influence on what is learnt.
func TestTheSameWeightsWhatever(t *testing.T) {
	fetches, cadences := []int{1, 7, 128, 1000}, []int64{0, 1, 33, 250}
	if testing.Short() {
		fetches, cadences = fetches[1:3], cadences[1:3]
	}
	synctest.Test(t, func(t *testing.T) {
		want := ""
		for _, fetch := range fetches {
			for _, every := range cadences {
				world, options := shortRun(1)
				world.Batch = fetch
				options.Decoders = 1 + fetch%3
				options.Snapshot = Cadence{Records: every, Interval: time.Hour}
				options.Publish = Cadence{Records: 2 * every, Interval: time.Hour}
				run(t, world, options)
				got := outcomeOf(t, world)
				if text := fmt.Sprint(got); want == "" {
					want = text
				} else if text != want {
					t.Errorf("fetches of %d, snapshots every %d: %s, before %s", fetch, every, text, want)
				}
			}
		}
	})
}

func TestAVersionIsPublishedWithTheSameWeights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(2)
		options.KeepVersions = 100
		seen := map[int64]string{}
		for i := 1; i < 60; i += 4 {
			count := 0
			world.Inject = func(string) clustertest.Fault {
				if count++; count == i {
					return clustertest.Fault{Err: clustertest.ErrFatal}
				}
				return clustertest.Fault{}
			}
			err := New(world, options).Run(t.Context())
			world.Inject = nil
			for _, message := range world.Topics[testTopics.Model].Partitions[0].Records {
				if !strings.Contains(string(message.Key), "/v/") || message.Value == nil {
					continue
				}
				doc, failure := document.Parse(message.Value)
				if failure != nil {
					t.Fatal(failure)
				}
				if known := seen[doc.Version]; known != "" && known != doc.WeightsSHA256 {
					t.Fatalf("version %d was published with weights %s and %s", doc.Version, known, doc.WeightsSHA256)
				}
				seen[doc.Version] = doc.WeightsSHA256
			}
			if err == nil && count < i {
				break // the run has fewer operations
			}
		}
		if len(seen) < 2 {
			t.Errorf("only %d versions were published", len(seen))
		}
	})
}
