package server

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Monitor knows how a stream is. It listens to its events, and asks for its status whenever it is asked
// itself.
type Monitor struct {
	registry *prometheus.Registry
	started  time.Time
	page     *isolate.Part

	mutex     sync.Mutex
	status    func() stream.Status // nil before Watch
	outages   map[string]outage    // operations that fail now
	failures  map[string]int64     // by operation
	saves     int64
	published int64
	documents int64                 // bytes of the last document
	drivers   func() []board.Driver // nil if nobody knows them
	steps     map[release.StepKind]int64
	rejected  rejections
	unfit     error // why a topic is not as the job needs it
	// ask carries out orders about releases; nil: they are not taken.
	ask func(context.Context, stream.Request) (*stream.Answer, error)
}

// jobLabel is on every series.
const jobLabel = "job_name"

type outage struct {
	err   error
	since time.Time
}

// NewMonitor returns a monitor of a stream that is not there yet. version is that of the program; every series
// carries the name of the job. (Prometheus itself calls its target's group job, so the label is job_name.)
func NewMonitor(version, job string) *Monitor {
	m := newMonitor()
	registerProgram(m.registry, version, job).MustRegister(collector{m})
	return m
}

// NewMember is NewMonitor for a job of a process with others: Jobs has the metrics of the program.
func NewMember(job string) *Monitor {
	m := newMonitor()
	prometheus.WrapRegistererWith(prometheus.Labels{jobLabel: job}, m.registry).MustRegister(collector{m})
	return m
}

func newMonitor() *Monitor {
	return &Monitor{registry: prometheus.NewRegistry(), started: time.Now(), page: isolate.New(PartPage), outages: map[string]outage{}, failures: map[string]int64{}, steps: map[release.StepKind]int64{}}
}

// Watch gives the monitor a stream.
func (m *Monitor) Watch(status func() stream.Status) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.status = status
}

// Fail says that the stream ended with an error, or could not begin.
func (m *Monitor) Fail(err error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var last stream.Status
	if m.status != nil {
		last = m.status()
	}
	last.Phase, last.Reason = stream.PhaseEnded, err.Error()
	m.status = func() stream.Status { return last }
}

// Notify takes note of an event. It is for stream.Options.Notify.
func (m *Monitor) Notify(event stream.Event) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	switch e := event.(type) {
	case stream.KafkaOutage:
		if e.Err == nil || e.GivenUp {
			delete(m.outages, e.Operation)
			return
		}
		if m.failures[e.Operation]++; !e.Aside {
			m.outages[e.Operation] = outage{e.Err, e.Since}
		}
	case stream.TopicsUnfit:
		m.unfit = e.Err
	case stream.Saved:
		m.saves++
	case stream.Released:
		m.steps[e.Step.Kind]++
		m.rejected.step(&e.Step)
	case stream.Published:
		m.published++
		m.documents = int64(e.Bytes)
	}
}

// Page is the part that serves the page and its data.
func (m *Monitor) Page() *isolate.Part { return m.page }

// state is the stream's status, nil before Watch.
func (m *Monitor) state() *stream.Status {
	m.mutex.Lock()
	status := m.status
	m.mutex.Unlock()
	if status == nil {
		return nil
	}
	s := status()
	return &s
}

// role is what the process does when it is ready: it learns, or it stands by.
func (m *Monitor) role() string {
	m.mutex.Lock()
	status := m.status
	m.mutex.Unlock()
	if status != nil && status().Phase == stream.PhaseStandby {
		return "standby"
	}
	return "owner"
}

// NotReady says why the stream does not do its work now; nothing if it does.
func (m *Monitor) NotReady() []string {
	m.mutex.Lock()
	var reasons []string
	for operation, o := range m.outages {
		reasons = append(reasons, fmt.Sprintf("%s fails since %s: %v", operation, o.since.UTC().Format(time.RFC3339), o.err))
	}
	m.mutex.Unlock()
	slices.Sort(reasons)
	return append(reasons, m.ailments()...)
}

// outage is for the page: since when Kafka does not do what the job needs; nil if it does. The log has the errors.
func (m *Monitor) outage() *board.Outage {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.outages) == 0 {
		return nil
	}
	var since time.Time
	for _, o := range m.outages {
		if since.IsZero() || o.since.Before(since) {
			since = o.since
		}
	}
	since = since.UTC().Truncate(time.Second)
	return &board.Outage{Since: since, Text: "Kafka, from which the records come, has not answered since " + board.Clock(since) +
		". What you see is from before; the job goes on by itself as soon as Kafka answers."}
}

// ailments are the reasons of NotReady that are not failures of Kafka.
func (m *Monitor) ailments() (reasons []string) {
	m.mutex.Lock()
	status := m.status
	m.mutex.Unlock()
	if status == nil {
		return []string{"starting"}
	}
	if s := status(); s.Phase != stream.PhaseLearning && s.Phase != stream.PhaseStandby {
		reason := string(s.Phase)
		if s.Reason != "" && s.Reason != reason {
			reason += ": " + s.Reason
		}
		reasons = append(reasons, reason)
	} else {
		if s.Useless != "" {
			reasons = append(reasons, "nothing is published: "+s.Useless)
		}
		if s.Stuck != "" {
			reasons = append(reasons, s.Stuck)
		}
		if len(s.Waits) > 0 && s.Waits[0].Late {
			reasons = append(reasons, schemaWords(&s))
		}
	}
	return reasons
}

// word is NotReady in short, without anything of the job's data.
func (m *Monitor) word() string {
	m.mutex.Lock()
	status, failing := m.status, len(m.outages)
	m.mutex.Unlock()
	if status == nil {
		return "starting"
	}
	phase := status().Phase
	switch {
	case phase != stream.PhaseLearning && phase != stream.PhaseStandby:
		return string(phase)
	case failing > 0:
		return "a Kafka operation fails"
	}
	return "not ready"
}
