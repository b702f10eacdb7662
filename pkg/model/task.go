package model

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
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
	if c.Relaxation != "" {
		add("relaxation", "is for classification: remove it, a mean difference needs none")
	}
	if c.Threshold != 0 {
		add("threshold", "is for mode paper: remove it")
	}
	return problems
}
