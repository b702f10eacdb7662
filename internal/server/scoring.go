package server

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Scoring knows how the scoring of a topic is. It listens to followers of documents, and asks for the status whenever it
// is asked itself.
type Scoring struct {
	following
	registry *prometheus.Registry
	status   func() scoring.Status      // nil before Watch; guarded by mutex
	waits    func() []stream.SchemaWait // nil before Awaits; guarded by mutex
}

// NewScoring returns a monitor of scoring that has not begun. version is that of the program.
func NewScoring(version, job string) *Scoring {
	s := &Scoring{following: newFollowing("score"), registry: prometheus.NewRegistry()}
	registerProgram(s.registry, version, job).MustRegister(scoringCollector{s})
	return s
}

// Watch gives the monitor a scoring.
func (s *Scoring) Watch(status func() scoring.Status) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.status = status
}

// Awaits gives the monitor the schemas that records wait for.
func (s *Scoring) Awaits(waits func() []stream.SchemaWait) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.waits = waits
}

// awaited are the schemas that records wait for. The caller holds the mutex.
func (s *Scoring) awaited() []stream.SchemaWait {
	if s.waits == nil {
		return nil
	}
	return s.waits()
}

// NotReady says why nothing is decided now; nothing if all is well. An outage of the model topic is none: the last good
// document decides.
func (s *Scoring) NotReady() (reasons []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.status == nil {
		return []string{s.waiting}
	}
	reasons = s.failures()
	if waits := s.awaited(); len(waits) > 0 && waits[0].Late {
		reasons = append(reasons, schemaWords(&stream.Status{Waits: waits}))
	}
	return reasons
}

// word is NotReady in short.
func (s *Scoring) word() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.status == nil {
		return firstDocument
	}
	if waits := s.awaited(); len(waits) > 0 && waits[0].Late {
		return "a schema is awaited"
	}
	return "a Kafka operation fails"
}

// Handler serves /metrics, /livez and /readyz.
func (s *Scoring) Handler(access Access) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", access.token(promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{MaxRequestsInFlight: scrapesAtOnce})))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", access.readiness(s.NotReady, s.word, func() string { return s.role("scorer") }))
	return guard(mux)
}

// The metrics of scoring; docs/decisions.md lists them.
var (
	scoreRecords  = scoreMetric("records_total", "Records whose decisions this process committed, by what became of them.", "outcome")
	scoreExplored = scoreMetric("exploration_total", "Negative decisions by what exploration made of them: explored, or no_identifier where it left them because nothing identifies the record.", "outcome")
	scoreUnread   = scoreMetric("unread_records_total", "Decided records with a value that had no part in the decision, because its column has values of another type.")
	scoreLag      = scoreMetric("lag_records", "Number of offsets between the last committed record and the end of the partition.", "partition")
	scoreNext     = scoreMetric("next_offset", "Next offset to decide, as committed.", "partition")
	scoreAwaited  = scoreMetric("schemas_awaited", "Number of schemas that records wait for because the schema registry does not give them.")
	scoreReady    = scoreMetric("ready", "1 while records are decided and all Kafka operations succeed.")
)

func scoreMetric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("fairstream_score_"+name, help, labels, nil)
}

type scoringCollector struct{ *Scoring }

// Describe is part of prometheus.Collector.
func (c scoringCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{scoreRecords, scoreExplored, scoreUnread, scoreLag, scoreNext, scoreAwaited, scoreReady} {
		to <- d
	}
	c.describe(to)
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
	c.collect(to)
	gauge(scoreAwaited, float64(len(c.awaited())))
	if c.status == nil {
		return
	}
	status := c.status()
	counter(scoreRecords, status.Scored, "scored")
	counter(scoreRecords, status.Rejected, "rejected")
	counter(scoreExplored, status.Explored, "explored")
	counter(scoreExplored, status.Anonymous, "no_identifier")
	counter(scoreUnread, status.Unread)
	for partition, next := range status.Next {
		number := strconv.Itoa(int(partition))
		gauge(scoreNext, float64(next), number)
		if end, known := status.Ends[partition]; known {
			gauge(scoreLag, float64(max(0, end-next)), number)
		}
	}
}
