package jobs

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
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
