package stream

import (
	"context"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/release"
	"golang.org/x/sync/errgroup"
)

// Ask asks the owner of a job for something about its releases, and waits for the answer. Of the request, Action, Version,
// Term, Reason and Actor are used. options are those of the stream that runs. A version without a term is the newest
// document of that version. Errors besides those of Kafka: *RequestRefused, *Unanswered, owner.ErrRequestDeleted, and what
// Request.Validate and Run return.
func Ask(ctx context.Context, cluster Cluster, options Options, r Request, how Asking) (*Answer, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	options.UntilEnd = true // not a standby: the job is claimed at once, if at all
	s := New(cluster, options)
	if s.options.given() || !s.options.Release.On() {
		return nil, observe.ErrNoReleases
	}
	return owner.Ask(ctx, s.owning(), how, func() (Request, error) { return s.named(ctx, r) },
		func(ctx context.Context) error { return New(cluster, options).serve(ctx) })
}

// named is a request with the document that is meant.
func (s *Stream) named(ctx context.Context, r Request) (Request, error) {
	o := &s.options
	alias := observe.DefaultAliases[release.Action(r.Action)]
	if r.Version == 0 && alias == "" {
		return r, nil
	}
	models, err := ReadSignedModels(ctx, s.cluster, o.Topics.Model, o.Job, o.Verifier)
	if err != nil {
		return r, err
	}
	m := models.Find(r.Term, r.Version)
	if r.Default = r.Version == 0; r.Default {
		m = models.ByAlias(alias)
	}
	switch {
	case m != nil:
		r.Term, r.Version, r.WeightsSHA256 = m.Term, m.Version, m.WeightsSHA256
	case r.Default: // the owner knows whether there is one
		r.Default = false
	default:
		return r, &NoSuchVersion{o.Topics.Model, o.Job, r.Term, r.Version}
	}
	return r, nil
}

// NoSuchVersion says that a version is not on the model topic.
type NoSuchVersion struct {
	Topic, Job    string
	Term, Version int64 // Term 0: any
}

func (e *NoSuchVersion) Error() string {
	version := fmt.Sprint(e.Version)
	if e.Term > 0 {
		version = fmt.Sprintf("%d/%d", e.Term, e.Version)
	}
	return fmt.Sprintf("topic %s holds no version %s of job %s: `fairstream models list` shows those it holds", e.Topic, version, e.Job)
}

// serve carries out the requests that wait on the state topic, as the owner of the job, and leaves. Nothing is learnt or
// published.
func (s *Stream) serve(ctx context.Context) error {
	l, err := s.start(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	ctx, finished := context.WithCancel(ctx)
	letters := make(chan deadletter.Mail, deadletter.MailRoom)
	l.letters = letters
	begin := func(run func() error) {
		group.Go(func() error {
			if err := run(); ctx.Err() == nil || !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		})
	}
	begin(func() error { return flush(ctx, letters) })
	begin(func() error { return l.keeper.job.Follow(ctx) })
	begin(func() error { return l.keeper.run(ctx) })
	group.Go(func() error {
		defer finished()
		l.clock.look()
		l.attend(ctx)
		return l.saveNow(ctx)
	})
	err = group.Wait()
	var superseded *owner.Superseded
	if !errors.As(err, &superseded) {
		l.keeper.job.Leave()
	}
	return err
}

// flush acknowledges flush marks where no dead letters are written.
func flush(ctx context.Context, letters <-chan deadletter.Mail) error {
	for {
		select {
		case m := <-letters:
			if m.Flushed != nil {
				close(m.Flushed)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// FollowHistory gives tell the newest entries of a job's history that count, about most of them, and then each that is
// written, in order, until ctx ends; a topic that is made again or cut is followed again. Of the chain nothing is said: AuditHistory checks it.
func FollowHistory(ctx context.Context, cluster Cluster, topic, job string, most int64, tell func(*history.Entry)) error {
	return chronicle.Topic{Cluster: cluster, Name: topic, Job: job}.Follow(ctx, most, tell)
}

// PruneState deletes what this program cannot read of a job on the state topic, and returns it by offset. With dry it deletes nothing. Records of
// another format version are among it: another program may need them.
func PruneState(ctx context.Context, cluster Cluster, topic, job string, dry bool) ([]owner.Garbage, error) {
	return owner.Prune(ctx, owner.Settings{Log: cluster, Topic: topic, Job: job}, dry)
}

// Replayed says what ReplayDeadLetters did.
type Replayed = deadletter.Replayed

// Unreadable is why dead letters stay where they are.
type Unreadable = deadletter.Unreadable

// ReplayDeadLetters writes the dead letters of a job to the input topic again, each source offset of each topic once, however often it is
// called and however a call ends, for readers of committed records. Letters that the configuration still rejects are left out. A second
// call for a job ends the first. With dry nothing is written. f is what the letters are written as; nil: JSON.
func ReplayDeadLetters(ctx context.Context, cluster Cluster, config model.Config, f format.Format, topics Topics, job string, dry bool) (Replayed, error) {
	schema, err := config.WithDefaults().Schema()
	if err != nil {
		return Replayed{}, err
	}
	r := replayer(cluster, topics, job)
	r.Format = f
	return r.Replay(ctx, schema, dry)
}

func replayer(cluster Cluster, topics Topics, job string) deadletter.Replayer {
	return deadletter.Replayer{Cluster: cluster, Job: job, Input: topics.Input, DeadLetters: topics.DeadLetter, State: topics.State}
}
