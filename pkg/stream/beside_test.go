package stream

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/fairstream/fairstream/internal/isolate"
)

// TestAPanicIsTheErrorOfItsJob: the process goes on, and the next run of the job learns what it would have learnt.
func TestAPanicIsTheErrorOfItsJob(t *testing.T) {
	world, lines := newWorld(1), adultLines()[:3000]
	world.Put(testTopics.Input, 0, lines...)
	options := testOptions()
	options.Beside.Contain = true
	options.Snapshot = Cadence{Records: 500}
	looks := 0
	options.Look = func([]byte) bool {
		if looks++; looks > 1800 {
			panic("stream: a defect of a test")
		}
		return true
	}
	var defect *isolate.Panicked
	if err := New(world, options).Run(t.Context()); !errors.As(err, &defect) || defect.Stack == "" {
		t.Fatalf("%v, want a panic with its stack", err)
	}
	options.Look = nil
	run(t, world, options)
	if got, want := newest(t, world), plain(t, lines); got.WeightsSHA256 != want.WeightsSHA256 || got.Version != 3000 {
		t.Errorf("published %s at %d, want %s", got.WeightsSHA256, got.Version, want.WeightsSHA256)
	}
}

// TestLearnsInTurns: nothing is learnt while others have the turns, and what waits for Kafka keeps none.
func TestLearnsInTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		turns := semaphore.NewWeighted(1)
		if err := turns.Acquire(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		options := testOptions()
		options.UntilEnd, options.Beside.Turns = false, turns
		b := letRun(t, New(world, options))
		world.Put(testTopics.Input, 0, adultLines()[:1000]...)
		time.Sleep(time.Minute)
		if learnt := b.Status().Version; learnt != 0 {
			t.Errorf("%d records were learnt without a turn", learnt)
		}
		turns.Release(1)
		time.Sleep(time.Minute)
		if learnt := b.Status().Version; learnt != 1000 {
			t.Errorf("%d records were learnt with turns", learnt)
		}
		if !turns.TryAcquire(1) {
			t.Error("a stream that waits for records keeps a turn")
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestStreamsThatBeginTogetherSaveApart: the phase decides when the first snapshot and publication come.
func TestStreamsThatBeginTogetherSaveApart(t *testing.T) {
	first := func(phase float64) (after time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			world := newWorld(1)
			options := testOptions()
			options.UntilEnd, options.Beside.Phase = false, phase
			options.Snapshot, options.Publish = Cadence{Interval: 30 * time.Second}, Cadence{Records: 1 << 40}
			saved := make(chan time.Time, 100)
			options.Notify = func(e Event) {
				if s, is := e.(Saved); is && s.Snapshot.Version > 0 {
					saved <- time.Now()
				}
			}
			begun := time.Now()
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- New(world, options).Run(ctx) }()
			world.Put(testTopics.Input, 0, adultLines()[:100]...)
			after = (<-saved).Sub(begun)
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		return after
	}
	if early, late := first(.75), first(0); early > 8*time.Second || late < 29*time.Second {
		t.Errorf("the first snapshots come after %v and %v", early, late)
	}
}
