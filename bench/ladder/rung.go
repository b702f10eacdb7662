package main

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/model"
)

// rung is a row of the table: a learner.
type rung struct {
	title   string
	mode    model.Mode
	without []string
}

// paperThreshold is c·tau of Algorithm 1: that of research/paper.md with least error at a risk difference near 0.05.
const paperThreshold = 1.85

// rungsOf returns the default first, then Algorithm 1, each refinement added to those before it, and each left out alone.
// only limits these to some refinements.
func rungsOf(only string) []rung {
	rungs := []rung{{title: "**default**", mode: model.Adaptive}}
	if only == "" {
		rungs = append(rungs, rung{title: "Algorithm 1 (mode paper)", mode: model.Paper},
			rung{title: "two models, no refinement", mode: model.Adaptive, without: texts(refine.Names)})
		for i, name := range refine.Names {
			if i+1 < len(refine.Names) {
				rungs = append(rungs, rung{title: "and " + string(name), mode: model.Adaptive, without: texts(refine.Names[i+1:])})
			}
		}
	}
	for _, name := range refine.Names {
		if only == "" || slices.Contains(strings.Split(only, ","), string(name)) {
			rungs = append(rungs, rung{title: "default without " + string(name), mode: model.Adaptive, without: []string{string(name)}})
		}
	}
	for _, together := range strings.Split(only, ",") {
		if names := strings.Split(together, "+"); len(names) > 1 {
			rungs = append(rungs, rung{title: "default without " + strings.Join(names, " and "), mode: model.Adaptive, without: names})
		}
	}
	return rungs
}

func texts(names []refine.Name) (texts []string) {
	for _, name := range names {
		texts = append(texts, string(name))
	}
	return texts
}

// apply makes a configuration that of the rung.
func (r rung) apply(c model.Config) (model.Config, error) {
	c.Learner.Mode = r.mode
	c.Constraints = slices.Clone(c.Constraints)
	if r.mode == model.Paper {
		for i := range c.Constraints {
			c.Constraints[i].Threshold = paperThreshold
		}
	}
	return c.Without(r.without...)
}
