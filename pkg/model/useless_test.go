package model_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestOneLabel: labels that are all alike give no verdict, in measurements, documents and evaluations, whatever the
// task.
func TestOneLabel(t *testing.T) {
	classify := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "yes"}}, Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Tau: .05}}}
	regress := classify
	regress.Record.Label.Positive = ""
	regress.Learner.Task = model.Regression
	regress.Constraints = []model.Constraint{{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Tau: 1}}
	for name, c := range map[string]model.Config{"classification": classify, "regression": regress} {
		for _, n := range []int{59, 60, 900, 3000} { // the second has records enough, the third is within the warm-up
			var text strings.Builder
			for i := range n {
				fmt.Fprintf(&text, `{"y":7,"sex":"%s","age":%d}`+"\n", "mf"[i%2:i%2+1], i%60)
			}
			records := decode(t, c, record.JSONLines, text.String())
			l := learn(t, c, records)
			m := l.Measurements()
			useless := m.Useless() != ""
			if want := n >= 60; useless != want {
				t.Errorf("%s, %d records: useless %v: %v", name, n, useless, m.Conditions)
			}
			if !useless {
				continue
			}
			d := documentOf(t, l)
			e, err := document.NewEvaluation(d)
			if err != nil {
				t.Fatal(err)
			}
			for i := range records {
				e.Add(&records[i])
			}
			report := e.Report()
			for _, row := range [][]fairness.Estimate{m.Constraints, m.Prequential.Constraints, m.Recent.Constraints, d.Constraints, report.Constraints} {
				if row[0].Status != fairness.NotEstimable || !math.IsNaN(row[0].Value) || row[0].Reason == "" {
					t.Errorf("%s, %d records: %+v", name, n, row[0])
				}
			}
		}
	}
}

// TestAMisspeltAttributeIsNoFeature: the field that is meant by an attribute that no record has teaches the model
// nothing, while another constraint can be kept. That goes on after a restart.
func TestAMisspeltAttributeIsNoFeature(t *testing.T) {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{
			{Name: "race", Attribute: model.OneOrMore{"race"}, Group: model.Values("a"), Versus: model.Values("b"), Tau: .05},
			{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Tau: .05}}}
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, `{"y":%d,"race":"%s","applicant":{"sex":"%s"},"age":%d}`+"\n", i%2, "ab"[i/2%2:i/2%2+1], "mf"[i%2:i%2+1], i%60)
	}
	records := decode(t, c, record.JSONLines, text.String())
	l := learn(t, c, records[:2000])
	restored, err := model.Restore(c, l.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	for i := range records[2000:] {
		restored.Learn(&records[2000+i])
	}
	for _, l := range []*model.Learner{l, restored} {
		terms, err := documentOf(t, l).Explain()
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range terms {
			if term.Column == "applicant.sex" {
				t.Errorf("applicant.sex has a weight, %v", term)
			}
		}
		if len(terms) < 10 {
			t.Errorf("%d weights only", len(terms))
		}
	}
}
