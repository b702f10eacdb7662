package monitor

import (
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/persons"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Monitor watches the decisions of one subject.
type Monitor struct {
	// Settings.
	config      Config
	conditional bool // some comparison looks at one label only
	attributes  int  // whose levels a decision has

	// State: what a snapshot saves.
	records  int64
	steps    int64 // records, and labels that came later
	labelled int64
	looked   int64 // records at the last look
	first    int64 // event times in milliseconds; timed says whether there are any
	last     int64
	timed    bool
	counters frames // of comparisons, then of groups
	groups   groups
	claims   []claim
	series   series
	events   events
	persons  [2]persons.Recent // whose decision counts for a sequence, and whose label
	apart    Apart
	repeats  persons.Repeats

	// Scratch.
	sides, other []fairness.Side
	declared     []comparison
	buffer       [perComparison]int64
	standing     [2]standing
}

// New returns a monitor that has seen nothing.
func New(config Config) (*Monitor, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	config = config.WithDefaults()
	comparisons := config.Grouper.Comparisons()
	m := &Monitor{
		config:     config,
		attributes: len(config.Grouper.Attributes()),
		claims:     make([]claim, len(comparisons)),
		sides:      make([]fairness.Side, len(comparisons)),
		other:      make([]fairness.Side, len(comparisons)),
		declared:   make([]comparison, len(comparisons)),
		groups:     newGroups(config.Grouper, comparisons),
	}
	for i, share := range config.Grouper.Shares() {
		c := &m.claims[i]
		c.level, c.alarmAt = 1-(1-config.Confidence)*share, config.RunLength/share
		c.condition, c.status = comparisons[i].Criterion.Condition(), fairness.NotEstimable
		m.conditional = m.conditional || c.condition != fairness.AnyLabel
	}
	m.counters = newFrames(config.Window, config.Period, len(comparisons)*perComparison)
	m.series = newSeries(config.Look, len(comparisons))
	return m, nil
}

// Records is the number of decisions observed.
func (m *Monitor) Records() int64 { return m.records }

// Config is the configuration with every default filled in.
func (m *Monitor) Config() Config { return m.config }

func (m *Monitor) moment(at time.Time) moment {
	if at.IsZero() {
		return moment{record: m.records}
	}
	return moment{m.records, at.UnixMilli()}
}

// comparisons are the declared ones.
func (m *Monitor) comparisons() []comparison {
	for i, c := range m.config.Grouper.Comparisons() {
		m.declared[i] = comparison{c, c.Known()}
	}
	return m.declared
}

// ownTrials says whether the decisions of a sequence are counted apart: in their order, or one of each person.
func (m *Monitor) ownTrials() bool { return m.config.Exact || m.config.Cluster != "" }

// WantsMarks reports whether the Marks of the next decision are wanted: computing them for each would cost too much.
func (m *Monitor) WantsMarks() bool { return m.repeats.Due() }

// Repeats reports whether decisions that count look like copies of each other.
func (m *Monitor) Repeats() Repeats {
	f := m.repeats.Found()
	return Repeats{Found: f.Copies, ByIdentity: f.By == persons.Identity, Share: f.Share}
}

func (m *Monitor) options() fairness.Options {
	return fairness.Options{Level: m.config.Level, MinimumRecords: float64(m.config.MinimumRecords)}
}

func sidesOf(n []int64) (group, versus Outcomes) { return newOutcomes(n), newOutcomes(n[atVersus:]) }

// both are the sides of a comparison in a window, until the next call.
func (m *Monitor) both(i int, in window) (group, versus side) {
	group.Outcomes, versus.Outcomes = sidesOf(m.counters.in(m.buffer[:], in, i*perComparison))
	if m.counters.standing(&m.standing, in, i) {
		group.standing, versus.standing = &m.standing[0], &m.standing[1]
	}
	return group, versus
}

// Weighs reports whether labelled decisions are weighed by what they stand for: see Decision.Weight.
func (m *Monitor) Weighs() bool { return m.counters.sums.begun() }

// weighs says whether what a comparison rests on is weighed.
func (m *Monitor) weighs(i int) bool { return m.Weighs() && m.claims[i].condition != fairness.AnyLabel }

func trialsOf(o Outcomes, m Measure) fairness.Trials {
	k, n := o.fraction(m)
	return fairness.Trials{Records: n, Positives: k}
}

// sequence is that of a comparison at the last look, of which the verdict is: of the difference at equal time, or of the totals for
// a ratio and with Exact.
func (m *Monitor) sequence(i int) fairness.Sequence {
	c := &m.claims[i]
	comparison := m.config.Grouper.Comparisons()[i]
	if m.config.Exact || comparison.Criterion.OfRatio() || c.weighed() {
		return m.totals(i)
	}
	return m.unselected(i, comparison.AtEqualTime(&c.paired, c.seen[0], c.seen[1], fairness.SequenceOptions{Level: c.level}))
}

// totals is the sequence of the rates of all decisions, at the last look.
func (m *Monitor) totals(i int) fairness.Sequence {
	c, comparison := &m.claims[i], &m.config.Grouper.Comparisons()[i]
	options := fairness.SequenceOptions{Level: c.level, Exact: m.config.Exact}
	if !c.weighed() {
		return m.unselected(i, comparison.Sequence(c.seen[0], c.seen[1], options))
	}
	s := comparison.WeighedSequence(c.stood[0], c.stood[1], options)
	if m.ownTrials() {
		s.Status, s.Reason = fairness.NotEstimable, noWeighedSequence
		s.Value, s.Lo, s.Hi = math.NaN(), math.NaN(), math.NaN()
	}
	s.Status, s.Reason = unproven(s.Status, s.Reason)
	return m.unselected(i, s)
}

// unselected is a sequence, of which nothing is left where labels come for one decision only.
func (m *Monitor) unselected(i int, s fairness.Sequence) fairness.Sequence {
	c, comparison := &m.claims[i], m.config.Grouper.Comparisons()[i]
	if c.selective {
		group, versus := m.both(i, inAll)
		s.Status, s.Reason = fairness.NotEstimable, whySelective(&comparison, group, versus)
		s.Value, s.Lo, s.Hi = math.NaN(), math.NaN(), math.NaN()
	}
	return s
}

// Seen is what the sequence of one comparison rests on.
type Seen struct {
	// Group and Versus are the decisions that meet the condition, in records.
	Group, Versus fairness.Trials
	// Neither and Unknown are records on neither side, and records that lack an attribute, whatever their label.
	Neither, Unknown int64
	// Selective is true if labels come for one decision only, so that rates given the label say nothing.
	Selective bool
}

// Seen is what was seen of a comparison, the index of which is that of Grouper.Comparisons, up to the present record. It does not
// allocate: a caller may look at a sequence of its own level, or against a bound of its own, as often as it likes.
func (m *Monitor) Seen(comparison int) Seen {
	c := &m.claims[comparison]
	n := m.counters.inAll(m.buffer[:], comparison*perComparison)
	s := Seen{Group: c.trials[0], Versus: c.trials[1], Neither: n[atNeither], Unknown: n[atUnknown], Selective: c.selective}
	if !m.ownTrials() {
		group, versus := sidesOf(n)
		measure := measureOf(m.config.Grouper.Comparisons()[comparison].Criterion)
		s.Group, s.Versus = trialsOf(group, measure), trialsOf(versus, measure)
	}
	return s
}

// Verdict is the status of a comparison's sequence at the last look, which is against tau.
func (m *Monitor) Verdict(comparison int) fairness.Status { return m.claims[comparison].status }

// Alarmed reports whether the alarm of a comparison is raised.
func (m *Monitor) Alarmed(comparison int) bool { return m.claims[comparison].alarm.raised }

// LastEvent is the number of the newest event, 0 if there was none. The call is cheap: a caller may ask after every record.
func (m *Monitor) LastEvent() int64 { return m.events.total }
