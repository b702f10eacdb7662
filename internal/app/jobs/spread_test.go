package jobs

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/pkg/stream"
)

// world are jobs that several processes share, in steps of a tenth of a second. A process that is gone keeps its claims for the timeout.
type world struct {
	now     time.Time
	holders map[string]stream.Claim
	silent  map[string]time.Time // processes that are gone, and since when
	members map[string]*spread
	taken   int // from processes that live
}

const silence = 10 * time.Second

func newWorld(jobs int) *world {
	w := &world{now: time.Unix(0, 0), holders: map[string]stream.Claim{}, silent: map[string]time.Time{}, members: map[string]*spread{}}
	for i := range jobs {
		w.holders[fmt.Sprintf("job-%02d", i)] = stream.Claim{}
	}
	return w
}

func (w *world) join() *spread {
	s := newSpread(zap.NewNop(), func() time.Time { return w.now })
	for job := range w.holders {
		s.Expect(job)
	}
	w.members[s.process] = s
	return s
}

func (w *world) leave(s *spread) {
	delete(w.members, s.process)
	w.silent[s.process] = w.now
}

// run lets every process look at every job that it does not have, in the random order of maps.
func (w *world) run(length time.Duration) {
	for end := w.now.Add(length); w.now.Before(end); w.now = w.now.Add(100 * time.Millisecond) {
		for _, s := range w.members {
			for job, holder := range w.holders {
				gone, isGone := w.silent[holder.Process]
				free := holder.Term == 0 || isGone && w.now.Sub(gone) >= silence
				if holder.Process == s.process || !s.May(job, holder, free) {
					continue
				}
				if !free {
					w.taken++
				}
				w.holders[job] = stream.Claim{Term: holder.Term + 1, Process: s.process, Owner: job + s.process}
				if before := w.members[holder.Process]; before != nil {
					before.Expect(job) // it stands by again
				}
			}
		}
	}
}

// shares are the numbers of jobs of the processes that live, sorted.
func (w *world) shares() (counts []int) {
	by := map[string]int{}
	for process := range w.members {
		by[process] = 0
	}
	for _, holder := range w.holders {
		by[holder.Process]++
	}
	counts = slices.Collect(maps.Values(by))
	slices.Sort(counts)
	return counts
}

// TestJobsSpread: processes that begin together or one after the other have about equal shares; those of one that is gone are taken over, and
// once all have their share, nothing is taken any more.
func TestJobsSpread(t *testing.T) {
	w := newWorld(30)
	first := w.join()
	w.join()
	w.join()
	w.run(time.Minute)
	if got := w.shares(); got[0] < 8 || got[2] > 12 {
		t.Fatalf("three processes have %v", got)
	}
	w.leave(first)
	w.run(silence + 5*time.Second)
	if got := w.shares(); len(got) != 2 || got[0]+got[1] != 30 || got[0] < 13 {
		t.Fatalf("without one, the others have %v", got)
	}
	w.join()
	w.join()
	w.run(2 * time.Minute)
	if got := w.shares(); got[0] < 7 || got[3] > 8 {
		t.Fatalf("four processes have %v", got)
	}
	w.taken = 0
	w.run(10 * time.Minute)
	if w.taken != 0 {
		t.Errorf("%d jobs were taken from processes that had their share", w.taken)
	}
}

// TestOneProcessHasAllJobs, soon.
func TestOneProcessHasAllJobs(t *testing.T) {
	w := newWorld(100)
	w.join()
	w.run(15 * time.Second)
	if got := w.shares(); got[0] != 100 {
		t.Errorf("one process has %v", got)
	}
}

// TestWhoMayClaim goes through the rules of one process, A, by the clock.
func TestWhoMayClaim(t *testing.T) {
	now := time.Unix(1000, 0)
	var s *spread
	after := func(d time.Duration) { now = now.Add(d) }
	may := func(why, job, holder string, free, want bool) {
		t.Helper()
		claim := stream.Claim{Process: holder}
		if got := s.May(job, claim, free); got != want {
			t.Errorf("%s: %s of %q, free %v: %v", why, job, holder, free, got)
		}
	}
	begin := func(jobs ...string) {
		s = newSpread(zap.NewNop(), func() time.Time { return now })
		for _, job := range jobs {
			s.Expect(job)
		}
	}

	begin("a", "b", "c")
	may("a job that is not shared", "other", "", true, true)
	may("a job that is not shared and that another has", "other", "B", false, false)
	may("the first free job", "a", "", true, true)
	may("the permission holds", "a", "", true, true)
	may("the next one, at once", "b", "", true, false)
	after(claimEvery)
	may("the next one, later", "b", "", true, true)
	s.Forget("c")
	may("a job that is no longer shared, without a pause", "c", "", true, true)
	after(granted - 1)
	may("the permission holds to its end", "b", "", true, true)
	after(1)
	may("a permission that has ended, of a job that another has now", "b", "B", false, false)

	begin("a", "b", "c", "d")
	may("B has one", "a", "B", false, false)
	may("A claims one", "b", "", true, true)
	after(claimEvery)
	may("A claims its second, which is its share", "c", "", true, true)
	after(claimEvery)
	may("one more than its share, which is free from now on", "d", "", true, false)
	after(courtesy - 1)
	may("before B has had its time", "d", "", true, false)
	after(1)
	may("after it", "d", "", true, true)

	begin("a", "b", "c", "d", "e")
	owner := func(job string) { // a process with this job alone is known by the job's owner
		t.Helper()
		if s.May(job, stream.Claim{Owner: "of " + job}, false) {
			t.Errorf("%s is taken from a process with a single job", job)
		}
	}
	after(2 * settle)
	owner("a")
	owner("b")
	may("B has one", "c", "B", false, false)
	may("B has two", "d", "B", false, true)
	after(granted)
	may("it is B's again, and A took one a moment ago", "d", "B", false, false)
	after(2 * takeEvery)
	may("C has one", "e", "C", false, false)
	may("B has two, the most", "d", "B", false, true)

	begin("a", "b", "c", "d", "e")
	for _, job := range []string{"a", "b", "c"} {
		may("A looks around before it takes any", job, "B", false, false)
	}
	after(2 * settle)
	may("C has two", "d", "C", false, false)
	may("C has two, B more", "e", "C", false, false)
	may("B has the most", "a", "B", false, true)
}
