package release

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// guard watches the stable version.
type guard struct {
	version  Version
	since    int64 // the number of the last record before it was watched
	observed int64
	monitor  *monitor.Monitor // nil if no comparison is of rates
	told     int64            // the last event of the monitor that was looked at
	// tests are the detectors of withdrawal, by comparison: like the monitor's own, but about the limit. over are those that raised theirs
	// since the inquiry began, and crossed is how many records there were then.
	tests   []fairness.Detector
	over    []bool
	crossed int64 // machine records at the first crossing, 0 without one
	marked  bool
	inquiry *inquiry
}

// The lengths of an inquiry, in records: one that an alarm began ends if no test for withdrawal follows, and one with such a test ends by
// marking the stable version if no earlier one has turned out to be better.
const (
	inquiryLength = 20_000
	inquiryWait   = 10_000
)

// newGuard watches a version from the next record on.
func (m *Machine) newGuard(v Version) *guard {
	return &guard{version: v, since: m.last, monitor: m.newMonitor("stable", v), tests: make([]fairness.Detector, len(m.bounds)), over: make([]bool, len(m.bounds))}
}

// observeStable counts a record, and its label if that is known.
func (m *Machine) observeStable(r *Record) {
	g, own := m.guard, r.Decisions[m.at.stable]
	g.observed++
	if q := g.inquiry; q != nil {
		q.observed++
	}
	if !own.Known || g.monitor == nil {
		return
	}
	g.monitor.Observe(m.monitored(own, r))
	m.testStable(own, r, true)
}

// labelStable counts a label that came later.
func (m *Machine) labelStable(r *Record) {
	g, own := m.guard, r.Decisions[m.at.stable]
	if r.Number <= g.since || !own.Known || g.monitor == nil {
		return
	}
	g.monitor.Label(m.monitored(own, r))
	m.testStable(own, r, false)
}

// testStable feeds the tests of withdrawal and the inquiry.
func (m *Machine) testStable(own Decision, r *Record, isNew bool) {
	g := m.guard
	m.findSides(r)
	for i := range m.bounds {
		side, c := m.sides[i], &m.bounds[i]
		if side != fairness.Group && side != fairness.Versus || !sequenced(*c) {
			continue
		}
		if condition := c.Criterion.Condition(); condition == fairness.AnyLabel {
			if !isNew {
				continue
			}
		} else if !r.Labelled || !condition.Holds(r.Label) {
			continue
		}
		if q := g.inquiry; q != nil && r.Number > q.since {
			for k := range q.earlier {
				if d := r.Decisions[m.at.earlier[k]]; d.Known {
					q.earlier[k].by[i].sides[side-fairness.Group].add(own.Positive, d.Positive)
				}
			}
		}
		if g.tests[i].Add(side, own.Positive, c) && g.tests[i].Evidence() >= m.withdrawAt && m.decides(i) {
			g.tests[i].Restart()
			g.over[i] = true
			if g.crossed == 0 {
				g.crossed = m.records
			}
		}
	}
}

// watch looks at the stable version: at its alarms, at the tests, and at what the inquiry found.
func (m *Machine) watch() {
	g := m.guard
	if g.monitor == nil {
		return
	}
	if g.monitor.LastEvent() > g.told {
		m.tellAlarms()
	}
	if g.crossed > 0 && g.inquiry == nil {
		m.inquire()
	}
	switch q := g.inquiry; {
	case q == nil:
	case g.crossed == 0:
		if q.observed >= inquiryLength {
			m.endInquiry()
		}
	case m.withdraw():
		return
	case len(q.earlier) == 0 || q.observed >= inquiryWait && m.records-g.crossed >= inquiryWait/2:
		m.mark()
	}
	if g.marked && g.crossed == 0 && m.insideLimit() {
		g.marked = false
		m.step(Step{Kind: Cleared, Version: g.version, Gates: m.stableGates(true), Reason: "the records since the mark are within the limit"}, m.Aliases())
	}
}

// tellAlarms turns events of the monitor into steps. An alarm begins an inquiry.
func (m *Machine) tellAlarms() {
	g := m.guard
	for _, e := range g.monitor.Events(g.told) {
		c := m.comparisons()[e.Comparison]
		if e.Kind == monitor.AlarmRaised && g.inquiry == nil {
			m.inquire()
		}
		switch {
		case g.marked: // its difference is known to be beyond the limit
		case e.Kind == monitor.AlarmRaised:
			m.step(Step{Kind: Alarm, Version: g.version, Gates: m.stableGates(true), Reason: c.Name + " has left tau"}, m.Aliases())
		case e.Kind == monitor.AlarmEnded:
			m.step(Step{Kind: AlarmEnded, Version: g.version, Gates: m.stableGates(true), Reason: c.Name + " is within tau again"}, m.Aliases())
		}
	}
	g.told = g.monitor.LastEvent()
}

// inquire begins to compare the stable version with earlier ones.
func (m *Machine) inquire() {
	q := &inquiry{since: m.last}
	for _, v := range m.line.earlier() {
		q.earlier = append(q.earlier, earlier{v, make([]contrast, len(m.bounds))})
	}
	m.guard.inquiry = q
	m.arrange()
}

func (m *Machine) endInquiry() {
	m.guard.inquiry = nil
	m.arrange()
}

// withdraw returns to an earlier version, if one is better. A pinned version stays.
func (m *Machine) withdraw() bool {
	g := m.guard
	if m.pinned {
		return false
	}
	for k := range g.inquiry.earlier {
		e := &g.inquiry.earlier[k]
		if !m.better(e, g.over) {
			continue
		}
		before, gates := m.Aliases(), m.stableGates(true)
		why := fmt.Sprintf("%s is outside its limit, and version %s is better on the records since the alarm", m.overNames(), e.version)
		m.ban(g.version)
		m.line = m.line.without(g.version).push(m.line.find(e.version), m.config.Anchors)
		m.change(Step{Kind: Withdrawn, Version: before.Stable, Gates: gates, Reason: why}, before)
		return true
	}
	return false
}

// mark notes that the stable version is outside the limit, and that no earlier one is better.
func (m *Machine) mark() {
	g := m.guard
	why := "no earlier version is better on the records since the alarm"
	switch {
	case m.pinned:
		why = "it is pinned"
	case len(g.inquiry.earlier) == 0:
		why = "there is no earlier version"
	}
	first, names, gates := !g.marked, m.overNames(), m.stableGates(true)
	m.guard = m.newGuard(g.version) // the evidence begins again, so that it can show when the version is within the limit again
	m.guard.marked = true
	m.arrange()
	if first {
		m.step(Step{Kind: Marked, Version: g.version, Gates: gates, Reason: names + " is outside its limit, and the version stays: " + why}, m.Aliases())
	}
}

// overNames are the comparisons that left their limits.
func (m *Machine) overNames() string {
	names := ""
	for i, over := range m.guard.over {
		if over {
			if names != "" {
				names += ", "
			}
			names += m.comparisons()[i].Name
		}
	}
	return names
}

// unfair says whether the stable version is known to be: it is marked, or the sequence of a comparison that decides is violated.
func (m *Machine) unfair() bool {
	g := m.guard
	if g == nil || g.monitor == nil {
		return false
	}
	if g.marked {
		return true
	}
	for i := range m.bounds {
		if m.decides(i) && g.monitor.Verdict(i) == fairness.Violated {
			return true
		}
	}
	return false
}

// insideLimit says whether every comparison that left the limit is shown to be within it again.
func (m *Machine) insideLimit() bool {
	shown := false
	for i := range m.bounds {
		if !m.decides(i) || !m.comparisons()[i].Known() || !sequenced(m.bounds[i]) {
			continue
		}
		seen := m.guard.monitor.Seen(i)
		if min(fewest(seen.Group), fewest(seen.Versus)) < fairness.SequenceMinimum {
			continue
		}
		if m.bounds[i].Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: m.config.Confidence}).Status != fairness.Met {
			return false
		}
		shown = true
	}
	return shown
}

// stableGates are the comparisons of the stable version against their limits, since it has been watched. They decide nothing by themselves.
func (m *Machine) stableGates(words bool) []Gate {
	var gates []Gate
	if m.guard == nil || m.guard.monitor == nil {
		return nil
	}
	for i, c := range m.comparisons() {
		if !c.Known() || !sequenced(c) {
			continue
		}
		g := newGate(GateComparison)
		g.Comparison, g.Criterion, g.Index, g.Decides = c.Name, c.Criterion, i, m.decides(i)
		c.Tau = m.bounds[i].Tau
		seen := m.guard.monitor.Seen(i)
		s := c.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: m.config.Confidence})
		g.Limit, g.Records = c.Tau, seen.Group.Records+seen.Versus.Records
		g.Verdict, g.Value, g.Lo, g.Hi, g.Reason = s.Status, s.Value, s.Lo, s.Hi, s.Reason
		if words && s.Status == fairness.Inconclusive {
			g.Needed = needed(c, seen, m.config.Confidence, m.guard.observed)
		}
		gates = append(gates, g)
	}
	return gates
}

// evidence is that of the tests of withdrawal, the largest, as a share of what raises one.
func (g *guard) evidence(at float64) float64 {
	most := 0.0
	for i := range g.tests {
		most = math.Max(most, g.tests[i].Evidence()/at)
	}
	return most
}
