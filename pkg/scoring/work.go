package scoring

import (
	"context"

	"github.com/fairstream/fairstream/internal/kafka"
)

// read hands out chunks in the order in which they were fetched.
func read(ctx context.Context, fetcher *kafka.Fetcher, idle <-chan *task, work, order chan<- *task) error {
	for {
		var t *task
		select {
		case t = <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
		chunk, err := fetcher.Next(ctx)
		if err != nil {
			return err
		}
		t.chunk, t.next = chunk, chunk.Next
		work <- t
		order <- t
	}
}

// decide is one worker.
func (s *Scoring) decide(ctx context.Context, work <-chan *task) error {
	var main, shadow *Decider
	out := newWriter(&s.options)
	for {
		select {
		case t := <-work:
			var err error
			if main, shadow, err = s.deciders(ctx, main, shadow); err != nil && ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil && t.chunk.Loss == nil {
				if err = t.decide(ctx, out, main, shadow, s.options.Split); err == nil {
					err = t.encode(s.client)
				}
				if t.chunk.Large() {
					main.Forget()
					shadow.Forget()
				}
			}
			t.err = err
			t.done <- struct{}{}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// deciders are those of the present documents. While the alias that decides points to none, which a follower may forget, nothing is decided.
func (s *Scoring) deciders(ctx context.Context, main, shadow *Decider) (_, _ *Decider, err error) {
	m, err := s.options.Models.Wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	if main, err = main.of(m, &s.options); err == nil {
		err = main.Explorable(s.options.Explore)
	}
	if err == nil && s.options.Shadow != nil {
		if shadow, err = shadow.of(s.options.Shadow.Current(), &s.options); err == nil {
			err = shadow.Explorable(s.options.Explore)
		}
	}
	return main, shadow, err
}
