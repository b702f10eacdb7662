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
	alarms   []meanAlarm      // by comparison; nil unless some are of means
	// watches are the tests of withdrawal, by comparison. over are those that were beyond their limit since the inquiry began, and crossed is how
	// many records there were then.
	watches []watch
	over    []bool
	beyond  []bool // those that the mark is about
	crossed int64  // machine records at the first crossing, 0 without one
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
	n := len(m.bounds)
	g := &guard{version: v, since: m.last, monitor: m.newMonitor("stable", v), watches: make([]watch, n), over: make([]bool, n), beyond: make([]bool, n)}
	for i := range g.watches {
		g.watches[i] = m.newWatch(g, i)
	}
	if m.hasMeans() {
		g.alarms = make([]meanAlarm, n)
	}
	return g
}

// observeStable counts a record, and its label if that is known.
func (m *Machine) observeStable(r *Record) {
	g, own := m.guard, r.Decisions[m.at.stable]
	g.observed++
	if q := g.inquiry; q != nil {
		q.observed++
	}
	if !own.Known || len(g.watches) == 0 {
		return
	}
	if g.monitor != nil {
		g.monitor.Observe(m.monitored(own, r))
	}
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
		side := m.sides[i]
		if side != fairness.Group && side != fairness.Versus || !m.watched(i) {
			continue
		}
		if condition := m.bounds[i].Criterion.Condition(); condition == fairness.AnyLabel {
			if !isNew {
				continue
			}
		} else if !r.Labelled || !condition.Holds(r.Label) {
			continue
		}
		if q := g.inquiry; q != nil && r.Number > q.since {
			for k := range q.earlier {
				if d := r.Decisions[m.at.earlier[k]]; d.Known {
					q.earlier[k].by[i].add(side, own, d)
				}
			}
		}
		if g.alarms != nil {
			g.alarms[i].add(side, own.Score, m.comparisons()[i].Tau, m.alarmAt[i])
		}
		if w := g.watches[i]; w.add(side, own) && w.Evidence() >= m.withdrawAt && m.decides(i) {
			w.Restart()
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
	m.tellAlarms()
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
		clear(g.beyond)
		m.step(Step{Kind: Cleared, Version: g.version, Gates: m.stableGates(), Reason: "the records since the mark are within the limit"}, m.Aliases())
	}
}

// tellAlarms turns alarms that were raised or ended into steps.
func (m *Machine) tellAlarms() {
	g := m.guard
	if g.monitor != nil && g.monitor.LastEvent() > g.told {
		for _, e := range g.monitor.Events(g.told) {
			if e.Kind != monitor.VerdictChanged {
				m.tellAlarm(e.Comparison, e.Kind == monitor.AlarmRaised)
			}
		}
		g.told = g.monitor.LastEvent()
	}
	for i := range g.alarms {
		if a := &g.alarms[i]; a.changed(m.comparisons()[i].Tau) {
			m.tellAlarm(i, a.raised)
		}
	}
}

// tellAlarm takes a step. An alarm that is raised begins an inquiry.
func (m *Machine) tellAlarm(i int, raised bool) {
	g, name := m.guard, m.comparisons()[i].Name
	if raised && g.inquiry == nil && m.at.stable >= 0 {
		m.inquire()
	}
	switch {
	case g.marked: // its difference is known to be beyond the limit
	case raised:
		m.step(Step{Kind: Alarm, Version: g.version, Gates: m.stableGates(), Reason: name + " has left tau"}, m.Aliases())
	default:
		m.step(Step{Kind: AlarmEnded, Version: g.version, Gates: m.stableGates(), Reason: name + " is within tau again"}, m.Aliases())
	}
}

// inquire begins to compare the stable version with earlier ones, unless its document is gone.
func (m *Machine) inquire() {
	q := &inquiry{since: m.last}
	if m.at.stable >= 0 {
		for _, v := range m.line.earlier() {
			q.earlier = append(q.earlier, earlier{v, m.guard.contrasts()})
		}
	}
	m.guard.inquiry = q
	m.arrange()
}

// contrasts are empty ones, by comparison.
func (g *guard) contrasts() []contrast {
	all := make([]contrast, len(g.watches))
	for i, w := range g.watches {
		all[i] = w.contrast()
	}
	return all
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
		before, gates := m.Aliases(), m.stableGates()
		why := fmt.Sprintf("%s is outside its limit, and version %s is better on the records since the alarm", m.overNames(), e.version)
		next := m.line.find(e.version)
		m.ban(g.version)
		m.line = m.line.push(next, m.config.Anchors)
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
	case m.at.stable < 0:
		why = "its document is no longer on the topic, so no earlier one can be compared with it"
	case len(g.inquiry.earlier) == 0:
		why = "there is no earlier version"
	}
	first, names, gates := !g.marked, m.overNames(), m.stableGates()
	m.guard = m.newGuard(g.version) // the evidence begins again, so that it can show when the version is within the limit again
	m.guard.marked = true
	for i := range g.over {
		m.guard.beyond[i] = g.over[i] || g.beyond[i]
	}
	m.arrange()
	if first {
		m.step(Step{Kind: Marked, Version: g.version, Gates: gates, Reason: names + " is outside its limit, and the version stays: " + why}, m.Aliases())
	}
}

// overNames are the comparisons that left their limits.
func (m *Machine) overNames() string { return m.names(m.guard.over) }

func (m *Machine) names(of []bool) string {
	names := ""
	for i, is := range of {
		if is {
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
	if g == nil {
		return false
	}
	if g.marked {
		return true
	}
	for i, w := range g.watches {
		if m.decides(i) && m.watched(i) && w.unfair() {
			return true
		}
	}
	return false
}

// insideLimit says whether every comparison that left the limit is shown to be within it again.
func (m *Machine) insideLimit() bool {
	shown := false
	for i, w := range m.guard.watches {
		if !m.decides(i) || !m.comparisons()[i].Known() || !m.watched(i) || !w.enough() {
			continue
		}
		if w.status() != fairness.Met {
			return false
		}
		shown = true
	}
	return shown
}

// stableGates are the comparisons of the stable version against their limits, since it has been watched. They decide nothing by themselves.
func (m *Machine) stableGates() []Gate {
	var gates []Gate
	if m.guard == nil {
		return nil
	}
	for i, c := range m.comparisons() {
		if !c.Known() || !m.watched(i) {
			continue
		}
		c.Tau = m.bounds[i].Tau
		g := newGate(GateComparison)
		g.Comparison, g.Criterion, g.Index, g.Decides, g.Limit = c.Name, c.Criterion, i, m.decides(i), c.Tau
		m.guard.watches[i].gate(&g, &c, m.guard.observed)
		gates = append(gates, g)
	}
	return gates
}

// evidence is that of the tests of withdrawal, the largest, as a share of what raises one.
func (g *guard) evidence(at float64) float64 {
	most := 0.0
	for _, w := range g.watches {
		most = math.Max(most, w.Evidence()/at)
	}
	return most
}
