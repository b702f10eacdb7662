package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/pkg/csspa/steps"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Validate returns every problem of c, each with its path. It is to be called on what WithDefaults
// returns.
func (c Config) Validate() []record.Problem {
	problems := c.Record.Validate(slices.Concat(c.Attributes(), c.Strata()))
	problems = append(problems, c.Learner.validate()...)
	problems = append(problems, c.Evaluation.validate()...)
	problems = append(problems, c.validateTask()...)
	names := map[string]int{}
	for i, constraint := range c.Constraints {
		path := fmt.Sprintf("constraints[%d]", i)
		problems = append(problems, constraint.validate(path, c.Learner)...)
		key := constraint.Name
		if first, twice := names[key]; twice {
			problems = append(problems, record.Problem{Path: path + ".name",
				Message: fmt.Sprintf("is also the name of constraints[%d]: give each constraint its own", first)})
		}
		names[key] = i
	}
	return problems
}

func (l LearnerConfig) validate() []record.Problem {
	var problems []record.Problem
	add := func(key, format string, arguments ...any) {
		problems = append(problems, record.Problem{Path: "learner." + key, Message: fmt.Sprintf(format, arguments...)})
	}
	between := func(key string, value, least, most int) {
		if value < least || value > most {
			add(key, "%d is outside %d to %d", value, least, most)
		}
	}
	if !slices.Contains(tasks, l.Task) {
		add("task", "%q is unknown: use classification or regression", l.Task)
	}
	if !slices.Contains(modes, l.Mode) {
		add("mode", "%q is unknown: use adaptive, paper or unconstrained", l.Mode)
	}
	between("warmup", l.Warmup, 1, 10000)
	between("forgetting", l.Forgetting, 1000, 1<<40)
	between("holdout_records", l.HoldoutRecords, 1, 1<<40)
	between("window", l.Window, 256, 65536)
	between("minimum_records", l.MinimumRecords, 1, 1<<30)
	if !(l.Step > 0 && l.Step <= 10) {
		add("step", "%v is outside (0, 10]", l.Step)
	}
	if !(l.Regularization >= 0 && l.Regularization <= 1) {
		add("regularization", "%v is outside [0, 1]", l.Regularization)
	}
	if !(l.Sparsity >= 0 && l.Sparsity <= 1) {
		add("sparsity", "%v is outside [0, 1]", l.Sparsity)
	}
	if !(l.Confidence >= 0.5 && l.Confidence <= 0.999) {
		add("confidence", "%v is outside [0.5, 0.999]%s", l.Confidence, check.AsShare(l.Confidence))
	}
	if !(l.Level > 0 && l.Level < 1) {
		add("level", "%v is outside (0, 1)%s", l.Level, check.AsShare(l.Level))
	}
	for _, problem := range l.Config.Validate() {
		add(problem.Path, "%s", problem.Message)
	}
	if slices.Contains(modes, l.Mode) {
		problems = append(problems, l.unread()...)
	}
	return append(problems, l.Paper.validate(l.Mode)...)
}

// validateTask reports keys that do not go with the task.
func (c Config) validateTask() []record.Problem {
	switch {
	case c.Learner.Task == Classification && c.Record.Label.Numeric():
		return []record.Problem{{Path: "record.label.positive",
			Message: "required: give the value that counts as positive (or predict a number, with learner.task: regression)"}}
	case c.Learner.Task == Classification && c.Learner.Sparsity != 0:
		return []record.Problem{{Path: "learner.sparsity", Message: "is for regression: remove it"}}
	case c.Learner.Task != Regression:
		return nil
	}
	var problems []record.Problem
	if !c.Record.Label.Numeric() {
		problems = append(problems, record.Problem{Path: "record.label.positive",
			Message: "is for classification: remove it, the label of a regression is a number"})
	}
	if c.Learner.Mode == Paper {
		problems = append(problems, record.Problem{Path: "learner.mode",
			Message: "paper is for classification: use adaptive or unconstrained"})
	}
	return problems
}

// fitsTask says whether the criterion is known and one of the task.
func (c Constraint) fitsTask(task Task) bool {
	return slices.Contains(fairness.Criteria(), c.Criterion) && slices.Contains(tasks, task) && c.Criterion.OfMeans() == (task == Regression)
}

// validateTask reports keys of a constraint that do not go with the task.
func (c Constraint) validateTask(path string, task Task) []record.Problem {
	var problems []record.Problem
	add := func(key, format string, arguments ...any) {
		problems = append(problems, record.Problem{Path: path + "." + key, Message: fmt.Sprintf(format, arguments...)})
	}
	known := slices.Contains(fairness.Criteria(), c.Criterion)
	if task == Classification {
		if known && c.Criterion.OfMeans() {
			add("criterion", "%s is for regression: use one of rates, such as %s", c.Criterion, fairness.DemographicParity)
		}
		return problems
	}
	if known && !c.Criterion.OfMeans() {
		add("criterion", "%s compares rates of decisions: use %s, a regression has none", c.Criterion, fairness.MeanDifference)
	}
	if c.Group.Word() == Each && c.Enforced() {
		add("group", "each is only measured in a regression: add enforce: false, or list the values, one constraint for each")
	}
	if c.Relaxation != "" {
		add("relaxation", "is for classification: remove it, a mean difference needs none")
	}
	if c.Threshold != 0 {
		add("threshold", "is for mode paper: remove it")
	}
	return problems
}

func (p PaperConfig) validate(mode Mode) []record.Problem {
	var problems []record.Problem
	if mode != Paper {
		return nil
	}
	add := func(key, format string, arguments ...any) {
		problems = append(problems, record.Problem{Path: "learner.paper." + key, Message: fmt.Sprintf(format, arguments...)})
	}
	switch schedule, err := p.schedule(); {
	case err != nil:
		add("k", "%v", err)
	default:
		if err := schedule.CheckSaddle(); err != nil {
			add("k", "%v is known to diverge: %v", p.K, err)
		}
	}
	if !(p.Theta >= 0 && p.Theta < 1e6) {
		add("theta", "%v is negative or not finite", p.Theta)
	}
	if !(p.Radius > 0 && p.Radius < 1e12) {
		add("radius", "%v must be above 0 and finite", p.Radius)
	}
	if !(p.Epsilon > 0 && p.Epsilon <= 1) {
		add("epsilon", "%v is outside (0, 1]%s", p.Epsilon, check.AsShare(p.Epsilon))
	}
	return problems
}

func (c Constraint) validate(path string, learner LearnerConfig) []record.Problem {
	var problems []record.Problem
	add := func(key, message string) {
		problems = append(problems, record.Problem{Path: path + "." + key, Message: message})
	}
	if len(c.Attribute) == 0 {
		add("attribute", "required: name the protected field")
	}
	if len(c.Group) == 0 {
		add("group", "required: give a value of the attribute, a list of values, a range, or each")
	}
	if len(c.Versus) == 0 && !c.Comparison().Rest {
		add("versus", "required: give a value of the attribute, or rest")
	}
	if len(problems) == 0 {
		for _, problem := range c.published().GroupProblems() {
			add(problem.Field, problem.Problem)
		}
	}
	misshapen := len(problems) > 0
	for _, problem := range c.Comparison().Validate() {
		switch {
		case misshapen && (problem.Field == "group" || problem.Field == "versus"):
		case problem.Field == "name" && len(c.Attribute) == 0: // an attribute gives one
		case problem.Field == "tau" && !c.fitsTask(learner.Task): // its unit is not known
		default:
			add(problem.Field, problem.Problem)
		}
	}
	if slices.Contains(tasks, learner.Task) {
		problems = append(problems, c.validateTask(path, learner.Task)...)
	}
	if slices.Contains(modes, learner.Mode) {
		problems = append(problems, c.unread(path, learner)...)
	}
	if learner.Task == Regression {
		return problems
	}
	if _, err := surrogate.Parse(string(c.Relaxation)); err != nil {
		add("relaxation", err.Error())
		return problems
	}
	switch {
	case learner.Mode != Paper:
	case c.Enforced() && !(c.Threshold > 0):
		add("threshold", "required in mode paper: give c*tau of the relaxation, such as 2.0 for approximation-1")
	case c.Enforced():
		if err := surrogate.CheckThreshold(c.Relaxation, c.Threshold); err != nil {
			add("threshold", err.Error())
		}
	}
	return problems
}

// mostReserved is the largest share that may be reserved.
const mostReserved = .5

func (e EvaluationConfig) validate() []record.Problem {
	if e.Share >= 0 && e.Share <= mostReserved {
		return nil
	}
	return []record.Problem{{Path: "evaluation.share", Message: "must be from 0 to 0.5: the share of the records that are never learnt"}}
}

// readers says which modes read a setting of the learner. The others would pass over it in silence, so setting it to
// anything but its default is a problem there.
var readers = []struct {
	key   string
	value func(l *LearnerConfig) any
	modes []Mode
}{
	{"step", func(l *LearnerConfig) any { return l.Step }, []Mode{Adaptive, Unconstrained}},
	{"forgetting", func(l *LearnerConfig) any { return l.Forgetting }, []Mode{Adaptive, Unconstrained}},
	{"confidence", func(l *LearnerConfig) any { return l.Confidence }, []Mode{Adaptive}},
	{"holdout_records", func(l *LearnerConfig) any { return l.HoldoutRecords }, []Mode{Adaptive}},
	{"paper.k", func(l *LearnerConfig) any { return l.Paper.K }, []Mode{Paper}},
	{"paper.a", func(l *LearnerConfig) any { return l.Paper.A }, []Mode{Paper}},
	{"paper.b", func(l *LearnerConfig) any { return l.Paper.B }, []Mode{Paper}},
	{"paper.horizon", func(l *LearnerConfig) any { return l.Paper.Horizon }, []Mode{Paper}},
	{"paper.theta", func(l *LearnerConfig) any { return l.Paper.Theta }, []Mode{Paper}},
	{"paper.radius", func(l *LearnerConfig) any { return l.Paper.Radius }, []Mode{Paper}},
	{"paper.epsilon", func(l *LearnerConfig) any { return l.Paper.Epsilon }, []Mode{Paper}},
}

// earlierK is the default of learner.paper.k in states that were written before it became 1.
const earlierK = 0.5

// unread reports the settings that the learner's mode does not read.
func (l LearnerConfig) unread() []record.Problem {
	var problems []record.Problem
	defaults := DefaultLearner()
	for _, setting := range readers {
		if setting.key == "paper.k" && l.Paper.K == earlierK {
			continue
		}
		if setting.value(&l) != setting.value(&defaults) && !slices.Contains(setting.modes, l.Mode) {
			problems = append(problems, unread("learner."+setting.key, l.Mode, setting.modes))
		}
	}
	return problems
}

// unread reports the settings of a constraint that the learner's mode does not read.
func (c Constraint) unread(path string, l LearnerConfig) []record.Problem {
	var problems []record.Problem
	if l.Task == Regression {
		return nil // validateTask reports both settings
	}
	if c.Threshold != 0 && l.Mode != Paper {
		problems = append(problems, unread(path+".threshold", l.Mode, []Mode{Paper}))
	}
	if l.Mode == Paper && c.Enforced() {
		problems = append(problems, c.unknownToPaper(path)...)
	}
	if c.Relaxation != surrogate.Approximation1 && l.Mode == Unconstrained {
		problems = append(problems, unread(path+".relaxation", l.Mode, []Mode{Adaptive, Paper}))
	}
	return problems
}

// unknownToPaper reports what Algorithm 1 has no constraint for.
func (c Constraint) unknownToPaper(path string) (problems []record.Problem) {
	for _, one := range []struct {
		key string
		set bool
	}{{"criterion", c.Criterion.OfRatio()}, {"group", c.Group.Word() == Each}, {"strata", c.Strata != ""}} {
		if one.set {
			problems = append(problems, record.Problem{Path: path + "." + one.key,
				Message: "mode paper does not enforce this: add enforce: false, or use mode adaptive"})
		}
	}
	return problems
}

func unread(path string, mode Mode, readers []Mode) record.Problem {
	names := make([]string, len(readers))
	for i, reader := range readers {
		names[i] = string(reader)
	}
	return record.Problem{Path: path, Message: fmt.Sprintf("does nothing in mode %s: remove it, or use mode %s", mode, strings.Join(names, " or "))}
}

// schedule returns the step sizes of Theorem 2.
func (p PaperConfig) schedule() (steps.PowerLaw, error) {
	if p.Horizon != 0 {
		return steps.Theorem2Horizon(p.K, p.A, p.B, p.Horizon)
	}
	return steps.Theorem2(p.K, p.A, p.B)
}
