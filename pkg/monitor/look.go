package monitor

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// look computes the verdict of every comparison again, and ends alarms.
func (m *Monitor) look() {
	m.looked = m.records
	at := moment{record: m.records}
	if m.timed {
		at.time = m.last
	}
	for i, comparison := range m.comparisons() {
		if !comparison.known {
			continue
		}
		c := &m.claims[i]
		group, versus := m.all(i)
		c.selective = comparison.needsLabels() && (selective(group) != "" || selective(versus) != "")
		c.seen = c.trials
		if !m.config.Exact {
			measure := measureOf(comparison.Criterion)
			c.seen = [2]fairness.Trials{trialsOf(group, measure), trialsOf(versus, measure)}
		}
		sequence := m.sequence(i)
		if status := comparison.Settled(c.status, sequence); status != c.status {
			m.events.add(event{kind: VerdictChanged, comparison: i, at: at, from: c.status, to: status,
				value: sequence.Value, lo: sequence.Lo, hi: sequence.Hi})
			c.status, c.changed = status, at
		}
		if c.alarm.raised && m.ended(i) {
			c.alarm = alarm{}
			m.events.add(event{kind: AlarmEnded, comparison: i, at: at})
		}
	}
	m.draw(at)
}

// ended says whether an alarm is over: the recent window holds only records after it was raised last, and its difference, or ratio,
// keeps tau.
func (m *Monitor) ended(i int) bool {
	if m.records-m.claims[i].alarm.last < int64(m.config.Window) {
		return false
	}
	comparison := m.config.Grouper.Comparisons()[i]
	group, versus := m.recent(i)
	measure := measureOf(comparison.Criterion)
	one, other := group.Count(measure).Rate(), versus.Count(measure).Rate()
	if comparison.Criterion.OfRatio() {
		return min(one, other) >= float64(comparison.Tau*max(one, other))
	}
	return math.Abs(one-other) <= comparison.Tau
}

// sequence is that of a comparison at the last look.
func (m *Monitor) sequence(i int) fairness.Sequence {
	c := &m.claims[i]
	comparison := m.config.Grouper.Comparisons()[i]
	s := comparison.Sequence(c.seen[0], c.seen[1], fairness.SequenceOptions{Level: c.level, Exact: m.config.Exact})
	if c.selective {
		group, versus := m.all(i)
		s.Status, s.Reason = fairness.NotEstimable, whySelective(&comparison, group, versus)
		s.Value, s.Lo, s.Hi = math.NaN(), math.NaN(), math.NaN()
	}
	return s
}

func trialsOf(o Outcomes, m Measure) fairness.Trials {
	k, n := o.share(m)
	return fairness.Trials{Records: n, Positives: k}
}

// all and recent are the outcomes of both sides of a comparison.
func (m *Monitor) all(i int) (group, versus Outcomes) {
	return sidesOf(m.counters.inAll(m.buffer[:], i*perComparison))
}

func (m *Monitor) recent(i int) (group, versus Outcomes) {
	return sidesOf(m.counters.inRecent(m.buffer[:], i*perComparison))
}

func sidesOf(n []int64) (group, versus Outcomes) { return newOutcomes(n), newOutcomes(n[atVersus:]) }

// comparison is a declared comparison as a monitor sees it.
type comparison struct {
	fairness.Comparison
	known bool // its groups are
}

// needsLabels says whether the criterion is about rates given the label.
func (c *comparison) needsLabels() bool { return c.Criterion.Condition() != fairness.AnyLabel }
