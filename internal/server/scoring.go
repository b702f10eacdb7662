package server

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// Scoring knows how the scoring of a topic is. It listens to followers of documents, and asks for the status whenever it
// is asked itself.
type Scoring struct {
	registry *prometheus.Registry

	mutex   sync.Mutex
	status  func() scoring.Status // nil before Watch
	models  map[string]follow.Model
	waiting string // for what, before Watch
	refused int64
	// unwatched is since when nobody withdraws the version; zero: somebody does.
	unwatched time.Time
	outages   map[string]outage
}

const firstDocument = "waiting for the first document"

// NewScoring returns a monitor of scoring that has not begun. version is that of the program.
func NewScoring(version, job string) *Scoring {
	s := &Scoring{registry: prometheus.NewRegistry(), models: map[string]follow.Model{}, waiting: firstDocument, outages: map[string]outage{}}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "fairstream_build_info", Help: "1; the label is the version of the program.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	prometheus.WrapRegistererWith(prometheus.Labels{jobLabel: job}, s.registry).
		MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), scoringCollector{s})
	return s
}

// Watch gives the monitor a scoring.
func (s *Scoring) Watch(status func() scoring.Status) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.status = status
}

// Notify takes note of an event of a follower.
func (s *Scoring) Notify(event follow.Event) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch e := event.(type) {
	case follow.Swapped:
		if e.Before != nil {
			delete(s.models, e.Before.Alias)
		}
		s.models[e.Model.Alias] = follow.Model{Term: e.Model.Term, Version: e.Model.Version}
	case follow.Forgotten:
		delete(s.models, e.Before.Alias)
	case follow.Withheld:
		s.waiting = fmt.Sprintf("%s, because the record of the alias %s at offset %d is refused: %v", firstDocument, e.Alias, e.Refused.Offset, e.Refused.Err)
	case follow.Unwatched:
		s.unwatched = e.Since
	case follow.Refused:
		s.refused++
	case follow.Outage:
		s.failed(e.Operation, e.Err, e.Since)
	}
}

// Failed takes note of a Kafka operation that fails, or, with err nil, works again.
func (s *Scoring) Failed(operation string, err error, since time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failed(operation, err, since)
}

func (s *Scoring) failed(operation string, err error, since time.Time) {
	if err == nil {
		delete(s.outages, operation)
	} else {
		s.outages[operation] = outage{err, since}
	}
}

// NotReady says why nothing is decided now; nothing if all is well. An outage of the model topic is none: the last good
// document decides.
func (s *Scoring) NotReady() (reasons []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.status == nil {
		return []string{s.waiting}
	}
	for operation, o := range s.outages {
		reasons = append(reasons, fmt.Sprintf("%s fails since %s: %v", operation, o.since.UTC().Format(time.RFC3339), o.err))
	}
	slices.Sort(reasons)
	return reasons
}

// word is NotReady in short.
func (s *Scoring) word() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.status == nil {
		return firstDocument
	}
	return "a Kafka operation fails"
}

// Handler serves /metrics, /livez and /readyz.
func (s *Scoring) Handler(access Access) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", access.token(promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{MaxRequestsInFlight: scrapesAtOnce})))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", access.readiness(s.NotReady, s.word, s.role))
	return guard(mux)
}

// role is what /readyz says of a process that decides.
func (s *Scoring) role() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.unwatched.IsZero() {
		return "scorer"
	}
	return "scorer\nversion: unwatched since " + s.unwatched.UTC().Format(time.RFC3339)
}

// The metrics of scoring; docs/serving.md lists them.
var (
	scoreRecords = scoreMetric("records_total", "Records whose decisions this process committed, by what became of them.", "outcome")
	scoreLag     = scoreMetric("lag_records", "Number of offsets between the last committed record and the end of the partition.", "partition")
	scoreNext    = scoreMetric("next_offset", "Next offset to decide, as committed.", "partition")
	scoreVersion = scoreMetric("version", "Version of the document in use.", "alias")
	scoreTerm    = scoreMetric("term", "Term of the document in use.", "alias")
	scoreRefused = scoreMetric("refused_total", "Records of the model topic that this process refused.")
	scoreUnwatch = scoreMetric("unwatched", "1 while nobody withdraws the version in use if it leaves its limits, because the releases of its owner are stopped, otherwise 0.")
	scoreReady   = scoreMetric("ready", "1 while records are decided and all Kafka operations succeed.")
)

func scoreMetric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("fairstream_score_"+name, help, labels, nil)
}

type scoringCollector struct{ *Scoring }

// Describe is part of prometheus.Collector.
func (c scoringCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{scoreRecords, scoreLag, scoreNext, scoreVersion, scoreTerm, scoreRefused, scoreUnwatch, scoreReady} {
		to <- d
	}
}

// Collect is part of prometheus.Collector.
func (c scoringCollector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	ready := 1.0
	if len(c.NotReady()) > 0 {
		ready = 0
	}
	gauge(scoreReady, ready)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	counter(scoreRefused, c.refused)
	gauge(scoreUnwatch, truth(!c.unwatched.IsZero()))
	for alias, m := range c.models {
		gauge(scoreVersion, float64(m.Version), alias)
		gauge(scoreTerm, float64(m.Term), alias)
	}
	if c.status == nil {
		return
	}
	status := c.status()
	counter(scoreRecords, status.Scored, "scored")
	counter(scoreRecords, status.Rejected, "rejected")
	for partition, next := range status.Next {
		number := strconv.Itoa(int(partition))
		gauge(scoreNext, float64(next), number)
		if end, known := status.Ends[partition]; known {
			gauge(scoreLag, float64(max(0, end-next)), number)
		}
	}
}
