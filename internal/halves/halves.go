// Package halves shares a work among two processors. It imports nothing of the project.
package halves

import (
	"runtime"
	"sync"
)

// worthSharing is how many items are worth a goroutine.
const worthSharing = 1024

// Work is one whose halves neither read nor write what the other one writes, so that its result does not depend on whether
// they were done at the same time.
type Work struct {
	half    func(half int)
	second  func()
	waiting sync.WaitGroup
}

// New returns a work, of which half does one half: 0 or 1. half finds what to do where its caller put it, since a closure for
// each Run would be allocated.
func New(half func(half int)) *Work {
	w := &Work{half: half}
	w.second = func() {
		defer w.waiting.Done()
		w.half(1)
	}
	return w
}

// Run does both halves, at the same time if that may be faster for so many items. It does not allocate. A Work runs once at a
// time.
func (w *Work) Run(items int) {
	if items < worthSharing || runtime.GOMAXPROCS(0) == 1 {
		w.half(0)
		w.half(1)
		return
	}
	w.waiting.Add(1)
	go w.second()
	w.half(0)
	w.waiting.Wait()
}
