package observe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// Reasons why a record with a given decision is rejected.
const (
	MissingDecision record.Reason = "missing_decision" // no decision and no score
	BadScore        record.Reason = "bad_score"        // a score that is no finite number
	MissingModel    record.Reason = "missing_model"    // monitor.model is set, and absent or missing
)

// theirs is a decider for the decisions of other models.
type theirs struct {
	given    Given
	explored string // the field that is true for an explored decision
	config   model.Config
	grouper  *fairness.Grouper

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
	return &theirs{given: g, explored: g.Decision.explored(), config: c, grouper: grouper, levels: make([]fairness.Level, len(grouper.Attributes()))}, nil
}

// theirState is what a snapshot saves.
type theirState struct {
	Format  int             `json:"format"`
	Version int64           `json:"version"`
	Given   Given           `json:"given"`
	Found   *fairness.Found `json:"found,omitempty"`
}

const theirFormat = 1

func (t *theirs) Hold() func() [][]byte {
	s := theirState{Format: theirFormat, Version: t.version, Given: t.given}
	if t.grouper.Meets() {
		found := t.grouper.Found()
		s.Found = &found
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic("observe: a state that cannot be written as JSON")
	}
	return func() [][]byte { return [][]byte{data} }
}

// errNoDecisions says that a state is a learner's.
var errNoDecisions = errors.New("the state of the job belongs to a learner, not to `fairstream monitor`: give this job another name, or start over with `fairstream state reset`")

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

func (t *theirs) Take(s *Sight) {
	t.version++
	t.Await(s)
}

func (t *theirs) Await(s *Sight) {
	s.Made, _ = t.read(s.Record)
	s.Made.Levels = t.Levels(s.Record)
}

// Never does nothing: decisions are counted when they are made.
func (t *theirs) Never(*record.Record) {}

// Counts says that nothing is learnt of who gets a label.
func (t *theirs) Counts() bool { return false }

func (t *theirs) Refuse(r *record.Record) *record.Rejection {
	if r.HasLabel && len(r.Features) == 0 {
		return nil // a label that comes later
	}
	_, rejection := t.read(r)
	return rejection
}

// read finds the decision of a record.
func (t *theirs) read(r *record.Record) (m Made, rejection *record.Rejection) {
	m.Score = math.NaN()
	explored := false
	for i := range r.Features {
		f := &r.Features[i]
		if f.Missing {
			continue
		}
		switch f.Name {
		case t.given.Decision.Field:
			m.Known, m.Positive = true, string(f.Text) == string(t.given.Decision.Positive)
		case t.given.Model:
			m.Model = string(f.Text)
		case t.explored:
			explored, _ = strconv.ParseBool(string(f.Text)) // pandas writes True
		}
		if f.Name == t.given.Score.Field {
			score, err := strconv.ParseFloat(string(f.Text), 64)
			if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
				return m, &record.Rejection{Reason: BadScore, Field: f.Name, Offset: -1, Detail: "not a finite number"}
			}
			m.Score = score
		}
	}
	m.Positive = m.Positive && !explored // the model's own decision was negative
	if !m.Known && !math.IsNaN(m.Score) {
		m.Known, m.Positive = true, m.Score >= t.given.Threshold()
	}
	switch {
	case !m.Known:
		return m, &record.Rejection{Reason: MissingDecision, Field: t.given.Fields()[0], Offset: -1, Detail: "absent, null or a text that counts as missing"}
	case t.given.Model != "" && m.Model == "":
		return m, &record.Rejection{Reason: MissingModel, Field: t.given.Model, Offset: -1, Detail: "absent, null or a text that counts as missing"}
	}
	return m, nil
}

// OnlyModel is the id of the decisions on a topic of one model.
const OnlyModel = "decisions"

func (t *theirs) Subject(name string) monitor.Subject {
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

// Labelled is the number of records taken, too.
func (t *theirs) Labelled() int64 { return t.version }

// Learns is false: nothing is published.
func (t *theirs) Learns() bool { return false }
func (t *theirs) Ready() bool  { return true }

// Several says whether each decision names its model.
func (t *theirs) Several() bool { return t.given.Model != "" }

// Changed says whether what was restored was counted of other fields or groups.
func (t *theirs) Changed() bool { return t.other }

// Measure is nil: nothing is published.
func (t *theirs) Measure() *document.Measurements { return nil }

// Draft is an error: there are no weights.
func (t *theirs) Draft() (*model.Draft, error) {
	return nil, errors.New("observe: the decisions of another model have no weights to publish")
}

// NewDecider is what a job without a snapshot is about.
func NewDecider(c model.Config, g Given) (Decider, error) {
	if g.on() {
		return newTheirs(c, g)
	}
	learner, err := model.New(c)
	return asDecider(learner, err)
}

// RestoreDecider is what a job with a snapshot is about.
func RestoreDecider(c model.Config, g Given, state []byte) (Decider, error) {
	if g.on() {
		return restoreTheirs(c, g, state)
	}
	learner, err := model.Restore(c, state)
	return asDecider(learner, err)
}

func asDecider(l *model.Learner, err error) (Decider, error) {
	if err != nil {
		return nil, err
	}
	return Learner(l), nil
}
