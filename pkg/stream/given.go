package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// Given says where a record holds the decision of another model.
type Given struct {
	// Decision is the field that contains the decision. Give it, or monitor.score.field.
	Decision GivenDecision `yaml:"decision,omitempty"`
	// Score is the field that contains the score of the model, and the threshold of its decisions.
	Score GivenScore `yaml:"score,omitempty"`
	// Model is the field that names the model, if the topic contains the decisions of several. Optional. At most 20 models are
	// monitored.
	Model string `yaml:"model,omitempty"`
}

// GivenDecision says which field holds a decision, and which value is positive.
type GivenDecision struct {
	// Field is the field that contains the decision.
	Field string `yaml:"field,omitempty"`
	// Positive is the value of a positive decision; every other value that is not missing is negative.
	Positive record.Text `yaml:"positive,omitempty"`
}

// GivenScore is a score, the probability of a positive label.
type GivenScore struct {
	// Field is the field that contains the score. Calibration needs a score in [0, 1].
	Field string `yaml:"field,omitempty"`
	// Threshold is the score from which on a decision is positive, unless monitor.decision says it. Default 0.5.
	Threshold *float64 `yaml:"threshold,omitempty"`
}

const defaultThreshold = .5

func (g Given) threshold() float64 {
	if g.Score.Threshold == nil {
		return defaultThreshold
	}
	return *g.Score.Threshold
}

// Validate returns every problem of what `fairstream monitor` needs, each with its path.
func (g Given) Validate() []record.Problem {
	v := check.Section{Prefix: "monitor."}
	if g.Decision.Field == "" && g.Score.Field == "" {
		v.Add("decision.field", "required: name the field that contains the decision, or set monitor.score.field")
	}
	if g.Decision.Field != "" && g.Decision.Positive == "" {
		v.Add("decision.positive", "required: give the value of a positive decision")
	}
	if t := g.threshold(); math.IsNaN(t) || math.IsInf(t, 0) {
		v.Add("score.threshold", "%v is not a number", t)
	}
	return v.Problems
}

// Fields are the fields that hold decisions: the features of the records, as far as a schema is concerned.
func (g Given) Fields() (fields []string) {
	for _, field := range []string{g.Decision.Field, g.Score.Field, g.Model} {
		if field != "" {
			fields = append(fields, field)
		}
	}
	return fields
}

// Reasons why a record with a given decision is rejected.
const (
	MissingDecision record.Reason = "missing_decision" // no decision and no score
	BadScore        record.Reason = "bad_score"        // a score that is no finite number
	MissingModel    record.Reason = "missing_model"    // monitor.model is set, and absent or missing
)

// theirs is a decider for the decisions of other models.
type theirs struct {
	given   Given
	config  model.Config
	grouper *fairness.Grouper

	version int64 // records taken in
	other   bool  // what was restored was counted of other fields or groups

	levels []fairness.Level // scratch
}

func newTheirs(c model.Config, g Given) (*theirs, error) {
	c = c.WithDefaults()
	grouper, err := fairness.NewGrouper(c.Comparisons())
	if err != nil {
		return nil, err
	}
	return &theirs{given: g, config: c, grouper: grouper, levels: make([]fairness.Level, len(grouper.Attributes()))}, nil
}

// theirState is what a snapshot saves.
type theirState struct {
	Format  int             `json:"format"`
	Version int64           `json:"version"`
	Given   Given           `json:"given"`
	Found   *fairness.Found `json:"found,omitempty"`
}

const theirFormat = 1

func (t *theirs) AppendState(dst []byte) []byte {
	s := theirState{Format: theirFormat, Version: t.version, Given: t.given}
	if t.grouper.Meets() {
		found := t.grouper.Found()
		s.Found = &found
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic("stream: a state that cannot be written as JSON")
	}
	return append(dst, data...)
}

// errNoDecisions says that a state is a learner's.
var errNoDecisions = errors.New("the state of the job is that of a learner, not of `fairstream monitor`: give this job another name, or start over with `fairstream state reset`")

func restoreTheirs(c model.Config, g Given, state []byte) (*theirs, error) {
	t, err := newTheirs(c, g)
	if err != nil {
		return nil, err
	}
	var s theirState
	if err := json.Unmarshal(state, &s); err != nil || s.Format != theirFormat || s.Version < 0 {
		return nil, errNoDecisions
	}
	t.version = s.Version
	t.other = !reflect.DeepEqual(s.Given, g)
	if s.Found != nil && !t.other && t.grouper.Adopt(*s.Found) != nil {
		// The comparisons changed: their values are met again.
		t.other = true
		t.grouper, err = fairness.NewGrouper(c.Comparisons())
	}
	return t, err
}

func (t *theirs) take(r *record.Record, m *made) {
	t.version++
	*m = t.meet(r)
}

func (t *theirs) meet(r *record.Record) made {
	m, _ := t.read(r)
	m.levels = t.Levels(r)
	return m
}

func (t *theirs) refuse(r *record.Record) *record.Rejection {
	if r.HasLabel && len(r.Features) == 0 {
		return nil // a label that comes later
	}
	_, rejection := t.read(r)
	return rejection
}

// read finds the decision of a record.
func (t *theirs) read(r *record.Record) (m made, rejection *record.Rejection) {
	m.score = math.NaN()
	for i := range r.Features {
		f := &r.Features[i]
		if f.Missing {
			continue
		}
		switch f.Name {
		case t.given.Decision.Field:
			m.known, m.positive = true, string(f.Text) == string(t.given.Decision.Positive)
		case t.given.Model:
			m.model = string(f.Text)
		}
		if f.Name == t.given.Score.Field {
			score, err := strconv.ParseFloat(string(f.Text), 64)
			if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
				return m, &record.Rejection{Reason: BadScore, Field: f.Name, Offset: -1, Detail: "not a finite number"}
			}
			m.score = score
		}
	}
	if !m.known && !math.IsNaN(m.score) {
		m.known, m.positive = true, m.score >= t.given.threshold()
	}
	switch {
	case !m.known:
		return m, &record.Rejection{Reason: MissingDecision, Field: t.given.Fields()[0], Offset: -1, Detail: "absent, null or a text that counts as missing"}
	case t.given.Model != "" && m.model == "":
		return m, &record.Rejection{Reason: MissingModel, Field: t.given.Model, Offset: -1, Detail: "absent, null or a text that counts as missing"}
	}
	return m, nil
}

// OnlyModel is the id of the decisions on a topic of one model.
const OnlyModel = "decisions"

func (t *theirs) subject(name string) monitor.Subject {
	if name == "" {
		return monitor.Subject{ID: OnlyModel, Title: "Decisions on the topic", Kind: monitor.External}
	}
	return monitor.Subject{ID: name, Title: fmt.Sprintf("Decisions of model %s", name), Kind: monitor.External}
}

// Levels are those of a record's attributes, valid until the next record.
func (t *theirs) Levels(r *record.Record) []fairness.Level {
	for i := range t.levels {
		t.levels[i] = fairness.MissingLevel
		if v := &r.Attributes[i]; !v.Missing {
			t.levels[i] = t.grouper.Level(i, v.Text)
		}
	}
	return t.levels
}

// Grouper gives the sides of records in the comparisons.
func (t *theirs) Grouper() *fairness.Grouper { return t.grouper }

// Config is the configuration with every default filled in.
func (t *theirs) Config() model.Config { return t.config }

// Version is the number of records taken.
func (t *theirs) Version() int64 { return t.version }

func (t *theirs) margin() func(*record.Record) float64 { return nil }

func (t *theirs) measure() *document.Measurements { return nil }

// Document is an error: there are no weights.
func (t *theirs) Document() (*document.Document, error) {
	return nil, errors.New("stream: the decisions of another model have no weights to publish")
}
