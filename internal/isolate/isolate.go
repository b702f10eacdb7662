// Package isolate cuts off the parts of a process that learning does not need: a part that panics or hangs does nothing any more, and
// everything else goes on.
//
// A part runs its jobs one after the other, on a goroutine of its own, which is there while there are jobs. What the jobs use belongs to
// that goroutine; others get copies, through Ask. A goroutine that hangs cannot be ended, so it is given up: others no longer touch
// what it may use, and nobody waits for it.
//
// It imports nothing of the project.
package isolate

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Beat is how often whoever waits for a part looks whether it makes progress, and patience how many such looks in a row may find none. The jobs
// of a part take milliseconds. Looks are counted, not seconds: while the whole process stands still, no part hangs.
const (
	Beat     = 100 * time.Millisecond
	patience = 300
)

// mostJobs may wait for a part. Nobody who waits for its answers comes near.
const mostJobs = 10_000

// Stopped says that a part is cut off, since when and why.
type Stopped struct {
	Part string
	At   time.Time
	// Reason is in words, and contains no value of a record.
	Reason string
	// Stack is that of the goroutine that panicked or hangs; empty if the part failed otherwise.
	Stack string
}

// Part is what may be cut off. Its methods may be called from any goroutine.
type Part struct {
	name string

	stopped atomic.Pointer[Stopped] // set once, with the mutex

	mutex sync.Mutex
	jobs  []job // the first one is being done
	ended int64 // jobs
	tell  func(Stopped)

	// Of the watchdog.
	seen   int64
	beats  int
	beatAt time.Time
}

// job is work for a part. end is called in any case, once; held says that a goroutine that was given up may still use what the
// job was given.
type job struct {
	do  func()
	end func(held bool)
}

// New returns a part that works.
func New(name string) *Part { return &Part{name: name} }

// OnStop has a function told once that the part is cut off: at once, if it is already. The function must return soon.
func (p *Part) OnStop(tell func(Stopped)) {
	p.mutex.Lock()
	p.tell = tell
	stopped := p.stopped.Load()
	p.mutex.Unlock()
	if stopped != nil {
		tell(*stopped)
	}
}

// Stopped is why the part is cut off; nil if it works.
func (p *Part) Stopped() *Stopped {
	if p == nil {
		return nil
	}
	return p.stopped.Load()
}

// Works says whether the part is not cut off. A nil part works.
func (p *Part) Works() bool { return p.Stopped() == nil }

// Post gives the part a job, and does not wait for it. end, which may be nil, is called when the job is done, or will not be.
func (p *Part) Post(do func(), end func(held bool)) {
	if end == nil {
		end = func(bool) {}
	}
	p.mutex.Lock()
	if !p.Works() {
		p.mutex.Unlock()
		end(false)
		return
	}
	p.jobs = append(p.jobs, job{do, end})
	waiting := len(p.jobs)
	p.mutex.Unlock()
	switch waiting {
	case 1:
		go p.work()
	case mostJobs:
		p.hang()
	}
}

// work does jobs until there are none, or the part is cut off.
func (p *Part) work() {
	for {
		p.mutex.Lock()
		if !p.Works() {
			p.mutex.Unlock()
			return
		}
		j := p.jobs[0]
		p.mutex.Unlock()
		if !p.Try(j.do) {
			return
		}
		p.mutex.Lock()
		if !p.Works() { // it was given up meanwhile, and its jobs were ended
			p.mutex.Unlock()
			return
		}
		p.jobs = slices.Delete(p.jobs, 0, 1)
		p.ended++
		more := len(p.jobs) > 0
		p.mutex.Unlock()
		j.end(false)
		if !more {
			return
		}
	}
}

// Try runs f on the calling goroutine unless the part is cut off. A panic cuts it off. It says whether f ran to its end.
func (p *Part) Try(f func()) (done bool) { return p.Works() && p.Guard(f) }

// Guard is Try of a part that may be cut off already.
func (p *Part) Guard(f func()) (done bool) {
	defer func() {
		if !done {
			p.cut(fmt.Sprintf("it panicked: %v", recover()), string(debug.Stack()), false)
		}
	}()
	f()
	return true
}

// Ask runs f as a job of the part, and waits for its result as long as the part makes progress. ok is false if the part is cut off. On a nil
// part f runs at once.
func Ask[T any](p *Part, f func() T) (result T, ok bool) {
	if p == nil {
		return f(), true
	}
	answer, ended := make(chan T, 1), make(chan struct{})
	p.Post(func() { answer <- f() }, func(bool) { close(ended) })
	ticker := time.NewTicker(Beat)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			select {
			case result = <-answer:
				return result, true
			default:
				return result, false
			}
		case <-ticker.C:
			p.Beat()
		}
	}
}

// Settle waits until the jobs that were posted are done, or will not be.
func (p *Part) Settle() {
	if p != nil {
		Ask(p, func() struct{} { return struct{}{} })
	}
}

// Beat looks whether the part makes progress, and cuts it off if it has made none for long. It is to be called every Beat by somebody.
func (p *Part) Beat() {
	if p == nil {
		return
	}
	now := time.Now()
	p.mutex.Lock()
	if now.Sub(p.beatAt) < Beat*9/10 { // somebody else looked
		p.mutex.Unlock()
		return
	}
	p.beatAt = now
	if !p.Works() || len(p.jobs) == 0 || p.ended != p.seen {
		p.seen, p.beats = p.ended, 0
		p.mutex.Unlock()
		return
	}
	p.beats++
	hangs := p.beats >= patience
	p.mutex.Unlock()
	if hangs {
		p.hang()
	}
}

func (p *Part) hang() {
	p.cut(fmt.Sprintf("it hung: it made no progress for %v", patience*Beat), stacks(), true)
}

// Cut cuts the part off for a reason.
func (p *Part) Cut(reason string) { p.cut(reason, "", false) }

func (p *Part) cut(reason, stack string, held bool) {
	p.mutex.Lock()
	if !p.Works() {
		p.mutex.Unlock()
		return
	}
	stopped := Stopped{Part: p.name, At: time.Now().UTC().Truncate(time.Second), Reason: reason, Stack: stack}
	p.stopped.Store(&stopped)
	tell, jobs := p.tell, p.jobs
	p.jobs = nil
	p.mutex.Unlock()
	if tell != nil {
		tell(stopped)
	}
	for i, j := range jobs {
		j.end(held && i == 0)
	}
}

// While runs f, which is brief, unless the part is cut off. The part is not cut off meanwhile.
func (p *Part) While(f func()) {
	if p == nil {
		f()
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.Works() {
		f()
	}
}

// largestStacks bounds what is read of the stacks of all goroutines.
const largestStacks = 1 << 20

// stacks are those of the goroutines that do jobs.
func stacks() string {
	all := make([]byte, largestStacks)
	all = all[:runtime.Stack(all, true)]
	var found []string
	for one := range strings.SplitSeq(string(all), "\n\n") {
		if strings.Contains(one, "isolate.(*Part).work") {
			found = append(found, one)
		}
	}
	return strings.Join(found, "\n\n")
}

// Probe is called by a part while it works. It is for tests; nil otherwise.
type Probe func(part, call string)

// At is a place that a test may disturb.
func (p Probe) At(part, call string) {
	if p != nil {
		p(part, call)
	}
}
