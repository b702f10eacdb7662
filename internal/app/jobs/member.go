package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/stream"
)

// A job that fails is begun again, as the supervisor of a process with one job would do. The pauses double.
const (
	firstPause   = 5 * time.Second
	longestPause = 5 * time.Minute
	// steady is how long a job must have run for its next failure to be a first one.
	steady = 10 * time.Minute
)

// member is one job that runs.
type member struct {
	Configured
	job    *process.Job
	shared process.Shared
	fetch  int // the bytes of records that it may have fetched, and not learnt
	stop   context.CancelFunc
	ended  chan struct{}
	err    error // of its last run; to be read after ended
}

// isOver says whether it has ended, and is not begun again by itself.
func (m *member) isOver() bool {
	select {
	case <-m.ended:
		return true
	default:
		return false
	}
}

// run learns until ctx ends, or until the job has ended for good.
func (m *member) run(ctx context.Context, of *clients, spread *spread, logger *zap.Logger) error {
	defer spread.Forget(m.Job)
	pauses := backoff.ExponentialBackOff{InitialInterval: firstPause, RandomizationFactor: 0.2, Multiplier: 2, MaxInterval: longestPause}
	pauses.Reset()
	for {
		if m.Stream.Standby {
			spread.Expect(m.Job)
		}
		began := time.Now()
		err := m.once(ctx, of)
		var defect *isolate.Panicked
		if errors.As(err, &defect) {
			logger.Error("a defect stopped the job: please report it", zap.Any("panic", defect.Value), zap.String("stack", defect.Stack))
		}
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case m.Stream.Standby && errors.As(err, new(*stream.Superseded)):
			logger.Info("another process took the job over; this one stands by", zap.Error(err))
			continue
		case m.job.UntilEnd || !m.returns(err):
			logger.Error("the job has ended; other jobs go on. After a repair, send SIGHUP to this process", zap.Error(err))
			return err
		}
		if time.Since(began) > steady {
			pauses.Reset()
		}
		pause := pauses.NextBackOff()
		logger.Error("the job has ended, and is begun again; other jobs go on", zap.Error(err), zap.Duration("pause", pause))
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// once runs the job, and makes an error of a panic outside its stream.
func (m *member) once(ctx context.Context, of *clients) (err error) {
	client, giveBack, err := of.get(m.Kafka)
	if err != nil { // a password or certificate that is not there, perhaps not yet
		m.job.Live().Fail(err)
		return err
	}
	defer func() { err = errors.Join(err, giveBack()) }()
	m.shared.Client = client
	if err = isolate.Contained(func() error { return m.job.Learn(ctx) })(); errors.As(err, new(*isolate.Panicked)) {
		m.job.Live().Fail(err)
	}
	return err
}

// returns says whether a job with an error is begun again. Without standby, one that another process took over is not: the two would
// take it from each other for ever.
func (m *member) returns(err error) bool {
	var superseded *stream.Superseded
	return m.Stream.Standby || !errors.As(err, &superseded)
}
