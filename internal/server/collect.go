package server

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/stream"
)

// collector turns a Status into metrics. It is asked at each scrape and keeps nothing.
type collector struct{ *Monitor }

// Describe is part of prometheus.Collector.
func (c collector) Describe(descriptions chan<- *prometheus.Desc) {
	for _, d := range described {
		descriptions <- d
	}
}

// Collect is part of prometheus.Collector.
func (c collector) Collect(metrics chan<- prometheus.Metric) {
	to := output{metrics, time.Now()}
	c.mutex.Lock()
	status, drivers, steps, rejected, unfit := c.status, c.drivers, maps.Clone(c.steps), c.rejected, c.unfit
	to.counter(saves, float64(c.saves))
	to.counter(publications, float64(c.published))
	to.gauge(modelBytes, float64(c.documents))
	to.gauge(outagesNow, float64(len(c.outages)))
	for operation, count := range c.failures {
		to.counter(failures, float64(count), operation)
	}
	c.mutex.Unlock()
	to.counter(connectionsClosed, float64(madeRoom.Load()))
	to.gauge(ready, truth(len(c.NotReady()) == 0))
	if status == nil {
		return
	}
	s := status()
	to.stopped(c.stopped(&s))
	// The library collects on a goroutine of its own, where a panic would end the process.
	c.page.Guard(func() {
		to.status(s)
		if stoppedSince(&s, stream.PartReleases) == nil {
			to.released(s.Releases, steps)
		}
		for _, code := range append(rejected.conditions(), topicConditions(&s, unfit)...) {
			to.gauge(condition, 1, code.Code, "")
		}
		if drivers != nil {
			to.driven(drivers())
		}
	})
}

// output sends metrics.
type output struct {
	metrics chan<- prometheus.Metric
	now     time.Time
}

func (o output) counter(d *prometheus.Desc, value float64, labels ...string) {
	o.metrics <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
}

func (o output) gauge(d *prometheus.Desc, value float64, labels ...string) {
	o.metrics <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (o output) status(s stream.Status) {
	for _, name := range []stream.Phase{stream.PhaseStarting, stream.PhaseStandby, stream.PhaseLearning, stream.PhaseHalted, stream.PhaseDraining, stream.PhaseEnded} {
		o.gauge(phase, truth(s.Phase == name), string(name))
	}
	o.gauge(term, float64(s.Claim.Term))
	o.counter(learnt, float64(s.Version))
	for _, reason := range stream.Reasons() { // all of them, so that a rate begins at 0
		o.counter(rejected, float64(s.Rejected[string(reason)]), string(reason))
	}
	o.counter(deadLetters, float64(s.DeadLetters))
	for _, p := range s.Partitions {
		o.partition(p)
		o.gauge(heldSeconds, heldFor(s.Held, p.Partition, o.now).Seconds(), strconv.Itoa(int(p.Partition)))
	}
	if s.Snapshot.Sequence > 0 {
		o.gauge(snapshotAge, o.now.Sub(s.Snapshot.Taken).Seconds())
		o.gauge(snapshotBytes, float64(s.Snapshot.Bytes))
		o.gauge(snapshotVersion, float64(s.Snapshot.Version))
		o.gauge(snapshotSeconds, s.SnapshotTook.Seconds())
	}
	o.gauge(publishedVersion, float64(s.Published))
	if !s.PublishedAt.IsZero() {
		o.gauge(publishedAge, o.now.Sub(s.PublishedAt).Seconds())
	}
	if l := s.Labels; l != nil {
		o.gauge(waiting, float64(l.Waiting))
		o.gauge(heldLabels, float64(l.Held))
		o.gauge(waitingBytes, float64(l.Bytes))
		o.counter(scored, float64(l.Scored))
		o.counter(joined, float64(l.Joined))
		o.counter(unlabelled, float64(l.Dropped))
		o.counter(expired, float64(l.Expired))
		o.counter(waitingLost, float64(l.Lost))
	}
	if s.Measurements != nil {
		o.measurements(s.Measurements)
	}
	o.monitored(&s)
	for _, c := range slices.Concat(releaseConditions(&s), historyConditions(&s), timeConditions(&s)) {
		o.gauge(condition, 1, c.Code, "")
	}
}

func (o output) partition(p stream.PartitionStatus) {
	number := strconv.Itoa(int(p.Partition))
	o.gauge(nextOffset, float64(p.Next), number)
	o.counter(lost, float64(p.Lost), number)
	o.gauge(lagSeconds, p.Behind(o.now).Seconds(), number)
	if p.End >= 0 {
		o.gauge(lagRecords, float64(p.Lag()), number)
		o.gauge(endOffset, float64(p.End), number)
		o.gauge(startOffset, float64(p.LogStart), number)
		o.gauge(unstable, float64(p.Unstable), number)
	}
}

func (o output) measurements(m *document.Measurements) {
	o.report(m.Prequential, "all")
	o.report(m.Recent, "recent")
	for _, e := range m.Constraints {
		o.estimate(e)
	}
	for _, c := range m.Control {
		labels := []string{c.Name, string(c.Criterion), c.Group}
		o.gauge(multiplier, c.Multiplier, labels...)
		o.gauge(target, c.Target, labels...)
		o.gauge(tracked, c.Difference, labels...)
		o.gauge(slackness, c.Slackness, labels...)
		if c.EffectiveConstant != 0 { // a regression has none
			o.gauge(effectiveC, c.EffectiveConstant, labels...)
		}
		o.gauge(reachable, truth(c.Reachable), labels...)
	}
	told := map[[2]string]bool{} // several groups of a constraint may have one condition
	for _, c := range m.Conditions {
		if key := [2]string{string(c.Code), c.Constraint}; !told[key] {
			told[key] = true
			o.gauge(condition, 1, key[0], key[1])
		}
	}
}

func (o output) report(r document.Report, window string) {
	if r.Records == 0 {
		return
	}
	if r.Predictions != nil {
		o.measure(meanSquaredError, r.MSE, window)
		o.measure(constantMeanSquaredError, r.ConstantMSE, window)
		o.measure(rSquared, r.RSquared, window)
		return
	}
	o.measure(accuracy, r.Accuracy, window)
	o.measure(logLoss, r.LogLoss, window)
	o.measure(constantAccuracy, r.ConstantAccuracy, window)
	o.measure(positiveLabels, r.PositiveLabels, window)
	o.measure(positiveDecisions, r.PositiveDecisions, window)
}

func (o output) measure(d *prometheus.Desc, m fairness.Measure, window string) {
	o.gauge(d, m.Value, window, "value")
	o.gauge(d, m.Lo, window, "lo")
	o.gauge(d, m.Hi, window, "hi")
}

// estimate has no difference while it is not estimable: a missing series cannot be taken for a 0.
func (o output) estimate(e fairness.Estimate) {
	labels := []string{e.Name, string(e.Criterion), e.Group, e.Versus}
	with := func(last string) []string { return append(labels[:len(labels):len(labels)], last) }
	o.gauge(tau, e.Tau, labels...)
	o.gauge(enforced, truth(e.Enforced), labels...)
	o.gauge(sideRecords, float64(e.NGroup), with("group")...)
	o.gauge(sideRecords, float64(e.NVersus), with("versus")...)
	for _, status := range fairness.Statuses() {
		o.gauge(constraintStatus, truth(e.Status == status), with(string(status))...)
	}
	if e.Status == fairness.NotEstimable {
		return
	}
	o.gauge(difference, e.Value, with("value")...)
	o.gauge(difference, e.Lo, with("lo")...)
	o.gauge(difference, e.Hi, with("hi")...)
	if e.Criterion.OfMeans() {
		o.gauge(sideMean, e.MeanGroup, with("group")...)
		o.gauge(sideMean, e.MeanVersus, with("versus")...)
		return
	}
	o.gauge(sideRate, e.RateGroup, with("group")...)
	o.gauge(sideRate, e.RateVersus, with("versus")...)
	o.gauge(impactRatio, e.ImpactRatio.Value, with("value")...)
	o.gauge(impactRatio, e.ImpactRatio.Lo, with("lo")...)
	o.gauge(impactRatio, e.ImpactRatio.Hi, with("hi")...)
}
