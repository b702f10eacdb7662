package isolate

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestALineIsBounded: when so many jobs wait, the one that is being done hangs, and with one fewer nobody is cut off. All end, in either case.
func TestALineIsBounded(t *testing.T) {
	for jobs, works := range map[int]bool{mostJobs - 1: true, mostJobs: false, mostJobs + 1: false} {
		synctest.Test(t, func(t *testing.T) {
			p := New("test")
			wake := make(chan struct{})
			ended, held := 0, 0
			end := func(stillUsed bool) {
				ended++
				if stillUsed {
					held++
				}
			}
			p.Post(func() { <-wake }, end)
			synctest.Wait()
			for range jobs - 1 {
				p.Post(func() {}, end)
			}
			synctest.Wait()
			if p.Works() != works || (held == 0) != works {
				t.Errorf("%d jobs wait, and it works: %v; %d are held", jobs, p.Works(), held)
			}
			close(wake)
			synctest.Wait()
			if ended != jobs {
				t.Errorf("%d of %d jobs ended", ended, jobs)
			}
		})
	}
}

// TestLooksThatCount are nine tenths of a beat apart, and find a job that was there at the look before.
func TestLooksThatCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("test")
		beats := func() int {
			p.Beat()
			return p.line.beats
		}
		time.Sleep(Beat)
		for range 3 {
			if n := beats(); n != 0 {
				t.Errorf("%d looks without progress while there is no job", n)
			}
			time.Sleep(Beat)
		}
		wake := make(chan struct{})
		p.Post(func() { <-wake }, nil)
		want := 0
		for _, c := range []struct {
			gap    time.Duration
			counts bool
		}{{Beat, true}, {Beat * 9 / 10, true}, {Beat*9/10 - 1, false}, {1, true}, {Beat, true}} {
			time.Sleep(c.gap)
			if c.counts {
				want++
			}
			if n := beats(); n != want {
				t.Errorf("%v after the look before: %d looks without progress, not %d", c.gap, n, want)
			}
		}
		close(wake)
		synctest.Wait()
		time.Sleep(Beat)
		if n := beats(); n != 0 {
			t.Errorf("%d looks without progress after some", n)
		}
	})
}
