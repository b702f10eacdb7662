package scoring

import (
	"context"
	"errors"
	"maps"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Run scores until ctx ends or, with UntilEnd, the input's end. It waits for the first document. What was decided and
// not committed when ctx ends is decided again by the next process. Another process that scores for the job ends it with
// a *kafka.Fenced.
//
// After an outage that was longer than the broker keeps a transaction open, the broker has ended it, and refuses this
// process as if another one had taken over. Unless another one committed meanwhile, scoring then goes on from what is
// committed: what the broker ended is decided again.
func (s *Scoring) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, s.close()) }()
	if _, err := s.options.Models.Wait(ctx); err != nil {
		return err
	}
	for {
		err := s.run(ctx)
		var fenced *kafka.Fenced
		if !errors.As(err, &fenced) || fenced.TimedOut == 0 {
			return err
		}
		ours, asked := s.committedByUs(ctx)
		if !ours || asked != nil {
			return errors.Join(err, asked)
		}
	}
}

// committedByUs says whether the committed offsets are those of our last commit, or of the one whose answer may be lost.
func (s *Scoring) committedByUs(ctx context.Context) (bool, error) {
	committed, err := s.client.GroupOffsets(ctx, s.options.group(), s.options.From)
	if err != nil {
		return false, err
	}
	return maps.Equal(committed, s.committed) || maps.Equal(committed, s.committing), nil
}

func (s *Scoring) run(ctx context.Context) (err error) {
	begun, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer begun.fetcher.Close()
	workers := s.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	tasks := workers + 1 + min(int(begun.partitions), mostLanes)
	work, order, idle := make(chan *task, tasks), make(chan *task, tasks), make(chan *task, tasks)
	for range tasks {
		idle <- &task{done: make(chan struct{}, 1)}
	}
	group, inner := errgroup.WithContext(ctx)
	inner, finished := context.WithCancel(inner)
	defer finished()
	begin := func(run func() error) {
		group.Go(func() error {
			if err := run(); inner.Err() == nil || !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		})
	}
	begin(func() error { return read(inner, begun.fetcher, idle, work, order) })
	for range workers {
		begin(func() error { return s.decide(inner, work) })
	}
	begin(func() error {
		defer finished()
		return s.commit(inner, begun.fetcher, order, &lanes{transactor: begun.transactor, to: s.options.To, partitions: begun.partitions, begin: begin, idle: idle, none: make(chan struct{}, 1)})
	})
	if err = group.Wait(); err != nil || ctx.Err() != nil {
		begun.abort()
	}
	if err == nil {
		err = ctx.Err()
		if s.options.UntilEnd && s.reached(s.Status().Next) {
			err = nil
		}
	}
	return err
}
