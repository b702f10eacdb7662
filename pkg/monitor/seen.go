package monitor

import (
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Seen is what the sequence of one comparison rests on.
type Seen struct {
	// Group and Versus are the decisions that meet the condition, in records.
	Group, Versus fairness.Trials
	// Neither and Unknown are records on neither side, and records that lack an attribute, whatever their label.
	Neither, Unknown int64
	// Selective is true if labels come for one decision only, so that rates given the label say nothing.
	Selective bool
}

// Seen is what was seen of a comparison, the index of which is that of Grouper.Comparisons, up to the present record. It does not
// allocate: a caller may look at a sequence of its own level, or against a bound of its own, as often as it likes.
func (m *Monitor) Seen(comparison int) Seen {
	c := &m.claims[comparison]
	n := m.counters.inAll(m.buffer[:], comparison*perComparison)
	s := Seen{Group: c.trials[0], Versus: c.trials[1], Neither: n[atNeither], Unknown: n[atUnknown], Selective: c.selective}
	if !m.config.Exact {
		group, versus := sidesOf(n)
		measure := measureOf(m.config.Grouper.Comparisons()[comparison].Criterion)
		s.Group, s.Versus = trialsOf(group, measure), trialsOf(versus, measure)
	}
	return s
}

// Verdict is the status of a comparison's sequence at the last look, which is against tau.
func (m *Monitor) Verdict(comparison int) fairness.Status { return m.claims[comparison].status }

// Alarmed says whether the alarm of a comparison is raised.
func (m *Monitor) Alarmed(comparison int) bool { return m.claims[comparison].alarm.raised }
