// Package halves shares a work among two processors. It imports nothing of the project.
package halves

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// worthHalving is how many items are worth a goroutine.
const worthHalving = 1024

// Work is one whose halves neither read nor write what the other one writes, so that its result does not depend on whether
// they were done at the same time.
type Work struct {
	half  func(half int)
	other func()
	// open says that nobody has begun the second half, and ended is reached when somebody else has done it.
	open  atomic.Bool
	ended sync.WaitGroup
}

// New returns a work, of which half does one half: 0 or 1. half finds what to do where its caller put it, since a closure for
// each Run would be allocated.
func New(half func(half int)) *Work {
	w := &Work{half: half}
	w.other = func() {
		if w.open.CompareAndSwap(true, false) {
			defer w.ended.Done()
			w.half(1)
		}
	}
	return w
}

// Run does both halves, at the same time if that may be faster for so many items, and if a processor is free in time: otherwise the
// caller does both. It does not allocate. A Work runs once at a time.
func (w *Work) Run(items int) {
	if items < worthHalving || runtime.GOMAXPROCS(0) == 1 {
		w.half(0)
		w.half(1)
		return
	}
	w.ended.Add(1)
	w.open.Store(true)
	go w.other() // one that comes too late for its Run may help the next one
	w.half(0)
	if w.open.CompareAndSwap(true, false) {
		w.half(1)
		w.ended.Done()
	}
	w.ended.Wait()
}
