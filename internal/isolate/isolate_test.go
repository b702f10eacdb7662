package isolate

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestJobsAreDoneInOrder(t *testing.T) {
	p := New("test")
	var got []int
	for i := range 100 {
		p.Post(func() { got = append(got, i) }, nil)
	}
	all, ok := Ask(p, func() []int { return got })
	if !ok || len(all) != 100 || all[0] != 0 || all[99] != 99 {
		t.Errorf("%v, %v", all, ok)
	}
}

// TestAPanicCutsOff: nothing is done any more, those who wait are let go, and it is told once, with the stack.
func TestAPanicCutsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("test")
		var told []Stopped
		p.OnStop(func(s Stopped) { told = append(told, s) })
		ended := map[string]bool{}
		end := func(name string) func(bool) {
			return func(held bool) { ended[name] = held }
		}
		p.Post(func() { panicking() }, end("first"))
		p.Post(func() { t.Error("done after a panic") }, end("second"))
		synctest.Wait()
		if _, ok := Ask(p, func() int { return 1 }); ok {
			t.Error("it answers")
		}
		p.Try(func() { t.Error("tried after a panic") })
		p.While(func() { t.Error("done after a panic") })
		p.Cut("again")
		if len(told) != 1 || told[0].Part != "test" || told[0].Reason != "it panicked: isolate: a defect" || !strings.Contains(told[0].Stack, "panicking") {
			t.Errorf("told %+v", told)
		}
		if held, is := ended["first"]; held || !is || len(ended) != 2 || ended["second"] {
			t.Errorf("ended %v", ended)
		}
		late := 0
		p.OnStop(func(Stopped) { late++ })
		if late != 1 {
			t.Errorf("told %d times of what was cut off before", late)
		}
	})
}

func panicking() { panic("isolate: a defect") }

// TestAHangCutsOff: whoever waits goes on after the patience, and what wakes later does no further job.
func TestAHangCutsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("test")
		wake := make(chan struct{})
		var held []bool
		end := func(h bool) { held = append(held, h) }
		p.Post(func() { <-wake }, end)
		p.Post(func() { t.Error("done after a hang") }, end)
		began := time.Now()
		if _, ok := Ask(p, func() int { return 1 }); ok {
			t.Error("it answers")
		}
		if took := time.Since(began); took != patience*Beat {
			t.Errorf("waited %v", took)
		}
		if s := p.Stopped(); s == nil || !strings.Contains(s.Reason, "it hung") || !strings.Contains(s.Stack, "TestAHangCutsOff") {
			t.Errorf("%+v", s)
		}
		close(wake)
		synctest.Wait()
		if len(held) != 2 || !held[0] || held[1] {
			t.Errorf("held %v", held)
		}
	})
}

// TestAStandstillIsNoHang: while the whole process stands still nobody looks, so one look after an hour counts once. Several who look at once count as one.
func TestAStandstillIsNoHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("test")
		wake := make(chan struct{})
		p.Post(func() { <-wake }, nil)
		for range 100 {
			time.Sleep(time.Hour)
			for range 10 {
				p.Beat()
			}
		}
		if !p.Works() {
			t.Error("it was cut off")
		}
		close(wake)
		synctest.Wait()
		for range 10_000 {
			time.Sleep(Beat)
			p.Post(func() {}, nil) // progress
			p.Beat()
		}
		if !p.Works() {
			t.Error("it was cut off although it made progress")
		}
	})
}

// TestPatienceBeginsAnewWithProgress: jobs that each take less than the patience, and all together more, are no hang.
func TestPatienceBeginsAnewWithProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("test")
		done := 0
		for range 4 {
			p.Post(func() { time.Sleep((patience - 50) * Beat); done++ }, nil)
		}
		for range 4 * patience {
			time.Sleep(Beat)
			p.Beat()
		}
		if !p.Works() || done != 4 {
			t.Errorf("%d of 4 jobs done, cut off: %+v", done, p.Stopped())
		}
	})
}

// TestAPartBesideAHangGoesOn: of two parts in one line, only the one whose job hangs is cut off, whoever looks. The jobs of the other one are
// done after it, in their order, on another goroutine.
func TestAPartBesideAHangGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := New("hangs")
		goesOn := hangs.Beside("goes on")
		wake := make(chan struct{})
		var done []string
		note := func(name string) (func(), func(bool)) {
			return func() { done = append(done, name) }, func(held bool) {
				if done = append(done, "end of "+name); held {
					done = append(done, "held")
				}
			}
		}
		goesOn.Post(note("a"))
		_, end := note("b")
		hangs.Post(func() { <-wake; panic("much later") }, end)
		goesOn.Post(note("c"))
		hangs.Post(note("d"))
		goesOn.Post(note("e"))
		if got, ok := Ask(goesOn, func() int { return 1 }); !ok || got != 1 {
			t.Errorf("%v, %v", got, ok)
		}
		want := "a, end of a, end of b, held, c, end of c, end of d, e, end of e"
		if got := strings.Join(done, ", "); got != want {
			t.Errorf("%s, not %s", got, want)
		}
		if goesOn.Stopped() != nil || hangs.Works() || hangs.Stopped().Part != "hangs" {
			t.Errorf("%+v, %+v", goesOn.Stopped(), hangs.Stopped())
		}
		close(wake)
		synctest.Wait()
		if _, ok := Ask(goesOn, func() int { return 1 }); !ok {
			t.Error("the goroutine that was given up took the line with it")
		}
	})
}

// TestAJobEndsBeforeItsPartLetsGo: a part may be cut off by somebody else while it does a job. What the job was given is not given back
// before the job has returned, and later jobs end after it.
func TestAJobEndsBeforeItsPartLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("test")
		wake := make(chan struct{})
		var ended []int
		p.Post(func() { <-wake }, func(held bool) { ended = append(ended, 1) })
		synctest.Wait() // it has begun
		p.Post(func() { t.Error("done after the cut") }, func(bool) { ended = append(ended, 2) })
		p.Guard(func() { panic("elsewhere") })
		p.Post(func() { t.Error("done after the cut") }, func(bool) { ended = append(ended, 3) })
		synctest.Wait()
		if len(ended) > 0 {
			t.Errorf("%v ended while the job was being done", ended)
		}
		close(wake)
		synctest.Wait()
		if !slices.Equal(ended, []int{1, 2, 3}) {
			t.Errorf("ended %v", ended)
		}
	})
}
