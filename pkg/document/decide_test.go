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
	d, err := New(Classification, encoder, weights)
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
