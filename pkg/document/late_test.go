package document_test

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestEvaluationOfLateLabels: a record without its label counts in demographic parity, its label later in equal opportunity; with its label it counts in both.
func TestEvaluationOfLateLabels(t *testing.T) {
	d := oneWord(t, document.Classification)
	of := func(name string, criterion fairness.Criterion) document.Constraint {
		return document.Constraint{Name: name, Attribute: record.OneOrMore{"sex"}, Group: document.Values("m"), Versus: document.Values("f"), Criterion: criterion, Tau: .1}
	}
	d.Config.Constraints = []document.Constraint{of("parity", fairness.DemographicParity), of("opportunity", fairness.EqualOpportunity)}
	for name, c := range map[string]struct {
		add                 func(e *document.Evaluation, r *record.Record)
		parity, opportunity int64
	}{
		"with its label": {func(e *document.Evaluation, r *record.Record) { e.Add(r) }, 1, 1},
		"without":        {func(e *document.Evaluation, r *record.Record) { r.HasLabel = false; e.Add(r) }, 1, 0},
		"its label":      {func(e *document.Evaluation, r *record.Record) { e.AddLate(r) }, 0, 1},
		"both in turn": {func(e *document.Evaluation, r *record.Record) {
			r.HasLabel = false
			e.Add(r)
			r.HasLabel = true
			e.AddLate(r)
		}, 1, 1},
	} {
		e, err := document.NewEvaluation(d)
		if err != nil {
			t.Fatal(err)
		}
		r := person("yes", "m", "a", true, 0)
		r.Attributes = r.Attributes[:1]
		c.add(e, r)
		negative := person("yes", "m", "a", false, 0) // which equal opportunity is not about
		negative.Attributes = negative.Attributes[:1]
		c.add(e, negative)
		report := e.Report()
		if got := [2]int64{report.Constraints[0].NGroup, report.Constraints[1].NGroup}; got != [2]int64{2 * c.parity, c.opportunity} {
			t.Errorf("%s: %v records are counted, want %d and %d", name, got, 2*c.parity, c.opportunity)
		}
	}
}
