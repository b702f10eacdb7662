package server

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Deciding knows how a process is that decides over HTTP.
type Deciding struct {
	following
	registry *prometheus.Registry
	o        DecidingOptions
	draining atomic.Bool
	age      *prometheus.Desc
	ready    *prometheus.Desc
}

// DecidingOptions say of whom it knows.
type DecidingOptions struct {
	// Program is the version of the program.
	Program, Job string
	// HasDocument says whether there is a document to decide by.
	HasDocument func() bool
	// NeedsKafka says that no request is answered while a write to Kafka fails.
	NeedsKafka bool
	// BodyBytes bounds the bodies of requests.
	BodyBytes int64
}

// NewDeciding returns what knows of a process.
func NewDeciding(o DecidingOptions) *Deciding {
	d := &Deciding{following: newFollowing("serve"), registry: prometheus.NewRegistry(), o: o,
		age:   prometheus.NewDesc("fairstream_serve_version_age_seconds", "Seconds since the document in use was published.", []string{"alias"}, nil),
		ready: prometheus.NewDesc("fairstream_serve_ready", "1 while requests are answered with decisions, otherwise 0.", nil, nil)}
	registerProgram(d.registry, o.Program, o.Job).MustRegister(decidingCollector{d})
	return d
}

// Register adds metrics to those that are served.
func (d *Deciding) Register(all ...prometheus.Collector) {
	prometheus.WrapRegistererWith(prometheus.Labels{jobLabel: d.o.Job}, d.registry).MustRegister(all...)
}

// Drain makes the process not ready, so that requests are sent elsewhere. It still answers those that come.
func (d *Deciding) Drain() { d.draining.Store(true) }

// draining is what /readyz says after the signal to stop.
const drainingReason = "stopping: send requests to another instance"

// NotReady says why nothing is decided now, or soon; nothing if all is well.
func (d *Deciding) NotReady() []string {
	if d.draining.Load() {
		return []string{drainingReason}
	}
	there := d.o.HasDocument()
	d.mutex.Lock()
	defer d.mutex.Unlock()
	switch {
	case !there:
		return []string{d.waiting}
	case d.o.NeedsKafka:
		return d.failures()
	}
	return nil
}

// word is NotReady in short.
func (d *Deciding) word() string {
	switch {
	case d.draining.Load():
		return drainingReason
	case !d.o.HasDocument():
		return firstDocument
	}
	return "a Kafka operation fails"
}

// Handler serves /metrics, /livez and /readyz, the decisions of api to those who have access, and what public holds to everyone.
func (d *Deciding) Handler(access Access, api, public http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", access.token(promhttp.HandlerFor(d.registry, promhttp.HandlerOpts{MaxRequestsInFlight: scrapesAtOnce})))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", access.readiness(d.NotReady, d.word, func() string { return d.role("server") }))
	mux.Handle("/v1/", access.full(api))
	mux.Handle("/v2/", access.full(api))
	mux.Handle("/v2", access.full(api))
	mux.Handle("/v2/health/", public)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "fairstream\n/v1/score\n/v1/openapi.yaml\n/v2\n/metrics\n/livez\n/readyz")
	})
	// A proxy on this machine passes on the name that its clients use.
	return guardWithin(mux, d.o.BodyBytes, func(r *http.Request) bool { return access.Token != "" && access.knows(r) })
}

type decidingCollector struct{ *Deciding }

// Describe is part of prometheus.Collector.
func (c decidingCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.age
	to <- c.ready
	c.describe(to)
}

// Collect is part of prometheus.Collector.
func (c decidingCollector) Collect(to chan<- prometheus.Metric) {
	ready := truth(len(c.NotReady()) == 0)
	to <- prometheus.MustNewConstMetric(c.ready, prometheus.GaugeValue, ready)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.collect(to)
	for alias, m := range c.models {
		if !m.Published.IsZero() {
			to <- prometheus.MustNewConstMetric(c.age, prometheus.GaugeValue, time.Since(m.Published).Seconds(), alias)
		}
	}
}
