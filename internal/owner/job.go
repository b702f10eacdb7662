package owner

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Job is a job on the state topic as one process reads it and, after Claim, owns it.
//
// Before Follow it belongs to one goroutine. After, Follow, Beat and Requests may each have a goroutine of their own, and what writes for the owner
// (write.go) one more.
type Job struct {
	follower
	claim Claim     // ours
	last  Reference // the last snapshot of ours that counts; before, the one that we began from

	changed chan struct{} // closed at the next record
	asked   chan struct{} // has one while there is a request that Beat has not noticed
	garbled int           // records of garbage that were told
	waiting int           // requests, at the last record
}

// Open reads the state topic to its end.
func Open(ctx context.Context, s Settings) (*Job, error) {
	j := &Job{follower: newFollower(s, true), changed: make(chan struct{}), asked: make(chan struct{}, 1)}
	return j, j.read(ctx, kafka.End)
}

// Owner is the claim of this process; Term 0 before there is one.
func (j *Job) Owner() Claim { return j.claim }

// Claim makes this process the owner, with a term above the one given, and reads on to where the claim stands in the log. Its error is a
// *Superseded if another process was first.
func (j *Job) Claim(ctx context.Context, above int64) error {
	before := j.journal.holder
	claim := Claim{Job: j.Job, Owner: rand.Text(), Term: max(before.Term, above) + 1, Host: Hostname(), Program: j.Program, At: time.Now().UTC()}
	if j.Spread != nil {
		claim.Process = j.Spread.Process()
	}
	if j.Standby {
		claim.BeatMillis = j.beatEvery().Milliseconds()
	}
	value, attempt := claim.encode(), 0
	err := j.Log.Retry(ctx, "claim the job on "+j.Topic, func(ctx context.Context) error {
		attempt++
		offset, err := j.Log.Append(ctx, j.Topic, 0, kafka.Message{Key: claim.key(attempt), Value: value})
		if err == nil {
			err = j.read(ctx, offset+1)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("the job could not be claimed: %w", err)
	}
	j.claim, j.last = claim, j.journal.last
	if err := j.superseded(); err != nil {
		return err
	}
	j.Listener.Owned(claim, before)
	return nil
}

// Refresh reads on to the end of the topic. Its error is a *Superseded if another process took over.
func (j *Job) Refresh(ctx context.Context) error {
	if err := j.read(ctx, kafka.End); err != nil {
		return err
	}
	return j.superseded()
}

func (j *Job) superseded() error {
	if by := j.journal.holder; by.Owner != j.claim.Owner {
		return &Superseded{j.Job, j.claim, by}
	}
	return nil
}

// Forget deletes everything of the job but the claim of this process: its next owner has no snapshot.
func (j *Job) Forget(ctx context.Context) error {
	var keys [][]byte
	for key, r := range j.journal.live {
		if r.Owner != j.claim.Owner {
			keys = append(keys, []byte(key))
		}
	}
	for key := range j.journal.garbled {
		keys = append(keys, []byte(key))
	}
	return cluster.DeleteKeys(ctx, j.Log, j.Topic, append(keys, j.journal.requests.keys(j.Job)...)) // requests were about what is forgotten
}

// tellGarbage tells what was passed over, from an offset on.
func (j *Job) tellGarbage(from int64) {
	var found []Garbage
	for _, g := range j.journal.unreadable() {
		if g.Offset >= from {
			found = append(found, g)
		}
	}
	j.garbled = len(j.journal.garbled)
	j.Listener.Garbage(found, j.garbled)
}

func (j *Job) beatEvery() time.Duration { return j.Timeout / beatsPerTimeout }
