package observe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/persons"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

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
	// monitored is what is known now; nil until it is asked for.
	monitored *Monitored

	decision monitor.Decision // scratch
}

// onceSection is the name of a section that is no model.
const onceSection = "\x00once"

// mostModels is how many models are watched: a field that names them by mistake must not fill the memory.
const mostModels = 20

// witnesses watch the decisions of all models. A nil one watches nothing.
type witnesses struct {
	options *Monitoring
	decider Decider
	all     []*witness   // in the order in which they were met
	beyond  int64        // decisions of models that are not watched
	once    persons.Once // decisions of other models
	again   bool         // what was saved says nothing about the present comparisons

	origin        int64 // the term in which the state began
	announcements []chronicle.Announcement
	notify        func(Changed)
}

// watched says whether there is something to monitor.
func watched(o *Settings, d Decider) bool {
	return o.Monitoring.on() && d.Config().Learner.Task != model.Regression && len(d.Grouper().Comparisons()) > 0
}

// newWitnesses returns some that have seen nothing; nil if there is nothing to watch.
func newWitnesses(o *Settings, d Decider) (*witnesses, error) {
	if !watched(o, d) {
		return nil, nil
	}
	w := &witnesses{options: &o.Monitoring, decider: d, notify: o.Notify}
	if d.Several() {
		_, err := monitor.New(w.config("")) // the settings are right
		return w, err
	}
	_, err := w.of("")
	return w, err
}

func (w *witnesses) config(name string) monitor.Config {
	c := w.decider.Config().Learner
	return monitor.Config{
		Subject: w.decider.Subject(name), Grouper: w.decider.Grouper(), Level: c.Level, MinimumRecords: c.MinimumRecords,
		Confidence: w.options.Confidence, Window: w.options.Window, Period: w.options.Period,
		RunLength: w.options.RunLength, Exact: w.options.Exact, Cluster: w.options.Cluster,
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
func restoreWitnesses(o *Settings, d Decider, state []byte) (w *witnesses, err error) {
	if w, err = newWitnesses(o, d); w == nil || err != nil || len(state) == 0 {
		return w, err
	}
	if d.Changed() {
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
		if err == nil && string(name) == onceSection {
			if w.once, err = persons.RestoreOnce(saved); err != nil {
				return nil, err
			}
			continue
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
	if saved := w.once.AppendState(nil); saved != nil {
		dst = envelope.AppendSection(dst, []byte(onceSection))
		dst = envelope.AppendSection(dst, saved)
	}
	for _, one := range w.all {
		dst = envelope.AppendSection(dst, []byte(one.model))
		dst = envelope.AppendSection(dst, append(binary.AppendUvarint(nil, uint64(one.since)), one.monitor.State()...))
	}
	return dst
}

// observe counts a decision, and the label if the record has it. key is that of its message.
func (w *witnesses) observe(m Made, r *record.Record, key []byte) {
	if w != nil && m.Known && r.ID != nil && !w.decider.Learns() && w.once.Again(max(1, record.Hash(r.ID)^record.Hash([]byte(m.Model)))) {
		return
	}
	if one := w.fill(m, r, r.Time); one != nil {
		one.decision.Labelled, one.decision.Label = r.HasLabel, r.Positive
		if one.monitor.WantsMarks() {
			one.decision.Content, one.decision.Identity = marksOf(r, m.Levels, key)
		}
		one.monitor.Observe(&one.decision)
	}
}

// label counts the label of a decision that was observed before; at is when it came.
func (w *witnesses) label(m Made, r *record.Record, at time.Time) {
	if one := w.fill(m, r, at); one != nil {
		one.decision.Labelled, one.decision.Label = true, r.Positive
		one.monitor.Label(&one.decision)
	}
}

func (w *witnesses) fill(m Made, r *record.Record, at time.Time) *witness {
	if w == nil || !m.Known {
		return nil
	}
	one, err := w.of(m.Model)
	if err != nil {
		panic("observe: settings of a monitor that were valid no longer are")
	}
	if one == nil {
		w.beyond++
		return nil
	}
	m.decide()
	one.monitored = nil
	d := &one.decision
	d.Levels, d.Positive, d.Score, d.Weight, d.Time = m.Levels, m.Positive, m.Score, float64(m.Weight), at
	d.Person = personOf(r)
	return one
}

// monitored is what is known now; nil if nothing is watched.
func (w *witnesses) monitored() (all []*Monitored) {
	if w == nil {
		return nil
	}
	for _, one := range w.all {
		if one.monitored == nil {
			m := &Monitored{Since: one.since, Report: one.monitor.Report(), Events: one.monitor.Events(0)}
			m.Series = make([][]monitor.Point, len(one.monitor.Config().Grouper.Comparisons()))
			for i := range m.Series {
				m.Series[i] = one.monitor.Series(i)
			}
			one.monitored = m
		}
		all = append(all, one.monitored)
	}
	return all
}

// repeated is the number of decisions that came again with the same identifier.
func (w *witnesses) repeated() int64 {
	if w == nil {
		return 0
	}
	return w.once.Repeated()
}

// unmonitored is the number of decisions of models beyond mostModels.
func (w *witnesses) unmonitored() int64 {
	if w == nil {
		return 0
	}
	return w.beyond
}

// watch reports events of the monitors to Options.Notify, and keeps them for the next snapshot.
func (w *witnesses) watch() {
	for _, one := range w.all {
		if one.monitor.LastEvent() > one.told {
			w.note(one)
		}
	}
}

func (w *witnesses) note(one *witness) {
	subject := one.monitor.Config().Subject.ID
	for _, e := range one.monitor.Events(one.told) {
		about := one.monitor.Config().Grouper.Comparisons()[e.Comparison]
		w.notify(Changed{Subject: subject, Comparison: about, Event: e})
		told := &history.Judged{Subject: subject, Number: e.Number, Change: string(e.Kind), Record: one.since + e.Record,
			Constraint: about.Name, Criterion: string(about.Criterion), Group: about.GroupLabel(), Versus: about.VersusLabel(), Tau: about.Tau,
			From: string(e.From), To: string(e.To)}
		if !e.Time.IsZero() {
			told.EventTime = &e.Time
		}
		if e.Kind == monitor.VerdictChanged {
			told.Value, told.Lo, told.Hi = chronicle.Finite(e.Value), chronicle.Finite(e.Lo), chronicle.Finite(e.Hi)
		}
		if e.Kind == monitor.AlarmRaised {
			told.Evidence = chronicle.Finite(e.Evidence)
		}
		id := fmt.Sprintf("%s/%d/%d/%s/%d", history.Decisions, w.origin, one.since, subject, e.Number)
		w.announcements = append(w.announcements, chronicle.Announcement{ID: id, Decisions: told})
	}
	one.told = one.monitor.LastEvent()
}

// announce are the announcements since the last call.
func (w *witnesses) announce() []chronicle.Announcement {
	told := w.announcements
	w.announcements = nil
	return told
}
