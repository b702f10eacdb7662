package release

import (
	"errors"
	"fmt"
	"slices"
)

// Command is an order of a person.
type Command struct {
	// ID identifies the command: one that was handled before is not handled again. At most 200 bytes, as Actor.
	ID     string
	Action Action
	// Version is the version to promote, to return to, or to pin. If it is zero, promote takes the candidate, rollback the previous version,
	// and pin the stable version.
	Version Version
	// Actor is who ordered it, and Reason why, at most 2,000 bytes. Both are needed.
	Actor, Reason string
}

// Action is what a command does.
type Action string

// The actions.
const (
	Promote  Action = "promote"  // make a version stable at once
	Rollback Action = "rollback" // withdraw the stable version, and return to an earlier one
	Pause    Action = "pause"    // let no candidate become stable by itself; the stable version may still be withdrawn
	Resume   Action = "resume"
	Pin      Action = "pin" // keep a version stable, whatever happens
	Unpin    Action = "unpin"
)

// Actions are all actions.
func Actions() []Action { return []Action{Promote, Rollback, Pause, Resume, Pin, Unpin} }

// Command carries out a command. The error says why it was refused; nothing has changed then. A command that was handled before gives
// the same answer again, and does nothing.
func (m *Machine) Command(c Command) error {
	if err := c.problem(); err != nil {
		return err
	}
	for _, a := range m.answers {
		if a.id == c.ID {
			return a.error()
		}
	}
	a := answer{id: c.ID}
	if err := m.obey(c); err != nil {
		a.problem = err.Error()
	}
	m.answers = append(m.answers, a)
	m.answers = m.answers[max(0, len(m.answers)-mostAnswers):]
	return a.error()
}

// Handled says whether a command was handled, and with which answer.
func (m *Machine) Handled(id string) (handled bool, answer error) {
	for _, a := range m.answers {
		if a.id == id {
			return true, a.error()
		}
	}
	return false, nil
}

// problem is what is wrong with a command by itself.
func (c Command) problem() error {
	switch {
	case c.ID == "" || len(c.ID) > 200:
		return errors.New("release: the identifier of a command has 1 to 200 bytes")
	case !slices.Contains(Actions(), c.Action):
		return fmt.Errorf("release: %.40q is no action: use promote, rollback, pause, resume, pin or unpin", string(c.Action))
	case c.Actor == "" || len(c.Actor) > 200:
		return errors.New("release: the actor of a command has 1 to 200 bytes: say who orders it")
	case c.Reason == "" || len(c.Reason) > 2000:
		return errors.New("release: the reason of a command has 1 to 2,000 bytes: say why")
	case len(c.Version.SHA256) > 128 || c.Version.Term < 0 || c.Version.Version < 0:
		return errors.New("release: the version of a command is not valid")
	}
	return nil
}

func (m *Machine) obey(c Command) error {
	s := Step{Actor: c.Actor, Command: c.ID, Reason: c.Reason}
	before := m.Aliases()
	switch c.Action {
	case Promote:
		if c.Version.IsZero() {
			c.Version = before.Candidate
		}
		s.Kind = Promoted
		return m.choose(c.Version, s)
	case Rollback:
		return m.rollback(c, s)
	case Pin:
		if c.Version.IsZero() {
			c.Version = before.Stable
		}
		switch {
		case c.Version.IsZero():
			return errors.New("release: there is no stable version: name the version to pin")
		case c.Version == before.Stable && m.pinned:
			return errors.New("release: version " + c.Version.String() + " is pinned already")
		}
		s.Kind, s.Version = Pinned, c.Version
		if c.Version != before.Stable {
			if err := m.choose(c.Version, s); err != nil {
				return err
			}
			m.pinned = true
			return nil
		}
		m.pinned = true
	case Unpin:
		if !m.pinned {
			return errors.New("release: no version is pinned")
		}
		m.pinned, s.Kind = false, Unpinned
	case Pause:
		if m.paused {
			return errors.New("release: promotion is paused already")
		}
		m.paused, s.Kind = true, Paused
	case Resume:
		if !m.paused {
			return errors.New("release: promotion is not paused")
		}
		m.paused, s.Kind = false, Resumed
	}
	m.step(s, before)
	return nil
}

// choose makes a version stable because a person said so.
func (m *Machine) choose(v Version, s Step) error {
	switch {
	case v.IsZero():
		return errors.New("release: there is no candidate: name the version")
	case v == m.line.stable():
		return errors.New("release: version " + v.String() + " is stable already")
	case v.SHA256 == "":
		return errors.New("release: the version has no hash")
	case v.SHA256 == m.line.stable().SHA256:
		return errors.New("release: version " + v.String() + " has the weights of the stable version " + m.line.stable().String())
	case slices.Contains(m.banned, v.SHA256):
		return errors.New("release: version " + v.String() + " was withdrawn, so its weights cannot become stable again")
	}
	var t *trial
	if m.trial != nil && m.trial.version == v {
		t = m.trial
		s.Gates = slices.Clone(m.trialGates(t, true))
	}
	m.promote(v, t, s)
	return nil
}

// rollback withdraws the stable version because a person said so.
func (m *Machine) rollback(c Command, s Step) error {
	before := m.Aliases()
	to := c.Version
	if to.IsZero() {
		to = before.Previous
	}
	switch {
	case before.Stable.IsZero():
		return errors.New("release: there is no stable version")
	case to.IsZero():
		return errors.New("release: there is no earlier version to return to")
	case to == before.Stable:
		return errors.New("release: version " + to.String() + " is stable already")
	case to.SHA256 == "":
		return errors.New("release: the version has no hash")
	case m.line.find(to).gone: // in a state of an older program
		return errors.New("release: the document of version " + to.String() + " is no longer on the topic: name another version")
	case to.SHA256 == before.Stable.SHA256:
		return errors.New("release: version " + to.String() + " has the weights of the stable version, which would be barred: name another version")
	case slices.Contains(m.banned, to.SHA256):
		return errors.New("release: version " + to.String() + " was withdrawn, so its weights cannot become stable again")
	}
	f := m.line.find(to)
	if f.chain == 0 {
		m.chain++
		f.chain = m.chain
	}
	s.Kind, s.Version, s.Gates = RolledBack, before.Stable, m.guard.gates()
	m.ban(before.Stable)
	m.untest(to)
	m.line = m.line.push(f, m.config.Anchors)
	m.change(s, before)
	m.next()
	return nil
}
