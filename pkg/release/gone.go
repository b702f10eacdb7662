package release

import "slices"

// Gone tells the machine that the document of a version can no longer be read, for instance because somebody deleted its record. A
// candidate is then rejected, and an earlier version forgotten. A stable version stays, and a report says that its document is gone.
func (m *Machine) Gone(v Version) {
	const why = "its document is no longer on the topic"
	before := m.Aliases()
	if m.waiting != nil && m.waiting.version == v {
		m.waiting = nil
		m.step(Step{Kind: Gone, Version: v, Reason: why}, before)
	}
	if m.trial != nil && m.trial.version == v {
		m.reject(m.trial, why)
	}
	switch {
	case m.guard != nil && m.guard.version == v:
		if !m.guard.gone {
			m.guard.gone = true
			m.step(Step{Kind: Gone, Version: v, Reason: why}, before)
		}
	case m.line.find(v).chain > 0:
		m.line = m.line.without(v)
		if q := m.guard.inquiry; q != nil {
			q.earlier = slices.DeleteFunc(q.earlier, func(e earlier) bool { return e.version == v })
		}
		m.arrange()
		m.step(Step{Kind: Gone, Version: v, Reason: why}, before)
		if t := m.trial; t != nil && slices.ContainsFunc(t.rivals, func(r rival) bool { return r.version == v }) {
			m.freeze(t.version, t.integrity, "the document of version "+v.String()+" is gone: the evidence begins again")
		}
	}
}
