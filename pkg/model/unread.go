package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

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
