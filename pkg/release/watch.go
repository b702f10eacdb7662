package release

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
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
	fields(c *codec.Coder)
}

// newWatch returns a watch that has seen nothing.
func (m *Machine) newWatch(g *guard, i int) watch {
	if m.bounds[i].Criterion.OfMeans() {
		return &meanWatch{tau: m.comparisons()[i].Tau, limit: m.bounds[i].Tau, minimum: max(2, m.config.MinimumRecords), level: m.config.Confidence}
	}
	return &rateWatch{guard: g, index: i, limit: &m.bounds[i], level: m.config.Confidence}
}

// watched says whether a comparison has tests of withdrawal: those within strata have none, and those of rates need a monitor.
func (m *Machine) watched(i int) bool {
	c := &m.bounds[i]
	return c.Strata == "" && (c.Criterion.OfMeans() || m.guard.monitor != nil)
}

// rateWatch is about rates of decisions. The monitor of the stable version counts them.
type rateWatch struct {
	fairness.Detector // about the limit, where the monitor's own is about tau
	guard             *guard
	index             int
	limit             *fairness.Comparison
	level             float64
}

func (w *rateWatch) add(side fairness.Side, own Decision) bool {
	return w.Add(side, own.Positive, w.limit)
}

func (w *rateWatch) unfair() bool { return w.guard.monitor.Verdict(w.index) == fairness.Violated }

func (w *rateWatch) enough() bool {
	seen := w.guard.monitor.Seen(w.index)
	return min(fewest(seen.Group), fewest(seen.Versus)) >= fairness.SequenceMinimum
}

func (w *rateWatch) status() fairness.Status {
	seen := w.guard.monitor.Seen(w.index)
	return w.limit.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: w.level}).Status
}

func (w *rateWatch) gate(g *Gate, c *fairness.Comparison, observed int64) {
	seen := w.guard.monitor.Seen(w.index)
	s := c.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: w.level})
	g.Records = seen.Group.Records + seen.Versus.Records
	g.Verdict, g.Value, g.Lo, g.Hi, g.Reason = s.Status, s.Value, s.Lo, s.Hi, s.Reason
	if s.Status == fairness.Inconclusive {
		g.Needed = needed(*c, seen, w.level, observed)
	}
}

func (w *rateWatch) contrast() contrast { return new(rateContrast) }

func (w *rateWatch) fields(c *codec.Coder) { detectorFields(c, &w.Detector) }
