package release

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/evidence"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// watch is the evidence about the stable version in one comparison: of rates, or of mean predictions.
type watch interface {
	// add feeds the test of withdrawal, a detector about the limit. It says whether its evidence changed.
	add(side fairness.Side, own Decision) bool
	// Evidence is that of the test, and Restart forgets it.
	Evidence() float64
	Restart()
	// unfair says whether the difference is known to be beyond tau.
	unfair() bool
	// enough says whether there is enough for a confidence sequence, and status compares it with the limit.
	enough() bool
	status() fairness.Status
	// gate writes the sequence and its verdict about the limit, in words. observed is how many records came.
	gate(g *Gate, c *fairness.Comparison, observed int64)
	// contrast is an empty comparison with an earlier version.
	contrast() contrast
	fields(c *codec.Coder, old bool)
}

// contrast is what is known of two versions in one comparison, on the same records of both sides.
type contrast interface {
	add(side fairness.Side, stable, earlier Decision)
	// enough says whether there is enough for the rest.
	enough() bool
	// status compares the sequence of the earlier version with a limit.
	status(limit *fairness.Comparison, level float64) fairness.Status
	// present is the difference of the stable version, and gain is by how much it is above that of the earlier one, with its confidence
	// sequence.
	present() float64
	gain(level float64) (value, lo, hi float64)
	fields(c *codec.Coder)
}

// rateWatch is about rates of decisions. The monitor of the stable version counts them.
type rateWatch struct {
	fairness.Detector                  // about the limit, where the monitor's own is about tau
	monitor           *monitor.Monitor // nil without comparisons of rates
	index             int
	limit             *fairness.Comparison
	level             float64
}

func (w *rateWatch) add(side fairness.Side, own Decision) bool {
	return w.Add(side, own.Positive, w.limit)
}

func (w *rateWatch) unfair() bool { return w.monitor.Verdict(w.index) == fairness.Violated }

func (w *rateWatch) enough() bool {
	seen := w.monitor.Seen(w.index)
	return min(fewest(seen.Group), fewest(seen.Versus)) >= fairness.SequenceMinimum
}

func (w *rateWatch) status() fairness.Status {
	seen := w.monitor.Seen(w.index)
	return w.limit.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: w.level}).Status
}

func (w *rateWatch) gate(g *Gate, c *fairness.Comparison, observed int64) {
	seen := w.monitor.Seen(w.index)
	s := c.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: w.level})
	g.Records = seen.Group.Records + seen.Versus.Records
	g.Verdict, g.Value, g.Lo, g.Hi, g.Reason = s.Status, s.Value, s.Lo, s.Hi, s.Reason
	if s.Status == fairness.Inconclusive {
		g.Needed = needed(*c, seen, w.level, observed)
	}
}

func (w *rateWatch) contrast() contrast { return new(rateContrast) }

func (w *rateWatch) fields(c *codec.Coder, old bool) { evidence.Rates(c, &w.Detector, old) }

// rateContrast counts the decisions on both sides.
type rateContrast [2]contrasted

// contrasted counts decisions on one side.
type contrasted struct {
	records int64
	stable  int64 // positive decisions by the stable version
	earlier int64 // and by the earlier one
	differ  int64 // decisions that differ
}

func (k *rateContrast) add(side fairness.Side, stable, earlier Decision) {
	c := &k[side-fairness.Group]
	c.records++
	if stable.Positive {
		c.stable++
	}
	if earlier.Positive {
		c.earlier++
	}
	if stable.Positive != earlier.Positive {
		c.differ++
	}
}

func (k *rateContrast) enough() bool {
	group, versus := k.of(false)
	return min(fewest(group), fewest(versus)) >= fairness.SequenceMinimum
}

func (k *rateContrast) status(limit *fairness.Comparison, level float64) fairness.Status {
	group, versus := k.of(false)
	return limit.Sequence(group, versus, fairness.SequenceOptions{Level: level}).Status
}

func (k *rateContrast) present() float64 {
	group, versus := k.of(true)
	return float64(group.Positives)/float64(group.Records) - float64(versus.Positives)/float64(versus.Records)
}

// gain has the sequence of pair.interval for a difference of two means. Decisions on the same record mostly agree, so the variance is
// small.
func (k *rateContrast) gain(level float64) (value, lo, hi float64) {
	variance, sign := 0.0, 1.0
	records := int64(0)
	for _, side := range k {
		n := float64(side.records)
		mean := float64(side.stable-side.earlier) / n
		value += float64(sign * mean)
		variance += max(0, float64(side.differ+2)/n-float64(mean*mean)) / n
		records += side.records
		sign = -1
	}
	half := sequenceHalf(float64(records), variance*float64(records), level)
	return value, value - half, value + half
}

// of are the decisions of the earlier version as trials, or of the stable one.
func (k *rateContrast) of(stable bool) (group, versus fairness.Trials) {
	var t [2]fairness.Trials
	for i, side := range k {
		t[i] = fairness.Trials{Records: side.records, Positives: side.earlier}
		if stable {
			t[i].Positives = side.stable
		}
	}
	return t[0], t[1]
}

func (k *rateContrast) fields(c *codec.Coder) {
	for i := range k {
		s := &k[i]
		for _, n := range [...]*int64{&s.records, &s.stable, &s.earlier, &s.differ} {
			count(c, n)
		}
		c.Check(max(s.stable, s.earlier, s.differ) <= s.records)
	}
}

// meanWatch is about mean predictions of a regression. It counts them itself: a monitor counts decisions.
type meanWatch struct {
	fairness.MeanDetector // about the limit
	seen                  means
	tau                   float64
	limit                 float64
	minimum               int64 // records of each side
	level                 float64
}

func (w *meanWatch) add(side fairness.Side, own Decision) bool {
	w.seen.add(side, own.Score)
	return w.Add(side, own.Score, w.limit)
}

func (w *meanWatch) unfair() bool { return w.within(w.tau) == fairness.Violated }

func (w *meanWatch) enough() bool { return w.seen.fewest() >= w.minimum }

func (w *meanWatch) status() fairness.Status { return w.within(w.limit) }

// within compares the sequence with a bound.
func (w *meanWatch) within(bound float64) fairness.Status {
	if !w.enough() {
		return fairness.NotEstimable
	}
	_, lo, hi := w.seen.interval(w.level)
	return within(fairness.Comparison{Tau: bound}, lo, hi)
}

func (w *meanWatch) gate(g *Gate, _ *fairness.Comparison, observed int64) {
	g.Records = w.seen.sides[0].records + w.seen.sides[1].records
	if !w.enough() {
		g.Reason = fewRecords
		return
	}
	g.Value, g.Lo, g.Hi = w.seen.interval(w.level)
	if g.Verdict = w.status(); g.Verdict == fairness.Inconclusive {
		g.Needed = neededMeans(g, observed)
	}
}

func (w *meanWatch) contrast() contrast { return new(meanContrast) }

func (w *meanWatch) fields(c *codec.Coder, old bool) {
	evidence.Means(c, &w.MeanDetector, old)
	w.seen.fields(c)
}

// meanContrast are the predictions of two versions for the same records of both sides.
type meanContrast struct {
	stable, earlier means
	gained          means // the prediction of the stable version above that of the earlier one
}

func (k *meanContrast) add(side fairness.Side, stable, earlier Decision) {
	k.stable.add(side, stable.Score)
	k.earlier.add(side, earlier.Score)
	k.gained.add(side, bounded(stable.Score)-bounded(earlier.Score))
}

func (k *meanContrast) enough() bool { return k.earlier.fewest() >= fairness.SequenceMinimum }

func (k *meanContrast) status(c *fairness.Comparison, level float64) fairness.Status {
	_, lo, hi := k.earlier.interval(level)
	return within(*c, lo, hi)
}

func (k *meanContrast) present() float64 { return k.stable.difference() }

func (k *meanContrast) gain(level float64) (value, lo, hi float64) { return k.gained.interval(level) }

func (k *meanContrast) fields(c *codec.Coder) {
	for _, one := range [...]*means{&k.stable, &k.earlier, &k.gained} {
		one.fields(c)
	}
}

// meanAlarm says that a mean difference has left tau, as a monitor does for rates.
type meanAlarm struct {
	detector fairness.MeanDetector // about tau
	raised   bool
	told     bool  // what was told last
	recent   means // since it was raised last, or since the recent records were looked at
}

// alarmWindow is how many records an alarm looks at to end.
const alarmWindow = 10_000

// add counts a prediction. The alarm is raised if the evidence reaches at.
func (a *meanAlarm) add(side fairness.Side, prediction, tau, at float64) {
	if a.raised {
		a.recent.add(side, prediction)
	}
	if a.detector.Add(side, prediction, tau) && a.detector.Evidence() >= at {
		a.detector.Restart()
		a.raised, a.recent = true, means{}
	}
}

// changed ends the alarm if the recent records are within tau again, and says whether there is something to tell.
func (a *meanAlarm) changed(tau float64) bool {
	if a.raised && a.recent.sides[0].records+a.recent.sides[1].records >= alarmWindow {
		a.raised = !(a.recent.fewest() > 0 && math.Abs(a.recent.difference()) <= tau)
		a.recent = means{}
	}
	changed := a.raised != a.told
	a.told = a.raised
	return changed
}

func (a *meanAlarm) fields(c *codec.Coder, old bool) {
	evidence.Means(c, &a.detector, old)
	c.Bool(&a.raised)
	c.Bool(&a.told)
	a.recent.fields(c)
}

// newWatch returns a watch that has seen nothing.
func (l *limits) newWatch(i int, counts *monitor.Monitor) watch {
	if l.bounds[i].Criterion.OfMeans() {
		return &meanWatch{tau: l.comparisons()[i].Tau, limit: l.bounds[i].Tau, minimum: max(2, l.config.MinimumRecords), level: l.config.Confidence}
	}
	return &rateWatch{monitor: counts, index: i, limit: &l.bounds[i], level: l.config.Confidence}
}
