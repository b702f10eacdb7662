package monitor

import (
	"time"

	"github.com/fairstream/fairstream/internal/persons"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Observe counts a decision, and its label if that is known already. The monitor keeps no reference to d.
func (m *Monitor) Observe(d *Decision) {
	m.check(d)
	m.records++
	m.counters.begin(d.Time)
	if !d.Time.IsZero() {
		at := d.Time.UnixMilli()
		if !m.timed {
			m.first, m.last, m.timed = at, at, true
		}
		m.first, m.last = min(m.first, at), max(m.last, at)
	}
	m.count(d, true)
}

// Label counts the label of a decision that was observed without one. The caller gives the decision again, with its label and the time at
// which the label arrived.
func (m *Monitor) Label(d *Decision) {
	if !d.Labelled {
		panic("monitor: Label needs a decision with its label")
	}
	m.check(d)
	m.counters.findPeriod(d.Time)
	m.count(d, false)
}

// check panics before anything is counted of a decision that lacks levels.
func (m *Monitor) check(d *Decision) {
	if len(d.Levels) < m.attributes {
		panic("monitor: a decision needs a level for each attribute of the Grouper")
	}
}

// count adds to every counter that a decision, if it is new, and its label concern.
func (m *Monitor) count(d *Decision, isNew bool) {
	if d.Labelled {
		m.labelled++
		if d.weighs() && !m.counters.sums.begun() {
			m.counters.sums.begin(len(m.claims) * perStanding)
		}
	}
	counter := counterOf(d, isNew)
	m.findSides(d)
	decision, label := m.counts(d, isNew)
	for i := range m.claims {
		if side, condition := m.compare(i, counter, isNew), m.claims[i].condition; side == fairness.Group || side == fairness.Versus {
			m.stand(i, side, d)
			if condition == fairness.AnyLabel && decision || condition != fairness.AnyLabel && label && condition.Holds(d.Label) {
				m.claim(i, side, d)
			}
		}
	}
	for k := range m.groups.kinds {
		at, first := m.groups.cell(k, d.Levels)
		if first {
			m.counters.grow(m.counters.size + perGroup)
		}
		if at < 0 {
			m.groups.beyond++
			continue
		}
		m.counters.add(len(m.claims)*perComparison + at*perGroup + counter)
		if d.calibrated() {
			m.groups.cells[at].calibration.add(d.Score, d.Label)
		}
	}
	if m.steps++; m.steps%int64(m.config.Look) == 0 {
		m.look()
	}
}

// findSides writes the side of the record in every comparison, whatever its label.
func (m *Monitor) findSides(d *Decision) {
	m.config.Grouper.Sides(m.sides, d.Levels, true)
	if !m.conditional {
		return
	}
	m.config.Grouper.Sides(m.other, d.Levels, false)
	for i, side := range m.other {
		if m.sides[i] == fairness.Excluded {
			m.sides[i] = side
		}
	}
}

// counts says whether the decision counts for sequences and detectors, and whether it does for those of rates given the label: when it is made
// or its label comes, and once a person.
func (m *Monitor) counts(d *Decision, isNew bool) (decision, label bool) {
	decision, label = isNew, d.Labelled
	if m.config.Cluster != "" {
		switch {
		case d.Person != 0:
			decision = decision && m.persons[0].Meet(d.Person)
			label = label && m.conditional && m.persons[1].Meet(d.Person)
		case isNew:
			m.apart.Unknown++
		}
	}
	switch {
	case decision:
		m.repeats.Add(persons.Marks{persons.Content: d.Content, persons.Identity: d.Identity})
	case isNew:
		m.apart.Repeated++
	}
	return decision, label
}

// compare counts the decision in a comparison, and returns its side.
func (m *Monitor) compare(i, counter int, isNew bool) fairness.Side {
	first := i * perComparison
	side := m.sides[i]
	switch side {
	case fairness.Group:
		m.counters.add(first + counter)
	case fairness.Versus:
		m.counters.add(first + atVersus + counter)
	default:
		if counter = atNeither; side == fairness.Unknown {
			counter = atUnknown
		}
		if isNew {
			m.counters.add(first + counter)
		}
	}
	return side
}

// stand counts what a labelled decision on a side stands for.
func (m *Monitor) stand(i int, side fairness.Side, d *Decision) {
	if f := &m.counters; d.Labelled && d.Weight > 0 && f.sums.begun() {
		f.sums.add(i*perStanding+int(side-fairness.Group)*len(standing{})+cellOf(d), d.Weight, f.open, f.now)
	}
}

// claim adds a decision on a side to what the sequence and the detector of a comparison rest on.
func (m *Monitor) claim(i int, side fairness.Side, d *Decision) {
	c := &m.claims[i]
	if m.ownTrials() {
		c.trials[side-fairness.Group].Add(d.Positive)
	}
	comparison := &m.config.Grouper.Comparisons()[i]
	if comparison.Strata != "" {
		return // its sides are compared within strata only
	}
	if c.detector.Add(side, d.Positive, comparison) && c.detector.Evidence() >= c.alarmAt {
		m.raise(i, d.Time)
	}
}

// raise notes an alarm, and restarts the detector.
func (m *Monitor) raise(i int, at time.Time) {
	c := &m.claims[i]
	evidence := c.detector.Evidence()
	c.detector.Restart()
	if c.selective || m.weighs(i) {
		return
	}
	c.alarm.last = m.records
	if c.alarm.raised {
		return
	}
	c.alarm.raised, c.alarm.since = true, m.moment(at)
	m.events.add(event{kind: AlarmRaised, comparison: i, at: c.alarm.since, evidence: evidence})
}
