package stream

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// Monitoring configures how decisions are monitored: those of a learner as it makes them, or those of other models.
type Monitoring struct {
	// Enabled is whether the decisions are monitored. Default true.
	Enabled *bool `yaml:"enabled,omitempty"`
	// Confidence is the probability that all confidence sequences contain the true difference, at all times together. In (0, 1).
	Confidence float64 `yaml:"confidence"`
	// Window is the number of records of the recent estimates. At least 20.
	Window int `yaml:"window"`
	// Period is the event time of the estimates of a period, at least 1s.
	Period time.Duration `yaml:"period"`
	// RunLength is the least mean number of records between two false alarms of all comparisons together.
	RunLength float64 `yaml:"run_length"`
	// Exact is whether sequences are valid with few records too. They are then about twice as wide.
	Exact bool `yaml:"exact,omitempty"`
	// Given is where the records of `fairstream monitor` contain the decisions; `run` makes its own.
	Given `yaml:",inline"`
}

// on says whether decisions are to be monitored: by default they are.
func (m Monitoring) on() bool { return m.Enabled == nil || *m.Enabled }

// DefaultMonitoring is the configuration of an empty section.
func DefaultMonitoring() Monitoring {
	c := monitor.Config{}.WithDefaults()
	return Monitoring{Confidence: c.Confidence, Window: c.Window, Period: c.Period, RunLength: c.RunLength}
}

func (m Monitoring) withDefaults() Monitoring {
	standard := DefaultMonitoring()
	check.Default(&m.Confidence, standard.Confidence)
	check.Default(&m.Window, standard.Window)
	check.Default(&m.Period, standard.Period)
	check.Default(&m.RunLength, standard.RunLength)
	return m
}

// Validate returns every problem, each with its path below the section.
func (m Monitoring) Validate() []record.Problem {
	v := check.Section{Prefix: "monitor."}
	if !(m.Confidence > 0 && m.Confidence < 1) {
		v.Add("confidence", "%v is outside (0, 1)", m.Confidence)
	}
	check.Between(&v, "window", m.Window, 20, 100_000_000)
	check.Between(&v, "period", m.Period, time.Second, 100*365*24*time.Hour)
	if !(m.RunLength >= 1 && m.RunLength <= 1e15) {
		v.Add("run_length", "%v is outside 1 to 1e15", m.RunLength)
	}
	return v.Problems
}

// Monitored is what the monitor of one model knows. It is a copy.
type Monitored struct {
	// Since is the number of records that were learnt when monitoring began.
	Since  int64
	Report *monitor.Report
	// Series are by Index of the report's comparisons.
	Series [][]monitor.Point
	// Events are the newest, in order.
	Events []monitor.Event
}

// witness watches the decisions of one model.
type witness struct {
	monitor *monitor.Monitor
	model   string // empty where there is one model only
	since   int64  // records taken when it began
	told    int64  // the last event that was passed on

	decision monitor.Decision // scratch
}

// mostModels is how many models are watched: a field that names them by mistake must not fill the memory.
const mostModels = 20

// witnesses watch the decisions of all models. A nil one watches nothing.
type witnesses struct {
	options *Monitoring
	decider decider
	all     []*witness // in the order in which they were met
	beyond  int64      // decisions of models that are not watched
	again   bool       // what was saved says nothing about the present comparisons

	origin        int64 // the term in which the state began
	announcements []chronicle.Announcement
	notify        func(Event)
}

// newWitnesses returns some that have seen nothing; nil if there is nothing to watch.
func newWitnesses(o *Options, d decider) (*witnesses, error) {
	if !watched(o, d) {
		return nil, nil
	}
	w := &witnesses{options: &o.Monitoring, decider: d, notify: o.Notify}
	_, several := d.(*theirs)
	if several = several && o.Monitoring.Model != ""; several {
		_, err := monitor.New(w.config("")) // the settings are right
		return w, err
	}
	_, err := w.of("")
	return w, err
}

func (w *witnesses) config(name string) monitor.Config {
	c := w.decider.Config().Learner
	return monitor.Config{
		Subject: w.decider.subject(name), Grouper: w.decider.Grouper(), Level: c.Level, MinimumRecords: c.MinimumRecords,
		Confidence: w.options.Confidence, Window: w.options.Window, Period: w.options.Period,
		RunLength: w.options.RunLength, Exact: w.options.Exact,
	}
}

// of is the witness of a model, a new one if it was not met before; nil beyond mostModels.
func (w *witnesses) of(name string) (*witness, error) {
	for _, one := range w.all {
		if one.model == name {
			return one, nil
		}
	}
	if len(w.all) == mostModels {
		return nil, nil
	}
	m, err := monitor.New(w.config(name))
	if err != nil {
		return nil, err
	}
	one := &witness{monitor: m, model: name, since: w.decider.Version()}
	w.all = append(w.all, one)
	return one, nil
}

// restoreWitnesses goes on from a snapshot's section. Counts under other settings do not apply to these: then
// monitoring starts again.
func restoreWitnesses(o *Options, d decider, state []byte) (w *witnesses, err error) {
	if w, err = newWitnesses(o, d); w == nil || err != nil || len(state) == 0 {
		return w, err
	}
	if t, given := d.(*theirs); given && t.other {
		w.again = true
		return w, nil
	}
	beyond, length := binary.Uvarint(state)
	if length <= 0 || beyond > math.MaxInt64 {
		return nil, envelope.ErrShort
	}
	var all []*witness
	for rest := state[length:]; len(rest) > 0; {
		var name, saved []byte
		if name, rest, err = envelope.Section(rest); err == nil {
			saved, rest, err = envelope.Section(rest)
		}
		since, length := binary.Uvarint(saved)
		if err != nil || length <= 0 || since > math.MaxInt64 || len(all) == mostModels {
			return nil, envelope.ErrShort
		}
		m, err := monitor.Restore(w.config(string(name)), saved[length:])
		if errors.Is(err, monitor.ErrOtherSettings) {
			w.again = true
			return w, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, &witness{monitor: m, model: string(name), since: int64(since), told: m.LastEvent()})
	}
	w.all, w.beyond = all, int64(beyond)
	return w, nil
}

// state is what a snapshot saves.
func (w *witnesses) state() []byte {
	if w == nil {
		return nil
	}
	dst := binary.AppendUvarint(nil, uint64(w.beyond))
	for _, one := range w.all {
		dst = envelope.AppendSection(dst, []byte(one.model))
		dst = envelope.AppendSection(dst, append(binary.AppendUvarint(nil, uint64(one.since)), one.monitor.State()...))
	}
	return dst
}

// observe counts a decision, and the label if the record has it.
func (w *witnesses) observe(m made, r *record.Record) {
	if one := w.fill(m, r.Time); one != nil {
		one.decision.Labelled, one.decision.Label = r.HasLabel, r.Positive
		one.monitor.Observe(&one.decision)
	}
}

// label counts the label of a decision that was observed before; at is when it came.
func (w *witnesses) label(m made, label bool, at time.Time) {
	if one := w.fill(m, at); one != nil {
		one.decision.Labelled, one.decision.Label = true, label
		one.monitor.Label(&one.decision)
	}
}

func (w *witnesses) fill(m made, at time.Time) *witness {
	if w == nil || !m.known {
		return nil
	}
	one, err := w.of(m.model)
	if err != nil {
		panic("stream: settings of a monitor that were valid no longer are")
	}
	if one == nil {
		w.beyond++
		return nil
	}
	m.decide()
	d := &one.decision
	d.Levels, d.Positive, d.Score, d.Time = m.levels, m.positive, m.score, at
	return one
}

// monitored is what is known now; nil if nothing is watched.
func (w *witnesses) monitored() (all []*Monitored) {
	if w == nil {
		return nil
	}
	for _, one := range w.all {
		m := &Monitored{Since: one.since, Report: one.monitor.Report(), Events: one.monitor.Events(0)}
		m.Series = make([][]monitor.Point, len(one.monitor.Config().Grouper.Comparisons()))
		for i := range m.Series {
			m.Series[i] = one.monitor.Series(i)
		}
		all = append(all, m)
	}
	return all
}

// unmonitored is the number of decisions of models beyond mostModels.
func (w *witnesses) unmonitored() int64 {
	if w == nil {
		return 0
	}
	return w.beyond
}
