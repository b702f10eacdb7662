package jobs

import (
	"crypto/rand"
	"math"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/pkg/stream"
)

// How fast a process takes jobs.
const (
	// claimEvery is the least time between two claims of free jobs: what others claim meanwhile is known by then.
	claimEvery = 100 * time.Millisecond
	// courtesy is how long a job may be free before a process claims it that has its share. Those that have less come first.
	courtesy = 3 * time.Second
	// takeEvery is about how long a process that has less than its share waits before it takes a job from another one, which goes on from its last
	// snapshot, and settle how long it looks at first.
	takeEvery = 3 * time.Second
	settle    = 10 * time.Second
	// granted is how long a permission holds: a claim asks for it twice.
	granted = 2 * time.Second
)

// spread shares the jobs with stream.standby among the processes that stand by for all of them. It knows the others by their claims, so a process without a
// job is not known to others: it takes its share by itself. Whoever has fewer jobs takes, so the numbers come closer with each claim, until
// no two differ by more than one.
type spread struct {
	process string
	logger  *zap.Logger
	now     func() time.Time

	mutex sync.Mutex
	jobs  map[string]*holding
	claim time.Time // when the next free job may be claimed
	take  time.Time // when the next job may be taken from another process
}

// holding is who has a job.
type holding struct {
	process string    // empty: nobody, or it is not known yet
	free    time.Time // since when nobody has it; zero: somebody does
	until   time.Time // how long the permission of this process holds
}

func newSpread(logger *zap.Logger, now func() time.Time) *spread {
	return &spread{process: rand.Text(), logger: logger, now: now, jobs: map[string]*holding{}, take: now().Add(later(settle))}
}

// later is a time around another, so that two processes do not take at the same time for ever.
func later(about time.Duration) time.Duration {
	return time.Duration(float64(about) * (0.7 + 0.6*mathrand.Float64()))
}

// Process is part of stream.Spread.
func (s *spread) Process() string { return s.process }

// Expect notes that a job of this process stands by, and that it is not known yet who has it.
func (s *spread) Expect(job string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.jobs[job] = &holding{}
}

// Forget notes that this process has nothing to do with a job any more.
func (s *spread) Forget(job string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.jobs, job)
}

// May is part of stream.Spread.
func (s *spread) May(job string, holder stream.Claim, free bool) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h, now := s.jobs[job], s.now()
	if h == nil {
		return free // it is not shared
	}
	if now.Before(h.until) {
		return true
	}
	if h.process = holder.Process; h.process == "" {
		h.process = holder.Owner // a process with this job alone
	}
	switch {
	case !free:
		h.free = time.Time{}
	case h.free.IsZero():
		h.free = now
		fallthrough
	default:
		h.process = ""
	}
	own, others := s.count()
	processes := len(others) + 1
	share := int(math.Ceil(float64(len(s.jobs)) / float64(processes)))
	switch {
	case free && !now.Before(s.claim) && (own < share || now.Sub(h.free) >= courtesy):
		s.claim = now.Add(claimEvery)
	case !free && !now.Before(s.take) && others[h.process] >= own+2 && others[h.process] == highest(others):
		s.take = now.Add(later(takeEvery))
		s.logger.Info("taking a job from a process that has more", zap.String("job", job), zap.Int("own", own), zap.Int("theirs", others[h.process]),
			zap.Int("processes", processes))
	default:
		return false
	}
	h.process, h.until, h.free = s.process, now.Add(granted), time.Time{}
	return true
}

// count gives how many jobs this process has, and how many each other one.
func (s *spread) count() (own int, others map[string]int) {
	others = map[string]int{}
	for _, h := range s.jobs {
		switch h.process {
		case "":
		case s.process:
			own++
		default:
			others[h.process]++
		}
	}
	return own, others
}

func highest(counts map[string]int) (most int) {
	for _, count := range counts {
		most = max(most, count)
	}
	return most
}
