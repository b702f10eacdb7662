package model_test

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// A setting that the mode does not read is a problem that names the mode and says what to do.
func TestSettingsThatDoNothing(t *testing.T) {
	always := map[string]func(c *model.Config){
		"learner.paper.k":       func(c *model.Config) { c.Learner.Paper.K = -5 },
		"learner.paper.a":       func(c *model.Config) { c.Learner.Paper.A = .7 },
		"learner.paper.b":       func(c *model.Config) { c.Learner.Paper.B = .6 },
		"learner.paper.horizon": func(c *model.Config) { c.Learner.Paper.Horizon = 10 },
		"learner.paper.theta":   func(c *model.Config) { c.Learner.Paper.Theta = .1 },
		"learner.paper.radius":  func(c *model.Config) { c.Learner.Paper.Radius = -1 },
		"learner.paper.epsilon": func(c *model.Config) { c.Learner.Paper.Epsilon = 7 },

		"constraints[0].threshold": func(c *model.Config) { c.Constraints[0].Threshold = 99 },
	}
	confidence := func(c *model.Config) { c.Learner.Confidence = .6 }
	holdout := func(c *model.Config) { c.Learner.HoldoutRecords = 500 }
	only := map[model.Mode]map[string]func(c *model.Config){
		model.Paper: {
			"learner.step":            func(c *model.Config) { c.Learner.Step = 9 },
			"learner.forgetting":      func(c *model.Config) { c.Learner.Forgetting = 1234 },
			"learner.confidence":      confidence,
			"learner.holdout_records": holdout,
		},
		model.Unconstrained: {
			"learner.confidence":        confidence,
			"learner.holdout_records":   holdout,
			"constraints[0].relaxation": func(c *model.Config) { c.Constraints[0].Relaxation = surrogate.Sigmoid },
		},
	}
	for _, mode := range allModes {
		for _, table := range []map[string]func(c *model.Config){always, only[mode]} {
			for path, change := range table {
				if _, general := always[path]; general && mode == model.Paper {
					continue
				}
				config := adultConfig(mode)
				change(&config)
				problems := config.WithDefaults().Validate()
				if len(problems) != 1 || problems[0].Path != path {
					t.Errorf("mode %s: %s is not the problem: %v", mode, path, problems)
					continue
				}
				if says := problems[0].Message; !strings.Contains(says, "mode "+string(mode)+": remove it, or use mode ") {
					t.Errorf("mode %s: %s: %s", mode, path, says)
				}
			}
		}
	}
}
