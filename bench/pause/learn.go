package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

// stop is the longest time between two records from one publication to the next, and the most processor time that the learner's goroutine spent
// between two.
type stop struct {
	clock, processor time.Duration
	latency          time.Duration // of the weights, from their last record to their publication
	weights          int
	rate             float64 // records a second
}

// watch sees each record on the goroutine that learns.
type watch struct {
	mutex   sync.Mutex
	longest stop
	at      time.Time
	spent   time.Duration
	seen    int64
	times   []time.Time // of every chunk of records
}

// look is called before each record is learnt.
func (w *watch) look([]byte) bool {
	if w.at.IsZero() {
		runtime.LockOSThread() // for good: the processor time of the goroutine is that of its thread
	}
	now, spent := time.Now(), processorTime()
	w.mutex.Lock()
	if !w.at.IsZero() {
		w.longest.clock, w.longest.processor = max(w.longest.clock, now.Sub(w.at)), max(w.longest.processor, spent-w.spent)
	}
	if w.seen%chunk == 0 {
		w.times = append(w.times, now)
	}
	w.seen++
	w.mutex.Unlock()
	w.at, w.spent = now, spent
	return true
}

// take gives the longest stop since the last call, when a version is published.
func (w *watch) take(version int64) (longest stop) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	longest, w.longest = w.longest, stop{}
	longest.latency = time.Since(w.times[min(version/chunk, int64(len(w.times)-1))])
	return longest
}

// processorTime is that of the calling thread.
func processorTime() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	var used syscall.Rusage
	if err := syscall.Getrusage(thisThread, &used); err != nil {
		panic("pause: " + err.Error()) // it cannot fail for this thread
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// measure runs a stream until it has all weights, and has published so often since then.
func measure(ctx context.Context, weights, publications int, interval time.Duration) (found []stop, err error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	topics := clustertest.New(map[string]int{"in": 1, "models": 1, "state": 1, "letters": 1, "history": 1, "events": 1})
	var w watch
	options := settings(weights)
	options.Publish.Interval, options.Look = interval, w.look
	complete := false
	at, version := time.Now(), int64(0)
	options.Notify = func(e stream.Event) { // publications are told of by one goroutine
		p, ok := e.(stream.Published)
		if !ok {
			return
		}
		one := w.take(p.Version)
		one.weights, one.rate = p.Document.Weights, float64(p.Version-version)/time.Since(at).Seconds()
		if complete && len(found) < publications {
			found = append(found, one)
		}
		at, version = time.Now(), p.Version
		if complete = complete || p.Document.Weights >= weights*99/100; len(found) == publications {
			end()
		}
		topics.Clean("models") // else all that was written stays in memory
		topics.Clean("state")
	}
	err = stream.New(&endless{topics, weights}, options).Run(ctx)
	if len(found) < publications {
		return nil, fmt.Errorf("the stream ended early: %w", cmp.Or(err, context.Canceled))
	}
	return found, nil // how it ends then is of no consequence
}

// settings are those of a job whose columns may have so many levels.
func settings(weights int) stream.Options {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus = model.Values("Male"), model.Values("Female")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	config := model.Config{
		Record:      record.Config{Label: record.Label{Field: "y", Positive: "1"}},
		Learner:     model.DefaultLearner(),
		Constraints: []model.Constraint{constraint},
	}
	config.Learner.Vocabulary.Levels = weights
	return stream.Options{
		Job: "pause", Model: config, Program: "pause", Config: stream.DefaultConfig(),
		Topics: stream.Topics{Input: "in", Model: "models", State: "state", DeadLetter: "letters", History: "history", Events: "events"},
	}
}
