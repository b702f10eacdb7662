package stream

import (
	"errors"
	"github.com/fairstream/fairstream/internal/intake"
	"testing"
	"testing/synctest"
	"time"
)

// TestAHaltedJobHasAClock: the snapshot that answers an order after ten minutes of a halt is not ten minutes old.
func TestAHaltedJobHasAClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		options.RejectLimit = intake.RejectLimit{Share: .1, Window: 10}
		world.Put(testTopics.Input, 0, adultLines()[:500]...)
		for range 10 {
			world.Put(testTopics.Input, 0, "no record")
		}
		b := inBackground(t, world, options)
		time.Sleep(10 * time.Minute)
		if phase := b.Status().Phase; phase != PhaseHalted {
			t.Fatalf("phase %s", phase)
		}
		if _, err := Ask(t.Context(), world, options, Request{Action: "pause", Reason: "a trial", Actor: "maria"}, Asking{Wait: time.Minute}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if s := b.Status(); time.Since(s.Snapshot.Taken) > 5*time.Second || s.SnapshotTook > 5*time.Second {
			t.Errorf("snapshot of %v ago, which took %v", time.Since(s.Snapshot.Taken), s.SnapshotTook)
		}
		var tooMany *intake.TooManyRejected
		if err := b.end(); !errors.As(err, &tooMany) {
			t.Error(err)
		}
	})
}
