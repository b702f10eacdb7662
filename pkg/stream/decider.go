package stream

import (
	"math"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// decider makes or reads the decisions of a stream: a learner, or the decisions of other models.
type decider interface {
	// take takes in a record with its label, and sets m, which is zero but for the record's levels if they are known, to the decision
	// that was made about it before.
	take(r *record.Record, m *made)
	// meet returns the decision about a record that has no label yet.
	meet(r *record.Record) made
	// refuse says why a record cannot be used; nil if it can.
	refuse(r *record.Record) *record.Rejection
	// subject describes the model to a monitor.
	subject(model string) monitor.Subject
	// Levels are those of a record's attributes, valid until the next record.
	Levels(r *record.Record) []fairness.Level
	// Grouper gives the sides of records in the comparisons.
	Grouper() *fairness.Grouper
	// Config is the configuration with every default filled in.
	Config() model.Config
	// Version is the number of records taken.
	Version() int64
	// AppendState appends the state: everything that was taken in.
	AppendState(dst []byte) []byte
	// margin gives the margin of a record by the weights that Document would publish; nil if there are none yet.
	margin() func(*record.Record) float64
	// measure measures the published weights; nil if there are none.
	measure() *document.Measurements
	// Document is what would be published now. It must not be called where measure is nil.
	Document() (*document.Document, error)
}

// made is a decision. The learner writes one for each record into memory that the observers' processor has, so its size counts.
type made struct {
	// score is the probability of a positive label, NaN if the model gives none. While the decision is pending, it is the margin.
	score float64
	// known is false for a record that was not decided, for example during a warm-up.
	known    bool
	positive bool
	pending  bool // decide computes positive and score
	levels   []fairness.Level
	// model names the model that decided; empty if there is one model only.
	model string
}

// ours is a learner as a decider.
type ours struct{ *model.Learner }

// set makes m, which is zero, the decision of a learner. It does so field by field: to copy a structure whose fields were
// just stored, a processor waits until all that it stored before is in its cache.
func (m *made) set(by model.Made) {
	m.known, m.pending, m.score = by.Known, by.Known, by.Margin
	if !by.Known {
		m.score = math.NaN()
	}
}

// decide computes the decision and its score. The learner leaves this to whoever observes the decision.
func (m *made) decide() {
	if m.pending {
		d := document.NewDecision(m.score, 0)
		m.positive, m.score, m.pending = d.Positive, d.Score, false
	}
}

func (o ours) take(r *record.Record, m *made) {
	m.set(o.LearnAt(r, m.levels))
	if m.levels == nil && m.known {
		m.levels = o.LastLevels()
	}
}

func (o ours) meet(r *record.Record) (m made) {
	if m.set(o.Meet(r)); m.known {
		m.levels = o.LastLevels()
	}
	m.decide()
	return m
}

func (o ours) refuse(*record.Record) *record.Rejection { return nil }

func (o ours) margin() func(*record.Record) float64 {
	if !o.Ready() {
		return nil
	}
	return o.Margin
}

// AsMade is the id of the decisions of a learner.
const AsMade = "as_made"

func (o ours) subject(string) monitor.Subject {
	return monitor.Subject{ID: AsMade, Title: "Decisions as made, each by the weights of its moment", Kind: monitor.AsMade}
}

func (o ours) measure() *document.Measurements {
	m := o.Measurements()
	return &m
}

// watched says whether there is something to monitor.
func watched(o *Options, d decider) bool {
	return o.Monitoring.on() && d.Config().Learner.Task != model.Regression && len(d.Grouper().Comparisons()) > 0
}
