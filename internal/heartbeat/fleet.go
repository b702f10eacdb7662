package heartbeat

import (
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// silentAfter heartbeats that did not come, an instance is silent.
	silentAfter = 3
	// Forget is how long after its last heartbeat an instance is known.
	Forget = time.Hour
	// mostInstances bounds those that are known. Whoever writes more names than that displaces those that were heard longest ago.
	mostInstances = 1000
)

// Instance is the newest that is known of an instance.
type Instance struct {
	Beat
	// Heard is the time of its last heartbeat on the topic, and never after now. Silent: the next three did not come.
	Heard  time.Time
	Silent bool
}

// Fleet is the newest heartbeat of each instance, for any goroutine.
type Fleet struct {
	mutex   sync.Mutex
	all     map[string]*Instance
	ignored int64
}

// note takes a heartbeat with its time on the topic.
func (f *Fleet) note(b *Beat, at, now time.Time) {
	if at.After(now) {
		at = now // a clock that is ahead, or a forgery, must not keep an instance for ever
	}
	if now.Sub(at) >= Forget {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if b.Ended {
		delete(f.all, b.Instance)
		return
	}
	if f.all == nil {
		f.all = map[string]*Instance{}
	}
	if _, known := f.all[b.Instance]; !known && len(f.all) >= mostInstances {
		f.displace()
	}
	f.all[b.Instance] = &Instance{Beat: *b, Heard: at}
}

// displace forgets the instance that was heard longest ago. The caller holds the mutex.
func (f *Fleet) displace() {
	var oldest *Instance
	for _, one := range f.all {
		if oldest == nil || one.Heard.Before(oldest.Heard) {
			oldest = one
		}
	}
	delete(f.all, oldest.Instance)
}

func (f *Fleet) ignore() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.ignored++
}

// Ignored is how many records pretended to be heartbeats.
func (f *Fleet) Ignored() int64 {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.ignored
}

// Known are the instances that are not forgotten, by name.
func (f *Fleet) Known(now time.Time) []Instance {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	known := []Instance{}
	for name, one := range f.all {
		silence := now.Sub(one.Heard)
		if silence >= Forget {
			delete(f.all, name)
			continue
		}
		told := *one
		told.Silent = silence > silentAfter*one.every()
		known = append(known, told)
	}
	slices.SortFunc(known, func(a, b Instance) int { return strings.Compare(a.Beat.Instance, b.Beat.Instance) })
	return known
}
