package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/kafka"
)

// errNoReleases answers requests to a job without releases.
var errNoReleases = errors.New("the job has no releases, because release.enabled is false: set it to true, and start `fairstream run` again")

// attend carries out the requests that wait, and says whether there was one. What it changes and answers goes into the
// next checkpoint: the answer is written when the change is saved and visible. An owner that ends before leaves the
// request to the next one, which knows by its ID if it is done.
func (l *learning) attend(ctx context.Context) (attended bool) {
	waiting := l.keeper.watcher.waiting()
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
	a := Answer{ID: r.ID, Term: l.keeper.claim.Term, Records: l.learner.Version()}
	var err error
	switch now := time.Now().UTC(); {
	case now.After(r.Until):
		err = fmt.Errorf("the request came too late: it was valid until %s, and the clock of host %s shows %s", r.Until.Format(time.RFC3339), hostname(), now.Format(time.RFC3339))
	case l.releases.off():
		err = errNoReleases
	default:
		err = l.command(ctx, r, &a)
	}
	if err != nil {
		a.Refused = strings.TrimPrefix(err.Error(), "release: ")
		a.Refused = strings.ToValidUTF8(a.Refused[:min(len(a.Refused), mostRefused)], "")
	}
	l.options.Notify(Requested{*r, a})
	return a
}

// reply writes answers, and deletes their requests.
func (k *keeper) reply(ctx context.Context, answers []Answer) error {
	for _, a := range answers {
		value, err := json.Marshal(a)
		if err != nil {
			return fmt.Errorf("stream: an answer: %w", err)
		}
		err = k.cluster.Retry(ctx, "answer a request on "+k.topic, func(ctx context.Context) error {
			_, err := k.cluster.Append(ctx, k.topic, 0, kafka.Message{Key: answerKey(k.claim.Job, a.ID), Value: value},
				kafka.Message{Key: requestKey(k.claim.Job, a.ID)})
			return err
		})
		if err != nil {
			return fmt.Errorf("a request could not be answered: %w", err)
		}
	}
	return nil
}

// waiting are the requests without an answer.
func (w *watcher) waiting() []Request {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return slices.Clone(w.journal.requests.pending)
}

// serve carries out the requests that wait on the state topic, as the owner of the job, and leaves. Nothing is learnt or
// published.
func (s *Stream) serve(ctx context.Context) error {
	l, next, err := s.start(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	ctx, finished := context.WithCancel(ctx)
	letters := make(chan mail, mailRoom)
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
	begin(func() error { return l.keeper.watcher.follow(ctx, s.cluster, s.options.Topics.State, next) })
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
		s.leave(l.keeper.claim)
	}
	return err
}

// flush acknowledges flush marks where no dead letters are written.
func flush(ctx context.Context, letters <-chan mail) error {
	for {
		select {
		case m := <-letters:
			if m.flushed != nil {
				close(m.flushed)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
