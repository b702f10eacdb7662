package stream

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// learning is the goroutine that owns the learner.
type learning struct {
	options  *Options
	learner  *model.Learner
	pipeline *pipeline
	source   Source
	letters  chan<- mail
	keeper   *keeper
	board    *board
	goal     *goal // where to stop; nil to go on

	// State: what a snapshot saves.
	ledgers  ledgers
	rejected map[string]int64
	window   *rejectWindow
	labels   *labelBuffer // nil without record.key
	topicID  kafka.TopicID

	// Progress since the last checkpoint.
	busy             bool // the keeper has one
	dirty            bool // something was processed since
	savedVersion     int64
	savedAt          time.Time
	publishedVersion int64
	publishedAt      time.Time
	fresh            bool      // nothing was published in this term yet
	withheld         bool      // and that was told
	askAt            time.Time // when to look again whether it may be published

	// Scratch and what is told now and then.
	outgoing   []kafka.Message
	told       Rejected
	last       error // the last rejection
	measuredAt time.Time
	newest     time.Time
	now        time.Time
}

// heartbeat is how often the learner looks at the clock when no record comes, and measureEvery how often
// it measures itself for the status.
const (
	heartbeat    = 100 * time.Millisecond
	measureEvery = time.Second
)

// run learns until stop ends, or the input's end if there is one, then saves and publishes what there
// is. ctx ends it at once.
func (l *learning) run(ctx context.Context, stop <-chan struct{}) error {
	l.now = time.Now()
	// Nothing is learnt before the job is surely ours, and the offsets to begin at are fixed.
	if err := l.settle(ctx, true, false); err != nil {
		return err
	}
	l.savedAt, l.publishedAt = l.now, l.now
	l.board.enter(PhaseLearning, "")
	atEnd, err := l.learn(ctx, stop)
	l.report()
	var tooMany *TooManyRejected
	var divergence *Divergence
	if errors.As(err, &tooMany) || errors.As(err, &divergence) {
		return l.halt(ctx, stop, err)
	}
	if err != nil {
		return err
	}
	reason := "told to stop"
	if atEnd {
		reason = "the end of the input, as it was at the start, is reached"
	}
	l.board.enter(PhaseDraining, reason)
	l.options.Notify(Draining{reason})
	return l.settle(ctx, false, atEnd)
}

// halt waits to be told to stop, if there is someone to see that the stream is halted.
func (l *learning) halt(ctx context.Context, stop <-chan struct{}, err error) error {
	l.options.Notify(Halted{err})
	l.board.enter(PhaseHalted, err.Error())
	if l.options.UntilEnd {
		return err
	}
	select {
	case <-stop:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// learn is the main loop, until it is told to stop or the end is reached.
func (l *learning) learn(ctx context.Context, stop <-chan struct{}) (atEnd bool, err error) {
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	for {
		if l.goal.reached(l.ledgers) {
			return true, nil
		}
		select {
		case <-stop:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		case result := <-l.keeper.done:
			l.kept(result)
		case <-ticker.C:
			l.goal.trust(l.source.Positions(), l.ledgers)
			if err := l.pause(ctx); err != nil {
				return false, err
			}
		case t := <-l.pipeline.order:
			if stopped, err := l.take(ctx, stop, t); stopped || err != nil {
				return false, err
			}
		}
	}
}

// take processes a delivery, parcel by parcel.
func (l *learning) take(ctx context.Context, stop <-chan struct{}, t *task) (stopped bool, err error) {
	d := t.delivery
	ledger := l.ledgers.of(d.Partition, d.First)
	for last := false; !last; {
		var p *parcel
		select {
		case p = <-t.filled:
		case <-stop:
			return true, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
		last = p.last
		if err := l.process(ctx, ledger, p); err != nil {
			return false, err
		}
		p.trim()
		t.free <- p
		if last {
			l.finish(ledger, d)
			l.pipeline.done(t)
		}
		l.board.progress(l.learner.Version(), ledger, l.newest)
		if err := l.pause(ctx); err != nil {
			return false, err
		}
	}
	return false, nil
}

// finish moves the ledger over what of the delivery holds no record.
func (l *learning) finish(ledger *Ledger, d *Delivery) {
	next := d.Next
	if d.Loss != nil {
		ledger.Lost += max(0, d.Loss.Lost)
		l.goal.adapt(d)
		l.options.Notify(DataLost{d.Loss})
	}
	if end, bounded := l.goal.end(d.Partition); bounded && next >= 0 {
		next = max(ledger.Next, min(next, end))
		if d.Loss != nil {
			next = min(d.Next, end)
		}
	}
	if next != ledger.Next || d.Loss != nil {
		ledger.Next, l.dirty = next, true
	}
	if d.ID != (kafka.TopicID{}) {
		l.topicID = d.ID
	}
}

// process learns the entries of a parcel.
func (l *learning) process(ctx context.Context, ledger *Ledger, p *parcel) (err error) {
	if p.err != nil {
		return p.err
	}
	end, bounded := l.goal.end(ledger.Partition)
	l.outgoing = nil // the last ones belong to the dead-letter writer
	for i := range p.entries[:p.count] {
		e := &p.entries[i]
		if bounded && e.source.Offset >= end {
			break
		}
		if err = l.one(ledger, e); err != nil {
			break
		}
		ledger.Next = e.source.Offset + 1
		l.dirty = true
	}
	if p.count > 0 {
		l.newest = newestOf(&p.entries[p.count-1])
	}
	if len(l.outgoing) > 0 {
		if failed := l.send(ctx, mail{letters: l.outgoing}); failed != nil {
			return failed
		}
	}
	return err
}

// newestOf is the time of a record: its event time, or Kafka's.
func newestOf(e *entry) time.Time {
	switch {
	case e.rejection == nil && !e.record.Time.IsZero():
		return e.record.Time
	case e.source.Timestamp > 0:
		return time.UnixMilli(e.source.Timestamp)
	}
	return time.Time{}
}

// one processes a record. After its error the learner is as before, and stops.
func (l *learning) one(ledger *Ledger, e *entry) error {
	rejection := e.rejection
	if rejection == nil && l.labels != nil {
		var kept bool
		if kept, rejection = l.labels.join(&e.record, l.learner); kept {
			ledger.Kept.add(ledger.Partition, e.source.Offset)
			l.window.push(false)
			return nil
		}
	}
	if rejection == nil {
		l.window.push(false)
		l.learner.Learn(&e.record)
		ledger.Learnt.add(ledger.Partition, e.source.Offset)
		return nil
	}
	reason := reasonOf(rejection)
	l.last = rejection
	if aboutSchema(reason) && l.window.push(true) {
		return &TooManyRejected{l.window.count, l.window.limit.Window, l.window.limit.Share, rejection}
	}
	l.outgoing = append(l.outgoing, deadLetter(l.options.Job, l.options.Topics.Input, ledger.Partition, e.source, rejection))
	ledger.Rejected.add(ledger.Partition, e.source.Offset)
	l.rejected[string(reason)]++
	if l.told.Count++; l.told.Err == nil {
		l.told.Partition, l.told.Offset, l.told.Err = ledger.Partition, e.source.Offset, rejection
	}
	return nil
}

func (l *learning) send(ctx context.Context, m mail) error {
	select {
	case l.letters <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pause is between two parcels: the clock is looked at, and what is due is done.
func (l *learning) pause(ctx context.Context) error {
	select {
	case result := <-l.keeper.done:
		l.kept(result)
	default:
	}
	l.now = time.Now()
	if l.now.Sub(l.measuredAt) >= measureEvery {
		l.report()
	}
	if l.busy {
		return nil
	}
	version := l.learner.Version()
	save := l.dirty && l.options.Snapshot.due(version-l.savedVersion, l.now.Sub(l.savedAt))
	publish := version > l.publishedVersion && l.options.Publish.due(version-l.publishedVersion, l.now.Sub(l.publishedAt)) &&
		!l.now.Before(l.askAt) && l.publishable()
	if !publish && !save {
		return nil
	}
	return l.checkpoint(ctx, publish)
}

// settle saves what there is, publishes it if it may be or must be, and waits until that is done. At the
// beginning it is saved in any case.
func (l *learning) settle(ctx context.Context, beginning, mustPublish bool) error {
	if err := l.idle(ctx); err != nil {
		return err
	}
	version := l.learner.Version()
	publish := version > 0 && (l.fresh || version > l.publishedVersion) && (mustPublish || l.publishable())
	if !beginning && !publish && !l.dirty {
		return nil
	}
	if err := l.checkpoint(ctx, publish); err != nil {
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

// publishable says whether it can be said of every enforced constraint whether it is kept.
func (l *learning) publishable() bool {
	version := l.learner.Version()
	if version == 0 || version >= firstPublication || l.publishedVersion > 0 {
		return version > 0
	}
	l.askAt = l.now.Add(measureEvery)
	for _, e := range l.learner.Measurements().Constraints {
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
	c := &checkpoint{taken: l.now}
	if publish {
		var err error
		if c.document, err = l.document(); err != nil {
			return &Divergence{err}
		}
	}
	flushed := make(chan struct{})
	if err := l.send(ctx, mail{flushed: flushed}); err != nil {
		return err
	}
	c.flushed = flushed
	c.snapshot = snapshot{
		SnapshotInfo: SnapshotInfo{
			Job: l.options.Job, Taken: l.now.UTC(), Program: l.options.Program, ConfigSHA256: l.learner.Config().Fingerprint(),
			Topic: l.options.Topics.Input, TopicID: l.topicID, Version: l.learner.Version(),
			Rejected: maps.Clone(l.rejected), Partitions: slices.Clone(l.ledgers), Recent: l.window.history(),
		},
		learner: l.learner.AppendState(nil),
		labels:  l.labels.appendState(nil),
	}
	l.dirty, l.busy = false, true
	l.savedVersion, l.savedAt = l.learner.Version(), l.now
	l.keeper.requests <- c // has room: it is idle
	return nil
}

// document is what would be published now.
func (l *learning) document() (*model.Document, error) {
	d, err := l.learner.Document()
	if err != nil {
		return nil, err
	}
	d.Job = l.options.Job
	for _, count := range l.rejected {
		d.Rejected += count
	}
	d.Offsets = map[string]int64{}
	for partition, next := range l.ledgers.next() {
		d.Offsets[l.options.Topics.Input+"/"+strconv.Itoa(int(partition))] = next
	}
	d.Lineage.Parent = l.publishedVersion
	d.Lineage.Input = "kafka topic " + l.options.Topics.Input
	d.Lineage.Program = l.options.Program
	return d, nil
}

// kept takes note of a checkpoint that is done.
func (l *learning) kept(result saved) {
	l.busy = false
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
	measurements := l.learner.Measurements()
	rejected := maps.Clone(l.rejected)
	labels := l.labels.status()
	l.board.post(func(s *Status) {
		s.Measurements, s.MeasuredVersion, s.Rejected, s.Labels = &measurements, version, rejected, labels
	})
}

// verdict is the error of a stream that reached the end of its input.
func (l *learning) verdict() error {
	var rejected int64
	for _, count := range l.rejected {
		rejected += count
	}
	if l.learner.Version() == 0 && l.last != nil {
		return &NothingLearnt{l.options.Topics.Input, rejected, l.last}
	}
	return nil
}
