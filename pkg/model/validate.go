package model

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

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
		add("epsilon", "%v is outside (0, 1]", p.Epsilon)
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
