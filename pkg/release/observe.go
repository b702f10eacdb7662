package release

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// Pass notes the number of a record that came while no version was wanted, so that steps tell after how many records they were taken.
func (m *Machine) Pass(number int64) { m.last = max(m.last, number) }

// Observe counts one record. Its decisions must be those of Wanted. The machine keeps no reference to r.
func (m *Machine) Observe(r *Record) {
	m.check(r)
	m.records++
	m.last = max(m.last, r.Number)
	if !r.Time.IsZero() {
		m.lastTime = max(m.lastTime, r.Time.UnixMilli())
	}
	if m.at.stable >= 0 {
		m.observeStable(r)
	}
	if m.trial != nil {
		m.observeCandidate(r)
	}
	m.count()
}

// Label counts the label of a record that was observed without one. The caller gives the record again, with its number, its label, and the
// decisions of Wanted as it is now. The label counts for the versions that were frozen when the record was observed.
func (m *Machine) Label(r *Record) {
	m.check(r)
	if !r.Labelled {
		panic("release: Label needs a record with its label")
	}
	if m.at.stable >= 0 {
		m.labelStable(r)
	}
	if m.trial != nil {
		m.labelCandidate(r)
	}
	m.count()
}

// weight is for how many records a labelled one stands.
func (r *Record) weight() float64 {
	if r.Weight == 0 {
		return 1
	}
	return r.Weight
}

func (m *Machine) check(r *Record) {
	if len(r.Decisions) != len(m.wanted) {
		panic("release: a record needs one decision for each version of Wanted, as it is now")
	}
}

// findSides writes the side of the record in every comparison, whatever its label.
func (m *Machine) findSides(r *Record) {
	m.grouper.Sides(m.sides, r.Levels, true)
	m.grouper.Sides(m.other, r.Levels, false)
	for i, side := range m.other {
		if m.sides[i] == fairness.Excluded {
			m.sides[i] = side
		}
	}
}

// monitored is a decision for a monitor.
func (m *Machine) monitored(own Decision, r *Record) *monitor.Decision {
	m.decision = monitor.Decision{Levels: r.Levels, Positive: own.Positive, Score: own.Score, Labelled: r.Labelled, Label: r.Label, Weight: r.Weight, Time: r.Time}
	return &m.decision
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
		if side != fairness.Group && side != fairness.Versus || !g.watched(i) {
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

// observeCandidate counts a record, and its label if that is known.
func (m *Machine) observeCandidate(r *Record) {
	t, own := m.trial, r.Decisions[m.at.candidate]
	t.observed++
	if !own.Known {
		t.undecided++
		return
	}
	if t.monitor != nil {
		t.monitor.Observe(m.monitored(own, r))
	}
	m.countMeans(own, r)
	if r.Labelled {
		m.countLosses(r)
	}
}

// labelCandidate counts a label that came later.
func (m *Machine) labelCandidate(r *Record) {
	t, own := m.trial, r.Decisions[m.at.candidate]
	if r.Number <= t.frozen || !own.Known {
		return
	}
	if t.monitor != nil {
		t.monitor.Label(m.monitored(own, r))
	}
	m.countLosses(r)
}

// countMeans counts a prediction in every comparison of means.
func (m *Machine) countMeans(own Decision, r *Record) {
	t := m.trial
	if t.means == nil {
		return
	}
	m.grouper.Sides(m.sides, r.Levels, true)
	for i, side := range m.sides {
		if m.bounds[i].Criterion.OfMeans() {
			t.means[i].add(side, own.Score)
		}
	}
}

// countLosses compares what the candidate and its rivals lose on a labelled record.
func (m *Machine) countLosses(r *Record) {
	t, own := m.trial, m.lost(r.Decisions[m.at.candidate], r)
	weight := r.weight()
	t.selective = t.selective || weight != 1
	if t.selective && r.Weight == 0 {
		return // nobody knows for how many it stands
	}
	t.labelled++
	t.rivals[0].add(own, m.lost(t.constant.decide(m.config.Regression), r), weight)
	t.constant.add(r, m.config.Regression)
	for i := 1; i < len(t.rivals); i++ {
		if d := r.Decisions[m.at.rivals[i-1]]; d.Known {
			t.rivals[i].add(own, m.lost(d, r), weight)
		}
	}
}

func (m *Machine) count() {
	if m.steps++; m.steps%look == 0 {
		m.decide()
	}
}

// decide looks at the evidence, and takes the steps that follow.
func (m *Machine) decide() {
	if m.guard != nil {
		m.checkStable()
	}
	t := m.trial
	if t == nil {
		return
	}
	gates := m.trialGates(t, false)
	switch all := verdict(gates); {
	case all == fairness.Violated:
		m.reject(t, "it failed a test: "+open(gates, fairness.Violated))
	case all == fairness.Met:
		if !m.paused && !m.pinned && m.cool() == 0 {
			m.promote(t.version, t, Step{Kind: Promoted, Gates: m.trialGates(t, true), Reason: "it passed every test"})
		}
	case t.labelled >= m.config.Deadline:
		m.reject(t, fmt.Sprintf("it had not passed every test by the deadline, %d records with a label: %s", m.config.Deadline, open(gates, "")))
	case t.observed >= m.config.Patience:
		m.reject(t, fmt.Sprintf("too few labels came: %d of %d records have one", t.labelled, t.observed))
	}
}
