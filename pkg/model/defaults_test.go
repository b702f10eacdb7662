package model_test

import (
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestDefaultsOfTheLearner are those that its keys document; what is set stays, and a penalty of 0 does beside a step.
func TestDefaultsOfTheLearner(t *testing.T) {
	want := model.LearnerConfig{Task: model.Classification, Mode: model.Adaptive, Warmup: 1000, Forgetting: 20_000, Step: 1, Regularization: 1e-5, Confidence: .95, HoldoutRecords: 10_000,
		Window: 16_384, Level: .95, MinimumRecords: 30, Config: features.Config{Vocabulary: features.VocabularyConfig{Levels: 8192, Buckets: 1024, Columns: 8192}},
		Paper: model.PaperConfig{K: 1, A: .6, B: .5, Radius: 100, Epsilon: surrogate.DefaultEpsilon}}
	if got := (model.Config{}).WithDefaults().Learner; !reflect.DeepEqual(got, want) || !reflect.DeepEqual(model.DefaultLearner(), want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	set := model.LearnerConfig{Task: model.Regression, Mode: model.Paper, Warmup: 7, Forgetting: 50, Step: 2, Confidence: .9, HoldoutRecords: 20, Window: 512, Level: .9, MinimumRecords: 40,
		Config: features.Config{Vocabulary: features.VocabularyConfig{Levels: 3, Buckets: 4, Columns: 5}}, Paper: model.PaperConfig{K: 2, Radius: 3, Epsilon: .25}}
	if got := (model.Config{Learner: set}).WithDefaults().Learner; !reflect.DeepEqual(got, set) {
		t.Errorf("%+v, want %+v", got, set)
	}
	some := model.Config{Learner: model.LearnerConfig{Paper: model.PaperConfig{A: .7}}}.WithDefaults().Learner.Paper
	if some != (model.PaperConfig{K: 1, A: .7, Radius: 100, Epsilon: surrogate.DefaultEpsilon}) {
		t.Errorf("%+v", some)
	}
}

// TestDefaultsOfConstraints depend on the task, and the name is that of the attributes.
func TestDefaultsOfConstraints(t *testing.T) {
	two := []model.Constraint{{Attribute: model.OneOrMore{"sex", "race"}}, {Name: "mine", Attribute: model.OneOrMore{"sex"}, Criterion: fairness.EqualOpportunity, Relaxation: surrogate.Sigmoid}}
	c := model.Config{Constraints: two}
	got := c.WithDefaults().Constraints
	if got[0].Name != "sex-race" || got[0].Criterion != fairness.DemographicParity || got[0].Relaxation != surrogate.Approximation1 || !reflect.DeepEqual(got[1], two[1]) || two[0].Name != "" {
		t.Errorf("%+v", got)
	}
	c.Learner.Task = model.Regression
	if got := c.WithDefaults().Constraints; got[0].Criterion != fairness.MeanDifference || got[0].Relaxation != "" {
		t.Errorf("%+v", got[0])
	}
	if d := model.DefaultConstraint(); d.Criterion != fairness.DemographicParity || d.Relaxation != surrogate.Approximation1 {
		t.Errorf("%+v", d)
	}
}
