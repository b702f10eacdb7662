package serve

import (
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/fairstream/fairstream/internal/heartbeat"
)

// counts are the metrics of a service; docs/decisions.md lists them.
type counts struct {
	requests          *prometheus.HistogramVec
	decisions, groups *prometheus.CounterVec
	explored, unread  *prometheus.CounterVec
	log               []prometheus.Collector
}

func newCounts(l *Log) *counts {
	c := &counts{
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "fairstream_serve_request_seconds", Help: "Time from a request to its answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}}, []string{"api", "code"}),
		decisions: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fairstream_serve_decisions_total",
			Help: "Records by the alias and the decision of its document, before exploration: 0, 1, predicted or rejected."}, []string{"alias", "decision"}),
		groups: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fairstream_serve_group_decisions_total",
			Help: "Decisions of documents, before exploration, about records that name their group."}, []string{"alias", "constraint", "group", "decision"}),
		explored: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fairstream_serve_exploration_total",
			Help: "Negative decisions by what exploration made of them: explored, or no_identifier where it left them because nothing identifies the record."}, []string{"alias", "outcome"}),
		unread: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fairstream_serve_unread_values_total",
			Help: "Values that had no part in a decision, because their column has values of another type."}, []string{"alias", "column"}),
	}
	if l != nil {
		c.log = l.metrics()
	}
	return c
}

func (c *counts) all() []prometheus.Collector {
	return append([]prometheus.Collector{c.requests, c.decisions, c.groups, c.explored, c.unread}, c.log...)
}

// Serving are the documents in use, and how many records each alias has decided: the one that decides, then that of the shadow.
func (s *Service) Serving() (all []heartbeat.Serving) {
	decided := s.counts.decided()
	for _, models := range []Models{s.o.Models, s.o.Shadow} {
		if m := models.Current(); m != nil {
			all = append(all, heartbeat.Serving{Alias: m.Alias, Term: m.Term, Version: m.Version, WeightsSHA256: m.Document.WeightsSHA256, Decisions: decided[m.Alias]})
		}
	}
	return all
}

// decided is the number of decided records by alias. It is read from the metrics, so that counting costs no decision anything.
func (c *counts) decided() map[string]int64 {
	series := make(chan prometheus.Metric)
	go func() {
		c.decisions.Collect(series)
		close(series)
	}()
	all := map[string]int64{}
	for one := range series {
		var m dto.Metric
		if one.Write(&m) != nil {
			continue
		}
		labels := map[string]string{}
		for _, l := range m.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		if labels["decision"] != rejected {
			all[labels["alias"]] += int64(m.GetCounter().GetValue())
		}
	}
	return all
}

// rejected stands for the decision about a record that cannot be decoded.
const rejected = "rejected"

// metrics are those of the log.
func (l *Log) metrics() []prometheus.Collector {
	counter := func(name, help string, of interface{ Load() int64 }) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "fairstream_serve_log_" + name, Help: help}, func() float64 { return float64(of.Load()) })
	}
	return []prometheus.Collector{
		counter("written_total", "Decisions that Kafka acknowledged.", &l.written),
		counter("lost_total", "Decisions that were answered and are not logged.", &l.lost),
		counter("refused_total", "Decisions of requests that were refused because they could not be logged in time.", &l.refused),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "fairstream_serve_log_waiting", Help: "Decisions that wait for Kafka."}, func() float64 {
			l.mutex.Lock()
			defer l.mutex.Unlock()
			return float64(l.decisions)
		}),
	}
}
