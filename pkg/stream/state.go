package stream

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/owner"
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
	now, err := owner.Read(ctx, owner.Settings{Log: cluster, Topic: topic, Job: job})
	if err != nil {
		return nil, err
	}
	s := &State{Holder: now.Holder, Left: now.Left}
	if now.State != nil {
		saved, err := decodeSnapshot(now.State)
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
// Where the newest entry of the history is signed and Signer is nil, the error is *UnsignedReset, and nothing was changed.
func ResetState(ctx context.Context, c Cluster, options Options) error {
	options.Notify = func(Event) {}
	s := &Stream{cluster: c, options: options}
	job, err := owner.Open(ctx, s.owning())
	if err != nil {
		return err
	}
	r, err := s.openHistory(ctx, infoOf(job.Standing().State).History)
	if err != nil {
		return err
	}
	if r.Unsealed() {
		return &UnsignedReset{options.Topics.History}
	}
	if err := job.Claim(ctx, r.Head().Term); err != nil {
		return err
	}
	term := job.Owner().Term
	r.Owned(term, options.whoOf(), "")
	if err := r.Record(ctx, history.Entry{ID: fmt.Sprintf("%s/%d", history.Reset, term), Kind: history.Reset}); err != nil {
		return err
	}
	return job.Forget(ctx)
}

// UnsignedReset says that a reset would be told by an entry that every reader of the history refuses.
type UnsignedReset struct{ History string }

func (e *UnsignedReset) Error() string {
	return fmt.Sprintf("the history on topic %s is signed, and no key is configured: an entry without a signature is refused, so nobody would be told of the reset. "+
		"Set signing.private_key_file and signing.public_keys as on the host of the job", e.History)
}
