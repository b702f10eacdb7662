package stream

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/release"
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
