package release

import (
	"fmt"
	"math"
	"strings"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// The lengths of an inquiry, in records: one that an alarm began ends if no test for withdrawal follows, and one with such a test ends by
// marking the stable version if no earlier one has turned out to be better.
const (
	inquiryLength = 20_000
	inquiryWait   = 10_000
)

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

func (m *Machine) endInquiry() {
	m.guard.inquiry = nil
	m.arrange()
}

// tellAlarms turns alarms that were raised or ended into steps.
func (m *Machine) tellAlarms() {
	g := m.guard
	if g.monitor != nil && g.monitor.LastEvent() > g.told {
		for _, e := range g.monitor.Events(g.told) {
			if e.Kind == monitor.VerdictChanged {
				m.tellVerdict(&e)
			} else {
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
	g, about := m.guard, m.comparisons()[i]
	if raised && g.inquiry == nil && m.at.stable >= 0 {
		m.inquire()
	}
	switch {
	case g.marked: // its difference is known to be beyond the limit
	case raised:
		m.step(Step{Kind: Alarm, Version: g.version, Gates: g.gates(), Reason: Beyond(about.Name, about.GroupLabel(), about.VersusLabel())}, m.Aliases())
	default:
		m.step(Step{Kind: AlarmEnded, Version: g.version, Gates: g.gates(), Reason: apart("no farther", about.Name, about.GroupLabel(), about.VersusLabel())}, m.Aliases())
	}
}

// tellVerdict takes a step if the verdict on a comparison becomes violated, or no longer is. Other changes are no news of a version that was tested.
func (m *Machine) tellVerdict(e *monitor.Event) {
	g, kind := m.guard, Violated
	switch {
	case g.marked: // its difference is known to be beyond the limit
		return
	case e.To == fairness.Violated:
	case e.From == fairness.Violated:
		kind = ViolatedEnded
	default:
		return
	}
	c, what, format := m.comparisons()[e.Comparison], "difference", "%+.*f"
	if c.Criterion.OfRatio() {
		what, format = "ratio", "%.*f"
	}
	number := func(x float64) string {
		places := 3
		for places < 6 && math.Abs(x) != c.Tau && fmt.Sprintf("%.*f", places, math.Abs(x)) == fmt.Sprintf("%.*f", places, c.Tau) {
			places++ // until it is told apart from the bound
		}
		return strings.Replace(fmt.Sprintf(format, places, x), "-", "−", 1) // with a minus sign instead of a hyphen
	}
	m.step(Step{Kind: kind, Version: g.version, Gates: g.gates(), Reason: fmt.Sprintf("%s, between %s and %s; the %s is from %s to %s",
		c.Name, c.GroupLabel(), others(c.VersusLabel()), what, number(e.Lo), number(e.Hi))}, m.Aliases())
}

// Beyond says in words what an alarm is about: the groups first, which people know better than the name of a comparison.
func Beyond(name, group, versus string) string {
	return apart("farther", name, group, versus)
}

func apart(how, name, group, versus string) string {
	return fmt.Sprintf("in the newest decisions, %s and %s are %s apart than the limit allows (%s)", group, others(versus), how, name)
}

// others are the second side of a comparison as a sentence calls it.
func others(versus string) string {
	if versus == "rest" {
		return "all others"
	}
	return versus
}

// withdraw returns to an earlier version, if one is better. A pinned version stays.
func (m *Machine) withdraw() bool {
	g := m.guard
	if m.pinned {
		return false
	}
	for k := range g.inquiry.earlier {
		e := &g.inquiry.earlier[k]
		if !g.better(e) {
			continue
		}
		before, gates := m.Aliases(), g.gates()
		why := fmt.Sprintf("%s is beyond its tolerance, and version %s is better on the records since the alarm", g.overNames(), e.version)
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
		why = "its weights are no longer on the topic, so no earlier one can be compared with it"
	case len(g.inquiry.earlier) == 0:
		why = "there is no earlier version"
	}
	first, names, gates := !g.marked, g.overNames(), g.gates()
	m.guard = m.newGuard(g.version, m.last) // the evidence begins again, so that it can show when the version is within the limit again
	m.guard.marked = true
	for i := range g.over {
		m.guard.beyond[i] = g.over[i] || g.beyond[i]
	}
	m.arrange()
	if first {
		m.step(Step{Kind: Marked, Version: g.version, Gates: gates, Reason: names + " is beyond its tolerance, and the version stays: " + why}, m.Aliases())
	}
}

// checkStable looks at the stable version: at its alarms, at the tests, and at what the inquiry found.
func (m *Machine) checkStable() {
	g := m.guard
	g.forgive()
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
	if g.marked && g.crossed == 0 && g.insideLimit() {
		g.marked = false
		clear(g.beyond)
		m.step(Step{Kind: Cleared, Version: g.version, Gates: g.gates(), Reason: "the records since the mark are within the tolerance"}, m.Aliases())
	}
}
