package owner

import (
	"context"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Follow reads the state topic on behalf of the owner until ctx ends: it notices a new owner, and sees our own snapshots come to count. Their bytes
// are kept no longer. Its error is a *Superseded if there is a new owner, and a *StateLost if the topic was deleted, made again or cut.
func (j *Job) Follow(ctx context.Context) error {
	j.mutex.Lock()
	j.journal.keep, j.journal.state = false, nil
	j.garbled, j.waiting, j.each = len(j.journal.garbled), len(j.journal.requests.pending), j.watch
	j.mutex.Unlock()
	return stateLost(j.Topic, j.read(ctx, kafka.Forever))
}

// watch looks at the journal behind each record.
func (j *Job) watch(r *kafka.Record) error {
	if len(j.journal.garbled) != j.garbled {
		j.tellGarbage(r.Offset)
	}
	waiting := len(j.journal.requests.pending)
	if waiting > j.waiting {
		select {
		case j.asked <- struct{}{}:
		default:
		}
	}
	j.waiting = waiting
	close(j.changed)
	j.changed = make(chan struct{})
	return j.superseded()
}

// await waits until a snapshot of ours counts.
func (j *Job) await(ctx context.Context, sequence int64) error {
	for {
		j.mutex.Lock()
		last, changed := j.journal.last, j.changed
		j.mutex.Unlock()
		if ours := last.Owner == j.claim.Owner; ours && last.Sequence == sequence {
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

// Requests are those without an answer, in the order of the log.
func (j *Job) Requests() []Request {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return slices.Clone(j.journal.requests.pending)
}
