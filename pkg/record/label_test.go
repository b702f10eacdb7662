package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// A label without a positive value is a number; what is none is refused, and not shown.
func TestNumericLabel(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "price"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	for text, want := range map[string]float64{
		`12`: 12, `-1.5e3`: -1500, `"7.25"`: 7.25, `0`: 0, `1e30`: 1e30, `-1e30`: -1e30, `1e-400`: 0,
	} {
		if err := decoder.DecodeJSON(&rec, []byte(`{"price":`+text+`,"a":1}`)); err != nil || !rec.HasLabel || rec.Label != want || rec.Positive {
			t.Errorf("%s: label %v (there: %v, positive: %v), error %v, want %v", text, rec.Label, rec.HasLabel, rec.Positive, err, want)
		}
	}
	for _, text := range []string{`"dear"`, `"Inf"`, `"0x1p3"`, `"1_000"`, `true`, `1.1e30`, `-1e400`, `"12 EUR"`} {
		err := decoder.DecodeJSON(&rec, []byte(`{"price":`+text+`,"a":1}`))
		rejection, ok := errors.AsType[*record.Rejection](err)
		if !ok || rejection.Reason != record.BadLabel || rejection.Field != "price" {
			t.Errorf("%s: error %v, want %s", text, err, record.BadLabel)
			continue
		}
		if value := strings.Trim(text, `"`); len(value) > 3 && strings.Contains(err.Error(), value) {
			t.Errorf("the error shows the value %s: %v", value, err)
		}
	}
	for _, text := range []string{`null`, `""`, `"?"`, `"NaN"`} {
		err := decoder.DecodeJSON(&rec, []byte(`{"price":`+text+`,"a":1}`))
		if rejection, ok := errors.AsType[*record.Rejection](err); !ok || rejection.Reason != record.MissingLabel {
			t.Errorf("%s: error %v, want %s", text, err, record.MissingLabel)
		}
	}
	if err := schema.LabelOptional().NewDecoder().DecodeJSON(&rec, []byte(`{"a":1}`)); err != nil || rec.HasLabel || rec.Label != 0 {
		t.Errorf("without a label: %v, label %v", err, rec.Label)
	}
}
