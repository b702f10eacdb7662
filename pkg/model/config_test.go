package model_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// A learner section of which only some fields are set has the defaults of the others: of the whole, and of each by itself. A zero that has a
// meaning stays.
func TestZeroFieldsHaveDefaults(t *testing.T) {
	if got := (model.Config{}).WithDefaults().Learner; !reflect.DeepEqual(got, model.DefaultLearner()) {
		t.Errorf("an empty section is %+v, want %+v", got, model.DefaultLearner())
	}
	if _, err := model.New(model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}}); err != nil {
		t.Errorf("a learner without any setting: %v", err)
	}
	section := model.DefaultLearner()
	var reset func(v reflect.Value, path string)
	reset = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			field := v.Field(i)
			name := path + v.Type().Field(i).Name
			if field.Kind() == reflect.Struct && field.CanSet() {
				reset(field, name+".")
				continue
			}
			if !field.CanSet() || field.IsZero() || slices.Contains([]string{"Regularization", "Paper.A", "Paper.B"}, name) {
				continue
			}
			was := reflect.ValueOf(field.Interface())
			field.SetZero()
			c := model.Config{Learner: section}.WithDefaults()
			field.Set(was)
			if !reflect.DeepEqual(c.Learner, section) {
				t.Errorf("%s 0 is %+v, want %+v", name, c.Learner, section)
			}
		}
	}
	reset(reflect.ValueOf(&section).Elem(), "")
	l := model.LearnerConfig{Step: 2, Paper: model.PaperConfig{K: 1}}
	if l = (model.Config{Learner: l}).WithDefaults().Learner; l.Step != 2 || l.Regularization != 0 || l.Paper.A != 0 || l.Paper.B != 0 || l.Paper.Radius != 100 {
		t.Errorf("a step without penalty, and constant steps of mode paper, are %+v", l)
	}
}

// Every value out of range is a problem at its path; the configuration of the first command has none.
func TestConfigProblems(t *testing.T) {
	for path, change := range map[string]func(c *model.Config){
		"record.label.field":         func(c *model.Config) { c.Record.Label.Field = "" },
		"learner.mode":               func(c *model.Config) { c.Learner.Mode = "fast" },
		"learner.warmup":             func(c *model.Config) { c.Learner.Warmup = -1 },
		"learner.forgetting":         func(c *model.Config) { c.Learner.Forgetting = 999 },
		"learner.step":               func(c *model.Config) { c.Learner.Step = -1 },
		"learner.regularization":     func(c *model.Config) { c.Learner.Regularization = -1 },
		"learner.confidence":         func(c *model.Config) { c.Learner.Confidence = .4 },
		"learner.holdout_records":    func(c *model.Config) { c.Learner.HoldoutRecords = -1 },
		"learner.window":             func(c *model.Config) { c.Learner.Window = 100 },
		"learner.level":              func(c *model.Config) { c.Learner.Level = 1 },
		"learner.minimum_records":    func(c *model.Config) { c.Learner.MinimumRecords = -1 },
		"learner.vocabulary.levels":  func(c *model.Config) { c.Learner.Vocabulary.Levels = -1 },
		"learner.vocabulary.buckets": func(c *model.Config) { c.Learner.Vocabulary.Buckets = 2e6 },
		"learner.vocabulary.columns": func(c *model.Config) { c.Learner.Vocabulary.Columns = 1 << 20 },
		"learner.columns.age.type":   func(c *model.Config) { c.Learner.Columns = map[string]features.ColumnConfig{"age": {Type: "date"}} },
		"learner.columns.age.encoding": func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"age": {Type: features.Numeric, Encoding: "spline"}}
		},
		"learner.columns.race.encoding": func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"race": {Type: features.Categorical, Encoding: features.Bins}}
		},
		"learner.crosses[0]":        func(c *model.Config) { c.Learner.Crosses = [][]string{{"age"}} },
		"learner.crosses[1]":        func(c *model.Config) { c.Learner.Crosses = [][]string{{"age", "race"}, {"age", "age"}} },
		"learner.paper.k":           func(c *model.Config) { c.Learner.Mode, c.Learner.Paper.K = model.Paper, -1 },
		"learner.paper.radius":      func(c *model.Config) { c.Learner.Mode, c.Learner.Paper.Radius = model.Paper, -1 },
		"learner.paper.theta":       func(c *model.Config) { c.Learner.Mode, c.Learner.Paper.Theta = model.Paper, -1 },
		"learner.paper.epsilon":     func(c *model.Config) { c.Learner.Mode, c.Learner.Paper.Epsilon = model.Paper, 2 },
		"constraints[0].threshold":  func(c *model.Config) { c.Learner.Mode, c.Constraints[0].Threshold = model.Paper, .5 },
		"constraints[0].attribute":  func(c *model.Config) { c.Constraints[0].Attribute = nil },
		"constraints[0].group":      func(c *model.Config) { c.Constraints[0].Group = model.Values("a", "a") },
		"constraints[0].versus":     func(c *model.Config) { c.Constraints[0].Versus = nil },
		"constraints[0].tau":        func(c *model.Config) { c.Constraints[0].Tau = 1.5 },
		"constraints[0].criterion":  func(c *model.Config) { c.Constraints[0].Criterion = "equality" },
		"constraints[0].relaxation": func(c *model.Config) { c.Constraints[0].Relaxation = "approximation-4" },
		"constraints[1].name":       func(c *model.Config) { c.Constraints = append(c.Constraints, c.Constraints[0]) },
	} {
		config := adultConfig(model.Adaptive)
		config.Constraints = slices.Clone(config.Constraints)
		change(&config)
		_, err := model.New(config)
		var problem record.Problem
		if !errors.As(err, &problem) || problem.Path != path || !strings.Contains(err.Error(), path+": ") {
			t.Errorf("%s: the error is %v", path, err)
		}
	}
	for _, mode := range allModes {
		if problems := adultConfig(mode).WithDefaults().Validate(); len(problems) > 0 {
			t.Errorf("%s: %v", mode, problems)
		}
	}
}

// All problems are told at once.
func TestConfigProblemsComeTogether(t *testing.T) {
	config := adultConfig("fast")
	config.Learner.Window, config.Constraints[0].Tau = 1, -1
	_, err := model.New(config)
	for _, path := range []string{"learner.mode", "learner.window", "constraints[0].tau"} {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s is not among the problems: %v", path, err)
		}
	}
}

// One value or several, and values that look like numbers, mean the same in YAML and in JSON.
func TestOneOrMore(t *testing.T) {
	for text, want := range map[string]model.OneOrMore{
		`"a"`: {"a"}, `["a","b"]`: {"a", "b"}, `["a"]`: {"a"}, `1`: {"1"}, `[1,true]`: {"1", "true"}, `[]`: nil,
	} {
		var fromJSON, fromYAML model.OneOrMore
		if err := json.Unmarshal([]byte(text), &fromJSON); err != nil {
			t.Error(err)
		}
		if err := yaml.Unmarshal([]byte(text), &fromYAML); err != nil {
			t.Error(err)
		}
		if !reflect.DeepEqual(fromJSON, want) || !reflect.DeepEqual(fromYAML, want) {
			t.Errorf("%s is %q in JSON and %q in YAML", text, fromJSON, fromYAML)
		}
		for name, marshal := range map[string]func(any) ([]byte, error){"JSON": json.Marshal, "YAML": yaml.Marshal} {
			data, err := marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			var again model.OneOrMore
			if err := yaml.Unmarshal(data, &again); err != nil || !slices.Equal(again, want) {
				t.Errorf("%s: %q is written %s and read %q (%v)", name, want, data, again, err)
			}
		}
	}
	var o model.OneOrMore
	for _, text := range []string{`{"a":1}`, `[[1]]`} {
		if json.Unmarshal([]byte(text), &o) == nil || yaml.Unmarshal([]byte(text), &o) == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// A fingerprint covers every key.
func TestFingerprint(t *testing.T) {
	want := adultConfig(model.Adaptive).Fingerprint()
	for name, test := range map[string]struct {
		change func(c *model.Config)
		same   bool
	}{
		"itself":            {func(*model.Config) {}, true},
		"tau":               {func(c *model.Config) { c.Constraints[0].Tau = .2 }, false},
		"level":             {func(c *model.Config) { c.Learner.Level = .5 }, false},
		"a default spelled": {func(c *model.Config) { c.Constraints[0].Relaxation = "approximation-1" }, true},
		"another step":      {func(c *model.Config) { c.Learner.Step = .01 }, false},
		"another label":     {func(c *model.Config) { c.Record.Label.Positive = "<=50K" }, false},
		"another group":     {func(c *model.Config) { c.Constraints[0].Group = model.Values("Female") }, false},
		"the other encoding": {func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"age": {Type: features.Numeric}}
		}, false},
		"measured, not kept": {func(c *model.Config) { c.Constraints[0].Enforce = new(bool) }, false},
	} {
		config := adultConfig(model.Adaptive)
		config.Constraints = slices.Clone(config.Constraints)
		test.change(&config)
		if same := config.Fingerprint() == want; same != test.same {
			t.Errorf("%s: the same fingerprint: %t", name, same)
		}
	}
}

// TestSchemaKnowsTheGroups: the texts that are in groups, a number for a range, and none where each value is a group.
func TestSchemaKnowsTheGroups(t *testing.T) {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Constraints: []model.Constraint{
		{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("F"), Versus: model.Values("M", "m"), Tau: .1},
		{Name: "age", Attribute: model.OneOrMore{"age"}, Group: model.Group{{Range: &fairness.Range{From: new(float64)}}}, Versus: model.Values("rest"), Tau: .1},
		{Name: "race", Attribute: model.OneOrMore{"race"}, Group: model.Values(model.Each), Versus: model.Values("rest"), Tau: .1},
	}}.WithDefaults()
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	for attribute, want := range map[string][]string{"sex": {"F", "M", "m"}, "age": {"0"}, "race": nil} {
		if got := schema.Groups(attribute); !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", attribute, got, want)
		}
	}
}
