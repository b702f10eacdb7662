package stream

import (
	"context"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/deadletter"
)

// TestTheLastSnapshotRefersToTheEndOfTheHistory: if saving moved the end of the history, the stream saves once more before it ends, and no more than
// that.
func TestTheLastSnapshotRefersToTheEndOfTheHistory(t *testing.T) {
	for name, test := range map[string]struct {
		behind []bool // by checkpoint: the history goes on behind what the snapshot refers to
		want   int
	}{
		"the history goes on": {[]bool{true, false}, 2},
		"it does not":         {[]bool{false}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(newWorld(1), testOptions())
			l := newLearning(s)
			if err := s.restore(l, nil); err != nil {
				t.Fatal(err)
			}
			l.clock.now, l.clock.dirty = time.Unix(0, 0), true
			l.keeper = &keeper{requests: make(chan *checkpoint, 1), done: make(chan saved, 1)}
			letters := make(chan deadletter.Mail)
			l.letters = letters
			ctx, end := context.WithCancel(t.Context())
			defer end()
			go func() { _ = flush(ctx, letters) }()
			kept := make(chan int)
			go func() {
				for i := 0; ; i++ {
					select {
					case c := <-l.keeper.requests:
						l.keeper.done <- saved{snapshot: c.snapshot.SnapshotInfo, behind: i < len(test.behind) && test.behind[i]}
					case <-ctx.Done():
						kept <- i
						return
					}
				}
			}()
			if err := l.settle(ctx, false, false); err != nil {
				t.Fatal(err)
			}
			end()
			if got := <-kept; got != test.want || l.clock.dirty {
				t.Errorf("%d snapshots, want %d; is something left to save: %t", got, test.want, l.clock.dirty)
			}
		})
	}
}
