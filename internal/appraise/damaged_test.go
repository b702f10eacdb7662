package appraise_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
)

// TestDamagedDocuments are errors where what is damaged is needed.
func TestDamagedDocuments(t *testing.T) {
	doc, _ := learnt(t)
	of := func(damage func(*document.Document)) *document.Document {
		d := *doc
		d.Config.Constraints = slices.Clone(doc.Config.Constraints)
		damage(&d)
		return &d
	}
	if a, err := appraise.New(of(func(d *document.Document) { d.Config.Constraints[0].Criterion = "luck" }), true); err == nil {
		t.Errorf("of an unknown criterion: %+v", a)
	}
	broken := of(func(d *document.Document) { d.Model = []byte(`{"columns":3}`) })
	for columns, fails := range map[bool]bool{true: true, false: false} {
		a, err := appraise.New(broken, columns)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Observer(broken); (err != nil) != fails {
			t.Errorf("of broken weights, by columns %v: %v", columns, err)
		}
	}
	unnamed := of(func(d *document.Document) { d.Config.Record.Label.Field = "" })
	a, err := appraise.New(unnamed, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Observer(unnamed); err == nil {
		t.Error("of records of no label")
	}
}

// TestRecordsWithoutADecision: those without a label, and predictions of a number, are split by column like others, and rank nothing.
func TestRecordsWithoutADecision(t *testing.T) {
	doc, records := learnt(t)
	observed := func(task document.Task, labelled bool) *appraise.Appraisal {
		doc := *doc
		doc.Task = task
		a, err := appraise.New(&doc, true)
		if err != nil {
			t.Fatal(err)
		}
		observe, err := a.Observer(&doc)
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			r := records[i]
			r.HasLabel = r.HasLabel && labelled
			observe(&r, float64(i%7))
		}
		return a
	}
	all := observed(document.Classification, true)
	if !all.Ranking.Counted() || all.Pairs[0].Group.Confusion.Records == 0 {
		t.Fatalf("%+v", all)
	}
	for name, other := range map[string]*appraise.Appraisal{"without labels": observed(document.Classification, false), "numbers": observed(document.Regression, true)} {
		if other.Records != all.Records || other.Ranking.Counted() || other.Pairs[0].Group.Confusion.Records != 0 || !reflect.DeepEqual(other.Columns(), all.Columns()) {
			t.Errorf("%s: %d records, %+v", name, other.Records, other.Pairs[0].Group.Confusion)
		}
	}
}
