package jobs

import (
	"fmt"
	"testing"
	"testing/synctest"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/server"
)

// TestJobsShareMemory: a job alone may have all of it, many have equal shares, and no share is too small for a large record.
func TestJobsShareMemory(t *testing.T) {
	loaded := &config.Loaded{Config: config.Default()}
	loaded.Stream.FetchBytes = 1 << 30
	for jobs, want := range map[int]int{0: 256 << 20, 1: 256 << 20, 2: 128 << 20, 64: 4 << 20, 256: 1 << 20, 1000: 1 << 20} {
		if got := new(Set).fetchBytes(&Configured{Loaded: loaded}, jobs); got != want {
			t.Errorf("%d jobs: %d bytes each, want %d", jobs, got, want)
		}
	}
}

// TestMemoryOfManyJobs: jobs that come one after another do not have more together than those that come at once, but for the least that each needs.
func TestMemoryOfManyJobs(t *testing.T) {
	loaded := &config.Loaded{Config: config.Default()}
	for _, atOnce := range []bool{true, false} {
		s := Set{members: map[string]*member{}}
		sum := 0
		for i := range 100 {
			jobs := 100
			if !atOnce {
				jobs = i + 1
			}
			m := &member{ended: make(chan struct{}), fetch: s.fetchBytes(&Configured{Loaded: loaded}, jobs)}
			if m.fetch < leastFetch || m.fetch > loaded.Stream.FetchBytes {
				t.Errorf("at once %v: job %d has %d bytes", atOnce, i, m.fetch)
			}
			s.members[fmt.Sprint(i)] = m
			sum += m.fetch
		}
		if sum > memory+100*leastFetch {
			t.Errorf("at once %v: %d bytes together", atOnce, sum)
		}
	}
}

// TestAJobBeginsWhenItsLastRunHasEnded: one whose configuration changed, and one that was removed and is back, do not run twice at a time, and the set is
// at its end when the last run of each has ended.
func TestAJobBeginsWhenItsLastRunHasEnded(t *testing.T) {
	for _, removed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			configured := func(versions int) Configured {
				c := Configured{Loaded: &config.Loaded{Config: config.Default()}, File: "a.yaml"}
				c.Job, c.Stream.KeepVersions = "a", versions
				c.Kafka.SecurityProtocol, c.Kafka.CALocation = "SSL", "missing" // so that the new one ends at once
				return c
			}
			page := server.NewJobs("1", zap.NewAtomicLevel(), server.Access{})
			core, log := observer.New(zap.InfoLevel)
			s := Set{Logger: zap.New(core), Page: page, New: func(c Configured) *process.Job {
				return &process.Job{Kind: board.Run, Config: c.Loaded, UntilEnd: true}
			}}
			s.Apply(t.Context(), &Found{})
			told := false
			before := &member{Configured: configured(3), job: s.New(configured(3)), stop: func() { told = true }, ended: make(chan struct{})}
			s.members["a"] = before
			if removed {
				s.Apply(t.Context(), &Found{})
			}
			s.Apply(t.Context(), &Found{Jobs: []Configured{configured(4)}})
			after := s.members["a"]
			synctest.Wait()
			if !told || after == before || after.isOver() {
				t.Errorf("removed %v: told to stop %v, another one %v, ended %v while the last run goes on", removed, told, after != before, after.isOver())
			}
			waited := make(chan error, 1)
			s.Apply(t.Context(), &Found{})
			go func() { waited <- s.Wait() }()
			synctest.Wait()
			select {
			case err := <-waited:
				t.Errorf("removed %v: the set has ended before its jobs: %v", removed, err)
			default:
			}
			close(before.ended)
			if err := <-waited; err != nil || !after.isOver() {
				t.Errorf("removed %v: %v, ended %v", removed, err, after.isOver())
			}
			if log.Len() == 0 || len(s.members) != 0 {
				t.Errorf("%v, %d members", log.All(), len(s.members))
			}
		})
	}
}
