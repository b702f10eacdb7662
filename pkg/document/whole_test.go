package document_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheWholeDocument compares with a file what a document says of its columns, of each weight, of records and of how good it is.
func TestTheWholeDocument(t *testing.T) {
	for name, task := range map[string]document.Task{"decisions": document.Classification, "predictions": document.Regression} {
		t.Run(name, func(t *testing.T) {
			d, _, _ := made(t, task)
			d = parsed(t, d)
			if task == document.Regression {
				for i := range d.Config.Constraints {
					d.Config.Constraints[i].Criterion, d.Config.Constraints[i].Tau = fairness.MeanDifference, 0.5
				}
			}
			var text strings.Builder
			note := func(path string, value any) { text.WriteString(goldentest.Print(path, value)) }
			must := func(value any, err error) any {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				return value
			}
			note("columns", must(d.Columns()))
			note("inputs", must(d.Inputs()))
			note("terms", must(d.Explain()))
			note("comparisons", must(d.Comparisons()))
			note("attributes", d.Config.Attributes())
			scorer := must(d.Scorer()).(*document.Scorer)
			contributions := must(d.Contributions()).(*document.Contributions)
			familiarity := must(d.Familiarity()).(*document.Familiarity)
			evaluation := must(document.NewEvaluation(d)).(*document.Evaluation)
			random := rand.New(rand.NewPCG(7, 7))
			for i := range 400 {
				r := anyRecord(random)
				r.Positive, r.Label, r.HasLabel = random.IntN(2) == 0, random.NormFloat64(), random.IntN(10) > 0
				r.Attributes = []record.Value{{Text: []byte([]string{"m", "f"}[random.IntN(2)])}, {Text: []byte([]string{"a", "b", ""}[random.IntN(3)])}}
				if i%3 == 0 {
					r.Weight = 0.5
				}
				if i >= 300 { // as no record before
					r.Features[0], r.Features[3] = field("bins", "900"), field("word", "never heard")
				}
				if i < 20 || i >= 397 {
					note("margin", scorer.Margin(r))
					note("unread", scorer.Unread())
					row := scorer.Encode(r)
					note("row", []any{row.Index, row.Value})
					contributions.Of(r, func(name int, x float64) { note("of "+contributions.Names()[name], x) })
				}
				familiarity.Add(r)
				if r.HasLabel || i%2 == 0 {
					evaluation.Add(r)
				} else {
					r.HasLabel = true
					evaluation.AddLate(r)
				}
			}
			note("unfamiliar", familiarity.Unfamiliar())
			report := evaluation.Report()
			note("report", report)
			measured := document.Measurements{Prequential: report, Recent: report, Constraints: report.Constraints}
			measured.Judge(5, true)
			note("conditions", measured.Conditions)
			note("useless", measured.Useless())
			goldentest.Compare(t, "whole-"+name+".txt", text.String())
		})
	}
}

// TestWhatLabelsLeaveOpen: where labels are not known of everyone alike, no verdict of a criterion that needs them is met, and where some are never known,
// such a difference is not known at all. A report on other records is limited in the same way.
func TestWhatLabelsLeaveOpen(t *testing.T) {
	estimates := func() []fairness.Estimate {
		return []fairness.Estimate{{Name: "a", Criterion: fairness.EqualOpportunity, Status: fairness.Met, Value: .01}, {Name: "b", Criterion: fairness.EqualOpportunity, Status: fairness.Violated, Value: .2},
			{Name: "c", Criterion: fairness.DemographicParity, Status: fairness.Met, Value: .03}}
	}
	statuses := func(estimates []fairness.Estimate) (all []fairness.Status) {
		for _, e := range estimates {
			all = append(all, e.Status)
		}
		return all
	}
	for name, c := range map[string]struct {
		never bool
		code  document.ConditionCode
		want  []fairness.Status
	}{
		"of some": {false, document.LabelsSelective, []fairness.Status{fairness.Inconclusive, fairness.Violated, fairness.Met}},
		"never":   {true, document.LabelsNever, []fairness.Status{fairness.NotEstimable, fairness.NotEstimable, fairness.Met}},
		"at all":  {false, "", []fairness.Status{fairness.Met, fairness.Violated, fairness.Met}},
	} {
		other := document.Report{Constraints: estimates()}
		m := document.Measurements{Prequential: document.Report{Constraints: estimates()}, Recent: document.Report{Constraints: estimates()},
			Unconstrained: &document.Report{Constraints: estimates()}, Constraints: estimates()}
		if c.code != "" {
			m.Conditions = []document.Condition{{Code: document.OneLabel}, {Code: c.code}}
			m.Selective(c.never)
		}
		m.Limit(nil)
		m.Limit(&other)
		for of, got := range map[string][]fairness.Estimate{"all records": m.Prequential.Constraints, "the newest": m.Recent.Constraints, "without constraints": m.Unconstrained.Constraints,
			"the constraints": m.Constraints, "other records": other.Constraints} {
			for i, status := range statuses(got) {
				if status != c.want[i] || status != estimates()[i].Status && got[i].Reason == "" {
					t.Errorf("%s, %s: %s is %s, %q", name, of, got[i].Name, status, got[i].Reason)
				}
			}
		}
	}
}
