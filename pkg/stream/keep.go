package stream

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/internal/waiting"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
)

// checkpoint is what the learner hands over to be saved, and published if there is a document, which is of the same version or an earlier one.
type checkpoint struct {
	snapshot snapshot
	// learner gives the learner's state, which the snapshot does not have yet: to code and compress it takes long.
	learner  func() [][]byte
	document *document.Document
	// entries are for the history, before the snapshot covers what they tell of, and announcements are to be told after it
	// counts.
	entries       []history.Entry
	announcements []chronicle.Announcement
	// answers are written when all of it is done.
	answers []Answer
	// steps is what the releases did since the last one; nil if nothing is released.
	steps *observe.Steps
	// flushed is closed when the dead letters of all records that the snapshot covers are acknowledged, and sealed gives the mark of the
	// records that wait when they are on their topic; nil: the snapshot has it already.
	flushed <-chan struct{}
	sealed  <-chan waiting.Mark
	taken   time.Time
}

// saved tells the learner that a checkpoint is done, or that a document is made of a draft.
type saved struct {
	draft     *observe.Draft // that is made, or else err; nil: it was a checkpoint
	err       error
	snapshot  SnapshotInfo
	took      time.Duration
	published int64 // version, 0 if nothing was
	bytes     int   // of the document
	// behind says that the history goes on behind the last entry that a snapshot or document refers to.
	behind bool
}

// keeper makes documents, each before the checkpoint that publishes it, and makes checkpoints durable, one after the other:
//
//	dead letters, and records that wait for labels, acknowledged ─▶ history: owner, configuration, losses ─▶ snapshot written ─▶ seen to count
//	─▶ joined records deleted from their topic ─▶ changed verdicts and alarms told ─▶ history: releases, publication ─▶ weights published, aliases moved
//	─▶ events: releases ─▶ requests answered ─▶ old keys deleted
//
// Each step waits for the one before (rules "dead letters first", "history first" and "save before
// publishing" in doc.go).
type keeper struct {
	job       *owner.Job
	publisher *modeltopic.Publisher
	history   *chronicle.Recorder
	announcer *chronicle.Announcer
	notify    func(Event)
	at        atomic.Pointer[string] // what it is doing
	waiting   *waiting.Store         // nil: no record waits for its label
	steps     *int64                 // the last step of the releases that is saved; nil if that is not known

	drafts   chan *observe.Draft
	requests chan *checkpoint
	done     chan saved
}

// repairEvery is how often an owner looks whether the alias latest still points to the newest document, those of releases to
// what the state says, and whether the documents of aliases are still there.
const repairEvery = 10 * time.Second

// run keeps checkpoints until ctx ends, and now and then looks after the alias.
func (k *keeper) run(ctx context.Context) error {
	ticker := time.NewTicker(repairEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			k.doing("the model topic %s is looked after", k.publisher.Name)
			if err := k.publisher.Repair(ctx); err != nil {
				return err
			}
			k.publisher.TellOutranked()
			k.doing("")
		case draft := <-k.drafts:
			k.doing("the document is being made of version %d", draft.Document.Version)
			k.done <- saved{draft: draft, err: draft.Make()}
			k.doing("")
		case c := <-k.requests:
			result, err := k.keep(ctx, c)
			if err != nil {
				return err
			}
			k.doing("")
			k.done <- result
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (k *keeper) keep(ctx context.Context, c *checkpoint) (saved, error) {
	k.doing("the dead letters are not acknowledged")
	select {
	case <-c.flushed:
	case <-ctx.Done():
		return saved{}, ctx.Err()
	}
	if c.sealed != nil {
		k.doing("records that wait for their label are being written to their topic")
		select {
		case c.snapshot.Waiting = <-c.sealed:
		case <-ctx.Done():
			return saved{}, ctx.Err()
		}
	}
	if k.history != nil {
		k.doing("the history is being written to %s", k.history.Name)
	}
	if err := k.history.Record(ctx, c.entries...); err != nil {
		return saved{}, err
	}
	if err := k.announcer.CatchUp(ctx); err != nil {
		return saved{}, err
	}
	var steps []chronicle.Announcement
	if c.steps != nil {
		steps = c.steps.Told
	}
	if err := k.announcer.Ahead(ctx, c.announcements, steps); err != nil {
		return saved{}, err
	}
	info := &c.snapshot.SnapshotInfo
	info.History, info.Announced = k.history.Head(), k.announcer.Saved(c.announcements)
	info.Steps = k.lastStep(c.steps)
	var next owner.Reference
	next, info.Parent = k.job.Next()
	info.Owner, info.Term, info.Sequence = next.Owner, next.Term, next.Sequence
	k.doing("the snapshot is being written to %s", k.job.Topic)
	c.snapshot.pieces, c.learner = c.learner(), nil
	parts, err := k.save(ctx, &c.snapshot)
	if err != nil {
		return saved{}, err
	}
	k.steps = info.Steps
	if c.sealed != nil {
		if err := k.waiting.Counted(ctx, info.Waiting); err != nil {
			return saved{}, err
		}
	}
	result := saved{snapshot: *info, took: time.Since(c.taken)}
	k.notify(Saved{*info, result.took, parts})
	k.doing("the snapshot is saved, and verdicts, alarms, releases or weights are being written to %s", k.readable())
	if err := k.announcer.Tell(ctx, c.announcements); err != nil {
		return saved{}, err
	}
	if err := k.show(ctx, c, &result); err != nil {
		return saved{}, err
	}
	k.doing("requests are being answered, and old keys deleted, on %s", k.job.Topic)
	if err := k.job.Reply(ctx, c.answers); err != nil {
		return saved{}, err
	}
	return result, k.job.Clean(ctx)
}

// lastStep is the number of the last step of the releases once those of a checkpoint are saved.
func (k *keeper) lastStep(s *observe.Steps) *int64 {
	if s == nil || len(s.Steps) == 0 {
		return k.steps
	}
	last := s.Steps[len(s.Steps)-1].Number
	if k.steps != nil {
		last = max(last, *k.steps)
	}
	return &last
}

// show tells the history what a snapshot that counts has decided, and then readers.
func (k *keeper) show(ctx context.Context, c *checkpoint, result *saved) (err error) {
	s := c.steps
	if s == nil {
		s = &observe.Steps{}
	}
	if err = k.announcer.Record(ctx, s.Told); err != nil {
		return err
	}
	if c.document != nil { // it refers to the last entry, so that one cannot be deleted unnoticed
		if err = k.history.Publication(ctx, c.document); err != nil {
			return err
		}
	}
	switch {
	case c.document != nil:
		result.bytes, err = k.publisher.Publish(ctx, c.document, s.Assigned)
		result.published = c.document.Version
	case len(s.Told) > 0 || k.publisher.IsNews(s.Assigned):
		err = k.publisher.Assign(ctx, s.Assigned)
		result.behind = len(s.Told) > 0
	}
	if err == nil {
		err = k.announcer.Write(ctx, s.Told)
	}
	if err != nil {
		return err
	}
	for _, step := range s.Steps {
		k.notify(Released{step})
	}
	return nil
}

// save writes a snapshot and waits until it counts.
func (k *keeper) save(ctx context.Context, s *snapshot) (parts int, err error) {
	pieces, err := s.bytes()
	if err != nil {
		return 0, err
	}
	s.Bytes = 0
	for _, piece := range pieces {
		s.Bytes += len(piece)
	}
	return k.job.Save(ctx, s.reference(), pieces)
}

// doing is what the keeper is at, for the reason of SavingStuck.
func (k *keeper) doing(format string, arguments ...any) {
	now := fmt.Sprintf(format, arguments...)
	k.at.Store(&now)
}

// state is what the keeper is at; empty if it waits for work.
func (k *keeper) state() string {
	if at := k.at.Load(); at != nil {
		return *at
	}
	return ""
}

// readable are the topics that others read.
func (k *keeper) readable() string {
	topics := []string{k.publisher.Name, k.announcer.Name}
	if k.history != nil {
		topics = append(topics, k.history.Name)
	}
	return strings.Join(slices.DeleteFunc(topics, func(name string) bool { return name == "" }), ", ")
}
