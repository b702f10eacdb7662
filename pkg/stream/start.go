package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
)

// StateGone says that a job has published weights, and that its state topic knows nothing of it: the topic was deleted, or
// another one is configured. What was learnt is gone or elsewhere, so it is not begun again without being asked for.
type StateGone struct {
	Job    string
	Topics Topics
	// Version and Term are those of the newest weights.
	Version, Term int64
}

func (e *StateGone) Error() string {
	return fmt.Sprintf("topic %s holds no state of job %s, whose version %d (term %d) is on topic %s: the state topic was deleted, or topics.state names another one. "+
		"Restore it or set it back; to learn again from stream.start, start once with `fairstream run --begin-again`",
		e.Topics.State, e.Job, e.Version, e.Term, e.Topics.Model)
}

// mayBegin refuses to begin a job that has published before.
func (s *Stream) mayBegin(ctx context.Context, now owner.Standing) error {
	o := &s.options
	if now.Holder.Term > 0 || now.State != nil || o.BeginAgain {
		return nil
	}
	models := o.modelTopic(s.cluster).Open()
	if err := models.Look(ctx); err != nil { // what is refused is told at the start
		return err
	}
	if newest, there := models.Newest(); there {
		return &StateGone{o.Job, o.Topics, newest.Version, newest.Term}
	}
	return nil
}

// introduce prepares what the history is to tell at the beginning: who owns the job now, and with which
// configuration.
func (l *learning) introduce(claim Claim, stood owner.Standing, saved *SnapshotInfo, r *chronicle.Recorder) (err error) {
	version := l.learner.Version()
	if l.configuration, err = configurationOf(l.options); err != nil {
		return err
	}
	r.Owned(claim.Term, l.options.whoOf(), l.configuration.Sum())
	l.story.tell(ownership(claim, stood, version, l.origin.from))
	behind := owner.Reference{Owner: claim.Owner}
	var changes []history.Change
	if saved.Configuration.Whole != nil {
		if changes, err = l.configuration.Follow(saved.Configuration, time.Now().UTC(), version); err != nil {
			return err
		}
		if behind = saved.reference(); len(changes) > 0 {
			l.options.Notify(ConfigChanged{changes})
		}
	}
	if len(changes) > 0 || saved.Configuration.Whole == nil || r.Head().Sequence == 0 {
		l.story.tell(l.configuration.Configured(changes, behind.Owner, behind.Sequence, version))
	}
	return nil
}

// configurationOf is what the options configure.
func configurationOf(o *Options) (c chronicle.Configuration, err error) {
	if c.Whole = o.Configuration; c.Whole == nil {
		c.Whole, err = json.Marshal(o.Model)
	} else if !json.Valid(c.Whole) {
		err = errors.New("Options.Configuration is not JSON")
	}
	if err != nil {
		err = fmt.Errorf("stream: the configuration: %w", err)
	}
	return c, err
}

// own makes this process the owner of the job: at once or, on standby, when nobody else is; but not if the state was learnt under a configuration that
// this one cannot go on with. l is what the job goes on from.
func (s *Stream) own(ctx context.Context) (job *owner.Job, l *learning, err error) {
	var decoded owner.Reference
	ready := func(now owner.Standing) error {
		if l != nil && now.Last == decoded {
			return nil
		}
		if err := s.options.StartFrom.onto(s.options.Job, s.options.Topics, now.State); err != nil {
			return err
		}
		l, decoded = newLearning(s), now.Last
		if err := s.restore(l, now.State); err != nil {
			return err
		}
		if s.standby() { // it may wait for long
			s.board.post(func(status *Status) { status.Version, status.Labelled = l.learner.Version(), l.learner.Labelled() })
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

// start claims the job and brings the learner to where the job stands.
func (s *Stream) start(ctx context.Context) (*learning, error) {
	o := &s.options
	topic, err := s.cluster.Topic(ctx, o.Topics.Input)
	if err != nil {
		return nil, err
	}
	job, l, err := s.own(ctx)
	if err != nil {
		return nil, err
	}
	if s.standby() { // hours may have passed
		if topic, err = s.cluster.Topic(ctx, o.Topics.Input); err != nil {
			return nil, err
		}
	}
	publisher, err := o.modelTopic(s.cluster).Publish(ctx, modeltopic.Own{Term: job.Owner().Term, Keep: o.KeepVersions, Signer: o.Signer, Notify: o.tellOfModels})
	if err != nil {
		return nil, err
	}
	stood := job.Standing()
	info, begins := infoOf(stood.State), stood.State == nil
	recorder, err := s.openHistory(ctx, info.History)
	if err != nil {
		return nil, err
	}
	if err := s.outrank(ctx, job, publisher, recorder.Head().Term); err != nil {
		return nil, err
	}
	if latest := publisher.Latest(); latest > 0 {
		s.board.post(func(status *Status) { status.Published = latest })
	}
	l.origin = origin{info.Origin, info.StartedFrom}
	if begins {
		l.origin = origin{job.Owner().Term, o.StartFrom.sum()}
	}
	events := chronicle.Events{Cluster: s.cluster, Name: o.Topics.Events, Job: o.Job, Signer: o.Signer, Part: isolate.New(PartEvents), Probe: s.probe}
	announcer, err := events.Announcer(ctx, recorder, info.Announced, l.observer.Owed())
	if err != nil {
		return nil, err
	}
	events.Part.OnStop(s.partStopped)
	l.keeper = &keeper{job: job, publisher: publisher, history: recorder, announcer: announcer, notify: o.Notify,
		steps: info.Steps, drafts: make(chan *observe.Draft, 1), requests: make(chan *checkpoint, 1), done: make(chan saved, 1)}
	if begins {
		l.keeper.steps = new(int64)
	}
	if err := l.introduce(job.Owner(), stood, &info, recorder); err != nil {
		return nil, err
	}
	if !begins {
		o.Notify(Resumed{info, o.StartFrom.sum()})
		if l.observer.BeganAgain() {
			o.Notify(MonitoringBegun{l.learner.Version()})
		}
	}
	l.observer.Begin(l.origin.term, s.partStopped)
	if err := l.observer.Load(ctx, publisher, recorder); err != nil {
		return nil, err
	}
	if alias, off := l.observer.Unmoved(publisher); alias != nil {
		o.Notify(StableUnmoved{alias.Term, alias.Version, off})
		s.board.post(func(status *Status) { status.Unmoved = alias })
	}
	// A snapshot is saved before its weights are published: later versions than its own come from another state,
	// such as one that was reset, and are nothing to wait for.
	l.clock.publishedVersion = min(publisher.Latest(), l.learner.Version())
	unchanged, err := l.isUnchanged(ctx, publisher)
	if err != nil {
		return nil, err
	}
	l.clock.fresh = !unchanged
	if begins {
		if err := s.begin(ctx, l, topic); err != nil {
			return nil, err
		}
	}
	if o.UntilEnd {
		bounds, err := s.cluster.Bounds(ctx, o.Topics.Input)
		if err != nil {
			return nil, err
		}
		l.goal = intake.NewGoal(bounds, l.account.Ledgers(), l.account.Topic(), topic.ID)
	}
	for _, ledger := range *l.account.Ledgers() {
		s.board.progress(l.learner, &ledger, time.Time{})
	}
	return l, nil
}

func newLearning(s *Stream) *learning {
	return &learning{options: &s.options, account: intake.NewAccount(s.options.RejectLimit), clock: clock{tell: s.board.owe}, reporter: reporter{board: &s.board}}
}

// ConfigMismatch says that the job's state belongs to something else than what is configured.
type ConfigMismatch struct {
	Key        string
	Saved, Now string
}

func (e *ConfigMismatch) Error() string {
	return fmt.Sprintf("the job's state was learnt with %s: %s, and it is %s now: set it back, give this job another name, or start over with `fairstream state reset`",
		e.Key, e.Saved, e.Now)
}

// restore fills l from a snapshot; nil is a job that begins.
func (s *Stream) restore(l *learning, state []byte) (err error) {
	o := &s.options
	if o.Model.Record.Key != "" {
		schema, err := o.schema()
		if err != nil {
			return err
		}
		l.labels = intake.NewLabels(o.Labels, o.Format, schema)
	}
	if state == nil {
		if l.learner, err = o.beginDecider(); err == nil {
			l.gate = gate{learner: l.learner, notify: o.Notify}
			l.observer, err = observe.New(o.observed(s.probe), l.learner, observe.Saved{})
		}
		return err
	}
	saved, err := decodeSnapshot(state)
	if err != nil {
		return err
	}
	if saved.Topic != o.Topics.Input {
		return &ConfigMismatch{"topics.input", saved.Topic, o.Topics.Input}
	}
	if l.learner, err = o.restoreDecider(saved.learner); err != nil {
		var changed *model.ConfigChanged
		if errors.As(err, &changed) && slices.ContainsFunc(changed.Keys, func(key string) bool { return strings.HasPrefix(key, "record.") }) {
			err = fmt.Errorf("%w; if a field of the input was only renamed, leave its key unchanged and list the new name under record.renamed", err)
		}
		return fmt.Errorf("job %s: %w", o.Job, err)
	}
	l.gate = gate{learner: l.learner, notify: o.Notify}
	now, err := configurationOf(o)
	if err != nil {
		return err
	}
	stood := intake.Standing{Topic: saved.TopicID, Ledgers: saved.Partitions, Rejected: saved.Rejected, Recent: saved.Recent}
	if err := l.account.Restore(stood, now.ReadsOtherwise(saved.Configuration)); err != nil {
		return fmt.Errorf("stream: a snapshot is damaged: %w", err)
	}
	if err := l.labels.Restore(saved.labels, saved.Waiting); err != nil {
		return fmt.Errorf("stream: a snapshot cannot be continued: %w", err)
	}
	if l.observer, err = observe.New(o.observed(s.probe), l.learner, observe.Saved{Monitor: saved.monitor, Release: saved.release, Records: l.account.Taken()}); err != nil {
		return err
	}
	return nil
}

// begin places a job that has no snapshot.
func (s *Stream) begin(ctx context.Context, l *learning, topic kafka.TopicInfo) error {
	o := &s.options
	bounds, err := s.cluster.Bounds(ctx, o.Topics.Input)
	if err != nil {
		return err
	}
	offsets := make([]int64, len(bounds))
	for i, b := range bounds {
		offsets[i] = b.Start
		if o.Start == Latest {
			offsets[i] = b.End
		}
	}
	tooLate := false
	if at, isTime := o.startTime(); isTime {
		if offsets, err = s.cluster.OffsetsAt(ctx, o.Topics.Input, at); err != nil {
			return err
		}
		before, left := int64(0), int64(0)
		for i, b := range bounds {
			before, left = before+offsets[i]-b.Start, left+b.End-offsets[i]
		}
		tooLate = before > 0 && left <= 0
	}
	if err := o.StartFrom.place(offsets, bounds); err != nil {
		return err
	}
	l.account.Begin(topic.ID, offsets)
	o.Notify(Begun{l.account.Ledgers().Next(), o.StartFrom.sum(), tooLate})
	return nil
}
