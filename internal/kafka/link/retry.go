package link

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/fairstream/fairstream/internal/kafka/fault"
)

// The pauses between attempts double. They are random by a seventh, so that the clients of a broker that comes back do
// not all come at once, and stay below a second: a broker that is back must be noticed within two.
const (
	FirstPause   = 50 * time.Millisecond
	longestPause = 850 * time.Millisecond
	pauseSpread  = 0.15
)

// Sleep is false when ctx ended first.
func Sleep(ctx context.Context, pause time.Duration) bool {
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
func (l *Link) Retry(ctx context.Context, operation string, attempt func(context.Context) error) error {
	attempts := l.Attempts(operation)
	_, attempts.aside = ctx.Value(asideKey{}).(bool)
	for {
		err := attempt(ctx)
		if err == nil {
			attempts.Succeeded()
			return nil
		}
		if ended := ctx.Err(); ended != nil {
			attempts.givenUp(err)
			return fmt.Errorf("%w (%d attempts; the last: %w)", ended, attempts.failures+1, err)
		}
		if fault.ClassOf(err) != fault.Retry {
			attempts.givenUp(err)
			return err
		}
		Sleep(ctx, attempts.Failed(err))
	}
}

// Attempts counts the failures in a row of one operation, and tells whoever the link tells. It belongs to one goroutine.
type Attempts struct {
	link      *Link
	operation string
	pauses    backoff.ExponentialBackOff
	failures  int
	since     time.Time
	aside     bool
}

// Attempts begins to count.
func (l *Link) Attempts(operation string) *Attempts {
	return &Attempts{link: l, operation: operation,
		pauses: backoff.ExponentialBackOff{InitialInterval: FirstPause, RandomizationFactor: pauseSpread, Multiplier: 2, MaxInterval: longestPause}}
}

// Failed gives the pause before the next attempt.
func (w *Attempts) Failed(err error) time.Duration {
	if w.failures == 0 {
		w.since = time.Now()
	}
	w.failures++
	pause := w.pauses.NextBackOff()
	w.notify(Outage{Err: err, Pause: pause})
	return pause
}

// Succeeded tells the end of an outage.
func (w *Attempts) Succeeded() {
	if w.failures > 0 {
		w.notify(Outage{})
		w.failures = 0
		w.pauses.Reset()
	}
}

// givenUp ends an outage of what is not tried again: nobody would tell its end otherwise.
func (w *Attempts) givenUp(err error) {
	if w.failures > 0 {
		w.notify(Outage{Err: err, GivenUp: true})
	}
}

func (w *Attempts) notify(o Outage) {
	if notify := w.link.notify; notify != nil {
		o.Operation, o.Attempt, o.Since, o.Aside = w.operation, w.failures, w.since, w.aside
		notify(o)
	}
}
