package stream

import (
	"context"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// betweenNews is the least time between two checkpoints that only what was observed asks for: of a fast stream, each would hold few
// steps of releases.
const betweenNews = time.Second

// pause is between two parcels: the clock is looked at, and what is due is done.
func (l *learning) pause(ctx context.Context) error {
	select {
	case result := <-l.keeper.done:
		l.kept(result)
	default:
	}
	l.now = time.Now()
	l.owe()
	if l.now.Sub(l.measuredAt) >= measureEvery {
		l.report()
	}
	if l.busy {
		return nil
	}
	if l.attend(ctx) {
		return l.checkpoint(ctx, false)
	}
	version := l.learner.Version()
	save := l.dirty && l.options.Snapshot.due(version-l.savedVersion, l.now.Sub(l.savedAt))
	publish := version > l.publishedVersion && l.options.Publish.due(version-l.publishedVersion, l.now.Sub(l.publishedAt)) &&
		!l.now.Before(l.askAt) && l.publishable()
	if !save && !publish && l.now.Sub(l.savedAt) >= betweenNews {
		save = l.announces() || l.observer.Steps()
	}
	if !publish && !save {
		return nil
	}
	return l.checkpoint(ctx, publish)
}

// announceEvery is how soon after a snapshot another one is taken, so that an announcement may be told.
const announceEvery = 5 * time.Second

// announces says whether a snapshot is due because somebody waits for an announcement.
func (l *learning) announces() bool {
	return l.dirty && l.observer.Announces() && l.now.Sub(l.savedAt) >= announceEvery
}

// settle saves what there is, publishes it if it may be or must be, and waits until that is done. At the
// beginning it is saved in any case.
func (l *learning) settle(ctx context.Context, beginning, mustPublish bool) error {
	l.observer.Settle()
	if err := l.idle(ctx); err != nil {
		return err
	}
	version := l.learner.Version()
	publish := version > 0 && (l.fresh || version > l.publishedVersion) && (mustPublish && !l.options.given() && l.isUseful() || l.publishable())
	if !beginning && !publish && !l.dirty && !l.observer.Steps() {
		return nil
	}
	if err := l.checkpoint(ctx, publish); err != nil {
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
	if err := l.idle(ctx); err != nil || !l.dirty {
		return err
	}
	return l.saveNow(ctx)
}

// saveNow saves although nothing was learnt. The keeper must be idle.
func (l *learning) saveNow(ctx context.Context) error {
	if err := l.checkpoint(ctx, false); err != nil {
		return err
	}
	return l.idle(ctx)
}

// idle waits for the keeper.
func (l *learning) idle(ctx context.Context) error {
	for l.busy {
		select {
		case result := <-l.keeper.done:
			l.kept(result)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// publishable says whether the weights say something, and whether it can be said of every enforced constraint
// whether it is kept.
func (l *learning) publishable() bool {
	version := l.learner.Version()
	if l.options.given() || !l.isUseful() {
		return false
	}
	if version == 0 || version >= firstPublication || l.publishedVersion > 0 {
		return version > 0
	}
	l.askAt = l.now.Add(measureEvery)
	for _, e := range l.learner.Measure().Constraints {
		if e.Enforced && e.Status == fairness.NotEstimable {
			if !l.withheld {
				l.options.Notify(Withheld{"constraint " + e.Name + " cannot be measured yet: " + e.Reason})
				l.withheld = true
			}
			return false
		}
	}
	return true
}

// Divergence says that the weights are not finite any more. Nothing is saved or published after it.
type Divergence struct{ Err error }

func (e *Divergence) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Divergence) Unwrap() error { return e.Err }

// checkpoint hands a copy of the state over to the keeper.
func (l *learning) checkpoint(ctx context.Context, publish bool) error {
	flushed := make(chan struct{})
	c := &checkpoint{taken: l.now, flushed: flushed, entries: l.entries, answers: l.answers}
	l.entries, l.answers = nil, nil
	if publish {
		var err error
		if c.document, err = l.document(); err != nil {
			return &Divergence{err}
		}
		l.observer.Offer(c.document)
	}
	if err := l.send(ctx, deadletter.Mail{Flushed: flushed}); err != nil {
		return err
	}
	taken := l.observer.Take()
	c.announcements, c.steps = taken.Announcements, taken.Steps
	standing := l.account.Standing()
	c.snapshot = snapshot{
		SnapshotInfo: SnapshotInfo{
			Job: l.options.Job, Taken: l.now.UTC(), Program: l.options.Program, Configuration: l.configuration,
			Topic: l.options.Topics.Input, TopicID: standing.Topic, Version: l.learner.Version(), Origin: l.origin,
			Rejected: standing.Rejected, Partitions: standing.Ledgers, Recent: standing.Recent,
		},
		learner: l.learner.AppendState(nil),
		labels:  l.labels.AppendState(nil, l.observer.KnownUpTo()),
		monitor: taken.Monitor,
		release: taken.Release,
	}
	l.dirty, l.busy = false, true
	l.lend(true)
	l.savedVersion, l.savedAt = l.learner.Version(), l.now
	l.keeper.requests <- c // has room: it is idle
	return nil
}

// document is what would be published now.
func (l *learning) document() (*document.Document, error) {
	d, err := l.learner.Document()
	if err != nil {
		return nil, err
	}
	d.Job = l.options.Job
	d.Rejected = l.account.Total()
	d.Offsets = map[string]int64{}
	for partition, next := range l.account.Ledgers().Next() {
		d.Offsets[l.options.Topics.Input+"/"+strconv.Itoa(int(partition))] = next
	}
	d.Lineage.Parent = l.publishedVersion
	d.Lineage.Input = "kafka topic " + l.options.Topics.Input
	d.Lineage.Program = l.options.Program
	d.Lineage.ConfigSHA256, d.Lineage.Changes = l.configuration.Sum(), l.configuration.Changes
	return d, nil
}

// kept takes note of a checkpoint that is done.
func (l *learning) kept(result saved) {
	l.busy = false
	l.lend(false)
	l.dirty = l.dirty || result.behind
	if result.published > 0 {
		l.publishedVersion, l.publishedAt, l.fresh = result.published, time.Now(), false
	}
	l.board.post(func(s *Status) {
		s.Snapshot, s.SnapshotTook = result.snapshot, result.took
		if result.published > 0 {
			s.Published, s.PublishedAt = result.published, l.publishedAt
		}
	})
}

// report brings the status up to date.
func (l *learning) report() {
	l.measuredAt = l.now
	if l.told.Count > 0 {
		l.options.Notify(l.told)
		l.told = Rejected{}
	}
	version := l.learner.Version()
	measurements := l.learner.Measure()
	rejected := l.account.Standing().Rejected
	labels := l.labels.Status()
	observed := l.observer.Report()
	if r := observed.Releases; r != nil && !l.shareTold && r.Share < l.options.Release.Share {
		l.shareTold = true
		l.options.Notify(ShareHalved{Share: r.Share, Rate: l.options.Release.Rate})
	}
	l.board.post(func(s *Status) {
		s.Measurements, s.MeasuredVersion, s.Rejected, s.Labels, s.Monitored, s.Unmonitored = measurements, version, rejected, labels, observed.Monitored, observed.Unmonitored
		if !observed.Cut { // else what they said last
			s.Releases = observed.Releases
		}
		s.Useless = ""
		if measurements != nil && version >= int64(l.options.Model.Learner.Warmup) {
			s.Useless = measurements.Useless()
		}
	})
}

// verdict is the error of a stream that reached the end of its input.
func (l *learning) verdict() error {
	if last := l.account.Last(); l.learner.Version() == 0 && last != nil {
		return &NothingLearnt{l.options.Topics.Input, l.account.Total(), last}
	}
	if l.learner.Version() > 0 && !l.options.given() && !l.isUseful() {
		m := l.learner.Measure()
		return &Useless{l.options.Topics.Input, m.Useless()}
	}
	return nil
}
