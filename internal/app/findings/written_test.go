package findings_test

import (
	"context"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// result is what was found with weights that were learnt from made-up records.
func result(t *testing.T, yaml string, rows int) *findings.Result {
	t.Helper()
	c := apptest.Load(t, yaml, 0).Model()
	learner, err := model.New(c)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	p := &input.Pass{Schema: schema, Labelled: true, Reject: func(*record.Rejection) {}, Each: func(r *record.Record) { learner.Learn(r) },
		Source: input.Source{Name: "made up", Open: func(as record.Config) (input.Rows, error) {
			return record.NewReader(strings.NewReader(apptest.CSV(rows)), record.CSV, as.Limits)
		}}}
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	doc, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	return findings.NewResult(doc, 1)
}

// TestWhatIsWritten: one result and several, as text and as JSON, of classifiers, of a ratio and of a regression.
func TestWhatIsWritten(t *testing.T) {
	stage := apptest.NewStage(t)
	with := func(constraints string) string {
		return "record: {label: {field: paid, positive: 1}, ignore: [pay]}\nconstraints: [" + constraints + "]\n"
	}
	const amounts = "record: {label: {field: pay}, ignore: [paid]}\nlearner: {task: regression}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, criterion: mean-difference, tau: 2}]\n"
	for name, c := range map[string]struct {
		yaml string
		rows int
	}{
		"one":      {with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}"), 1200},
		"several":  {with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}, {name: part, attribute: part, group: each, criterion: equal-opportunity, tau: 0.3, enforce: false}"), 1200},
		"reserved": {with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}") + "evaluation: {share: 0.2}\n", 1200},
		"ratio":    {with("{name: sex, attribute: sex, group: M, versus: F, criterion: impact-ratio, tau: 0.8}"), 1200},
		"two":      {with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}, {name: parts of the country, attribute: part, group: n, versus: s, tau: 0.2}"), 1200},
		"low":      {with("{name: sex, attribute: sex, group: M, versus: F, criterion: impact-ratio, tau: 0.99, enforce: false}"), 1200},
		"held-out": {with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}"), 1200},
		"none":     {with(""), 300},
		"few":      {with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}"), 20},
		"amounts":  {amounts, 1200},
		"one-row":  {with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}"), 1},
	} {
		r := result(t, c.yaml, c.rows)
		if name == "held-out" {
			held := *r.Measured()
			held.Records = 77
			held.Groups = findings.NewGroupReports(&appraise.Appraisal{Pairs: []appraise.Pair{{Name: "sex", Group: appraise.Group{Label: strings.Repeat("m", 26)}, Versus: appraise.Group{Label: strings.Repeat("f", 27)}}}}, .95)
			r.Holdout = &held
			r.Conditions = append(r.Conditions, document.Condition{Code: document.ColumnsLeftOut, Detail: "told before"})
		}
		stage.Says(t, name+".txt", func(context.Context) error { findings.WriteSingle(stage.Out, r); return nil })
		second := result(t, c.yaml, c.rows)
		first, other := .05, .1
		r.Tau, second.Tau = &first, &other
		stage.Says(t, name+"-taus.txt", func(context.Context) error {
			findings.WriteFrontier(stage.Out, []*findings.Result{r, second})
			return nil
		})
	}
	r := result(t, with("{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}"), 300)
	r.Relaxation = "sigmoid"
	stage.Says(t, "relaxation.txt", func(context.Context) error { findings.WriteFrontier(stage.Out, []*findings.Result{r}); return nil })
	stage.Says(t, "one.json", func(context.Context) error {
		line, err := r.Line()
		if err == nil {
			_, err = stage.Out.Write(line)
		}
		return err
	})
}

// TestNotesAreSaidOnce: a condition that the sentence of its constraint gives as the reason is left out.
func TestNotesAreSaidOnce(t *testing.T) {
	var out strings.Builder
	findings.WriteNotes(&out, []document.Condition{{Code: document.TooFewRecords, Constraint: "sex", Detail: "a"}, {Code: document.TooFewRecords, Constraint: "sex", Detail: "b"}, {Detail: "c"}},
		[]fairness.Estimate{{Name: "sex", Reason: "a"}, {Name: "age", Reason: "b"}})
	if got := out.String(); got != "Note: sex: b.\nNote: c.\n" {
		t.Errorf("%q", got)
	}
	for code, want := range map[document.ConditionCode]bool{document.ColumnsLeftOut: true, document.VocabularyFull: true, document.FewRecordsPerWeight: true, document.TooFewRecords: false} {
		if findings.OfColumns(document.Condition{Code: code}) != want {
			t.Errorf("%s is of columns: %v", code, !want)
		}
	}
}

// TestVariants: what tells results apart, and how many qualities fit beside it.
func TestVariants(t *testing.T) {
	tau := .05
	for _, c := range []struct{ got, want string }{
		{findings.OfVariant(nil, ""), ""}, {findings.OfVariant(&tau, ""), ", tau 0.05"}, {findings.OfVariant(nil, "sigmoid"), ", sigmoid"}, {findings.OfVariant(&tau, "sigmoid"), ", sigmoid"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	for _, c := range []struct{ all, constraints, want int }{{3, 0, 2}, {3, 1, 2}, {1, 1, 1}, {3, 2, 1}} {
		if got := findings.ShownQualities(c.all, c.constraints, ""); got != c.want {
			t.Errorf("%d qualities beside %d constraints: %d", c.all, c.constraints, got)
		}
	}
	if findings.ShownQualities(3, 1, "sigmoid") != 1 {
		t.Error("a relaxation needs room")
	}
}
