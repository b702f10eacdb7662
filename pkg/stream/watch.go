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
	changed chan struct{}                // closed at the next change
	tell    func(j *journal, from int64) // of garbage from an offset on
	asked   chan struct{}                // has one while there is a request that the heartbeat has not noticed
}

func newWatcher(claim Claim, j *journal, tell func(j *journal, from int64)) *watcher {
	j.keep, j.state = false, nil
	return &watcher{claim: claim, journal: j, tell: tell, changed: make(chan struct{}), asked: make(chan struct{}, 1)}
}

// follow reads on from next until ctx ends. Its error is a *Superseded if there is a new owner.
func (w *watcher) follow(ctx context.Context, cluster Cluster, topic string, next int64) error {
	_, err := cluster.Read(ctx, topic, 0, next, kafka.Forever, w.apply)
	return stateLost(topic, err)
}

func (w *watcher) apply(r *kafka.Record) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	waiting, garbled := len(w.journal.requests.pending), len(w.journal.garbled)
	if err := w.journal.follow(r); err != nil {
		return err
	}
	if len(w.journal.garbled) != garbled {
		w.tell(w.journal, r.Offset)
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
		last, changed := w.journal.last, w.changed
		w.mutex.Unlock()
		if ours := last.Owner == w.claim.Owner; ours && last.Sequence == sequence {
			return nil
		} else if ours && last.Sequence > sequence {
			return fmt.Errorf("somebody else wrote snapshot %d in the name of this process, whose last is %d: restrict who may write to the state topic, and start again",
				last.Sequence, sequence)
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
