package jobs

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestAJobThatStandsByIsShared while it runs, and one that does not is not: another process is not to count it.
func TestAJobThatStandsByIsShared(t *testing.T) {
	y := newYard(t)
	y.feed("a", nil)
	y.feed("b", nil)
	y.write("a.yaml", "a", "stream: {standby: true, standby_timeout: 2s}\n")
	y.write("b.yaml", "b", "")
	s := newSpread(zap.NewNop(), time.Now)
	shared := func() (jobs []string) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		for job := range s.jobs {
			jobs = append(jobs, job)
		}
		return jobs
	}
	for job, stands := range map[string]bool{"a": true, "b": false} {
		file := filepath.Join(y.dir, job+".yaml")
		loaded, err := y.load([]string{file})
		if err != nil {
			t.Fatal(err)
		}
		m := &member{Configured: Configured{loaded, file}, ended: make(chan struct{}),
			job:    &process.Job{Streams: &program.Streams{Out: io.Discard, Err: io.Discard}, Kind: board.Run, Config: loaded},
			shared: process.Shared{Logger: zap.NewNop(), FetchBytes: 1 << 20, Beside: stream.Beside{Spread: s}}}
		if err := m.job.Share(&m.shared); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer close(m.ended)
			m.err = m.run(ctx, new(clients), s, zap.NewNop())
		}()
		y.until("the job owns its topics", func() bool { return m.job.Live().Status().Term > 0 })
		if got := shared(); (len(got) == 1) != stands || m.isOver() {
			t.Errorf("job %s, which stands by: %v: shared %v, over %v", job, stands, got, m.isOver())
		}
		stop()
		if <-m.ended; m.err != nil || !m.isOver() || len(shared()) != 0 {
			t.Errorf("job %s has ended: %v, over %v, shared %v", job, m.err, m.isOver(), shared())
		}
	}
}

// TestWhoReturns: a job that another process took over is begun again only where it stands by; after any other failure, always.
func TestWhoReturns(t *testing.T) {
	superseded := errors.Join(errors.New("a failure"), &stream.Superseded{})
	for _, test := range []struct {
		standby bool
		err     error
		want    bool
	}{{false, superseded, false}, {true, superseded, true}, {false, io.ErrUnexpectedEOF, true}, {true, io.ErrUnexpectedEOF, true}} {
		m := &member{Configured: Configured{Loaded: &config.Loaded{}}}
		m.Stream.Standby = test.standby
		if got := m.returns(test.err); got != test.want {
			t.Errorf("standby %v, after %v: %v", test.standby, test.err, got)
		}
	}
}
