package heartbeat

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fairstream/fairstream/internal/kafka"
)

// WriterOptions say what an instance tells, and how.
type WriterOptions struct {
	Job, Instance, Program string
	// Every is the time between two heartbeats.
	Every time.Duration
	// Serving are the documents in use now; the writer knows since when.
	Serving func() []Serving
	// Write writes a message to the topic of events, in one attempt that ends with ctx.
	Write func(ctx context.Context, m kafka.Message) error
	// Failed is told of the first heartbeat of a row that is dropped, and with nil of the first that is written again.
	Failed func(err error)
}

// Writer writes the heartbeats of an instance. One that cannot be written is dropped, since the next one tells all that it did: deciding never waits for
// Kafka here, and nothing piles up.
type Writer struct {
	o       WriterOptions
	started time.Time
	poked   chan struct{}

	serving []Serving // of the last heartbeat
	number  int64
	failing bool

	written, dropped atomic.Int64
}

const (
	// longestWrite bounds the attempt to write one heartbeat, lastWrite the attempt at the end, which the process waits for.
	longestWrite = 10 * time.Second
	lastWrite    = 2 * time.Second
)

// NewWriter prepares to write; Run writes.
func NewWriter(o WriterOptions) *Writer {
	o.Instance, o.Program = named(o.Instance), named(o.Program)
	return &Writer{o: o, started: time.Now().UTC(), poked: make(chan struct{}, 1)}
}

// Poke asks for a heartbeat soon, because another document is in use. It may be called from any goroutine, however often.
func (w *Writer) Poke() {
	select {
	case w.poked <- struct{}{}:
	default: // it was poked
	}
}

// Run writes heartbeats until ctx ends, and then the last one. There is one a second at most.
func (w *Writer) Run(ctx context.Context) {
	for ctx.Err() == nil {
		began := time.Now()
		w.beat(ctx, false, min(w.o.Every, longestWrite))
		w.wait(ctx, began)
	}
	w.beat(context.WithoutCancel(ctx), true, lastWrite)
}

// wait waits until the next heartbeat is due.
func (w *Writer) wait(ctx context.Context, began time.Time) {
	due := time.NewTimer(time.Until(began.Add(w.o.Every)))
	defer due.Stop()
	select {
	case <-ctx.Done():
		return
	case <-due.C:
		return
	case <-w.poked:
	}
	rest := time.NewTimer(time.Until(began.Add(Shortest)))
	defer rest.Stop()
	select {
	case <-ctx.Done():
	case <-rest.C:
	}
}

func (w *Writer) beat(ctx context.Context, ended bool, within time.Duration) {
	w.number++
	m, err := w.now(ended).message(w.o.Job, w.number)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, within)
		err = w.o.Write(ctx, m)
		cancel()
	}
	if err == nil {
		w.written.Add(1)
	} else {
		w.dropped.Add(1)
	}
	if failing := err != nil; failing != w.failing {
		w.failing = failing
		w.o.Failed(err)
	}
}

// now is what there is to tell.
func (w *Writer) now(ended bool) *Beat {
	now := time.Now().UTC()
	all := append([]Serving{}, w.o.Serving()...) // in JSON never null
	for i := range all {
		s := &all[i]
		s.Alias, s.Since = named(s.Alias), now
		if at := slices.IndexFunc(w.serving, s.isSame); at >= 0 {
			s.Since = w.serving[at].Since
		}
	}
	w.serving = all
	return &Beat{Instance: w.o.Instance, Program: w.o.Program, Started: w.started, Time: now, EverySeconds: w.o.Every.Seconds(), Ended: ended, Serving: all}
}

// isSame says whether the same document is in use under the same alias.
func (s *Serving) isSame(other Serving) bool {
	return s.Alias == other.Alias && s.Term == other.Term && s.Version == other.Version && s.WeightsSHA256 == other.WeightsSHA256
}

// Metrics count heartbeats by what became of them.
func (w *Writer) Metrics() []prometheus.Collector {
	counter := func(outcome string, of *atomic.Int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "fairstream_serve_heartbeats_total", Help: "Heartbeats by what became of them: written or dropped.",
			ConstLabels: prometheus.Labels{"outcome": outcome}}, func() float64 { return float64(of.Load()) })
	}
	return []prometheus.Collector{counter("written", &w.written), counter("dropped", &w.dropped)}
}
