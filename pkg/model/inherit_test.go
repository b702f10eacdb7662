package model_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestInherit: a learner begins with the weights that it is given, decides by those of the constrained model, has measured nothing, and goes
// on from its state bit for bit.
func TestInherit(t *testing.T) {
	records := adultHead(t, 6000)
	parent, err := model.New(adultConfig(model.Adaptive))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parent.Inherit(model.Inherited{}); err == nil || !strings.Contains(err.Error(), "learner.warmup") {
		t.Errorf("a learner without columns leaves something: %v", err)
	}
	for i := range records[:4000] {
		parent.Learn(&records[i])
	}
	basis, err := parent.Basis()
	if err != nil {
		t.Fatal(err)
	}
	if len(basis.Enforced) != 1 || basis.Enforced[0].Tau != .05 || len(basis.Precisions) != len(basis.Weights) || basis.Precisions[0] != 0 {
		t.Fatalf("%+v", basis.Enforced)
	}
	free, pressed, information := make([]float64, len(basis.Weights)), make([]float64, len(basis.Weights)), make([]float64, len(basis.Weights))
	for j := range free {
		free[j], pressed[j], information[j] = .1*math.Sin(float64(j)), .1*math.Cos(float64(j)), float64(j)
	}
	heir, err := parent.Inherit(model.Inherited{Records: 3000, Sides: [][2]float64{{.6, .4}},
		Models:      linear.Given{Records: 3000, MeanWeight: 1, Weights: [][]float64{free, pressed}, Information: information, Touched: information},
		Constraints: []control.Given{{Comparison: basis.Enforced[0].Index, Multiplier: .2, Rates: [2]float64{.2, .18}}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := 4000; i < 4100; i++ {
		e, ok := parent.Read(&records[i], int64(i))
		if !ok {
			t.Fatal("a record with a label is not read")
		}
		want := 0.0
		for k, j := range e.Row.Index {
			want += pressed[j] * e.Row.At(k)
		}
		if got := heir.Margin(&records[i]); math.Abs(got-want) > 1e-9 {
			t.Fatalf("margin %v, want %v", got, want)
		}
	}
	d, err := heir.Document()
	if err != nil {
		t.Fatal(err)
	}
	if heir.Version() != 3000 || d.Version != 3000 || d.Measurements.Prequential.Accuracy.Records != 0 {
		t.Errorf("version %d, measured on %v records", heir.Version(), d.Measurements.Prequential.Accuracy.Records)
	}
	again, err := model.Restore(adultConfig(model.Adaptive), heir.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	for i := 4000; i < len(records); i++ {
		heir.Learn(&records[i])
		again.Learn(&records[i])
	}
	if !bytes.Equal(heir.AppendState(nil), again.AppendState(nil)) {
		t.Error("the state is another one after it was restored")
	}
	if d, err = heir.Document(); err != nil || d.Version != 5000 || d.Measurements.Prequential.Accuracy.Records != 2000 {
		t.Errorf("version %d (%v), measured on %v records", d.Version, err, d.Measurements.Prequential.Accuracy.Records)
	}
	if value := d.Measurements.Recent.Accuracy.Value; value < .7 {
		t.Errorf("accuracy %v: the models do not follow the records", value)
	}
}

// TestWarm: the first records of an heir leave multipliers as they were given, all but the last of them, and then are what these are chosen from.
func TestWarm(t *testing.T) {
	records := adultHead(t, 6000)
	parent, err := model.New(adultConfig(model.Adaptive))
	if err != nil {
		t.Fatal(err)
	}
	for i := range records[:3000] {
		parent.Learn(&records[i])
	}
	basis, err := parent.Basis()
	if err != nil {
		t.Fatal(err)
	}
	given := model.Inherited{Records: 3000, Sides: [][2]float64{{.6, .4}},
		Models: linear.Given{Records: 3000, MeanWeight: 1, Weights: [][]float64{basis.Weights, basis.Weights}, Information: make([]float64, len(basis.Weights)), Touched: make([]float64, len(basis.Weights))},
		// The wrong way: choices from the records would turn it around.
		Constraints: []control.Given{{Comparison: basis.Enforced[0].Index, Multiplier: -.2}}}
	multiplier := func(l *model.Learner) float64 {
		t.Helper()
		d, err := l.Document()
		if err != nil || len(d.Measurements.Control) != 1 {
			t.Fatalf("%v, %+v", err, d.Measurements.Control)
		}
		return d.Measurements.Control[0].Multiplier
	}
	heirs := [2]*model.Learner{}
	for i := range heirs {
		if heirs[i], err = parent.Inherit(given); err != nil {
			t.Fatal(err)
		}
	}
	heirs[0].Warm(func(take func(*record.Record)) {
		for i := 3000; i < 5000; i++ {
			take(&records[i])
			if got := multiplier(heirs[0]); got != -.2 {
				t.Fatalf("after %d records the multiplier is %v, and was given as -0.2", i-2999, got)
			}
		}
	})
	if got := multiplier(heirs[0]); got == -.2 {
		t.Error("after the last record the multiplier is still what was given")
	}
	for i := 3000; i < 5000; i++ {
		heirs[1].Learn(&records[i])
	}
	if multiplier(heirs[1]) == -.2 {
		t.Error("without Warm nothing is chosen: the test looks at nothing")
	}
	again, err := model.Restore(adultConfig(model.Adaptive), heirs[0].AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	for i := 5000; i < len(records); i++ {
		heirs[0].Learn(&records[i])
		again.Learn(&records[i])
	}
	if !bytes.Equal(heirs[0].AppendState(nil), again.AppendState(nil)) {
		t.Error("the state is another one after it was restored")
	}
}

func TestNotInheritable(t *testing.T) {
	c := adultConfig(model.Adaptive)
	if problems := c.Inheritable(); problems != nil {
		t.Errorf("%v", problems)
	}
	c.Learner.Mode, c.Constraints[0].Strata = model.Paper, "education"
	for range 4 {
		c.Constraints = append(c.Constraints, c.Constraints[0])
	}
	var text []string
	for _, problem := range c.Inheritable() {
		text = append(text, problem.Error())
	}
	for _, words := range []string{"learner.mode", "constraints[4].strata", "5 comparisons"} {
		if !strings.Contains(strings.Join(text, "\n"), words) {
			t.Errorf("%q is not in %q", words, text)
		}
	}
	numbers := model.Config{Learner: model.LearnerConfig{Task: model.Regression}}.WithDefaults()
	if problems := numbers.Inheritable(); len(problems) != 1 || !strings.Contains(problems[0].Error(), "learner.task") {
		t.Errorf("%v", problems)
	}
}

// TestAMissingAttributeIsNoText: what stands in its place may be that of another record.
func TestAMissingAttributeIsNoText(t *testing.T) {
	config := peopleConfig(model.Adaptive, features.Bins, constraintSets()["one"]...)
	records := readRecords(t, config, peopleText(9, 300))
	l := learn(t, config, records)
	of := map[fairness.Side]int{}
	for i := range records {
		r := records[i]
		r.Attributes = slices.Clone(r.Attributes)
		for a := range r.Attributes {
			r.Attributes[a].Missing = true
		}
		e, ok := l.Read(&r, int64(i+1))
		if !ok {
			t.Fatal("a record with a label is not read")
		}
		of[e.Sides[0]]++
	}
	if of[fairness.Unknown] != len(records) {
		t.Errorf("of %d records without the attribute, sides are %v", len(records), of)
	}
}

// TestGroupsThatNobodyNamed: of a constraint that compares each value, the records say how many comparisons there are, and a learner leaves sums over records at most
// MostInherited of them.
func TestGroupsThatNobodyNamed(t *testing.T) {
	for attribute, want := range map[string]int{"sex": 2, "race": -1} { // race has five values
		config := adultConfig(model.Adaptive)
		config.Constraints = slices.Clone(config.Constraints)
		config.Constraints[0].Attribute, config.Constraints[0].Group, config.Constraints[0].Versus = model.OneOrMore{attribute}, model.Values("each"), nil
		l, err := model.New(config)
		if err != nil {
			t.Fatal(err)
		}
		text, err := adultText()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range readRecords(t, config, strings.Join(strings.SplitAfterN(text, "\n", 2002)[:2001], "")) {
			l.Learn(&r)
		}
		basis, err := l.Basis()
		if (err == nil) != (want >= 0) || err == nil && len(basis.Enforced) != want || err != nil && !strings.Contains(err.Error(), "the records have 5 groups to compare") {
			t.Errorf("%s: %d comparisons, %v", attribute, len(basis.Enforced), err)
		}
	}
}
