package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/release"
)

// attend carries out the requests that wait, and says whether there was one. What it changes and answers goes into the
// next checkpoint: the answer is written when the change is saved and visible. An owner that ends before leaves the
// request to the next one, which knows by its ID if it is done.
func (l *learning) attend(ctx context.Context) (attended bool) {
	waiting := l.keeper.job.Requests()
	l.attended = slices.DeleteFunc(l.attended, func(id string) bool { // its answer is in the log
		return !slices.ContainsFunc(waiting, func(r Request) bool { return r.ID == id })
	})
	for i := range waiting {
		if r := &waiting[i]; !slices.Contains(l.attended, r.ID) {
			l.attended = append(l.attended, r.ID)
			l.answers = append(l.answers, l.carryOut(ctx, r))
			attended = true
		}
	}
	return attended
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
		l.now = time.Now()
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
