// Package isolate cuts off the parts of a process that learning does not need: a part that panics or hangs does nothing any more, and
// everything else goes on.
//
// A part runs its jobs one after the other, on a goroutine that is there while there are jobs (line.go). What the jobs use belongs to
// that goroutine; others get copies, through Ask. A goroutine that hangs cannot be ended, so it is given up: others no longer touch
// what it may use, and nobody waits for it.
//
// It imports nothing of the project.
//
// The files:
//
//	line.go       after how long without progress a part hangs (30 s), and how many jobs may wait
//	isolate.go    a part that panics or hangs is cut off (conditions *_stopped): who is told, and who may still ask it
//	contained.go  a job that panics ends alone, among other jobs of a process
package isolate

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

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
	name    string
	line    *line
	stopped atomic.Pointer[Stopped] // set once, with the mutex of the line
	tell    func(Stopped)
}

// New returns a part that works.
func New(name string) *Part { return &Part{name: name, line: &line{}} }

// Beside returns a part whose jobs wait in one line with those of p: one goroutine does both, which costs half as many hand-overs
// between processors. It is cut off by itself. No job of either may wait for the other part.
func (p *Part) Beside(name string) *Part { return &Part{name: name, line: p.line} }

// OnStop has a function told once that the part is cut off: at once, if it is already. The function must return soon.
func (p *Part) OnStop(tell func(Stopped)) {
	p.line.mutex.Lock()
	p.tell = tell
	stopped := p.stopped.Load()
	p.line.mutex.Unlock()
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

// Post gives the part a job, and does not wait for it. end, which may be nil, is called when the job is done, or will not be. Jobs end in
// the order in which they were posted.
func (p *Part) Post(do func(), end func(held bool)) {
	if end == nil {
		end = func(bool) {}
	}
	p.line.add(job{p, do, end})
}

// Try runs f on the calling goroutine unless the part is cut off. A panic cuts it off. It says whether f ran to its end.
func (p *Part) Try(f func()) (done bool) { return p.Works() && p.Guard(f) }

// Guard is Try of a part that may be cut off already.
func (p *Part) Guard(f func()) (done bool) {
	defer func() {
		if !done {
			p.cut(fmt.Sprintf("it panicked: %v", recover()), string(debug.Stack()))
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
	if p != nil {
		p.line.look()
	}
}

// Cut cuts the part off for a reason.
func (p *Part) Cut(reason string) { p.cut(reason, "") }

// CutLike cuts the part off because another one is.
func (p *Part) CutLike(other Stopped) { p.cut(other.Reason, other.Stack) }

// cut cuts the part off. Jobs that wait are not done: their turn comes, and they end.
func (p *Part) cut(reason, stack string) {
	p.line.mutex.Lock()
	told := p.stop(reason, stack)
	p.line.mutex.Unlock()
	told()
}

// stop cuts the part off, with the mutex of the line held. told is to be called without it.
func (p *Part) stop(reason, stack string) (told func()) {
	if !p.Works() {
		return func() {}
	}
	stopped, tell := Stopped{Part: p.name, At: time.Now().UTC().Truncate(time.Second), Reason: reason, Stack: stack}, p.tell
	p.stopped.Store(&stopped)
	return func() {
		if tell != nil {
			tell(stopped)
		}
	}
}

// While runs f, which is brief, unless the part is cut off. The part is not cut off meanwhile.
func (p *Part) While(f func()) {
	if p == nil {
		f()
		return
	}
	p.line.mutex.Lock()
	defer p.line.mutex.Unlock()
	if p.Works() {
		f()
	}
}

// Probe is called by a part while it works. It is for tests; nil otherwise.
type Probe func(part, call string)

// At is a place that a test may disturb.
func (p Probe) At(part, call string) {
	if p != nil {
		p(part, call)
	}
}
