package release

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// decide looks at the evidence, and takes the steps that follow.
func (m *Machine) decide() {
	if m.guard != nil {
		m.watch()
	}
	t := m.trial
	if t == nil {
		return
	}
	gates := m.judged(t, false)
	switch all := verdict(gates); {
	case all == fairness.Violated:
		m.reject(t, "violated: "+open(gates, fairness.Violated))
	case all == fairness.Met:
		if !m.paused && !m.pinned && m.cool() == 0 {
			m.promote(t.version, t, Step{Kind: Promoted, Gates: m.judged(t, true), Reason: "all gates are met"})
		}
	case t.labelled >= m.config.Deadline:
		m.reject(t, fmt.Sprintf("not met by the deadline, %d records with a label: %s", m.config.Deadline, open(gates, "")))
	case t.observed >= m.config.Patience:
		m.reject(t, fmt.Sprintf("labels did not come: %d of %d records have one", t.labelled, t.observed))
	}
}

// cool is how many records of the cool-down are left.
func (m *Machine) cool() int64 {
	if m.guard == nil {
		return 0
	}
	return max(0, m.config.CoolDown-(m.records-m.changed))
}

// reject ends the trial of the candidate.
func (m *Machine) reject(t *trial, why string) {
	before, gates := m.Aliases(), m.judged(t, true)
	m.tried = remember(m.tried, t.version.SHA256)
	m.trial = nil
	m.arrange()
	m.step(Step{Kind: Rejected, Version: t.version, Gates: gates, Reason: why}, before)
	m.next()
}

// next freezes the version that waits, if there is no candidate.
func (m *Machine) next() {
	if m.trial == nil && m.waiting != nil {
		o := m.waiting
		m.waiting = nil
		m.freeze(o.version, o.integrity, "")
	}
}

// promote makes a version stable. t is its evidence; nil if a person chose it without.
func (m *Machine) promote(v Version, t *trial, s Step) {
	before := m.Aliases()
	f := former{version: v}
	if t != nil && len(t.rivals) > 1 && t.rivals[1].loss.records > 0 && !m.unfair() {
		anchor := m.line.anchor()
		f.chain, f.loss = anchor.chain, anchor.loss+t.rivals[1].loss.mean
	} else {
		m.chain++
		f.chain = m.chain
	}
	m.untest(v)
	m.line = m.line.push(f, m.config.Anchors)
	s.Version = v
	m.change(s, before)
	m.next()
}

// change discards the evidence after the stable version has changed: the new stable version is watched from the next record on, and the
// candidate is compared with the new stable version.
func (m *Machine) change(s Step, before Aliases) {
	m.changed = m.records
	m.guard = m.newGuard(m.line.stable())
	m.arrange()
	m.step(s, before)
	if t := m.trial; t != nil {
		m.freeze(t.version, t.integrity, "the stable version has changed: the evidence begins again")
	}
}

// untest ends the test of weights that become stable: a version must not be tested against itself.
func (m *Machine) untest(v Version) {
	if m.trial != nil && m.trial.version.sameWeights(v) {
		m.trial = nil
	}
	if m.waiting != nil && m.waiting.version.sameWeights(v) {
		m.waiting = nil
	}
}

// ban keeps a withdrawn hash, and forgets every version with these weights.
func (m *Machine) ban(v Version) {
	m.banned = remember(m.banned, v.SHA256)
	m.line = slices.DeleteFunc(slices.Clone(m.line), func(f former) bool { return f.version.sameWeights(v) })
}

func remember(hashes []string, hash string) []string {
	if slices.Contains(hashes, hash) {
		return hashes
	}
	hashes = append(hashes, hash)
	return hashes[max(0, len(hashes)-mostHashes):]
}
