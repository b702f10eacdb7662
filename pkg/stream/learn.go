package stream

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/waiting"
)

// heartbeat is how often the learner looks at the clock when no record comes.
const heartbeat = isolate.Beat

// run learns until stop ends, or the input's end if there is one, then saves and publishes what there
// is. ctx ends it at once.
func (l *learning) run(ctx context.Context, stop <-chan struct{}) error {
	l.clock.look()
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	l.clock.ticks = ticker.C
	// Nothing is learnt before the job is surely ours, and the offsets to begin at are fixed.
	if err := l.settle(ctx, true, false); err != nil {
		return err
	}
	l.clock.begin(l.options)
	l.reporter.enter(PhaseLearning, "")
	atEnd, err := l.learn(ctx, stop)
	l.report()
	var tooMany *intake.TooManyRejected
	var divergence *Divergence
	if errors.As(err, &tooMany) {
		// What was rejected so far is in the dead-letter topic: the next start must not write it again.
		if failed := l.save(ctx); failed != nil {
			return failed
		}
		return l.halt(ctx, stop, err)
	}
	if errors.As(err, &divergence) {
		return l.halt(ctx, stop, err)
	}
	if err != nil {
		return err
	}
	reason := "told to stop"
	if atEnd {
		reason = "the end of the input, as it was at the start, is reached"
		for _, open := range l.goal.Open {
			l.options.Notify(OpenTransaction(open))
		}
	}
	l.reporter.enter(PhaseDraining, reason)
	l.options.Notify(Draining{reason})
	if err := l.settle(ctx, false, atEnd); err != nil {
		return err
	}
	l.report() // the last publication may have put another version under test
	return l.labels.Flush(ctx)
}

// halt waits to be told to stop, if there is someone to see that the stream is halted.
func (l *learning) halt(ctx context.Context, stop <-chan struct{}, err error) error {
	l.options.Notify(Halted{err})
	l.reporter.enter(PhaseHalted, err.Error())
	if l.options.UntilEnd {
		return err
	}
	var divergence *Divergence
	for {
		select {
		case <-stop:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-l.clock.ticks: // releases do not depend on the input
			l.clock.look() // an answer takes a snapshot
			if !errors.As(err, &divergence) && l.attend(ctx) {
				if failed := l.saveNow(ctx); failed != nil {
					return failed
				}
			}
		}
	}
}

// learn is the main loop, until it is told to stop or the end is reached.
func (l *learning) learn(ctx context.Context, stop <-chan struct{}) (atEnd bool, err error) {
	standstills := intake.Standstills{}
	for {
		if l.goal.Reached(*l.account.Ledgers()) {
			return true, nil
		}
		select {
		case <-stop:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		case result := <-l.keeper.done:
			if err := l.kept(ctx, result); err != nil {
				return false, err
			}
		case <-l.clock.ticks:
			l.observer.Beat()
			positions := l.pipeline.Positions()
			l.goal.Trust(positions, *l.account.Ledgers())
			l.labels.Rest(func() []kafka.Position { return positions }, *l.account.Ledgers())
			for _, open := range standstills.Observe(positions, time.Now()) {
				l.options.Notify(OpenTransaction(open))
			}
			l.tellHeld()
			if err := l.pause(ctx); err != nil {
				return false, err
			}
		case t := <-l.pipeline.Order:
			if stopped, err := l.take(ctx, stop, t); stopped || err != nil {
				return false, err
			}
		}
	}
}

// take processes a delivery, parcel by parcel.
func (l *learning) take(ctx context.Context, stop <-chan struct{}, t *intake.Task) (stopped bool, err error) {
	d := t.Delivery
	ledger := l.account.Ledgers().Of(d.Partition, d.First)
	for last := false; !last; {
		var p *intake.Parcel
		for p == nil {
			select {
			case p = <-t.Filled:
			case <-l.clock.ticks: // the decoders may wait for parcels that a part holds
				l.observer.Beat()
				if err := l.pause(ctx); err != nil {
					return false, err
				}
			case <-stop:
				return true, nil
			case <-ctx.Done():
				return false, ctx.Err()
			}
		}
		last = p.Last
		if l.pipeline.Holds.Passed(d) {
			l.pipeline.GiveBack(t, p)
			continue
		}
		newest, err := l.process(ctx, d.ID, ledger, p)
		if err != nil {
			l.pass(t, p, ledger.Partition)
			return false, err
		}
		if end, bounded := l.goal.End(d.Partition); p.Pending != nil && (!bounded || p.Stop < end) {
			l.hold(d, ledger, p.Pending)
		} else {
			l.free(d.Partition)
			if last {
				l.finish(ledger, d)
				l.labels.Rest(l.pipeline.Positions, *l.account.Ledgers())
			}
		}
		l.pass(t, p, ledger.Partition)
		l.reporter.progress(l.learner, ledger, newest)
		if err := l.pause(ctx); err != nil {
			return false, err
		}
	}
	return false, nil
}

// pass passes a parcel that was learnt to the observer, and from there back to the decoder.
func (l *learning) pass(t *intake.Task, p *intake.Parcel, partition int32) {
	l.observer.Pass(&p.Batch, partition, func(held bool) {
		if held { // by a part that was given up
			p = t.Replace(p)
		}
		l.pipeline.GiveBack(t, p)
	})
}

// hold has the partition of a delivery wait for a schema.
func (l *learning) hold(d *cluster.Delivery, ledger *intake.Ledger, pending *format.Pending) {
	l.pipeline.Holds.Hold(d, ledger, pending)
	l.reporter.holds(l.pipeline.Holds.Held())
}

// free notes that a partition goes on.
func (l *learning) free(partition int32) {
	if l.pipeline.Holds.Free(partition) {
		l.reporter.holds(l.pipeline.Holds.Held())
	}
}

// tellHeld tells of partitions that wait for long.
func (l *learning) tellHeld() {
	for _, held := range l.pipeline.Holds.Observe(time.Now()) {
		e := PartitionHeld{Held: held}
		if waits := l.options.Format.Waits(); len(waits) > 0 {
			e.Cause = waits[max(0, slices.IndexFunc(waits, func(w SchemaWait) bool { return w.Schema == held.Schema }))].Cause
		}
		l.options.Notify(e)
	}
}

// finish moves the ledger over what of the delivery holds no record.
func (l *learning) finish(ledger *intake.Ledger, d *cluster.Delivery) {
	if d.Loss != nil {
		l.story.tell(lossEntry(d.Loss, l.account.Topic()))
		l.options.Notify(DataLost{d.Loss})
	}
	if l.account.Finish(ledger, d, l.goal) {
		l.clock.process()
	}
}

// process learns the entries of a parcel, which are records of the topic with that ID, and gives the time of the last one. It may make the parcel
// pending.
func (l *learning) process(ctx context.Context, topic kafka.TopicID, ledger *intake.Ledger, p *intake.Parcel) (newest time.Time, err error) {
	if p.Err != nil {
		return newest, p.Err
	}
	end, bounded := l.goal.End(ledger.Partition)
	endTurn, err := l.turn(ctx)
	if err != nil {
		return newest, err
	}
	defer endTurn() // a panic must not keep it
	var letters []kafka.Message
	for i := range p.Entries[:p.Count] {
		e := &p.Entries[i]
		if bounded && e.Source.Offset >= end {
			break
		}
		isLabel := l.labels != nil && e.Rejection == nil && len(e.Record.Features) == 0
		if l.options.Look != nil && e.Source.Value != nil && !isLabel && !l.options.Look(l.options.Format.Whole(e.Source)) {
			l.options.Look = nil
		}
		rejection := l.one(ledger, e, p)
		if errors.As(rejection, &p.Pending) { // the schema of the record that waits for this label
			p.Stop = e.Source.Offset
			break
		}
		if failure, failed := errors.AsType[*waiting.Failure](rejection); failed {
			err = failure
			break
		}
		if rejection != nil {
			if err = l.account.Reject(ledger, e.Source.Offset, rejection); err != nil {
				break
			}
			letters = append(letters, deadletter.Letter(l.options.Job, l.options.Topics.Input, deadletter.Origin{Topic: topic, Partition: ledger.Partition}, e.Source,
				l.options.Format.SchemaOf(e.Source), rejection))
			l.reporter.reject(ledger.Partition, e.Source.Offset, rejection)
		}
		ledger.Next, ledger.LeaderEpoch = e.Source.Offset+1, intake.LeaderEpoch(e.Source.Epoch)
		l.clock.process()
	}
	endTurn()
	if p.Count > 0 {
		newest = intake.TimeOf(&p.Entries[p.Count-1])
	}
	if err == nil {
		err = l.labels.Send(ctx)
	}
	if len(letters) > 0 {
		if failed := l.send(ctx, deadletter.Mail{Letters: letters}); failed != nil {
			return newest, failed
		}
	}
	return newest, err
}

// turn waits for a turn, and gives what ends it. Nothing that waits for Kafka is done during a turn, since others wait for its end.
func (l *learning) turn(ctx context.Context) (end func(), err error) {
	turns := l.options.Beside.Turns
	if turns == nil {
		return func() {}, nil
	}
	if err := turns.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { turns.Release(1) }), nil
}

// one learns a record of a parcel, or keeps it until its label comes; else it says why the record is rejected.
func (l *learning) one(ledger *intake.Ledger, e *observe.Entry, p *intake.Parcel) (rejection error) {
	if e.Rejection != nil {
		return e.Rejection
	}
	if refused := l.learner.Refuse(&e.Record); refused != nil {
		return refused
	}
	if rejection = l.due(e, p); rejection != nil {
		return rejection
	}
	s, kept := p.Sight(e), intake.Nothing
	s.Number = l.account.Taken() + 1
	if l.labels != nil {
		if kept, rejection = l.labels.Join(s, p, l.learner); rejection != nil {
			p.Unsee()
			return rejection
		}
	}
	if kept == intake.Nothing {
		l.learner.Take(s)
	}
	l.account.Learnt(ledger, e.Source.Offset, kept == intake.Itself)
	if kept == intake.Label {
		p.Unsee() // it is seen with its record, when that is due
		return nil
	}
	l.observer.See(&p.Batch)
	return nil
}

// due learns the records whose labels were held until the record of e.
func (l *learning) due(e *observe.Entry, p *intake.Parcel) error {
	if l.labels == nil {
		return nil
	}
	for before := 0; ; before++ {
		s, err := l.labels.Due(e, p, l.learner, before)
		if s == nil || err != nil {
			return err
		}
		s.Number = l.account.Taken()
		l.learner.Take(s)
		l.observer.See(&p.Batch)
	}
}
