package stream

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
)

// State is what the state topic holds of a job.
type State struct {
	// Holder is the claim in force; Term 0 if nobody ever claimed the job.
	Holder Claim
	// Snapshot is the last that counts, nil if there is none.
	Snapshot *SnapshotInfo

	learner []byte
}

// ReadState reads the state topic to its end. It changes nothing, and does not disturb the owner.
func ReadState(ctx context.Context, cluster Cluster, topic, job string) (*State, error) {
	j := newJournal(job)
	_, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error { return j.apply(r.Key, r.Value) })
	if err != nil {
		return nil, err
	}
	s := &State{Holder: j.holder}
	if j.state != nil {
		saved, err := decodeSnapshot(j.state)
		if err != nil {
			return nil, err
		}
		s.Snapshot, s.learner = &saved.SnapshotInfo, saved.learner
	}
	return s, nil
}

// Learner restores the learner of the snapshot, to look at it. There must be a snapshot.
func (s *State) Learner(config model.Config) (*model.Learner, error) {
	return model.Restore(config, s.learner)
}

// ResetState makes a job begin anew: its next start has no snapshot. A process that learns for the job
// is superseded first, and stops. Terms go on counting, so that readers of the model topic prefer what
// is learnt from now on.
func ResetState(ctx context.Context, cluster Cluster, topic, job, program string) error {
	s := &Stream{cluster: cluster, options: Options{Job: job, Topics: Topics{State: topic}, Program: program, Notify: func(Event) {}}}
	j := newJournal(job)
	next, err := s.readJournal(ctx, j)
	if err != nil {
		return err
	}
	claim, _, err := s.take(ctx, j, next)
	if err != nil {
		return err
	}
	var keys [][]byte
	for key, r := range j.live {
		if r.Owner != claim.Owner {
			keys = append(keys, []byte(key))
		}
	}
	return deleteKeys(ctx, cluster, topic, keys)
}

// readJournal reads the state topic to its end.
func (s *Stream) readJournal(ctx context.Context, j *journal) (next int64, err error) {
	return s.cluster.Read(ctx, s.options.Topics.State, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error { return j.apply(r.Key, r.Value) })
}

// take claims the job and reads on to where the claim stands in the log.
func (s *Stream) take(ctx context.Context, j *journal, next int64) (Claim, int64, error) {
	o := &s.options
	before := j.holder
	claim := Claim{Job: o.Job, Owner: rand.Text(), Term: before.Term + 1, Host: hostname(), Program: o.Program, At: time.Now().UTC()}
	value, err := claim.encode()
	if err != nil {
		return claim, 0, err
	}
	attempt := 0
	err = s.cluster.Retry(ctx, "claim the job on "+o.Topics.State, func(ctx context.Context) error {
		attempt++
		offset, err := s.cluster.Append(ctx, o.Topics.State, 0, kafka.Message{Key: claimKey(claim, attempt), Value: value})
		if err == nil {
			next, err = s.cluster.Read(ctx, o.Topics.State, 0, next, offset+1, func(r *kafka.Record) error { return j.apply(r.Key, r.Value) })
		}
		return err
	})
	if err != nil {
		return claim, 0, fmt.Errorf("the job could not be claimed: %w", err)
	}
	if j.holder.Owner != claim.Owner {
		return claim, 0, &Superseded{o.Job, claim, j.holder}
	}
	o.Notify(Owned{claim, before})
	return claim, next, nil
}
