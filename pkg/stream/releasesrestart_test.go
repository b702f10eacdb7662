package stream

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestAStateThatBeginsAgainTellsOfTheOldStableVersion: readers stay with it, and a rollback says what helps.
func TestAStateThatBeginsAgainTellsOfTheOldStableVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:2000])
		stable := machineOf(t, world, options).Aliases().Stable
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		options.Release.Deadline = 1_000_000
		options.Release.MinimumLabels = 1_000_000 // no version becomes stable
		b := inBackground(t, world, options)
		synctest.Wait()
		if u := b.Status().Unmoved; u == nil || u.Term != stable.Term || u.Version != stable.Version {
			t.Errorf("unmoved %+v, want %v", u, stable)
		}
		_, err := Ask(t.Context(), world, options, Request{Action: Rollback, Reason: "a test", Actor: "ada"}, Asking{Wait: time.Minute})
		if err == nil || !strings.Contains(err.Error(), "the alias stable points to version "+stable.String()) {
			t.Errorf("rollback: %v", err)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestStepsAreSavedSoon: a step is on the topic within two seconds of a quiet stream, without a publication or a snapshot that is due.
func TestStepsAreSavedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		options.Snapshot, options.Publish = Cadence{Records: 1 << 30}, Cadence{Records: 1000}
		b := inBackground(t, world, options)
		for chunk := range slices.Chunk(adultLines()[:1900], 50) { // one publication, and evidence behind it
			world.Put(testTopics.Input, 0, chunk...)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		saved := machineOf(t, world, options).Aliases()
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if saved.Stable.IsZero() || saved.Stable.Version != 1000 {
			t.Errorf("saved while it ran: %+v; at its end: %+v", saved, machineOf(t, world, options).Aliases())
		}
	})
}
