package stream

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLearningGoesOnWhileADocumentIsMade: the document of version 1,000 is published after a snapshot of a later version, with the weights of version
// 1,000. The learner does not wait for it, and the releases are offered it before that snapshot is saved.
func TestLearningGoesOnWhileADocumentIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := adultLines()[:3000]
		world, options := releasing(0)
		options.Model, options.UntilEnd = adultModel(), false
		options.Snapshot, options.Publish = Cadence{Interval: time.Hour}, Cadence{Records: 1000}
		var told events
		options.Notify = told.add
		s := New(world, options)
		made, first := make(chan struct{}), true
		s.probe = func(part, call string) {
			if part == PartReleases && call == "try" && first {
				first = false
				<-made
			}
		}
		b := letRun(t, s)
		world.Put(testTopics.Input, 0, lines[:1000]...)
		time.Sleep(5 * time.Second)
		world.Put(testTopics.Input, 0, lines[1000:1700]...)
		time.Sleep(5 * time.Second)
		if status := s.Status(); status.Version != 1700 || status.Published != 0 {
			t.Errorf("while the document is made, version %d is learnt and version %d published", status.Version, status.Published)
		}
		close(made)
		time.Sleep(5 * time.Second)
		saves := of[Saved](&told)
		if last := saves[len(saves)-1]; last.Snapshot.Version != 1700 || s.Status().Published != 1000 {
			t.Errorf("the snapshot is of version %d, the document of version %d", last.Snapshot.Version, s.Status().Published)
		}
		if got, want := newest(t, world), plain(t, lines[:1000]); got.WeightsSHA256 != want.WeightsSHA256 || got.Version != 1000 || got.Records != want.Records ||
			got.Offsets[testTopics.Input+"/0"] != 1000 {
			t.Errorf("version %d of %d records to offset %v has weights %.12s, learning without a stream gives %.12s", got.Version, got.Records, got.Offsets, got.WeightsSHA256, want.WeightsSHA256)
		}
		if trial := s.Status().Releases.Trial; trial == nil || trial.Version.Version != 1000 {
			t.Errorf("on trial: %+v", trial)
		}
		agrees(t, world, options)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if got := newest(t, world); got.Version != 1700 || got.Lineage.Parent != 1000 {
			t.Errorf("in the end version %d follows version %d", got.Version, got.Lineage.Parent)
		}
	})
}
