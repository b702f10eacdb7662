package owner

import (
	"context"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Next names the snapshot to be saved next, and the one that it follows.
func (j *Job) Next() (next, parent Reference) {
	next = Reference{j.claim.Owner, j.claim.Term, 1}
	if j.last.Owner == next.Owner {
		next.Sequence = j.last.Sequence + 1
	}
	return next, j.last
}

// Save writes the snapshot that Next named, and waits until it counts, which Follow sees. It returns the number of its parts.
func (j *Job) Save(ctx context.Context, next Reference, pieces [][]byte) (int, error) {
	parts := Parts(j.Job, next, pieces)
	for i := range parts {
		value, err := parts[i].Seal()
		if err != nil {
			return 0, err
		}
		err = j.write(ctx, "save the state to "+j.Topic, func(attempt int) []kafka.Message {
			return []kafka.Message{{Key: parts[i].Key(attempt), Value: value}}
		})
		if err != nil {
			return 0, fmt.Errorf("the state could not be saved: %w", err)
		}
	}
	if err := j.await(ctx, next.Sequence); err != nil {
		return 0, err
	}
	j.last = next
	return len(parts), nil
}

// Reply writes answers, and deletes their requests.
func (j *Job) Reply(ctx context.Context, answers []Answer) error {
	for _, a := range answers {
		messages := []kafka.Message{{Key: answerKey(j.Job, a.ID), Value: written(a)}, {Key: requestKey(j.Job, a.ID)}}
		if err := j.write(ctx, "answer a request on "+j.Topic, func(int) []kafka.Message { return messages }); err != nil {
			return fmt.Errorf("a request could not be answered: %w", err)
		}
	}
	return nil
}

// Clean deletes the keys that nobody needs any more.
func (j *Job) Clean(ctx context.Context) error {
	j.mutex.Lock()
	keys := j.journal.garbage()
	j.mutex.Unlock()
	return cluster.DeleteKeys(ctx, j.Log, j.Topic, keys)
}

// Beat gives signs of life until ctx ends: on standby at intervals, and whenever somebody asks. One that fails is not tried
// again: the next one follows.
func (j *Job) Beat(ctx context.Context) error {
	var due <-chan time.Time
	if j.Standby {
		ticker := time.NewTicker(j.beatEvery())
		defer ticker.Stop()
		due = ticker.C
	}
	for {
		select {
		case <-due:
		case <-j.asked:
		case <-ctx.Done():
			return ctx.Err()
		}
		bounded, cancel := context.WithTimeout(ctx, j.Timeout)
		err := j.beat(bounded, false)
		cancel()
		if err != nil && ctx.Err() == nil && kafka.ClassOf(err) != kafka.Retry {
			return fmt.Errorf("the heartbeat could not be written: %w", err)
		}
	}
}

func (j *Job) beat(ctx context.Context, leaving bool) error {
	_, err := j.Log.Append(ctx, j.Topic, 0, kafka.Message{Key: j.claim.beatKey(), Value: j.claim.beat(leaving)})
	return err
}

// leaveWithin is how long leaving may take.
const leaveWithin = time.Second

// Leave says that the job is free. A standby that does not hear it waits until the owner was silent for long enough.
func (j *Job) Leave() {
	ctx, cancel := context.WithTimeout(context.Background(), leaveWithin)
	defer cancel()
	_ = j.beat(ctx, true) // what is to be saved is saved: an error changes nothing
}
