package stream

import (
	"context"
	"time"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/owner"
)

// What internal/owner defines, and callers of this package need.
type (
	// Claim is how an owner takes over a job.
	Claim = owner.Claim
	// Reference names a snapshot.
	Reference = owner.Reference
	// Garbage is a record of the state topic that belongs to the job by its key, and that no program of this version writes.
	Garbage = owner.Garbage
	// Superseded says that another process owns the job now. This one must not write for it any more.
	Superseded = owner.Superseded
	// StateLost says that the state topic changed under a job that runs.
	StateLost = owner.StateLost
	// Request asks the owner of a job for something about its releases.
	Request = owner.Request
	// Answer is what became of a request.
	Answer = owner.Answer
	// Asking says how Ask waits.
	Asking = owner.Asking
	// RequestRefused says that the owner refused a request. Nothing changed.
	RequestRefused = owner.RequestRefused
	// Unanswered says that nobody answered a request in time. It was withdrawn.
	Unanswered = owner.Unanswered
)

// ErrRequestDeleted says that a request was deleted before it was answered.
var ErrRequestDeleted = owner.ErrRequestDeleted

// What a person may ask for; see owner.Promote.
const (
	Promote  = owner.Promote
	Rollback = owner.Rollback
	Pause    = owner.Pause
	Resume   = owner.Resume
	Pin      = owner.Pin
	Unpin    = owner.Unpin
)

// Bounds of a request, in bytes.
const (
	MostReason = owner.MostReason
	MostActor  = owner.MostActor
)

// RequestActions are all that a person may ask for.
var RequestActions = owner.RequestActions

// standby says whether this process would wait for another one.
func (s *Stream) standby() bool { return s.options.Standby && !s.options.UntilEnd }

// owning is the job for internal/owner.
func (s *Stream) owning() owner.Settings {
	o := &s.options
	return owner.Settings{Log: s.cluster, Topic: o.Topics.State, Job: o.Job, Program: o.Program, Standby: s.standby(), Timeout: o.StandbyTimeout, Listener: teller{s}}
}

// own makes this process the owner of the job: at once or, on standby, when nobody else is; but not if the state was learnt under a configuration that
// this one cannot go on with. l is what the job goes on from.
func (s *Stream) own(ctx context.Context) (job *owner.Job, l *learning, err error) {
	var decoded Reference
	ready := func(now owner.Standing) error {
		if l != nil && now.Last == decoded {
			return nil
		}
		l, decoded = newLearning(s), now.Last
		if err := s.restore(l, now.State); err != nil {
			return err
		}
		if s.standby() { // it may wait for long
			s.board.post(func(status *Status) { status.Version = l.learner.Version() })
		}
		return s.mayBegin(ctx, now)
	}
	if job, err = owner.Take(ctx, s.owning(), ready); err == nil {
		err = ready(job.Standing()) // another owner may have saved at the last moment
	}
	return job, l, err
}

// outrank claims the job again if the model topic has weights of its term, or of a later one: they come from
// a state elsewhere, where terms went on. Readers follow higher terms only, so they would stay with the old
// weights. recorded is the highest term of the history, for which the same holds.
func (s *Stream) outrank(ctx context.Context, job *owner.Job, p *modeltopic.Publisher, recorded int64) error {
	highest := max(p.Highest(), recorded)
	if highest < job.Owner().Term {
		return nil
	}
	// Whoever took the job over in the meantime and published has a claim in the log by now.
	if err := job.Refresh(ctx); err != nil {
		return err
	}
	s.options.Notify(StateElsewhere{Topics: s.options.Topics, Version: p.Latest(), Term: highest, Snapshot: job.Standing().State != nil})
	if err := job.Claim(ctx, highest); err != nil {
		return err
	}
	p.Claim(job.Owner().Term)
	return nil
}

// StateGarbage: the state topic holds garbage. It has no effect; `fairstream state prune` deletes it.
type StateGarbage struct {
	Topic string
	Garbage
}

func (StateGarbage) event() {}

// StandingBy: another process owns the job, and this one would take over.
type StandingBy struct {
	// Owner is the one that is followed. It may give no signs of life: see Claim.BeatMillis.
	Owner Claim
	// Timeout is how long it may be silent.
	Timeout time.Duration
}

// TakingOver: the owner is silent, or leaves.
type TakingOver struct {
	Owner   Claim
	Silent  time.Duration
	Leaving bool
}

// teller makes events, and a status, of what the owner of the job tells.
type teller struct{ *Stream }

func (t teller) Garbage(found []Garbage, all int) {
	for _, g := range found {
		t.options.Notify(StateGarbage{t.options.Topics.State, g})
	}
	t.board.post(func(status *Status) { status.Garbage = all })
}

func (t teller) Owned(claim, before Claim) {
	t.board.post(func(status *Status) { status.Claim = claim })
	t.options.Notify(Owned{claim, before})
}

func (t teller) StandingBy(owner Claim, timeout time.Duration) {
	t.board.post(func(status *Status) { status.Claim = owner })
	t.board.enter(PhaseStandby, "")
	t.options.Notify(StandingBy{owner, timeout})
}

func (t teller) TakingOver(owner Claim, silent time.Duration, leaving bool) {
	t.options.Notify(TakingOver{owner, silent, leaving})
	t.board.enter(PhaseStarting, "taking over")
}

// PruneState deletes what this program cannot read of a job on the state topic, and returns it by offset. With dry it deletes nothing. Records of
// another format version are among it: another program may need them.
func PruneState(ctx context.Context, cluster Cluster, topic, job string, dry bool) ([]Garbage, error) {
	return owner.Prune(ctx, owner.Settings{Log: cluster, Topic: topic, Job: job}, dry)
}
