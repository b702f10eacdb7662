package kafka

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// The pauses between attempts double. They are random by a seventh, so that the clients of a broker that comes back do
// not all come at once, and stay below a second: a broker that is back must be noticed within two.
const (
	firstPause   = 50 * time.Millisecond
	longestPause = 850 * time.Millisecond
	pauseSpread  = 0.15
)

// sleep is false when ctx ended first.
func sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Retry runs attempt until it succeeds, fails for good or ctx ends, with growing pauses. Only errors of class Retry
// are tried again. The error at the end of ctx is both that of ctx and the last of attempt.
func (c *Client) Retry(ctx context.Context, operation string, attempt func(context.Context) error) error {
	watch := c.watch(operation)
	_, watch.aside = ctx.Value(asideKey{}).(bool)
	for {
		err := attempt(ctx)
		if err == nil {
			watch.succeeded()
			return nil
		}
		if ended := ctx.Err(); ended != nil {
			watch.givenUp(err)
			return fmt.Errorf("%w (%d attempts; the last: %w)", ended, watch.failures+1, err)
		}
		if ClassOf(err) != Retry {
			watch.givenUp(err)
			return err
		}
		sleep(ctx, watch.failed(err))
	}
}

// watch counts the failures in a row of one operation, and tells Options.Notify. It belongs to one goroutine.
type watch struct {
	client    *Client
	operation string
	pauses    backoff.ExponentialBackOff
	failures  int
	since     time.Time
	aside     bool
}

func (c *Client) watch(operation string) *watch {
	return &watch{client: c, operation: operation,
		pauses: backoff.ExponentialBackOff{InitialInterval: firstPause, RandomizationFactor: pauseSpread, Multiplier: 2, MaxInterval: longestPause}}
}

// failed gives the pause before the next attempt.
func (w *watch) failed(err error) time.Duration {
	if w.failures == 0 {
		w.since = time.Now()
	}
	w.failures++
	pause := w.pauses.NextBackOff()
	w.notify(Outage{Err: err, Pause: pause})
	return pause
}

func (w *watch) succeeded() {
	if w.failures > 0 {
		w.notify(Outage{})
		w.failures = 0
		w.pauses.Reset()
	}
}

// givenUp ends an outage of what is not tried again: nobody would tell its end otherwise.
func (w *watch) givenUp(err error) {
	if w.failures > 0 {
		w.notify(Outage{Err: err, GivenUp: true})
	}
}

func (w *watch) notify(o Outage) {
	if notify := w.client.options.Notify; notify != nil {
		o.Operation, o.Attempt, o.Since, o.Aside = w.operation, w.failures, w.since, w.aside
		notify(o)
	}
}
