package stream

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestRejectionsOfAnotherConfiguration: a job that somebody repaired does not stop again for what was rejected before the repair.
func TestRejectionsOfAnotherConfiguration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := newWorld(1), testOptions()
		options.RejectLimit = intake.RejectLimit{Share: .5, Window: 10}
		world.Put(testTopics.Input, 0, adultLines()[:100]...)
		for range 6 {
			world.Put(testTopics.Input, 0, "no record")
		}
		world.Put(testTopics.Input, 0, adultLines()[100:150]...)
		var tooMany *intake.TooManyRejected
		for range 2 { // also after a restart
			if err := New(world, options).Run(t.Context()); !errors.As(err, &tooMany) || tooMany.Rejected != 6 {
				t.Fatalf("it ended with %v", err)
			}
		}
		options.Model.Record.Renamed = []record.Rename{{Field: "years", Was: "age"}}
		if s := run(t, world, options).Status(); s.Version != 150 || s.Partitions[0].Next != 156 {
			t.Errorf("learnt %d, rejected %v, next %d", s.Version, s.Rejected, s.Partitions[0].Next)
		}
	})
}
