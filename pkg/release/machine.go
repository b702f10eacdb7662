package release

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// Machine decides which version is stable. It belongs to one goroutine; what it hands out is independent of it, except where a method says
// otherwise.
type Machine struct {
	// Settings.
	config     Config
	grouper    *fairness.Grouper     // nil without comparisons
	bounds     []fairness.Comparison // the comparisons without their groups, and with their limits in place of tau
	withdrawAt float64               // the evidence at which a test says to withdraw
	alarmAt    []float64             // the evidence at which an alarm about means is raised, by comparison

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
	at           places
	sides, other []fairness.Side
	decision     monitor.Decision
	gates        []Gate
}

// offer is a version that waits.
type offer struct {
	version   Version
	integrity Integrity
}

// places are where the decisions of the roles are in Record.Decisions.
type places struct {
	stable, candidate int
	rivals            []int // of the rivals but the constant
	earlier           []int
}

// look is the number of records between two looks at the evidence. Sequences hold at every record, so any schedule keeps their level.
const look = 64

// mostHashes bounds the hashes of withdrawn and of rejected versions that are kept, the newest.
const mostHashes = 256

// New returns a machine that has seen nothing. The grouper is that of the learner; nil without comparisons.
func New(config Config, grouper *fairness.Grouper) (*Machine, error) {
	config = config.WithDefaults()
	if err := config.problem(); err != nil {
		return nil, err
	}
	m := &Machine{config: config, grouper: grouper, withdrawAt: config.RunLength}
	for _, c := range m.comparisons() {
		bound, err := config.bound(c)
		if err != nil {
			return nil, err
		}
		bound.Group, bound.Versus = nil, nil // whose labels would be made at every look
		m.bounds = append(m.bounds, bound)
	}
	m.withdrawAt *= float64(max(1, len(m.bounds)))
	if m.hasMeans() {
		for _, share := range grouper.Shares() {
			m.alarmAt = append(m.alarmAt, config.AlarmRunLength/share)
		}
	}
	m.sides, m.other = make([]fairness.Side, len(m.bounds)), make([]fairness.Side, len(m.bounds))
	m.arrange()
	return m, nil
}

// Config is the configuration with every default filled in.
func (m *Machine) Config() Config { return m.config }

func (m *Machine) comparisons() []fairness.Comparison {
	if m.grouper == nil {
		return nil
	}
	return m.grouper.Comparisons()
}

// decides says whether a comparison decides, or is only shown.
func (m *Machine) decides(i int) bool { return m.bounds[i].Enforce || m.config.Measured }

// newMonitor returns a monitor for a version; nil if no comparison is one of rates.
func (m *Machine) newMonitor(id string, v Version) *monitor.Monitor {
	if !m.counted() {
		return nil
	}
	one, err := monitor.New(m.monitorOf(id, v))
	if err != nil {
		panic("release: settings of a monitor that were valid no longer are")
	}
	return one
}

func (m *Machine) counted() bool {
	return !m.config.Regression && len(m.bounds) > 0 && !m.hasMeans()
}

func (m *Machine) hasMeans() bool {
	return slices.ContainsFunc(m.bounds, func(c fairness.Comparison) bool { return c.Criterion.OfMeans() })
}

// newMeans returns counts for the comparisons of means; nil if there are none.
func (m *Machine) newMeans() []means {
	if !m.hasMeans() {
		return nil
	}
	return make([]means, len(m.bounds))
}

func (m *Machine) monitorOf(id string, v Version) monitor.Config {
	return monitor.Config{Subject: monitor.Subject{ID: id, Title: "Version " + v.String(), Kind: monitor.Version}, Grouper: m.grouper,
		Confidence: m.config.Confidence, RunLength: m.config.AlarmRunLength, Look: look}
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

// arrange finds out which versions are wanted, and at which place.
func (m *Machine) arrange() {
	before := m.wanted
	m.wanted, m.at = nil, places{stable: -1, candidate: -1}
	place := func(v Version) int {
		if i := slices.Index(m.wanted, v); i >= 0 {
			return i
		}
		m.wanted = append(m.wanted, v)
		return len(m.wanted) - 1
	}
	if m.guard != nil && !m.line.find(m.guard.version).gone {
		m.at.stable = place(m.guard.version)
	}
	if m.trial != nil {
		m.at.candidate = place(m.trial.version)
		for _, v := range m.trial.rivals[1:] {
			m.at.rivals = append(m.at.rivals, place(v.version))
		}
	}
	if m.guard != nil && m.guard.inquiry != nil {
		for _, e := range m.guard.inquiry.earlier {
			m.at.earlier = append(m.at.earlier, place(e.version))
		}
	}
	if slices.Equal(before, m.wanted) {
		m.wanted = before
	} else {
		m.wants++
	}
}

// Offer tells the machine that a version was published. If there is a candidate, the version waits, and replaces the one that waited.
// Weights that are stable, the candidate's, or wait already, are not offered twice.
func (m *Machine) Offer(v Version, about Integrity) {
	before := m.Aliases()
	switch one := (&trial{version: v, integrity: about}); {
	case v.IsZero() || m.inUse(v):
		return
	case slices.Contains(m.banned, v.SHA256):
		m.step(Step{Kind: Rejected, Version: v, Reason: "its hash was withdrawn"}, before)
		return
	case slices.Contains(m.tried, v.SHA256):
		m.step(Step{Kind: Rejected, Version: v, Reason: "its hash was rejected before"}, before)
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

func (m *Machine) check(r *Record) {
	if len(r.Decisions) != len(m.wanted) {
		panic("release: a record needs one decision for each version of Wanted, as it is now")
	}
}

func (m *Machine) count() {
	if m.steps++; m.steps%look == 0 {
		m.decide()
	}
}

// Aliases are the versions behind the names on the topic.
func (m *Machine) Aliases() Aliases {
	a := Aliases{Stable: m.line.stable(), Previous: m.line.previous()}
	if m.trial != nil {
		a.Candidate = m.trial.version
	}
	return a
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
	m.decision = monitor.Decision{Levels: r.Levels, Positive: own.Positive, Score: own.Score, Labelled: r.Labelled, Label: r.Label, Time: r.Time}
	return &m.decision
}
