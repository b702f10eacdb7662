package stream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/release"
)

// learning is the goroutine that owns the learner.
type learning struct {
	options  *Options
	learner  observe.Decider
	observer *observe.Observer
	account  *intake.Account
	labels   *intake.Labels // nil without record.key
	pipeline *intake.Pipeline
	goal     *intake.Goal // where to stop; nil to go on
	letters  chan<- deadletter.Mail
	keeper   *keeper

	origin        origin                  // where the state began
	configuration chronicle.Configuration // what is configured
	story         story                   // what the next checkpoint tells
	clock         clock                   // when it is due
	gate          gate                    // whether it may publish
	reporter      reporter
}

// pause is between two parcels: the clock is looked at, and what is due is done.
func (l *learning) pause(ctx context.Context) error {
	select {
	case result := <-l.keeper.done:
		if err := l.kept(ctx, result); err != nil {
			return err
		}
	default:
	}
	if l.reporter.due(l.clock.look()) {
		l.report()
	}
	if l.clock.busy {
		return nil
	}
	if l.attend(ctx) {
		return l.checkpoint(ctx, nil)
	}
	version := l.learner.Version()
	publish := l.clock.publicationDue(l.options.Publish, version) && l.gate.asks(l.clock.now) && l.gate.opens(l.clock.now, l.clock.publishedVersion)
	switch {
	case publish:
		return l.draft()
	case l.clock.snapshotDue(l.options.Snapshot, version, l.observer.Announces(), l.observer.Steps()):
		return l.checkpoint(ctx, nil)
	}
	return nil
}

// settle saves what there is, publishes it if it may be or must be, and waits until that is done. At the
// beginning it is saved in any case.
func (l *learning) settle(ctx context.Context, beginning, mustPublish bool) error {
	l.observer.Settle()
	if err := l.idle(ctx); err != nil {
		return err
	}
	version := l.learner.Version()
	publish := l.clock.unpublished(version) && (mustPublish && l.gate.isUseful(l.clock.now) || l.gate.opens(l.clock.now, l.clock.publishedVersion))
	if !beginning && !publish && !l.clock.dirty && !l.observer.Steps() {
		return nil
	}
	begin := func() error { return l.checkpoint(ctx, nil) }
	if publish {
		begin = l.draft // which idle waits for, and for its checkpoint
	}
	if err := begin(); err != nil {
		return err
	}
	if beginning {
		return l.idle(ctx)
	}
	if err := l.idle(ctx); err != nil {
		return err
	}
	return l.save(ctx) // a snapshot refers to the end of the history
}

// save saves what there is, and publishes nothing.
func (l *learning) save(ctx context.Context) error {
	if err := l.idle(ctx); err != nil || !l.clock.dirty {
		return err
	}
	return l.saveNow(ctx)
}

// saveNow saves although nothing was learnt. The keeper must be idle.
func (l *learning) saveNow(ctx context.Context) error {
	if err := l.checkpoint(ctx, nil); err != nil {
		return err
	}
	return l.idle(ctx)
}

// idle waits for the keeper, and has it publish what was drafted.
func (l *learning) idle(ctx context.Context) error {
	for l.clock.busy {
		select {
		case result := <-l.keeper.done:
			if err := l.kept(ctx, result); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// A publication takes two turns of the keeper, since to make a document takes long where there are many weights. First it makes the document of
// this version while learning goes on. Then comes a checkpoint, whose version may be later.

// draft hands over to the keeper what would be published now.
func (l *learning) draft() error {
	draft, err := l.drafted()
	if err != nil {
		return err
	}
	l.clock.busy = true
	l.keeper.drafts <- draft // has room: it is idle
	return nil
}

// checkpoint hands a copy of the state over to the keeper, and a document that is to be published; nil: none is.
func (l *learning) checkpoint(ctx context.Context, made *observe.Draft) error {
	flushed := make(chan struct{})
	c := &checkpoint{taken: l.clock.now, flushed: flushed}
	c.entries, c.answers = l.story.take()
	if made != nil {
		c.document = made.Document
		l.observer.Offer(made)
	}
	if err := l.send(ctx, deadletter.Mail{Flushed: flushed}); err != nil {
		return err
	}
	mark, sealed, err := l.labels.Seal(ctx)
	if err != nil {
		return err
	}
	c.sealed = sealed
	taken := l.observer.Take(l.account.Taken())
	c.announcements, c.steps = taken.Announcements, taken.Steps
	standing := l.account.Standing()
	c.snapshot = snapshot{
		SnapshotInfo: SnapshotInfo{
			Job: l.options.Job, Taken: l.clock.now.UTC(), Program: l.options.Program, Configuration: l.configuration,
			Topic: l.options.Topics.Input, TopicID: standing.Topic, Version: l.learner.Version(),
			Rejected: standing.Rejected, Partitions: standing.Ledgers, Recent: standing.Recent, Waiting: mark,
		},
		labels:  l.labels.AppendState(nil),
		monitor: taken.Monitor,
		release: taken.Release,
	}
	l.origin.note(&c.snapshot.SnapshotInfo)
	c.learner = l.learner.Hold()
	l.clock.hand(l.learner.Version())
	l.keeper.requests <- c // has room: it is idle
	return nil
}

// drafted is what would be published now.
func (l *learning) drafted() (*observe.Draft, error) {
	draft, err := l.observer.Draft()
	if err != nil {
		return nil, &Divergence{err}
	}
	d := draft.Document
	d.Job = l.options.Job
	d.Rejected = l.account.Total()
	d.Offsets = map[string]int64{}
	for partition, next := range l.account.Ledgers().Next() {
		d.Offsets[l.options.Topics.Input+"/"+strconv.Itoa(int(partition))] = next
	}
	d.Lineage.Parent = l.clock.publishedVersion
	d.Lineage.Input = "kafka topic " + l.options.Topics.Input
	d.Lineage.Program = l.options.Program
	d.Lineage.ConfigSHA256, d.Lineage.Changes = l.configuration.Sum(), l.configuration.Changes
	return draft, nil
}

// kept takes note of what the keeper has done. A document that is made is published with the next checkpoint.
func (l *learning) kept(ctx context.Context, result saved) error {
	if result.err != nil {
		return &Divergence{result.err}
	}
	if result.draft != nil {
		return l.checkpoint(ctx, result.draft)
	}
	l.clock.end(result)
	l.reporter.post(func(s *Status) {
		s.Snapshot, s.SnapshotTook = result.snapshot, result.took
		if result.published > 0 {
			s.Published, s.PublishedAt = result.published, l.clock.publishedAt
		}
	})
	return nil
}

// report brings the status up to date.
func (l *learning) report() {
	l.reporter.report(l.clock.now, l.options, l.learner, l.account, l.labels, l.observer)
}

// verdict is the error of a stream that reached the end of its input.
func (l *learning) verdict() error {
	if last := l.account.Last(); l.learner.Version() == 0 && last != nil {
		return &NothingLearnt{l.options.Topics.Input, l.account.Total(), last}
	}
	if m := l.learner.Measure(); l.learner.Labelled() > 0 && m != nil && !l.gate.isUseful(l.clock.now) {
		return &Useless{l.options.Topics.Input, m.Useless()}
	}
	return nil
}

// attend carries out the requests that wait, and says whether there was one. What it changes and answers goes into the
// next checkpoint: the answer is written when the change is saved and visible. An owner that ends before leaves the
// request to the next one, which knows by its ID if it is done.
func (l *learning) attend(ctx context.Context) bool {
	return l.story.attend(l.keeper.job.Requests(), func(r *Request) Answer { return l.carryOut(ctx, r) })
}

func (l *learning) carryOut(ctx context.Context, r *Request) Answer {
	a := Answer{ID: r.ID, Term: l.keeper.job.Owner().Term, Records: l.learner.Version()}
	var err error
	switch now := time.Now().UTC(); {
	case now.After(r.Until):
		err = fmt.Errorf("the request came too late: it was valid until %s, and the clock of host %s shows %s", r.Until.Format(time.RFC3339), owner.Hostname(), now.Format(time.RFC3339))
	default:
		var made observe.Outcome
		made, err = l.observer.Command(ctx, observe.Command{Default: r.Default, Command: release.Command{ID: r.ID, Action: release.Action(r.Action),
			Version: release.Version{Term: r.Term, Version: r.Version, SHA256: r.WeightsSHA256},
			Actor:   cmp.Or(r.Actor, "somebody on host "+cmp.Or(r.Host, "unknown")), Reason: r.Reason}})
		a.Before, a.After = made.Before, made.After
	}
	if err != nil {
		a.Refuse(strings.TrimPrefix(err.Error(), "release: "))
	}
	l.options.Notify(Requested{*r, a})
	return a
}

// A document is not published again without new learning. Who takes over a job at the version that was published last
// publishes nothing until it has learnt something, unless the sections record, learner or constraints of the configuration
// changed: under another tau the weights are the same, but the document's verdicts are not.

// isUnchanged says whether the newest document on the topic says all that the present one would.
func (l *learning) isUnchanged(ctx context.Context, p *modeltopic.Publisher) (bool, error) {
	newest, there := p.Newest()
	if !there || newest.Version != l.learner.Version() {
		return false, nil
	}
	published, err := p.Document(ctx, newest.Place())
	if err != nil || published == nil { // a document that cannot be read is published again
		return false, err
	}
	draft, err := l.learner.Draft()
	if err != nil {
		return false, &Divergence{err}
	}
	present, err := draft.Document()
	if err != nil {
		return false, &Divergence{err}
	}
	before, err := json.Marshal(published.Config)
	if err != nil {
		return false, err
	}
	now, err := json.Marshal(present.Config)
	return published.WeightsSHA256 == present.WeightsSHA256 && bytes.Equal(before, now), err
}

func (l *learning) send(ctx context.Context, m deadletter.Mail) error {
	select {
	case l.letters <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
