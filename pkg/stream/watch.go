package stream

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Superseded says that another process owns the job now. This one must not write for it any more.
type Superseded struct {
	Job      string
	Ours, By Claim
}

func (e *Superseded) Error() string {
	return fmt.Sprintf("job %s was taken over by another process (on host %s, at %s, term %d; ours was %d): one process at a time may learn for a job. "+
		"If both are meant to run, give one of them another job name", e.Job, e.By.Host, e.By.At.Format(time.RFC3339), e.By.Term, e.Ours.Term)
}

// watcher follows the state topic on behalf of an owner: it notices a new owner, and sees our own
// snapshots come to count.
type watcher struct {
	claim Claim

	mutex   sync.Mutex
	journal *journal
	changed chan struct{} // closed at the next change
	asked   chan struct{} // has one while there is a request that the heartbeat has not noticed
}

func newWatcher(claim Claim, j *journal) *watcher {
	j.keep, j.state = false, nil
	return &watcher{claim: claim, journal: j, changed: make(chan struct{}), asked: make(chan struct{}, 1)}
}

// follow reads on from next until ctx ends. Its error is a *Superseded if there is a new owner.
func (w *watcher) follow(ctx context.Context, cluster Cluster, topic string, next int64) error {
	_, err := cluster.Read(ctx, topic, 0, next, kafka.Forever, w.apply)
	return stateLost(topic, err)
}

func (w *watcher) apply(r *kafka.Record) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	waiting := len(w.journal.requests.pending)
	if err := w.journal.apply(r.Key, r.Value); err != nil {
		return err
	}
	if len(w.journal.requests.pending) > waiting {
		select {
		case w.asked <- struct{}{}:
		default:
		}
	}
	close(w.changed)
	w.changed = make(chan struct{})
	if by := w.journal.holder; by.Owner != w.claim.Owner {
		return &Superseded{w.claim.Job, w.claim, by}
	}
	return nil
}

// await waits until a snapshot of ours counts.
func (w *watcher) await(ctx context.Context, sequence int64) error {
	for {
		w.mutex.Lock()
		counted := w.journal.last.Owner == w.claim.Owner && w.journal.last.Sequence >= sequence
		changed := w.changed
		w.mutex.Unlock()
		if counted {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// garbage lists the keys to delete.
func (w *watcher) garbage() [][]byte {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.journal.garbage()
}
