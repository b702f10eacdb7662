package isolate

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Beat is how often whoever waits for a part looks whether it makes progress, and patience how many such looks in a row may find none. The jobs
// of a part take milliseconds. Looks are counted, not seconds: while the whole process stands still, no part hangs.
const (
	Beat     = 100 * time.Millisecond
	patience = 300
)

// mostJobs may wait in a line. Nobody who waits for their answers comes near.
const mostJobs = 10_000

// line is where the jobs of one part, or of several, wait for one goroutine.
type line struct {
	mutex sync.Mutex
	jobs  []job // the first one is being done
	ended int64 // jobs

	givenUp int // goroutines

	// Of the watchdog.
	seen   int64
	beats  int
	beatAt time.Time
}

// job is work for a part. end is called in any case, once; held says that a goroutine that was given up may still use what the
// job was given.
type job struct {
	part *Part
	do   func()
	end  func(held bool)
}

// add puts a job at the end of the line.
func (l *line) add(j job) {
	l.mutex.Lock()
	l.jobs = append(l.jobs, j)
	waiting, turn, ended := len(l.jobs), l.givenUp, l.ended
	l.mutex.Unlock()
	switch waiting {
	case 1:
		go l.work(turn)
	case mostJobs:
		l.hang(ended)
	}
}

// work does jobs until there are none, or this goroutine is given up. The jobs of a part that is cut off only end.
func (l *line) work(turn int) {
	for {
		l.mutex.Lock()
		if l.givenUp != turn {
			l.mutex.Unlock()
			return
		}
		j := l.jobs[0]
		l.mutex.Unlock()
		j.part.Try(j.do)
		l.mutex.Lock()
		if l.givenUp != turn { // and the job was ended
			l.mutex.Unlock()
			return
		}
		l.jobs = slices.Delete(l.jobs, 0, 1)
		l.ended++
		more := len(l.jobs) > 0
		l.mutex.Unlock()
		j.end(false)
		if !more {
			return
		}
	}
}

// look counts the looks that find no progress.
func (l *line) look() {
	now := time.Now()
	l.mutex.Lock()
	if now.Sub(l.beatAt) < Beat*9/10 { // somebody else looked
		l.mutex.Unlock()
		return
	}
	l.beatAt = now
	if len(l.jobs) == 0 || l.ended != l.seen {
		l.seen, l.beats = l.ended, 0
		l.mutex.Unlock()
		return
	}
	l.beats++
	hangs, ended := l.beats >= patience, l.ended
	l.mutex.Unlock()
	if hangs {
		l.hang(ended)
	}
}

// hang cuts off the part whose job is being done, if no other job ended meanwhile, and gives up its goroutine. Another one goes on
// with the line.
func (l *line) hang(ended int64) {
	stack := stacks()
	l.mutex.Lock()
	if len(l.jobs) == 0 || l.ended != ended {
		l.mutex.Unlock()
		return
	}
	j := l.jobs[0]
	l.jobs = slices.Delete(l.jobs, 0, 1)
	l.ended++
	l.givenUp++
	more, turn := len(l.jobs) > 0, l.givenUp
	told := j.part.stop(fmt.Sprintf("it hung: it made no progress for %v", patience*Beat), stack)
	l.mutex.Unlock()
	told()
	j.end(true)
	if more {
		go l.work(turn)
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
		if strings.Contains(one, "isolate.(*line).work") {
			found = append(found, one)
		}
	}
	return strings.Join(found, "\n\n")
}
