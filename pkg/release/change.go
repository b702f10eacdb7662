package release

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// mostHashes bounds the hashes of withdrawn and of rejected versions that are kept, the newest.
const mostHashes = 256

func remember(hashes []string, hash string) []string {
	if slices.Contains(hashes, hash) {
		return hashes
	}
	hashes = append(hashes, hash)
	return hashes[max(0, len(hashes)-mostHashes):]
}

// inUse says whether the weights of a version are stable, the candidate's, or wait, perhaps under another number.
func (m *Machine) inUse(v Version) bool {
	return v.sameWeights(m.line.stable()) || m.trial != nil && v.sameWeights(m.trial.version) || m.waiting != nil && v.sameWeights(m.waiting.version)
}

// freeze makes a version the candidate.
func (m *Machine) freeze(v Version, about Integrity, why string) {
	before := m.Aliases()
	t := &trial{version: v, integrity: about, frozen: m.last, monitor: m.newMonitor("candidate", v), means: m.newMeans(), rivals: make([]rival, 1, 3)}
	best, stable := m.line.anchor().version, m.line.find(m.line.stable())
	if !best.IsZero() {
		t.rivals = append(t.rivals, rival{version: best})
	}
	if !stable.version.IsZero() && !stable.gone && stable.version != best {
		t.rivals = append(t.rivals, rival{version: stable.version})
	}
	m.trial = t
	m.arrange()
	m.step(Step{Kind: Frozen, Version: v, Reason: why}, before)
}

// Offer tells the machine that a version was published. If there is a candidate, the version waits, and replaces the one that waited.
// Weights that are stable, the candidate's, or wait already, are not offered twice.
func (m *Machine) Offer(v Version, about Integrity) {
	before := m.Aliases()
	switch one := (&trial{version: v, integrity: about}); {
	case v.IsZero() || m.inUse(v):
		return
	case slices.Contains(m.banned, v.SHA256):
		m.step(Step{Kind: Rejected, Version: v, Reason: "the same weights were withdrawn before"}, before)
		return
	case slices.Contains(m.tried, v.SHA256):
		m.step(Step{Kind: Rejected, Version: v, Reason: "the same weights were rejected before"}, before)
		return
	default:
		if g := m.sound(one, true); g.Verdict == fairness.Violated {
			m.tried = remember(m.tried, v.SHA256)
			m.step(Step{Kind: Rejected, Version: v, Gates: []Gate{g}, Reason: g.Reason}, before)
			return
		}
	}
	if m.trial == nil {
		m.freeze(v, about, "")
		return
	}
	if m.waiting != nil {
		m.step(Step{Kind: Superseded, Version: m.waiting.version, Reason: "version " + v.String() + " is newer"}, before)
	}
	m.waiting = &offer{v, about}
}

// next freezes the version that waits, if there is no candidate.
func (m *Machine) next() {
	if m.trial == nil && m.waiting != nil {
		o := m.waiting
		m.waiting = nil
		m.freeze(o.version, o.integrity, "")
	}
}

// trialGates are the gates of the candidate. The list is valid until the next call.
func (m *Machine) trialGates(t *trial, words bool) []Gate {
	m.gates = t.gates(m.limits, m.gates[:0], !m.guard.unfair(), words)
	return m.gates
}

// reject ends the trial of the candidate.
func (m *Machine) reject(t *trial, why string) {
	before, gates := m.Aliases(), m.trialGates(t, true)
	m.tried = remember(m.tried, t.version.SHA256)
	m.trial = nil
	m.arrange()
	m.step(Step{Kind: Rejected, Version: t.version, Gates: gates, Reason: why}, before)
	m.next()
}

// cool is how many records of the cool-down are left.
func (m *Machine) cool() int64 {
	if m.guard == nil {
		return 0
	}
	return max(0, m.config.CoolDown-(m.records-m.changed))
}

// promote makes a version stable. t is its evidence; nil if a person chose it without.
func (m *Machine) promote(v Version, t *trial, s Step) {
	before := m.Aliases()
	f := former{version: v}
	if t != nil && len(t.rivals) > 1 && t.rivals[1].loss.records > 0 && !m.guard.unfair() {
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
	m.guard = m.newGuard(m.line.stable(), m.last)
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

// Gone tells the machine that the document of a version can no longer be read: somebody deleted its record, or a crash came before it was
// written. A candidate is dropped, and an earlier version forgotten. A stable version stays, but its decisions are no longer known: reports
// have Gone set, and candidates are compared with other versions.
func (m *Machine) Gone(v Version) {
	before := m.Aliases()
	dropped := false
	if m.waiting != nil && m.waiting.version == v {
		m.waiting, dropped = nil, true
	}
	if m.trial != nil && m.trial.version == v {
		m.trial, dropped = nil, true
	}
	for i := range m.line {
		if f := &m.line[i]; f.version == v && !f.gone {
			f.gone, dropped = true, true
		}
	}
	if !dropped {
		return
	}
	if v != m.line.stable() {
		m.line = m.line.without(v)
	}
	switch g := m.guard; {
	case g == nil || g.inquiry == nil:
	case g.version == v: // there are no decisions to compare with
		g.inquiry = nil
	default:
		g.inquiry.earlier = slices.DeleteFunc(g.inquiry.earlier, func(e earlier) bool { return e.version == v })
	}
	m.arrange()
	m.step(Step{Kind: Gone, Version: v, Reason: "its weights are no longer on the topic"}, before)
	if t := m.trial; t != nil && slices.ContainsFunc(t.rivals, func(r rival) bool { return r.version == v }) {
		m.freeze(t.version, t.integrity, "the document of version "+v.String()+" is gone: the evidence begins again")
	}
	m.next()
}
