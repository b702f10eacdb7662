package stream

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
)

// State is what the state topic holds of a job.
type State struct {
	// Holder is the claim in force; Term 0 if nobody ever claimed the job.
	Holder Claim
	// Left says that the holder ended, and nobody owns the job.
	Left bool
	// Snapshot is the last that counts, nil if there is none.
	Snapshot *SnapshotInfo

	learner []byte
}

// ReadState reads the state topic to its end. It changes nothing, and does not disturb the owner.
func ReadState(ctx context.Context, cluster Cluster, topic, job string) (*State, error) {
	j := newJournal(job)
	_, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, j.follow)
	if err != nil {
		return nil, err
	}
	s := &State{Holder: j.holder, Left: j.left}
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

// ResetState makes a job start from scratch: its next start has no snapshot. A process that learns for the job
// is superseded first, and stops. Terms go on counting, so that readers of the model topic prefer what
// is learnt from now on. Of options, Job, Topics, Program, Service, Actor, Reason, Signer and Verifier are used.
func ResetState(ctx context.Context, c Cluster, options Options) error {
	options.Notify = func(Event) {}
	s := &Stream{cluster: c, options: options}
	j := newJournal(options.Job)
	next, err := s.readJournal(ctx, j)
	if err != nil {
		return err
	}
	r, err := s.openHistory(ctx, infoOf(j.state).History)
	if err != nil {
		return err
	}
	claim, _, err := s.take(ctx, j, next, r.Head().Term)
	if err != nil {
		return err
	}
	r.Owned(claim.Term, options.whoOf(), "")
	if err := r.Record(ctx, history.Entry{ID: fmt.Sprintf("%s/%d", history.Reset, claim.Term), Kind: history.Reset}); err != nil {
		return err
	}
	topic := options.Topics.State
	var keys [][]byte
	for key, r := range j.live {
		if r.Owner != claim.Owner {
			keys = append(keys, []byte(key))
		}
	}
	for key := range j.garbled {
		keys = append(keys, []byte(key))
	}
	return cluster.DeleteKeys(ctx, c, topic, append(keys, j.requests.keys(j.job)...)) // they were about what is forgotten
}

// readJournal reads the state topic to its end.
func (s *Stream) readJournal(ctx context.Context, j *journal) (next int64, err error) {
	return s.cluster.Read(ctx, s.options.Topics.State, 0, kafka.Earliest, kafka.End, j.follow)
}

// outrank claims the job again if the model topic has weights of its term, or of a later one: they come from
// a state elsewhere, where terms went on. Readers follow higher terms only, so they would stay with the old
// weights. recorded is the highest term of the history, for which the same holds.
func (s *Stream) outrank(ctx context.Context, j *journal, next int64, claim Claim, p *modeltopic.Publisher, recorded int64) (Claim, int64, error) {
	highest := max(p.Highest(), recorded)
	if highest < claim.Term {
		return claim, next, nil
	}
	// Whoever took the job over in the meantime and published has a claim in the log by now.
	next, err := s.cluster.Read(ctx, s.options.Topics.State, 0, next, kafka.End, j.follow)
	if err != nil {
		return claim, 0, err
	}
	if j.holder.Owner != claim.Owner {
		return claim, 0, &Superseded{s.options.Job, claim, j.holder}
	}
	s.options.Notify(StateElsewhere{Topics: s.options.Topics, Version: p.Latest(), Term: highest, Snapshot: j.state != nil})
	claim, next, err = s.take(ctx, j, next, highest)
	p.Claim(claim.Term)
	return claim, next, err
}

// take claims the job, with a term above the one given, and reads on to where the claim stands in the log.
func (s *Stream) take(ctx context.Context, j *journal, next, above int64) (Claim, int64, error) {
	o := &s.options
	before := j.holder
	claim := Claim{Job: o.Job, Owner: rand.Text(), Term: max(before.Term, above) + 1, Host: hostname(), Program: o.Program, At: time.Now().UTC()}
	if s.standby() {
		claim.BeatMillis = s.beatEvery().Milliseconds()
	}
	value, err := claim.encode()
	if err != nil {
		return claim, 0, err
	}
	attempt := 0
	err = s.cluster.Retry(ctx, "claim the job on "+o.Topics.State, func(ctx context.Context) error {
		attempt++
		offset, err := s.cluster.Append(ctx, o.Topics.State, 0, kafka.Message{Key: claimKey(claim, attempt), Value: value})
		if err == nil {
			next, err = s.cluster.Read(ctx, o.Topics.State, 0, next, offset+1, j.follow)
		}
		return err
	})
	if err != nil {
		return claim, 0, fmt.Errorf("the job could not be claimed: %w", err)
	}
	if j.holder.Owner != claim.Owner {
		return claim, 0, &Superseded{o.Job, claim, j.holder}
	}
	s.board.post(func(status *Status) { status.Claim = claim })
	o.Notify(Owned{claim, before})
	return claim, next, nil
}
