package stream

import (
	"context"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/owner"
)

// openHistory opens the history, and tells what is wrong with it.
func (s *Stream) openHistory(ctx context.Context, head chronicle.Head) (*chronicle.Recorder, error) {
	r, damage, err := s.options.historyTopic(s.cluster).Open(ctx, head, s.tellDamage)
	if err == nil && damage != "" {
		s.tellDamage(damage)
	}
	return r, err
}

func (s *Stream) tellDamage(problem string) {
	s.board.post(func(status *Status) { status.HistoryDamage = problem })
	s.options.Notify(HistoryDamaged{s.options.Topics.History, problem})
}

// partStopped tells of a part.
func (s *Stream) partStopped(stopped isolate.Stopped) {
	s.board.post(func(status *Status) {
		status.Stopped = append(status.Stopped[:len(status.Stopped):len(status.Stopped)], stopped)
	})
	s.options.Notify(PartStopped{stopped})
}

// standby says whether this process would wait for another one.
func (s *Stream) standby() bool { return s.options.Standby && !s.options.UntilEnd }

// owning is the job for internal/owner.
func (s *Stream) owning() owner.Settings {
	o := &s.options
	return owner.Settings{Log: s.cluster, Topic: o.Topics.State, Job: o.Job, Program: o.Program, Standby: s.standby(), Spread: o.Beside.Spread, Timeout: o.StandbyTimeout, Listener: teller{s}}
}

// teller makes events, and a status, of what the owner of the job tells.
type teller struct{ *Stream }

func (t teller) Garbage(found []owner.Garbage, all int) {
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

// Stream learns from a topic. It is used once.
type Stream struct {
	cluster Cluster
	options Options
	board   board
	probe   isolate.Probe
}

// New prepares a stream; nothing is read or written before Run.
func New(cluster Cluster, options Options) *Stream {
	s := &Stream{cluster: cluster, options: options.withDefaults()}
	s.board.status = Status{Phase: PhaseStarting, Reason: "starting", Job: options.Job}
	return s
}

// Status gives how the stream stands. It may be called from any goroutine, at any time.
func (s *Stream) Status() Status {
	status := s.board.read()
	status.Waits = s.options.Format.Waits()
	return status
}
