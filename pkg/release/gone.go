package release

import "slices"

// Gone tells the machine that the document of a version can no longer be read: somebody deleted its record, or a crash came before it was
// written. A candidate is dropped, and an earlier version forgotten. A stable version stays, but nothing is known of its decisions: a report
// says so, and candidates are compared with other versions.
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
	m.step(Step{Kind: Gone, Version: v, Reason: "its document is no longer on the topic"}, before)
	if t := m.trial; t != nil && slices.ContainsFunc(t.rivals, func(r rival) bool { return r.version == v }) {
		m.freeze(t.version, t.integrity, "the document of version "+v.String()+" is gone: the evidence begins again")
	}
	m.next()
}
