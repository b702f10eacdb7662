package stream

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestAnAwaitedSchemaHoldsItsPartition: the other partition is learnt to its end, snapshots do not pass the record that waits, and a process that
// is ended meanwhile, or killed, loses nothing and learns nothing twice.
func TestAnAwaitedSchemaHoldsItsPartition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(2)
		lines := adultLines()[:3000]
		world.Put(testTopics.Input, 0, under("1", lines[:250])...)
		world.Put(testTopics.Input, 0, under("2", lines[250:500])...)
		world.Put(testTopics.Input, 0, under("1", lines[500:1500])...)
		world.Put(testTopics.Input, 1, under("1", lines[1500:])...)
		options := testOptions()
		options.Snapshot = Cadence{Interval: 30 * time.Second}
		var told events
		options.Notify = told.add
		for range 3 {
			options.Format = newNumbered("1")
			b := inBackground(t, world, options)
			time.Sleep(5 * time.Minute)
			status := b.Status()
			if status.Version != 1750 || status.Snapshot.Version != 1750 || len(status.Waits) != 1 || status.Phase != PhaseLearning || status.Stuck != "" {
				t.Errorf("while it is awaited: version %d, saved %d, waits %v, phase %s, %s", status.Version, status.Snapshot.Version, status.Waits, status.Phase, status.Stuck)
			}
			if len(status.Held) != 1 || status.Held[0].Partition != 0 || status.Held[0].Offset != 250 || status.Held[0].Schema != "schema id 2" {
				t.Errorf("held %+v", status.Held)
			}
			if p := status.Partitions; p[0].Next != 250 || p[0].Lag() != 1250 || p[1].Next != 1500 {
				t.Errorf("partitions %+v", p)
			}
			if err := b.end(); err != nil {
				t.Fatal(err)
			}
		}
		if held := of[PartitionHeld](&told); len(held) != 3 || held[0].Partition != 0 || held[0].Offset != 250 {
			t.Errorf("the hold is told of in 3 processes as %+v", held)
		}
		f := newNumbered("1")
		options.Format = f
		b := inBackground(t, world, options)
		time.Sleep(time.Minute)
		f.tell("2", true)
		time.Sleep(time.Minute)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		status := b.Status()
		for i, ledger := range status.Partitions {
			if ledger.Learnt != intake.TallyOf(int32(i), 0, 1500) || ledger.Next != 1500 {
				t.Errorf("ledger %+v", ledger)
			}
		}
		if len(status.Waits) > 0 || len(status.Held) > 0 {
			t.Errorf("waits %v, held %v", status.Waits, status.Held)
		}
		// Deliveries of 100 records in turn, until the first partition waits.
		order := slices.Concat(lines[:100], lines[1500:1600], lines[100:200], lines[1600:1700], lines[200:250], lines[1700:], lines[250:1500])
		if got, want := newest(t, world).WeightsSHA256, plain(t, order).WeightsSHA256; got != want {
			t.Errorf("weights %s, without a stream %s", got, want)
		}
	})
}

// TestUntilEndWaitsForHeldPartitions: the end of the input is not reached while a record before it waits; one behind it waits for nothing.
func TestUntilEndWaitsForHeldPartitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(2)
		lines := adultLines()[:900]
		world.Put(testTopics.Input, 0, under("2", lines[:300])...)
		world.Put(testTopics.Input, 1, under("1", lines[300:])...)
		f := newNumbered("1")
		options := testOptions()
		options.Format = f
		go func() {
			time.Sleep(10 * time.Second)
			world.Put(testTopics.Input, 1, under("3", lines[:10])...) // behind the end
			time.Sleep(10 * time.Second)
			f.tell("2", true)
		}()
		begun := time.Now()
		s := run(t, world, options)
		if took := time.Since(begun); s.Status().Version != 900 || took < 20*time.Second || took > 30*time.Second {
			t.Errorf("learnt %d in %s", s.Status().Version, took)
		}
	})
}

// TestAFloodOfForgedIDsCostsOneWait: ids that were fetched together wait together, of several partitions, too.
func TestAFloodOfForgedIDsCostsOneWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(2)
		world.Batch = 500
		lines := adultLines()[:1000]
		for i, line := range lines {
			id := "1"
			if i%4 < 2 {
				id = fmt.Sprint("forged ", i)
			}
			world.Put(testTopics.Input, int32(i%2), id+"|"+line)
		}
		f := newNumbered("1")
		f.patience = 5 * time.Minute
		options := testOptions()
		options.Format = f
		b := inBackground(t, world, options)
		time.Sleep(f.patience + 10*time.Second)
		status := b.Status()
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if status.Version != 500 || status.DeadLetters != 500 || len(status.Held) != 0 {
			t.Errorf("after one wait: learnt %d, %d letters, held %v", status.Version, status.DeadLetters, status.Held)
		}
		if got := b.Status().Rejected[string(record.UnknownSchema)]; got != 500 {
			t.Errorf("%d rejected", got)
		}
	})
}

// TestAHeldPartitionThatIsRemade: the records that waited are lost with the old topic, and nothing of the new one is taken for them.
func TestAHeldPartitionThatIsRemade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		lines := adultLines()[:600]
		world.Put(testTopics.Input, 0, under("1", lines[:200])...)
		world.Put(testTopics.Input, 0, under("2", lines[200:300])...)
		f := newNumbered("1")
		options := testOptions()
		options.Format = f
		options.DataLoss = kafka.LossEarliest
		b := inBackground(t, world, options)
		time.Sleep(time.Minute)
		world.Again(testTopics.Input)
		world.Put(testTopics.Input, 0, under("1", lines[300:])...)
		time.Sleep(time.Minute)
		f.tell("2", true)
		time.Sleep(time.Minute)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		status := b.Status()
		if status.Version != 500 || len(status.Held) > 0 || status.Partitions[0].Next != 300 {
			t.Errorf("learnt %d, held %v, partitions %+v", status.Version, status.Held, status.Partitions)
		}
	})
}

// TestAStandbyTakesOverAHeldPartition: it waits where the owner did.
func TestAStandbyTakesOverAHeldPartition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(2)
		lines := adultLines()[:1000]
		world.Put(testTopics.Input, 0, under("1", lines[:300])...)
		world.Put(testTopics.Input, 0, under("2", lines[300:500])...)
		world.Put(testTopics.Input, 1, under("1", lines[500:])...)
		f := newNumbered("1")
		options := testOptions()
		options.Format = f
		options.Standby, options.StandbyTimeout = true, 15*time.Second
		first := inBackground(t, world, options)
		time.Sleep(time.Minute)
		second := inBackground(t, world, options)
		time.Sleep(time.Minute)
		if err := first.end(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if status := second.Status(); status.Phase != PhaseLearning || status.Version != 800 || len(status.Held) != 1 || status.Held[0].Offset != 300 {
			t.Errorf("after the takeover: phase %s, learnt %d, held %+v", status.Phase, status.Version, status.Held)
		}
		f.tell("2", true)
		time.Sleep(time.Minute)
		if err := second.end(); err != nil {
			t.Fatal(err)
		}
		if status := second.Status(); status.Version != 1000 || status.Partitions[0].Learnt != intake.TallyOf(0, 0, 500) {
			t.Errorf("learnt %d, partitions %+v", status.Version, status.Partitions)
		}
	})
}
