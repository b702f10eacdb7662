package model

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Config is the complete configuration of a learner: the sections `record`, `learner` and `constraints` of a
// configuration file.
type Config struct {
	// Record is how fields become records.
	Record record.Config `yaml:"record" json:"record"`
	// Learner is how weights are learnt.
	Learner LearnerConfig `yaml:"learner" json:"learner"`
	// Constraints are the comparisons of groups, enforced or only measured.
	Constraints []Constraint `yaml:"constraints" json:"constraints"`
	// Evaluation is which records are never learnt.
	Evaluation EvaluationConfig `yaml:"evaluation" json:"evaluation,omitzero"`
}

// The words of a configuration that documents share.
type (
	// Mode is how weights are learnt: Adaptive, Paper or Unconstrained.
	Mode = document.Mode
	// Task is what the learner predicts: Classification (one of two classes) or Regression (a number).
	Task = document.Task
	// OneOrMore is a list of texts that may be written as a single one.
	OneOrMore = record.OneOrMore
	// Group is one side of a constraint: a value, a list of values, a range of a number, or one of these for each attribute.
	Group = document.Group
)

// The modes and the tasks.
const (
	Adaptive       = document.Adaptive
	Paper          = document.Paper
	Unconstrained  = document.Unconstrained
	Classification = document.Classification
	Regression     = document.Regression
	// Rest is the Versus of a constraint against every other known value, Best that of a constraint of Each against the
	// value with the highest rate.
	Rest = document.Rest
	Best = document.Best
	// Each is the Group of a constraint that compares every value.
	Each = document.Each
)

// Values is the Group of one value, or of several.
func Values(values ...string) Group { return document.Values(values...) }

var (
	modes = []Mode{Adaptive, Paper, Unconstrained}
	tasks = []Task{Classification, Regression}
)

// LearnerConfig is the `learner` section. In Go a zero field has its default; WithDefaults says which zeros have a meaning of their own.
type LearnerConfig struct {
	// Task is what the learner predicts: classification (one of two classes) or regression (a number). Regression has
	// no record.label.positive, and the modes adaptive and unconstrained.
	Task Task `yaml:"task" json:"task"`
	// Mode is how weights are learnt: adaptive, paper or unconstrained.
	Mode Mode `yaml:"mode" json:"mode"`
	// Warmup is the number of first records that are held back, to infer the types and bins of columns. They are then
	// learnt like all others. 1 to 10,000.
	Warmup int `yaml:"warmup" json:"warmup"`
	// Forgetting is the number of records after which old records lose most of their influence. More is more precise
	// on a steady stream; less follows a changing stream faster. At least 1,000.
	Forgetting int `yaml:"forgetting" json:"forgetting"`
	// Step is the step size of the adaptive gradient method (AdaGrad), above 0.
	Step float64 `yaml:"step" json:"step"`
	// Regularization is the weight mu of the penalty (mu/2)|w|² in the loss, at least 0.
	Regularization float64 `yaml:"regularization" json:"regularization"`
	// Sparsity is the weight of the regression penalty that shrinks columns with little information about the
	// label (sparse additive model). The default 0 means no penalty; 0.02 is strong. At most 1.
	Sparsity float64 `yaml:"sparsity,omitempty" json:"sparsity,omitempty"`
	// Confidence is how sure to be that a future sample of learner.holdout_records records meets the tau of every
	// enforced constraint. Higher values keep a wider margin below tau. 0.5 (no margin) to 0.999.
	Confidence float64 `yaml:"confidence" json:"confidence"`
	// HoldoutRecords is the size of the future sample to which learner.confidence applies.
	HoldoutRecords int `yaml:"holdout_records" json:"holdout_records"`
	// Window is the number of most recent records of each group on which a constraint is measured. 256 to 65,536.
	Window int `yaml:"window" json:"window"`
	// Level is the level of every reported interval, in (0, 1).
	Level float64 `yaml:"level" json:"level"`
	// MinimumRecords is the number of records that a group needs before its rate is reported, at least 1.
	MinimumRecords  int `yaml:"minimum_records" json:"minimum_records"`
	features.Config `yaml:",inline"`
	// Paper is the settings of mode paper.
	Paper PaperConfig `yaml:"paper" json:"paper"`

	without refine.Set // see Config.Without
}

// Without is the configuration of a learner that leaves out some refinements of mode adaptive. It is for studies
// (bench/ladder): a state does not say what was left out, so such a learner cannot be restored. The error lists the
// refinements that exist.
func (c Config) Without(refinements ...string) (Config, error) {
	set, err := refine.Parse(refinements)
	c.Learner.without = set
	return c, err
}

// PaperConfig is the settings of mode paper: symbols as in Algorithm 1.
type PaperConfig struct {
	// K is the divisor of the step sizes: alpha_t = t^-a / (7K). A larger K makes smaller steps. Without a horizon it
	// must be at least about 0.28. On the Adult records approximations 2 and 3 diverge at 0.5; no relaxation diverges
	// at 1.
	K float64 `yaml:"k" json:"k"`
	// A is the exponent of alpha_t. The paper uses 0.75 with b = 0.5, which is better with a horizon. The default is
	// 0.6, because without a horizon steps of t^-0.75 soon become too small to move the weights.
	A float64 `yaml:"a" json:"a"`
	// B is the exponent of beta_t.
	B float64 `yaml:"b" json:"b"`
	// Horizon is the T for step sizes that are powers of T. 0 means powers of t.
	Horizon int `yaml:"horizon,omitempty" json:"horizon,omitempty"`
	// Theta is the amount by which every constraint is tightened.
	Theta float64 `yaml:"theta,omitempty" json:"theta,omitempty"`
	// Radius is the radius of the ball onto which weights are projected.
	Radius float64 `yaml:"radius" json:"radius"`
	// Epsilon is the frequency of a group below which the ratio is smoothed.
	Epsilon float64 `yaml:"epsilon" json:"epsilon"`
}

// Constraint is one comparison of two groups.
type Constraint struct {
	// Name is the name of the constraint in reports.
	Name string `yaml:"name" json:"name"`
	// Attribute is the protected field, or a list of fields for an intersection.
	Attribute OneOrMore `yaml:"attribute" json:"attribute"`
	// Group is the first group: a value of the attribute, a list of values, a range of a number such as {from: 40} or
	// {from: 40, below: 65}, or each, which compares every value. For an intersection, list one of these per attribute.
	Group Group `yaml:"group" json:"group"`
	// Versus is the second group, in the same forms. `rest` stands for every other known value, and is the default for
	// a range and for each. With each, `best` stands for the value with the highest rate.
	Versus Group `yaml:"versus,omitempty" json:"versus,omitempty"`
	// Strata is a field within whose values the groups are compared (conditional demographic parity). The field remains
	// a feature. Optional.
	Strata string `yaml:"strata,omitempty" json:"strata,omitempty"`
	// Criterion is what is compared: rates of decisions in classification; mean predictions (mean-difference, the
	// default) in regression.
	Criterion fairness.Criterion `yaml:"criterion" json:"criterion"`
	// Tau is the largest allowed absolute difference: between 0 and 1 in classification; above 0, in units of the
	// label, in regression. For the criterion impact-ratio it is the least allowed ratio, such as 0.8.
	Tau float64 `yaml:"tau" json:"tau"`
	// Relaxation is the smooth stand-in for the risk difference, whose gradient moves the weights. A mean difference
	// needs none.
	Relaxation surrogate.Name `yaml:"relaxation,omitempty" json:"relaxation,omitempty"`
	// Enforce is whether the learner enforces the constraint. With false it only measures it. Default true.
	Enforce *bool `yaml:"enforce,omitempty" json:"enforce,omitempty"`
	// Threshold is c*tau in the paper: required in mode paper, not allowed in other modes.
	Threshold float64 `yaml:"threshold,omitempty" json:"threshold,omitempty"`
}

// Enforced reports whether the constraint is to be kept, not only measured.
func (c Constraint) Enforced() bool { return c.Enforce == nil || *c.Enforce }

// published is the constraint as a document holds it.
func (c Constraint) published() document.Constraint {
	return document.Constraint{Name: c.Name, Attribute: c.Attribute, Group: c.Group, Versus: c.Versus, Strata: c.Strata,
		Criterion: c.Criterion, Tau: c.Tau, Enforce: c.Enforce}
}

// Comparison is the constraint as pkg/fairness measures it.
func (c Constraint) Comparison() fairness.Comparison { return c.published().Comparison() }

// Comparisons are the constraints as pkg/fairness measures them, equalized odds not yet split.
func (c Config) Comparisons() []fairness.Comparison {
	var comparisons []fairness.Comparison
	for _, constraint := range c.Constraints {
		comparisons = append(comparisons, constraint.Comparison())
	}
	return comparisons
}

// Attributes lists the protected fields in the order in which the constraints first name them.
func (c Config) Attributes() []string {
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
func (c Config) Strata() []string {
	var constraints document.Config
	for _, constraint := range c.Constraints {
		constraints.Constraints = append(constraints.Constraints, constraint.published())
	}
	return constraints.Strata()
}

// DefaultLearner is the `learner` section of an empty configuration.
func DefaultLearner() LearnerConfig {
	return LearnerConfig{
		Task:           Classification,
		Mode:           Adaptive,
		Warmup:         1000,
		Forgetting:     20000,
		Step:           1.0,
		Regularization: 1e-5,
		Confidence:     0.95,
		HoldoutRecords: 10000,
		Window:         16384,
		Level:          fairness.DefaultLevel,
		MinimumRecords: fairness.DefaultMinimumRecords,
		Config:         features.DefaultConfig(),
		Paper:          PaperConfig{K: 1, A: 0.6, B: 0.5, Radius: 100, Epsilon: surrogate.DefaultEpsilon},
	}
}

// DefaultConstraint holds what a constraint that says nothing else has, in classification.
func DefaultConstraint() Constraint { return defaultConstraint(Classification) }

func defaultConstraint(task Task) Constraint {
	if task == Regression {
		return Constraint{Criterion: fairness.MeanDifference}
	}
	return Constraint{Criterion: fairness.DemographicParity, Relaxation: surrogate.Approximation1}
}

// withDefaults returns l with every zero field set to its default. Three zeros have a meaning: Regularization 0 beside a Step is no
// penalty, and so are A and B 0 in a PaperConfig of which another field is set.
func (l LearnerConfig) withDefaults() LearnerConfig {
	standard := DefaultLearner()
	if l.Step == 0 {
		check.Default(&l.Regularization, standard.Regularization)
	}
	check.Default(&l.Task, standard.Task)
	check.Default(&l.Mode, standard.Mode)
	check.Default(&l.Warmup, standard.Warmup)
	check.Default(&l.Forgetting, standard.Forgetting)
	check.Default(&l.Step, standard.Step)
	check.Default(&l.Confidence, standard.Confidence)
	check.Default(&l.HoldoutRecords, standard.HoldoutRecords)
	check.Default(&l.Window, standard.Window)
	check.Default(&l.Level, standard.Level)
	check.Default(&l.MinimumRecords, standard.MinimumRecords)
	check.Default(&l.Vocabulary.Levels, standard.Vocabulary.Levels)
	check.Default(&l.Vocabulary.Buckets, standard.Vocabulary.Buckets)
	check.Default(&l.Vocabulary.Columns, standard.Vocabulary.Columns)
	check.Default(&l.Paper, standard.Paper)
	check.Default(&l.Paper.K, standard.Paper.K)
	check.Default(&l.Paper.Radius, standard.Paper.Radius)
	check.Default(&l.Paper.Epsilon, standard.Paper.Epsilon)
	return l
}

// WithDefaults returns c with every unset key of the record and the learner section and of the constraints set to its default.
func (c Config) WithDefaults() Config {
	c.Record = c.Record.WithDefaults()
	c.Learner = c.Learner.withDefaults()
	c.Constraints = slices.Clone(c.Constraints)
	defaults := defaultConstraint(c.Learner.Task)
	for i := range c.Constraints {
		constraint := &c.Constraints[i]
		if constraint.Criterion == "" {
			constraint.Criterion = defaults.Criterion
		}
		if constraint.Relaxation == "" {
			constraint.Relaxation = defaults.Relaxation
		}
		if constraint.Name == "" && len(constraint.Attribute) > 0 {
			constraint.Name = strings.Join(constraint.Attribute, "-")
		}
	}
	return c
}

// EvaluationConfig is the `evaluation` section.
type EvaluationConfig struct {
	// Share is the share of the records that are never learnt, in [0, 0.5]. Each document is measured on the newest of
	// them, up to learner.window. A record is chosen by the hash of its identifier (record.id), or of the key that joins
	// it with its label; without these, by the hash of its place in the stream. Default 0.
	Share float64 `yaml:"share" json:"share"`
}

// Schema joins the record section with the attributes of the constraints; decoders come from it.
func (c Config) Schema() (*record.Schema, error) {
	schema, err := record.NewSchema(c.Record, c.Attributes(), c.Strata()...)
	if err != nil {
		return nil, err
	}
	return schema.WithGroups(c.groups()), nil
}

// groups are texts of the groups that constraints name, by attribute.
func (c Config) groups() map[string][]string {
	texts := map[string][]string{}
	for _, comparison := range c.Comparisons() {
		for _, term := range slices.Concat(comparison.Group, comparison.Versus) {
			texts[term.Attribute] = append(texts[term.Attribute], term.Values...)
			if term.Range != nil {
				texts[term.Attribute] = append(texts[term.Attribute], "0")
			}
		}
	}
	return texts
}

// Declares says whether the configuration asks for a field as a feature by its own name: in record.features,
// learner.columns or learner.crosses. Such a column is never left out.
func (c Config) Declares(field string) bool {
	_, typed := c.Learner.Columns[field]
	return typed || slices.Contains(c.Record.Features, field) ||
		slices.ContainsFunc(c.Learner.Crosses, func(cross []string) bool { return slices.Contains(cross, field) })
}

// perComparison returns the constraint behind each comparison.
func (c Config) perComparison() []Constraint {
	var constraints []Constraint
	for _, constraint := range c.Constraints {
		for range constraint.Comparison().Rows() {
			constraints = append(constraints, constraint)
		}
	}
	return constraints
}
