package stream

import (
	"context"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/release"
	"golang.org/x/sync/errgroup"
)

// Ask asks the owner of a job for something about its releases, and waits for the answer. Of the request, Action, Version,
// Term, Reason and Actor are used. options are those of the stream that runs. A version without a term is the newest
// document of that version. Errors besides those of Kafka: *RequestRefused, *Unanswered, ErrRequestDeleted, and what
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
	var superseded *Superseded
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
