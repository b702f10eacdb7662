package record_test

import (
	"errors"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// A record may use the present or the former name of a field, on its own or of the object around it, and not both.
func TestRenamedFields(t *testing.T) {
	config := validConfig()
	config.Renamed = []record.Rename{{Field: "outcome", Was: "income"}, {Field: "home", Was: "address"}, {Field: "gender", Was: "sex"}}
	schema, err := record.NewSchema(config, []string{"sex"})
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	features := func(text string) (names []string) {
		t.Helper()
		var r record.Record
		if err := decoder.DecodeJSON(&r, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if !r.HasLabel || !r.Positive || string(r.Attributes[0].Text) != "f" {
			t.Errorf("%s: label %v, attributes %+v", text, r.Positive, r.Attributes)
		}
		for _, f := range r.Features {
			names = append(names, f.Name)
		}
		return names
	}
	for _, text := range []string{
		`{"age":3,"address":{"zip":1},"sex":"f","income":">50K"}`,
		`{"age":3,"home":{"zip":1},"gender":"f","outcome":">50K"}`,
		`{"outcome":">50K","age":3,"home":{"zip":1},"sex":"f"}`,
	} {
		if names := features(text); len(names) != 2 || names[0] != "age" || names[1] != "address.zip" {
			t.Errorf("%s: features %q", text, names)
		}
	}
	var r record.Record
	var rejection *record.Rejection
	if err := decoder.DecodeJSON(&r, []byte(`{"income":">50K","outcome":">50K"}`)); !errors.As(err, &rejection) || rejection.Reason != record.DuplicateField {
		t.Errorf("both names: %v", err)
	}
}
