package stream

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
)

// failingTurns fail from the turn numbered by them on.
type failingTurns int

var errTurns = errors.New("no more turns")

func (f *failingTurns) Acquire(context.Context, int64) error {
	if *f--; *f < 0 {
		return errTurns
	}
	return nil
}

func (*failingTurns) Release(int64) {}

// TestNothingIsLearntWithoutATurn: a job that gets no turn ends with the error, and has learnt the parcels of the turns before.
func TestNothingIsLearntWithoutATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for turns := range 3 {
			world, options := shortRun(1)
			left := failingTurns(turns)
			options.Beside.Turns = &left
			s := New(world, options)
			if err := s.Run(t.Context()); !errors.Is(err, errTurns) {
				t.Errorf("after %d turns: %v", turns, err)
			}
			if state, err := ReadState(t.Context(), world, testTopics.State, "adult"); err != nil || state.Snapshot.Version > int64(64*turns) {
				t.Errorf("after %d turns: %v, and %+v is saved", turns, err, state.Snapshot)
			}
		}
	})
}

// TestLostRecordsThatWaitAreTold: the topic of the records that wait for their label was made again between two runs.
func TestLostRecordsThatWaitAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := newWorld(1), labelOptions()
		options.Model.Learner.MinimumRecords = 5
		for i := range 60 {
			unlabelled, label := split(adultLines()[i], i)
			world.Put(testTopics.Input, 0, unlabelled)
			if i >= 7 {
				world.Put(testTopics.Input, 0, label)
			}
		}
		var told events
		options.Notify = told.add
		run(t, world, options)
		run(t, world, options)
		if lost := of[WaitingLost](&told); len(lost) != 0 {
			t.Fatalf("nothing is lost, and told is %+v", lost)
		}
		world.Again(testTopics.Waiting)
		s := run(t, world, options)
		if lost := of[WaitingLost](&told); len(lost) != 1 || lost[0].Topic != testTopics.Waiting || lost[0].Records != 7 {
			t.Errorf("told %+v", lost)
		}
		if l := s.Status().Labels; l.Lost != 7 {
			t.Errorf("%+v", l)
		}
	})
}

// TestWhichVersionARequestNames: the one of its number, else the one of the alias that its action is about; which is none if the alias points nowhere.
func TestWhichVersionARequestNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		run(t, world, options)
		s := New(world, options)
		doc := newest(t, world)
		named := Request{Action: Promote, Term: doc.Lineage.Term, Version: doc.Version, WeightsSHA256: doc.WeightsSHA256}
		for name, c := range map[string]struct {
			asked, want Request
		}{
			"a version":            {Request{Action: Promote, Version: doc.Version}, named},
			"and its term":         {Request{Action: Promote, Version: doc.Version, Term: doc.Lineage.Term}, named},
			"no alias":             {Request{Action: Rollback}, Request{Action: Rollback}},
			"an action on nothing": {Request{Action: Pause}, Request{Action: Pause}},
		} {
			if got, err := s.named(t.Context(), c.asked); err != nil || got != c.want {
				t.Errorf("%s: %+v, %v, want %+v", name, got, err, c.want)
			}
		}
		var none *NoSuchVersion
		if _, err := s.named(t.Context(), Request{Action: Promote, Term: 9, Version: doc.Version}); !errors.As(err, &none) || *none != (NoSuchVersion{testTopics.Model, "adult", 9, doc.Version}) {
			t.Errorf("of another term: %v", err)
		}
		before := len(world.Trace)
		if _, err := Ask(t.Context(), world, options, Request{Action: "fly"}, Asking{Claim: true}); err == nil || len(world.Trace) != before {
			t.Errorf("a request that cannot be: %v, after %d operations", err, len(world.Trace)-before)
		}
	})
}

// TestDecoders: as many as are configured, else one for each processor.
func TestDecoders(t *testing.T) {
	for configured, want := range map[int]int{0: runtime.GOMAXPROCS(0), 1: 1, 7: 7} {
		if got := New(clustertest.New(nil), Options{Config: Config{Decoders: configured}}).decoders(); got != want {
			t.Errorf("configured %d: %d", configured, got)
		}
	}
}

// TestAConfigurationThatIsNoJSON ends a run, whether it begins the job or goes on; so does one that cannot be written as JSON.
func TestAConfigurationThatIsNoJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fresh, options := shortRun(1)
		old := fresh.Copy()
		run(t, old, options)
		options.Configuration = json.RawMessage("{")
		unwritten := givenOptions()
		unwritten.Model.Learner.Step = math.NaN()
		for name, c := range map[string]struct {
			world   *clustertest.Memory
			options Options
			want    string
		}{"the first": {fresh, options, "Options.Configuration is not JSON"}, "one that goes on": {old, options, "Options.Configuration is not JSON"}, "not a number": {newWorld(1), unwritten, "stream: the configuration: "}} {
			if err := New(c.world, c.options).Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := ReplayDeadLetters(t.Context(), old, model.Config{}, nil, testTopics, "adult", true); err == nil {
			t.Error("dead letters come back without a label to learn")
		}
	})
}

// TestAnErrorOfTheKeeperEndsTheLoop: what could not be drafted or saved is the error of whoever waits for it.
func TestAnErrorOfTheKeeperEndsTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		l, err := New(world, options).start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		for name, wait := range map[string]func() error{
			"pause": func() error { return l.pause(t.Context()) }, "idle": func() error { return l.idle(t.Context()) }, "save": func() error { return l.save(t.Context()) },
			"settle": func() error { return l.settle(t.Context(), true, false) },
		} {
			l.clock.busy = true
			l.keeper.done <- saved{err: broken}
			var divergence *Divergence
			if err := wait(); !errors.Is(err, broken) || !errors.As(err, &divergence) {
				t.Errorf("%s: %v", name, err)
			}
		}
		ended, end := context.WithCancel(t.Context())
		end()
		l.clock.busy = false
		if err := l.saveNow(ended); !errors.Is(err, context.Canceled) { // nobody takes what is to be flushed
			t.Errorf("saved although nobody flushes: %v", err)
		}
	})
}

// openEnded is a cluster whose input has a transaction that is open.
type openEnded struct{ *clustertest.Memory }

func (o openEnded) Bounds(ctx context.Context, topic string) ([]kafka.Bounds, error) {
	bounds, err := o.Memory.Bounds(ctx, topic)
	if topic == testTopics.Input {
		for i := range bounds {
			bounds[i].Unstable = 3
		}
	}
	return bounds, err
}

func (o openEnded) Fetch(options kafka.FetchOptions) (cluster.Source, error) {
	source, err := o.Memory.Fetch(options)
	return openSource{source}, err
}

type openSource struct{ cluster.Source }

func (o openSource) Positions() []kafka.Position {
	positions := o.Source.Positions()
	for i := range positions {
		positions[i].HighWatermark += 3
	}
	return positions
}

// TestAnOpenTransactionIsTold of each partition: at the end of the input, as it was at the start, and of a job that goes on once it has stood still for a while.
func TestAnOpenTransactionIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, untilEnd := range []bool{true, false} {
			world, options := shortRun(2)
			options.UntilEnd = untilEnd
			var told events
			options.Notify = told.add
			ctx, stop := context.WithTimeout(t.Context(), time.Hour)
			defer stop()
			if err := New(openEnded{world}, options).Run(ctx); err != nil {
				t.Fatal(err)
			}
			open := of[OpenTransaction](&told)
			if len(open) != 2 || open[0].Partition == open[1].Partition {
				t.Errorf("until the end %t: told %+v", untilEnd, open)
			}
		}
	})
}

// TestAWaitingTopicThatIsNotSeenIsTold, and that it is seen again.
func TestAWaitingTopicThatIsNotSeenIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := newWorld(1), labelOptions()
		unlabelled, _ := split(adultLines()[0], 0)
		world.Put(testTopics.Input, 0, unlabelled)
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(time.Minute)
		hide := func(hidden bool) {
			world.Mutex.Lock()
			defer world.Mutex.Unlock()
			world.Inject = func(operation string) (f clustertest.Fault) {
				if hidden && (operation == "describe "+testTopics.Waiting || operation == "bounds of "+testTopics.Waiting) {
					f.Err = clustertest.ErrRetryable
				}
				return f
			}
		}
		if hide(true); len(of[WaitingUnseen](&told)) != 0 {
			t.Error("told before")
		}
		time.Sleep(time.Minute)
		unseen := of[WaitingUnseen](&told)
		if len(unseen) != 1 || unseen[0].Topic != testTopics.Waiting || !errors.Is(unseen[0].Err, clustertest.ErrInjected) {
			t.Errorf("told %+v", unseen)
		}
		hide(false)
		time.Sleep(time.Minute)
		if seen := of[WaitingUnseen](&told); len(seen) != 2 || seen[1].Err != nil {
			t.Errorf("told %+v", seen)
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
	})
}
