package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Set are the jobs that run. It belongs to one goroutine.
type Set struct {
	// New makes a job that is not prepared yet.
	New    func(c Configured) *process.Job
	Logger *zap.Logger
	Page   *server.Jobs
	// Serving says that the page is served.
	Serving bool

	clients clients
	turns   stream.Turns
	spread  *spread
	members map[string]*member
	leaving map[string]chan struct{} // closed when the last run of a job that was removed or replaced has ended
}

// Apply begins, replaces and ends jobs, until what is found runs. Jobs that did not change are not touched. One whose file became wrong,
// or that several files configure now, goes on with what it had.
func (s *Set) Apply(ctx context.Context, found *Found) {
	if s.members == nil {
		s.members, s.leaving, s.turns = map[string]*member{}, map[string]chan struct{}{}, turns()
		s.spread = newSpread(s.Logger, time.Now)
	}
	s.Page.Refuse(found.Refused)
	for _, file := range found.Refused {
		s.Logger.Error("a file of the configuration is refused", zap.String("file", file.File), zap.String("reason", file.Reason))
	}
	wanted := map[string]Configured{}
	for _, c := range found.Jobs {
		wanted[c.Job] = c
	}
	for name, m := range s.members {
		_, isWanted := wanted[name]
		switch {
		case isWanted:
		case found.keeps(name, m.File):
			s.Logger.Warn("a job goes on with the last valid configuration", zap.String("job", name), zap.String("file", m.File))
		default:
			s.Logger.Info("a job is removed", zap.String("job", name), zap.String("file", m.File))
			s.end(name, m)
		}
	}
	for _, c := range found.Jobs {
		m := s.members[c.Job]
		if m != nil && !m.isOver() && reflect.DeepEqual(m.Config, c.Config) {
			m.File = c.File
			continue
		}
		if m != nil {
			s.Logger.Info("a job is begun again: its configuration changed, or it had ended", zap.String("job", c.Job), zap.String("file", c.File))
			s.end(c.Job, m)
		}
		s.begin(ctx, c, len(found.Jobs))
	}
}

// end tells a job to end. Its page goes with it, unless another one has taken its place by then.
func (s *Set) end(name string, m *member) {
	m.stop()
	s.leaving[name] = m.ended
	delete(s.members, name)
	go func() {
		<-m.ended
		s.Page.Remove(name, m.job.Live())
	}()
}

// begin runs a job as soon as the last run of its name has ended. jobs is how many there are to be.
func (s *Set) begin(ctx context.Context, c Configured, jobs int) {
	ctx, stop := context.WithCancel(ctx)
	m := &member{Configured: c, stop: stop, ended: make(chan struct{}), fetch: s.fetchBytes(&c, jobs)}
	before := s.leaving[c.Job]
	delete(s.leaving, c.Job)
	s.members[c.Job] = m
	logger := s.Logger.With(zap.String("job", c.Job))
	m.job = s.New(c)
	m.shared = process.Shared{Logger: s.Logger, Serving: s.Serving, FetchBytes: m.fetch,
		Beside: stream.Beside{Turns: s.turns, Parcel: parcel, Phase: phase(c.Job), Contain: true, Spread: s.spread}}
	unprepared := m.job.Share(&m.shared)
	s.Page.Add(c.Job, m.job.Live())
	go func() {
		defer close(m.ended)
		defer stop()
		if before != nil {
			<-before
		}
		switch {
		case unprepared != nil:
			logger.Error("the job cannot begin", zap.Error(unprepared))
			m.job.Live().Fail(unprepared)
			m.err = unprepared
		case ctx.Err() == nil:
			m.err = m.run(ctx, &s.clients, s.spread, logger)
		}
	}()
}

// fetchBytes is the share of a job that begins, of so many: what the others have left of the memory bounds it.
func (s *Set) fetchBytes(c *Configured, jobs int) int {
	free := memory
	for _, m := range s.members {
		if !m.isOver() {
			free -= m.fetch
		}
	}
	return min(c.Stream.FetchBytes, max(leastFetch, min(memory/max(1, jobs), free)))
}

// Ended is closed when every job has ended that runs now.
func (s *Set) Ended() <-chan struct{} {
	all := slices.Collect(maps.Values(s.members))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, m := range all {
			<-m.ended
		}
	}()
	return done
}

// Wait waits until all jobs have ended, and gives their errors.
func (s *Set) Wait() error {
	var errs []error
	for _, ended := range s.leaving {
		<-ended
	}
	for _, name := range slices.Sorted(maps.Keys(s.members)) {
		m := s.members[name]
		if <-m.ended; m.err != nil {
			errs = append(errs, fmt.Errorf("job %s: %w", name, m.err))
		}
	}
	return errors.Join(errs...)
}
