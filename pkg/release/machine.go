package release

import (
	"errors"
	"slices"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// Machine decides which version is stable. It belongs to one goroutine; what it hands out is independent of it, except where a method says
// otherwise.
type Machine struct {
	*limits // settings

	// State: what a snapshot saves.
	records  int64 // observed
	steps    int64 // records, and labels that came later
	last     int64 // number of the last record
	lastTime int64 // the largest event time, in milliseconds; 0 if none came
	number   int64 // of steps
	changed  int64 // records at the last change of the stable version
	chain    int64 // of the newest stable version
	line     line
	guard    *guard // nil without a stable version
	trial    *trial // nil without a candidate
	waiting  *offer // the newest version that waits for the candidate's end
	banned   []string
	tried    []string
	paused   bool
	pinned   bool
	answers  []answer

	// Scratch.
	news         []Step
	wanted       []Version
	wants        int64 // how often wanted has changed
	at           indexes
	sides, other []fairness.Side
	decision     monitor.Decision
	gates        []Gate
}

// offer is a version that waits.
type offer struct {
	version   Version
	integrity Integrity
}

// indexes are where the decisions of the roles are in Record.Decisions; −1 without one.
type indexes struct {
	stable, candidate int
	rivals            []int // of the rivals but the constant
	earlier           []int
}

// answer is what became of a command.
type answer struct {
	id      string
	problem string // empty if it was carried out
}

func (a answer) error() error {
	if a.problem == "" {
		return nil
	}
	return errors.New(a.problem)
}

// mostAnswers is how many handled commands are remembered, the newest.
const mostAnswers = 256

// New returns a machine that has seen nothing. The grouper is that of the learner; nil without comparisons.
func New(config Config, grouper *fairness.Grouper) (*Machine, error) {
	l, err := newLimits(config, grouper)
	if err != nil {
		return nil, err
	}
	m := &Machine{limits: l, sides: make([]fairness.Side, len(l.bounds)), other: make([]fairness.Side, len(l.bounds))}
	m.arrange()
	return m, nil
}

// Config is the configuration with every default filled in.
func (m *Machine) Config() Config { return m.config }

// Aliases are the versions behind the names on the topic.
func (m *Machine) Aliases() Aliases {
	a := Aliases{Stable: m.line.stable(), Previous: m.line.previous()}
	if m.trial != nil {
		a.Candidate = m.trial.version
	}
	return a
}

// Wanted are the versions of which the machine wants the decisions about the next record or label, at most four: the stable one, the
// candidate, what it is compared with, and those that may replace the stable one. The list is shared: do not change it. Whatever the
// machine is told may change what it wants, with a step or without one; it makes another list then, and WantedChanges is larger.
func (m *Machine) Wanted() []Version { return m.wanted }

// WantedChanges is how often Wanted has changed since New or Restore. The call is cheap: who keeps what belongs to Wanted, such as the
// documents, compares the number before each record and label.
func (m *Machine) WantedChanges() int64 { return m.wants }

// Kept are the versions of which the documents must stay on the topic: those wanted, and those that may be wanted later.
func (m *Machine) Kept() []Version {
	all := slices.Clone(m.wanted)
	for _, f := range m.line {
		if !slices.Contains(all, f.version) {
			all = append(all, f.version)
		}
	}
	if m.waiting != nil {
		all = append(all, m.waiting.version)
	}
	return all
}

// arrange finds out which versions are wanted, and at which index.
func (m *Machine) arrange() {
	before := m.wanted
	m.wanted, m.at = nil, indexes{stable: -1, candidate: -1}
	index := func(v Version) int {
		if i := slices.Index(m.wanted, v); i >= 0 {
			return i
		}
		m.wanted = append(m.wanted, v)
		return len(m.wanted) - 1
	}
	if m.guard != nil && !m.line.find(m.guard.version).gone {
		m.at.stable = index(m.guard.version)
	}
	if m.trial != nil {
		m.at.candidate = index(m.trial.version)
		for _, v := range m.trial.rivals[1:] {
			m.at.rivals = append(m.at.rivals, index(v.version))
		}
	}
	if m.guard != nil && m.guard.inquiry != nil {
		for _, e := range m.guard.inquiry.earlier {
			m.at.earlier = append(m.at.earlier, index(e.version))
		}
	}
	if slices.Equal(before, m.wanted) {
		m.wanted = before
	} else {
		m.wants++
	}
}

func (m *Machine) when() time.Time {
	if m.lastTime == 0 {
		return time.Time{}
	}
	return time.UnixMilli(m.lastTime).UTC()
}

// step adds a step. Aliases before it are compared with those now.
func (m *Machine) step(s Step, before Aliases) {
	m.number++
	s.Number, s.Record, s.Time = m.number, m.last, m.when()
	s.From, s.To = before.Stable, m.line.stable()
	s.Aliases = m.Aliases()
	s.Moved = s.Aliases != before
	s.Gates = append([]Gate(nil), s.Gates...)
	m.news = append(m.news, s)
}

// Steps are those since the last call, in order. The caller must write them down before it saves a state: a state does not contain them.
func (m *Machine) Steps() []Step {
	news := m.news
	m.news = nil
	return news
}

// HasSteps says whether Steps would return any. The call is cheap: a caller may ask after every record.
func (m *Machine) HasSteps() bool { return len(m.news) > 0 }
