package model_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheLargestWeightsAreRestored: records may weigh as much as a record can, in the first records that are held and in all that is remembered.
func TestTheLargestWeightsAreRestored(t *testing.T) {
	sets := constraintSets()["one"]
	for name, config := range map[string]model.Config{
		"adaptive": peopleConfig(model.Adaptive, features.Bins, sets...), "paper": peopleConfig(model.Paper, features.Bins, sets...), "regression": regressionConfig(model.Adaptive, features.Bins, sets...),
	} {
		records := readRecords(t, config, peopleText(7, 260))
		l := newLearner(t, config)
		for i := range records {
			records[i].Weight = record.MaxWeight
			if l.Learn(&records[i]); i == 100 || i == 259 {
				if again := restore(t, config, l.AppendState(nil)); again.Ready() != (i == 259) || again.Version() != l.Version() {
					t.Errorf("%s, record %d: ready %t", name, i, again.Ready())
				}
			}
		}
	}
}

// TestWhatARegressionHasNot: decisions, and groups that nobody is in among the measured ones.
func TestWhatARegressionHasNot(t *testing.T) {
	each := constraint("each", "", "", "race", "each", "rest")
	each.Enforce = new(bool)
	config := regressionConfig(model.Adaptive, features.Bins, each)
	records := readRecords(t, config, peopleText(8, 400))
	l := learn(t, config, records)
	names := map[string]bool{}
	for _, e := range l.Measurements().Constraints {
		if names[e.Group] {
			t.Errorf("%s is measured twice", e.Group)
		}
		names[e.Group] = true
	}
	if len(names) != 3 {
		t.Errorf("measured are %v, and there are three races", names)
	}
	defer func() {
		if said := fmt.Sprint(recover()); said != "model: a regression has no decisions" {
			t.Error(said)
		}
	}()
	l.Decide(&records[0])
}

// TestWhatIsInNoSum: a record without a label, of no weight, or reserved for evaluation is not read for sums.
func TestWhatIsInNoSum(t *testing.T) {
	config := peopleConfig(model.Adaptive, features.Bins, constraintSets()["one"]...)
	config.Evaluation.Share = .5
	records := readRecords(t, config, peopleText(9, 700))
	first := newLearner(t, config)
	if _, err := first.Basis(); err == nil {
		t.Error("sums of a learner without columns")
	}
	l := learn(t, config, records)
	reserved := 0
	for i := range records {
		r := records[i]
		if _, ok := l.Read(&r, int64(i+1)); !ok {
			reserved++
		}
		r.Weight = 0
		if _, ok := l.Read(&r, int64(i+1)); ok {
			t.Fatal("a record of no weight is read")
		}
		r.Weight, r.HasLabel = 1, false
		if _, ok := l.Read(&r, int64(i+1)); ok {
			t.Fatal("a record without a label is read")
		}
	}
	if reserved < 250 || reserved > 450 {
		t.Errorf("%d of 700 are reserved, and should be half of them", reserved)
	}
}

// TestProblemsOfAConstraintAreToldOnce: what follows from another problem is not told besides.
func TestProblemsOfAConstraintAreToldOnce(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *model.Constraint)
		want   []string
	}{
		"no attribute":         {func(c *model.Constraint) { c.Attribute, c.Name = nil, "" }, []string{"constraints[0].attribute"}},
		"no name":              {func(c *model.Constraint) { c.Name = "" }, nil},
		"no group":             {func(c *model.Constraint) { c.Group = nil }, []string{"constraints[0].group"}},
		"too many values":      {func(c *model.Constraint) { c.Attribute = model.OneOrMore{"sex", "race"} }, []string{"constraints[0].group", "constraints[0].versus"}},
		"a tau of no decision": {func(c *model.Constraint) { c.Tau = 2 }, []string{"constraints[0].tau"}},
	} {
		config := peopleConfig(model.Adaptive, features.Bins, constraintSets()["one"]...)
		c.change(&config.Constraints[0])
		var paths []string
		for _, problem := range config.WithDefaults().Validate() {
			paths = append(paths, problem.Path)
		}
		if !slices.Equal(paths, c.want) {
			t.Errorf("%s: problems at %s, want %s", name, strings.Join(paths, ", "), strings.Join(c.want, ", "))
		}
	}
}

// TestAddLearnsWhatHasALabel: a record with a label is learnt, and one without gets none.
func TestAddLearnsWhatHasALabel(t *testing.T) {
	config := peopleConfig(model.Adaptive, features.Bins, constraintSets()["one"]...)
	records := readRecords(t, config, peopleText(12, 500))
	learnt, added := newLearner(t, config), newLearner(t, config)
	for i := range records {
		if one, other := learnt.Learn(&records[i]), added.Add(&records[i]); one != other {
			t.Fatalf("record %d: %+v, added %+v", i, one, other)
		}
	}
	if !bytes.Equal(learnt.AppendState(nil), added.AppendState(nil)) {
		t.Error("records with labels are added otherwise than learnt")
	}
	r := records[0]
	r.HasLabel = false
	if added.Add(&r); added.Version() != 501 || added.Unlabelled() != 1 || added.Learnt() != 500 {
		t.Errorf("version %d, %d without a label, %d learnt", added.Version(), added.Unlabelled(), added.Learnt())
	}
}
