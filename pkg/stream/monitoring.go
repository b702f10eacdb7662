package stream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// Monitoring is how the decisions that a classifier makes are watched, each by the weights of its moment.
type Monitoring struct {
	// Enabled is whether the decisions are monitored.
	Enabled *bool `yaml:"enabled,omitempty"`
	// Confidence is the probability that all confidence sequences contain the true difference, at all times together. In (0, 1).
	Confidence float64 `yaml:"confidence"`
	// Window is the number of records of the recent estimates. At least 20.
	Window int `yaml:"window"`
	// Period is the event time of the estimates of a period, at least 1s.
	Period time.Duration `yaml:"period"`
	// RunLength is the least mean number of records between two false alarms of all comparisons together.
	RunLength float64 `yaml:"run_length"`
	// Exact is whether sequences are valid with few records too. They are then several times as wide.
	Exact bool `yaml:"exact,omitempty"`
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
	set(&m.Confidence, standard.Confidence)
	set(&m.Window, standard.Window)
	set(&m.Period, standard.Period)
	set(&m.RunLength, standard.RunLength)
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

// Monitored is what is known of the decisions as they were made. It is a copy.
type Monitored struct {
	// Since is the number of records that were learnt when monitoring began.
	Since  int64
	Report *monitor.Report
	// Series are by Index of the report's comparisons.
	Series [][]monitor.Point
	// Events are the newest, in order.
	Events []monitor.Event
}

// witness watches the decisions of a learner. A nil one watches nothing.
type witness struct {
	monitor *monitor.Monitor
	since   int64 // records learnt when it began
	told    int64 // the last event that was passed on
	again   bool  // what was saved says nothing about the present comparisons

	decision monitor.Decision // scratch
}

// AsMade is the id of the subject.
const AsMade = "as_made"

// newWitness returns a witness that has seen nothing; nil if there is nothing to watch.
func newWitness(o *Options, learner *model.Learner) (*witness, error) {
	config, watched := monitoringOf(o, learner)
	if !watched {
		return nil, nil
	}
	m, err := monitor.New(config)
	return &witness{monitor: m, since: learner.Version()}, err
}

func monitoringOf(o *Options, learner *model.Learner) (config monitor.Config, watched bool) {
	c := learner.Config().Learner
	if !o.Monitoring.on() || c.Task == model.Regression || len(learner.Grouper().Comparisons()) == 0 {
		return config, false
	}
	return monitor.Config{
		Subject: monitor.Subject{ID: AsMade, Title: "Decisions as made, each by the weights of its moment", Kind: monitor.AsMade},
		Grouper: learner.Grouper(), Level: c.Level, MinimumRecords: c.MinimumRecords,
		Confidence: o.Monitoring.Confidence, Window: o.Monitoring.Window, Period: o.Monitoring.Period,
		RunLength: o.Monitoring.RunLength, Exact: o.Monitoring.Exact,
	}, true
}

// restoreWitness goes on from a snapshot's section. What was counted under other settings says nothing about these: then
// monitoring begins again.
func restoreWitness(o *Options, learner *model.Learner, state []byte) (w *witness, err error) {
	config, watched := monitoringOf(o, learner)
	if !watched || len(state) == 0 {
		return newWitness(o, learner)
	}
	since, length := binary.Uvarint(state)
	if length <= 0 || since > math.MaxInt64 {
		return nil, errShort
	}
	m, err := monitor.Restore(config, state[length:])
	if errors.Is(err, monitor.ErrOtherSettings) {
		if w, err = newWitness(o, learner); err == nil {
			w.again = true
		}
		return w, err
	}
	if err != nil {
		return nil, err
	}
	return &witness{monitor: m, since: int64(since), told: m.LastEvent()}, nil
}

// state is what a snapshot saves.
func (w *witness) state() []byte {
	if w == nil {
		return nil
	}
	return append(binary.AppendUvarint(nil, uint64(w.since)), w.monitor.State()...)
}

// learnt observes the decision about a record that came with its label.
func (w *witness) learnt(made model.Made, r *record.Record) {
	if w == nil || !made.Known {
		return
	}
	w.fill(made, r.Time)
	w.decision.Labelled, w.decision.Label = true, r.Positive
	w.monitor.Observe(&w.decision)
}

// met observes the decision about a record whose label comes later.
func (w *witness) met(made model.Made, r *record.Record) {
	if w == nil || !made.Known {
		return
	}
	w.fill(made, r.Time)
	w.decision.Labelled = false
	w.monitor.Observe(&w.decision)
}

// labelled takes in the label of a decision that was observed before; made has its margin, at is when the label came.
func (w *witness) labelled(made model.Made, label bool, at time.Time) {
	if w == nil || !made.Known {
		return
	}
	w.fill(made, at)
	w.decision.Labelled, w.decision.Label = true, label
	w.monitor.Label(&w.decision)
}

func (w *witness) fill(made model.Made, at time.Time) {
	d := made.Decision()
	w.decision.Levels, w.decision.Positive, w.decision.Score, w.decision.Time = made.Levels, d.Positive, d.Probability, at
}

// news returns what happened since the last call.
func (w *witness) news() []monitor.Event {
	if w == nil || w.monitor.LastEvent() == w.told {
		return nil
	}
	events := w.monitor.Events(w.told)
	w.told = w.monitor.LastEvent()
	return events
}

// monitored is what is known now; nil if nothing is watched.
func (w *witness) monitored() *Monitored {
	if w == nil {
		return nil
	}
	m := &Monitored{Since: w.since, Report: w.monitor.Report(), Events: w.monitor.Events(0)}
	m.Series = make([][]monitor.Point, len(w.monitor.Config().Grouper.Comparisons()))
	for i := range m.Series {
		m.Series[i] = w.monitor.Series(i)
	}
	return m
}

// watch passes on what happened to the decisions: to who is notified, and to the history.
func (l *learning) watch() {
	for _, e := range l.witness.news() {
		about := l.witness.monitor.Config().Grouper.Comparisons()[e.Comparison]
		l.options.Notify(DecisionsChanged{Subject: AsMade, Comparison: about, Event: e})
		told := &history.Judged{Subject: AsMade, Number: e.Number, Change: string(e.Kind), Record: l.witness.since + e.Record,
			Constraint: about.Name, Criterion: string(about.Criterion), Group: about.GroupLabel(), Versus: about.VersusLabel(), Tau: about.Tau,
			From: string(e.From), To: string(e.To)}
		if !e.Time.IsZero() {
			told.EventTime = &e.Time
		}
		if e.Kind == monitor.VerdictChanged {
			told.Value, told.Lo, told.Hi = finite(e.Value), finite(e.Lo), finite(e.Hi)
		}
		if e.Kind == monitor.AlarmRaised {
			told.Evidence = finite(e.Evidence)
		}
		l.entries = append(l.entries, history.Entry{ID: fmt.Sprintf("%s/%s/%d/%d/%s/%d", history.Decisions, AsMade, l.witness.since, e.Number, e.Kind, e.Record),
			Kind: history.Decisions, Decisions: told})
	}
}

// finite is a number for JSON; nil if it is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
