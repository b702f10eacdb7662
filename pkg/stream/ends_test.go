package stream

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
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
