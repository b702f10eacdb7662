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
		group, versus := m.both(i, inAll)
		c.selective = comparison.needsLabels() && (selective(group) != "" || selective(versus) != "")
		c.seen, c.paired = c.trials, c.detector.Differences
		if !m.ownTrials() {
			measure := measureOf(comparison.Criterion)
			c.seen = [2]fairness.Trials{trialsOf(group.Outcomes, measure), trialsOf(versus.Outcomes, measure)}
		}
		if m.weighs(i) {
			measure := measureOf(comparison.Criterion)
			c.stood = [2]fairness.Count{group.Count(measure), versus.Count(measure)}
		}
		sequence := m.sequence(i)
		status := comparison.Settled(c.status, sequence)
		if status == fairness.Met && c.weighed() {
			status = sequence.Status // of weighed decisions it is never met, not even if it was before
		}
		if status != c.status {
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
	group, versus := m.both(i, inRecent)
	measure := measureOf(comparison.Criterion)
	one, other := group.Count(measure).Rate(), versus.Count(measure).Rate()
	if comparison.Criterion.OfRatio() {
		return min(one, other) >= float64(comparison.Tau*max(one, other))
	}
	return math.Abs(one-other) <= comparison.Tau
}

// draw adds a point to every comparison, if one is due.
func (m *Monitor) draw(at moment) {
	s := &m.series
	if m.steps%s.stride != 0 {
		return
	}
	if len(s.at) == seriesPoints {
		s.halve()
		if m.steps%s.stride != 0 {
			return
		}
	}
	s.at = append(s.at, at)
	options := m.options()
	for i, comparison := range m.comparisons() {
		v := values{absent, absent, absent, absent, absent, absent}
		if comparison.known {
			group, versus := m.both(i, inRecent)
			gap := newGap(comparison.Comparison, measureOf(comparison.Criterion), group, versus, options)
			if comparison.Criterion.OfRatio() && gap.Reason == "" {
				r := fairness.NewRatio(group.Count(SelectionRate).Rate(), float64(group.Records()), versus.Count(SelectionRate).Rate(), float64(versus.Records()), options.Level)
				gap.Value, gap.Lo, gap.Hi = r.Value, r.Lo, r.Hi
			}
			if comparison.Strata != "" {
				gap.Value, gap.Lo, gap.Hi = math.NaN(), math.NaN(), math.NaN()
			}
			sequence := m.sequence(i)
			v = values{point(gap.Value), point(gap.Lo), point(gap.Hi), point(sequence.Value), point(sequence.Lo), point(sequence.Hi)}
		}
		s.points[i] = append(s.points[i], v)
	}
}
