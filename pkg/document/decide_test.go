package document

import (
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestDecideJSON: a record is decided from its bytes, and one that cannot be read is rejected without a value.
func TestDecideJSON(t *testing.T) {
	encoder, err := features.NewFrozen(features.Parts{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, encoder.Size())
	weights[features.Intercept] = 2
	d, err := New(Classification, encoder.Parts(), weights)
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = NewConfig([]byte(`{"record":{"label":{"field":"income","positive":">50K"}}}`)); err != nil {
		t.Fatal(err)
	}
	decider, err := d.Decider()
	if err != nil {
		t.Fatal(err)
	}
	if decision, err := decider.DecideJSON([]byte(`{"age":30}`)); err != nil || !decision.Positive || decision.Margin != 2 {
		t.Errorf("%+v, %v", decision, err)
	}
	_, err = decider.DecideJSON([]byte(`{"age":"secret`))
	if rejection := (*record.Rejection)(nil); !errors.As(err, &rejection) || strings.Contains(err.Error(), "secret") {
		t.Errorf("a malformed record: %v", err)
	}
	d.Task = Regression
	if _, err := d.Decider(); err == nil {
		t.Error("a document of a regression decides")
	}
}

// TestFork: what is forked decides as the one that it is of, also while that decides other records.
func TestFork(t *testing.T) {
	d, err := New(Regression, features.Parts{Size: 3, Columns: []features.Column{{Name: "word", Kind: features.Levelled, Missing: 1}},
		Levels: []features.Level{{Weight: 2, Text: "yes", Key: features.ColumnSlot(0).Key(record.Hash([]byte("yes")))}}}, []float64{.5, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	d.Label = &LabelSummary{}
	first, err := d.Regressor()
	if err != nil {
		t.Fatal(err)
	}
	margins := func(r *Regressor) (all [2]float64) {
		for i, f := range []record.Field{{Name: "word", Text: []byte("yes"), Hash: record.Hash([]byte("yes"))}, {Name: "word", Missing: true}} {
			f.ID = record.NoName
			for range 1000 {
				all[i] = r.Predict(&record.Record{Features: []record.Field{f}})
			}
		}
		return all
	}
	got := make(chan [2]float64)
	go func() { got <- margins(first.Fork()) }()
	if here, there := margins(first), <-got; here != [2]float64{3.5, 2.5} || there != here {
		t.Errorf("%v, forked %v", here, there)
	}
	d.Task, d.Label = Classification, nil
	if err := d.SetModel(features.Parts{Size: 1}, []float64{1}); err != nil {
		t.Fatal(err)
	}
	if d.Probability, err = NewProbability(features.Parts{Size: 1}, []float64{-1}); err != nil {
		t.Fatal(err)
	}
	classifier, err := d.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	if a, b := classifier.Decide(&record.Record{}), classifier.Fork().Decide(&record.Record{}); a != b || !(a.Probability < .5 && a.Positive) {
		t.Errorf("%+v, forked %+v", a, b)
	}
}
