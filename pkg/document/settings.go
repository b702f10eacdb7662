package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Task is what the label is, and so what is learnt.
type Task string

// The tasks.
const (
	// Classification decides between two classes: the default.
	Classification Task = "classification"
	// Regression predicts a number.
	Regression Task = "regression"
)

// Mode is how weights are learnt.
type Mode string

// The modes.
const (
	// Adaptive enforces the true risk difference: the default.
	Adaptive Mode = "adaptive"
	// Paper is Algorithm 1 of the paper to the letter, with its thresholds and step sizes.
	Paper Mode = "paper"
	// Unconstrained learns as Adaptive does and only measures the constraints.
	Unconstrained Mode = "unconstrained"
)

// Config is the configuration that the weights were learnt with. It keeps all of it, as JSON, and spells out what a
// reader needs.
type Config struct {
	Record      record.Config `json:"record"`
	Learner     Learner       `json:"learner"`
	Constraints []Constraint  `json:"constraints"`

	whole json.RawMessage
}

// Learner is what a reader needs of the `learner` section.
type Learner struct {
	// Window is how many most recent records of each side Measurements.Constraints rest on.
	Window int `json:"window"`
	// Level is that of every interval, in (0, 1).
	Level float64 `json:"level"`
	// MinimumRecords is how many records a side needs before it is measured, at least 1.
	MinimumRecords int `json:"minimum_records"`
}

// Constraint is what a reader needs of one constraint: the comparison that it bounds.
type Constraint struct {
	Name      string             `json:"name"`
	Attribute record.OneOrMore   `json:"attribute"`
	Group     Group              `json:"group"`
	Versus    Group              `json:"versus,omitempty"`
	Strata    string             `json:"strata,omitempty"`
	Criterion fairness.Criterion `json:"criterion"`
	Tau       float64            `json:"tau"`
	Enforce   *bool              `json:"enforce,omitempty"`
}

// Comparison is the constraint as pkg/fairness measures it.
func (c Constraint) Comparison() fairness.Comparison {
	comparison, _ := c.comparison()
	return comparison
}

// GroupProblems are problems in how the groups are written. Whether well-written groups make a valid comparison is a
// question for its Validate.
func (c Constraint) GroupProblems() []fairness.FieldError {
	_, problems := c.comparison()
	return problems
}

// comparison is a constraint as pkg/fairness measures it. The problems are those of its groups.
func (c Constraint) comparison() (comparison fairness.Comparison, problems []fairness.FieldError) {
	comparison = fairness.Comparison{Name: c.Name, Criterion: c.Criterion, Strata: c.Strata, Tau: c.Tau, Enforce: c.Enforce == nil || *c.Enforce}
	report := func(field string, err error) {
		if err != nil {
			problems = append(problems, fairness.FieldError{Field: field, Problem: err.Error()})
		}
	}
	var err error
	if c.Group.Word() == Each {
		comparison.Each = true
		for _, attribute := range c.Attribute {
			comparison.Group = append(comparison.Group, fairness.Term{Attribute: attribute})
		}
	} else {
		comparison.Group, err = c.Group.Terms(c.Attribute)
		report("group", err)
	}
	switch word := c.Versus.Word(); {
	case word == Rest, len(c.Versus) == 0 && c.impliesRest():
		comparison.Rest = true
	case word == Best && comparison.Each:
		comparison.Best = true
	default:
		comparison.Versus, err = c.Versus.Terms(c.Attribute)
		report("versus", err)
	}
	return comparison, problems
}

// impliesRest says whether a constraint without versus means the rest: one of a range, or of every value.
func (c Constraint) impliesRest() bool {
	return c.Group.Word() == Each || slices.ContainsFunc(c.Group, func(m fairness.Members) bool { return m.Range != nil })
}

// NewConfig returns the configuration that is written as this JSON, defaults filled in.
func NewConfig(whole []byte) (c Config, err error) {
	err = c.UnmarshalJSON(whole)
	return c, err
}

// UnmarshalJSON keeps all of data.
func (c *Config) UnmarshalJSON(data []byte) error {
	type plain Config
	var read plain
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	var whole bytes.Buffer
	if err := json.Compact(&whole, data); err != nil { // of an indented document, too
		return err
	}
	*c = Config(read)
	c.whole = whole.Bytes()
	return nil
}

// MarshalJSON writes all of the configuration, as it was read.
func (c Config) MarshalJSON() ([]byte, error) {
	if c.whole == nil {
		type plain Config
		return json.Marshal(plain(c))
	}
	return c.whole, nil
}

// Attributes lists the protected fields in the order in which the constraints first name them.
func (c *Config) Attributes() []string {
	var attributes []string
	for _, constraint := range c.Constraints {
		for _, attribute := range constraint.Attribute {
			if attribute != "" && !slices.Contains(attributes, attribute) {
				attributes = append(attributes, attribute)
			}
		}
	}
	return attributes
}

// Strata lists the fields within whose values groups are compared and that are no attributes.
func (c *Config) Strata() []string {
	var strata []string
	for _, constraint := range c.Constraints {
		if s := constraint.Strata; s != "" && !slices.Contains(strata, s) && !slices.Contains(c.Attributes(), s) {
			strata = append(strata, s)
		}
	}
	return strata
}

// grouper returns what tells the sides of a record, given the groups and strata that the learner has met. The error says which constraint is wrong.
func (c *Config) grouper(found *fairness.Found) (*fairness.Grouper, error) {
	var comparisons []fairness.Comparison
	for _, constraint := range c.Constraints {
		comparisons = append(comparisons, constraint.Comparison())
	}
	grouper, err := fairness.NewGrouper(comparisons)
	if err == nil && found != nil {
		err = grouper.Adopt(*found)
	}
	return grouper, err
}

// options are those of every estimate.
func (c *Config) options() (fairness.Options, error) {
	l := c.Learner
	switch {
	case !(l.Level > 0 && l.Level < 1):
		return fairness.Options{}, fmt.Errorf("learner.level: %v is outside (0, 1)", l.Level)
	case l.MinimumRecords < 1:
		return fairness.Options{}, fmt.Errorf("learner.minimum_records: %d is below 1", l.MinimumRecords)
	}
	return fairness.Options{Level: l.Level, MinimumRecords: float64(l.MinimumRecords)}, nil
}
