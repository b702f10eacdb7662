package server

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/fairstream/fairstream/pkg/follow"
)

// following is what followers of documents tell a process that decides, and which operations of Kafka fail.
type following struct {
	mutex   sync.Mutex
	models  map[string]follow.Model // by alias, without their documents
	waiting string                  // for what, before the first document
	refused int64
	// unwatched is since when nobody withdraws the version; zero: somebody does.
	unwatched time.Time
	outages   map[string]outage
	metrics   followingMetrics
}

const firstDocument = "waiting for the first document"

// followingMetrics are those of every process that follows documents; docs/decisions.md lists them.
type followingMetrics struct{ version, term, refused, unwatched *prometheus.Desc }

// newFollowing prepares metrics that begin with fairstream_ and the name of what decides.
func newFollowing(name string) following {
	metric := func(of, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("fairstream_"+name+"_"+of, help, labels, nil)
	}
	return following{models: map[string]follow.Model{}, waiting: firstDocument, outages: map[string]outage{}, metrics: followingMetrics{
		version: metric("version", "Version of the document in use.", "alias"),
		term:    metric("term", "Term of the document in use.", "alias"),
		refused: metric("refused_total", "Records of the model topic that this process refused."),
		unwatched: metric("unwatched",
			"1 while nobody withdraws the version in use if it leaves its limits, because the releases of its owner are stopped, otherwise 0."),
	}}
}

// registerProgram registers what every process reports, and gives where its own metrics are registered. version is that of the program.
func registerProgram(registry *prometheus.Registry, version, job string) prometheus.Registerer {
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "fairstream_build_info", Help: "1; the label is the version of the program.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	of := prometheus.WrapRegistererWith(prometheus.Labels{jobLabel: job}, registry)
	of.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return of
}

// Notify takes note of an event of a follower.
func (s *following) Notify(event follow.Event) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch e := event.(type) {
	case follow.Swapped:
		if e.Before != nil {
			delete(s.models, e.Before.Alias)
		}
		s.models[e.Model.Alias] = follow.Model{Term: e.Model.Term, Version: e.Model.Version, Published: e.Model.Published}
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
func (s *following) Failed(operation string, err error, since time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failed(operation, err, since)
}

func (s *following) failed(operation string, err error, since time.Time) {
	if err == nil {
		delete(s.outages, operation)
	} else {
		s.outages[operation] = outage{err, since}
	}
}

// failures are the operations that fail. The caller holds the mutex.
func (s *following) failures() (reasons []string) {
	for operation, o := range s.outages {
		reasons = append(reasons, fmt.Sprintf("%s fails since %s: %v", operation, o.since.UTC().Format(time.RFC3339), o.err))
	}
	slices.Sort(reasons)
	return reasons
}

// role is what /readyz says of a process that decides.
func (s *following) role(name string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.unwatched.IsZero() {
		return name
	}
	return name + "\nversion: unwatched since " + s.unwatched.UTC().Format(time.RFC3339)
}

func (s *following) describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.metrics.version, s.metrics.term, s.metrics.refused, s.metrics.unwatched} {
		to <- d
	}
}

// collect requires that the caller holds the mutex.
func (s *following) collect(to chan<- prometheus.Metric) {
	to <- prometheus.MustNewConstMetric(s.metrics.refused, prometheus.CounterValue, float64(s.refused))
	to <- prometheus.MustNewConstMetric(s.metrics.unwatched, prometheus.GaugeValue, truth(!s.unwatched.IsZero()))
	for alias, m := range s.models {
		to <- prometheus.MustNewConstMetric(s.metrics.version, prometheus.GaugeValue, float64(m.Version), alias)
		to <- prometheus.MustNewConstMetric(s.metrics.term, prometheus.GaugeValue, float64(m.Term), alias)
	}
}
