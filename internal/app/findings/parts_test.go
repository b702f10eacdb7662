package findings

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestEvaluations: without constraints their list is empty, NaN and infinite values become null, and figures of a holdout are named as such.
func TestEvaluations(t *testing.T) {
	measure := func(x float64) fairness.Measure { return fairness.Measure{Value: x, Lo: x / 2, Hi: 2 * x, Level: .9} }
	of := func(accuracy float64) *Evaluation {
		return NewEvaluation(&document.Report{Records: 9, Decisions: &document.Decisions{Accuracy: measure(accuracy), ConstantAccuracy: measure(.5), LogLoss: measure(math.NaN())}}, nil)
	}
	e := of(.75)
	text, err := json.Marshal(e)
	if err != nil || !strings.Contains(string(text), `"constraints":[]`) || !strings.Contains(string(text), `"log_loss":null`) || !strings.Contains(string(text), `"accuracy":0.75`) {
		t.Errorf("%s, %v", text, err)
	}
	if NewEvaluation(nil, nil) != nil || Finite(math.NaN()) != nil || *Finite(2) != 2 {
		t.Error("of nothing")
	}
	r := Result{Prequential: *e}
	if r.Measured().Records != 9 || r.Measured() == e {
		t.Errorf("%+v", r.Measured())
	}
	if r.Holdout = of(.5); r.Measured() != r.Holdout || LevelOf(e) != .9 {
		t.Errorf("%+v", r.Measured())
	}
	auc := measure(.6)
	if all := e.Measures.Qualities(); len(all) != 2 {
		t.Errorf("%+v", all)
	}
	e.Measures.AUC = &auc
	if all := e.Measures.Qualities(); len(all) != 3 || all[2].Name != "AUC" || all[2].Measure != auc {
		t.Errorf("%+v", all)
	}
	for without, want := range map[float64]string{.75: "Cost of the constraint: none that can be measured; accuracy is 0.750 without constraints too.", .8: "Cost of the constraint: accuracy 0.750, without it 0.800."} {
		if e.Unconstrained = of(without); e.price() != want {
			t.Errorf("%s", e.price())
		}
	}
	none := of(math.NaN())
	if none.Unconstrained = of(.5); none.price() != "Cost of the constraint: not known, since no record was measured." {
		t.Error(none.price())
	}
}

// TestUnitsInWords: tau of an enforced constraint is in standard deviations of the label, if these are not 0.
func TestUnitsInWords(t *testing.T) {
	constraints := []fairness.Estimate{{Tau: 9}, {Tau: 5, Enforced: true}, {Tau: 7, Enforced: true}}
	for deviation, want := range map[float64]string{
		0: "Errors, predictions, differences and tau are in units of pay: mean 100, standard deviation 0.",
		2: "Errors, predictions, differences and tau are in units of pay: mean 100.00, standard deviation 2.00. Tau 5 is 2.5 standard deviations.",
	} {
		if got := UnitWords(&document.LabelSummary{Mean: 100, StandardDeviation: deviation}, "pay", constraints); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	if got := UnitWords(&document.LabelSummary{Mean: 1, StandardDeviation: 2}, "pay", constraints[:1]); strings.Contains(got, "Tau") {
		t.Error(got)
	}
}

// TestReportsOfGroups: one of each pair, with both sides of it.
func TestReportsOfGroups(t *testing.T) {
	a := &appraise.Appraisal{Pairs: []appraise.Pair{{Name: "sex"}, {Name: "race"}}}
	a.Pairs[0].Group.Label, a.Pairs[0].Versus.Label, a.Pairs[1].Group.Label = "m", "f", "w"
	reports := NewGroupReports(a, .95)
	if len(reports) != 2 || reports[0].Constraint != "sex" || reports[1].Constraint != "race" || reports[0].Group.Label != "m" || reports[0].Versus.Label != "f" || reports[1].Group.Label != "w" {
		t.Errorf("%+v", reports)
	}
}
