package model_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestTheBoundsOfEachSetting: the least and the largest value of each setting of the learner, and what is just beyond.
func TestTheBoundsOfEachSetting(t *testing.T) {
	up, down := func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }, func(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }
	nan := math.NaN()
	whole := func(set func(c *model.Config, n int)) func(*model.Config, float64) {
		return func(c *model.Config, x float64) { set(c, int(x)) }
	}
	for path, c := range map[string]struct {
		mode      model.Mode
		set       func(c *model.Config, x float64)
		good, bad []float64
	}{
		"learner.warmup":          {model.Adaptive, whole(func(c *model.Config, n int) { c.Learner.Warmup = n }), []float64{1, 10000}, []float64{0, 10001}},
		"learner.forgetting":      {model.Adaptive, whole(func(c *model.Config, n int) { c.Learner.Forgetting = n }), []float64{1000, 1 << 40}, []float64{999, 1<<40 + 1}},
		"learner.holdout_records": {model.Adaptive, whole(func(c *model.Config, n int) { c.Learner.HoldoutRecords = n }), []float64{1, 1 << 40}, []float64{0, 1<<40 + 1}},
		"learner.window":          {model.Adaptive, whole(func(c *model.Config, n int) { c.Learner.Window = n }), []float64{256, 65536}, []float64{255, 65537}},
		"learner.minimum_records": {model.Adaptive, whole(func(c *model.Config, n int) { c.Learner.MinimumRecords = n }), []float64{1, 1 << 30}, []float64{0, 1<<30 + 1}},
		"learner.step":            {model.Adaptive, func(c *model.Config, x float64) { c.Learner.Step = x }, []float64{up(0), 10}, []float64{0, up(10), nan}},
		"learner.regularization":  {model.Adaptive, func(c *model.Config, x float64) { c.Learner.Regularization = x }, []float64{0, 1}, []float64{down(0), up(1), nan}},
		"learner.confidence":      {model.Adaptive, func(c *model.Config, x float64) { c.Learner.Confidence = x }, []float64{.5, .999}, []float64{down(.5), up(.999), nan}},
		"learner.level":           {model.Adaptive, func(c *model.Config, x float64) { c.Learner.Level = x }, []float64{up(0), down(1)}, []float64{0, 1, nan}},
		"evaluation.share":        {model.Adaptive, func(c *model.Config, x float64) { c.Evaluation.Share = x }, []float64{0, .5}, []float64{down(0), up(.5), nan}},
		"learner.paper.theta":     {model.Paper, func(c *model.Config, x float64) { c.Learner.Paper.Theta = x }, []float64{0, down(1e6)}, []float64{down(0), 1e6, nan}},
		"learner.paper.radius":    {model.Paper, func(c *model.Config, x float64) { c.Learner.Paper.Radius = x }, []float64{up(0), down(1e12)}, []float64{0, 1e12, nan}},
		"learner.paper.epsilon":   {model.Paper, func(c *model.Config, x float64) { c.Learner.Paper.Epsilon = x }, []float64{up(0), 1}, []float64{0, up(1), nan}},
		"learner.paper.k":         {model.Paper, func(c *model.Config, x float64) { c.Learner.Paper.K = x }, []float64{.28, 1, 100}, []float64{0, .27, nan, math.Inf(1)}},
	} {
		problems := func(x float64) (paths []string) {
			config := adultConfig(c.mode).WithDefaults()
			c.set(&config, x)
			for _, p := range config.Validate() {
				paths = append(paths, p.Path)
			}
			return paths
		}
		for _, x := range c.good {
			if found := problems(x); len(found) > 0 {
				t.Errorf("%s %v: problems at %v", path, x, found)
			}
		}
		for _, x := range c.bad {
			if found := problems(x); !slices.Equal(found, []string{path}) {
				t.Errorf("%s %v: problems at %v", path, x, found)
			}
		}
	}
}

// TestWhatDoesNotGoTogether: settings and constraints that a mode or a task does not read are problems at their keys, with what to do.
func TestWhatDoesNotGoTogether(t *testing.T) {
	no := false
	for name, c := range map[string]struct {
		mode   model.Mode
		change func(c *model.Config)
		want   []string // the path and what to do
	}{
		"a threshold":            {model.Adaptive, func(c *model.Config) { c.Constraints[0].Threshold = 2 }, []string{"constraints[0].threshold", "paper"}},
		"a relaxation":           {model.Unconstrained, func(c *model.Config) { c.Constraints[0].Relaxation = "mean-margin" }, []string{"constraints[0].relaxation", "adaptive"}},
		"the default relaxation": {model.Unconstrained, func(c *model.Config) { c.Constraints[0].Relaxation = "approximation-1" }, nil},
		"no threshold":           {model.Paper, func(c *model.Config) { c.Constraints[0].Threshold = 0 }, []string{"constraints[0].threshold", "required in mode paper"}},
		"no threshold, measured": {model.Paper, func(c *model.Config) { c.Constraints[0].Threshold, c.Constraints[0].Enforce = 0, &no }, nil},
		"a ratio in mode paper":  {model.Paper, func(c *model.Config) { c.Constraints[0].Criterion, c.Constraints[0].Tau = fairness.ImpactRatio, .8 }, []string{"constraints[0].criterion", "enforce: false"}},
		"strata in mode paper":   {model.Paper, func(c *model.Config) { c.Constraints[0].Strata = "education" }, []string{"constraints[0].strata", "enforce: false"}},
		"each in mode paper": {model.Paper, func(c *model.Config) {
			c.Constraints[0].Group, c.Constraints[0].Versus = model.Group{{Values: []string{"each"}}}, nil
		}, []string{"constraints[0].group", "enforce: false"}},
		"K of mode paper":           {model.Adaptive, func(c *model.Config) { c.Learner.Paper.K = 2 }, []string{"learner.paper.k", "paper"}},
		"the default K of before":   {model.Adaptive, func(c *model.Config) { c.Learner.Paper.K = .5 }, nil},
		"theta of mode paper":       {model.Adaptive, func(c *model.Config) { c.Learner.Paper.Theta = .5 }, []string{"learner.paper.theta", "paper"}},
		"a step in mode paper":      {model.Paper, func(c *model.Config) { c.Learner.Step = 2 }, []string{"learner.step", "adaptive"}},
		"sparsity":                  {model.Adaptive, func(c *model.Config) { c.Learner.Sparsity = .1 }, []string{"learner.sparsity", "regression"}},
		"no group":                  {model.Adaptive, func(c *model.Config) { c.Constraints[0].Group = nil }, []string{"constraints[0].group", "required"}},
		"means of decisions":        {model.Adaptive, func(c *model.Config) { c.Constraints[0].Criterion = fairness.MeanDifference }, []string{"constraints[0].criterion", "is for regression"}},
		"a value that diverges":     {model.Paper, func(c *model.Config) { c.Learner.Paper.K = .01 }, []string{"learner.paper.k", "is known to diverge"}},
		"a label without a value":   {model.Adaptive, func(c *model.Config) { c.Record.Label.Positive = "" }, []string{"record.label.positive", "learner.task: regression"}},
		"a constraint without name": {model.Adaptive, func(c *model.Config) { c.Constraints[0].Name = "" }, nil},
	} {
		config := adultConfig(c.mode)
		config.Constraints = slices.Clone(config.Constraints)
		c.change(&config)
		problems := config.WithDefaults().Validate()
		if len(problems) != min(1, len(c.want)) || len(problems) == 1 && (problems[0].Path != c.want[0] || !strings.Contains(problems[0].Message, c.want[1])) {
			t.Errorf("%s: %v, want %v", name, problems, c.want)
		}
	}
	regression := func(change func(c *model.Config)) (paths []string) {
		config := adultConfig(model.Adaptive)
		config.Learner.Task, config.Record.Label.Positive = model.Regression, ""
		config.Constraints = slices.Clone(config.Constraints)
		for i := range config.Constraints {
			config.Constraints[i].Criterion, config.Constraints[i].Tau, config.Constraints[i].Relaxation, config.Constraints[i].Threshold = fairness.MeanDifference, 1, "", 0
		}
		change(&config)
		for _, p := range config.WithDefaults().Validate() {
			paths = append(paths, p.Path)
		}
		return paths
	}
	for name, c := range map[string]struct {
		change func(c *model.Config)
		want   string
	}{
		"as it should be":  {func(*model.Config) {}, "[]"},
		"a positive label": {func(c *model.Config) { c.Record.Label.Positive = "1" }, "[record.label.positive]"},
		"mode paper":       {func(c *model.Config) { c.Learner.Mode = model.Paper }, "[learner.mode]"},
		"rates":            {func(c *model.Config) { c.Constraints[0].Criterion = fairness.DemographicParity }, "[constraints[0].criterion]"},
		"a relaxation":     {func(c *model.Config) { c.Constraints[0].Relaxation = "mean-margin" }, "[constraints[0].relaxation]"},
		"a threshold":      {func(c *model.Config) { c.Constraints[0].Threshold = 1 }, "[constraints[0].threshold]"},
		"each that is enforced": {func(c *model.Config) {
			c.Constraints[0].Group, c.Constraints[0].Versus = model.Group{{Values: []string{"each"}}}, nil
		}, "[constraints[0].group]"},
		"each that is measured": {func(c *model.Config) {
			c.Constraints[0].Group, c.Constraints[0].Versus, c.Constraints[0].Enforce = model.Group{{Values: []string{"each"}}}, nil, &no
		}, "[]"},
		"sparsity":          {func(c *model.Config) { c.Learner.Sparsity = 1 }, "[]"},
		"too much sparsity": {func(c *model.Config) { c.Learner.Sparsity = math.Nextafter(1, 2) }, "[learner.sparsity]"},
	} {
		if got := fmt.Sprint(regression(c.change)); got != c.want {
			t.Errorf("a regression, %s: problems at %s, want %s", name, got, c.want)
		}
	}
}

// TestWhoCannotInherit: sums over records are for classification, without the paper's algorithm, strata or too many enforced comparisons.
func TestWhoCannotInherit(t *testing.T) {
	no := false
	many := func(count int, criterion fairness.Criterion) func(c *model.Config) {
		return func(c *model.Config) {
			c.Constraints = slices.Repeat(c.Constraints[:1], count)
			for i := range c.Constraints {
				c.Constraints[i].Criterion = criterion
			}
		}
	}
	for name, c := range map[string]struct {
		change func(c *model.Config)
		want   string
	}{
		"as it is":             {func(*model.Config) {}, ""},
		"a regression":         {func(c *model.Config) { c.Learner.Task = model.Regression }, "learner.task: "},
		"mode paper":           {func(c *model.Config) { c.Learner.Mode = model.Paper }, "learner.mode: "},
		"strata":               {func(c *model.Config) { c.Constraints[0].Strata = "x" }, "constraints[0].strata: "},
		"strata, measured":     {func(c *model.Config) { c.Constraints[0].Strata, c.Constraints[0].Enforce = "x", &no }, ""},
		"as many as can be":    {many(model.MostInherited, fairness.DemographicParity), ""},
		"more":                 {many(model.MostInherited+1, fairness.DemographicParity), fmt.Sprintf("constraints: %d comparisons are enforced", model.MostInherited+1)},
		"two comparisons each": {many(model.MostInherited/2+1, fairness.EqualizedOdds), fmt.Sprintf("constraints: %d comparisons are enforced", 2*(model.MostInherited/2+1))},
		"more, measured": {func(c *model.Config) {
			many(model.MostInherited+1, fairness.DemographicParity)(c)
			c.Constraints[0].Enforce = &no
		}, ""},
	} {
		config := adultConfig(model.Adaptive).WithDefaults()
		config.Constraints = slices.Clone(config.Constraints)
		c.change(&config)
		problems := config.Inheritable()
		if len(problems) != map[bool]int{true: 0, false: 1}[c.want == ""] || len(problems) == 1 && !strings.HasPrefix(problems[0].Error(), c.want) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
