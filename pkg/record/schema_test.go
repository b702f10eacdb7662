package record_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestDecodersInParallel: decoders of one schema share its names and nothing else.
func TestDecodersInParallel(t *testing.T) {
	schema := adultSchema(t)
	lines := bytes.Split(bytes.TrimSpace(adultNumbers()), []byte{'\n'})[:2000]
	texts := make([][]string, 4)
	var wait sync.WaitGroup
	for g := range texts {
		wait.Go(func() {
			decoder := schema.NewDecoder()
			var rec record.Record
			for _, line := range lines {
				if err := decoder.DecodeJSON(&rec, line); err != nil {
					t.Error(err)
					return
				}
				for _, f := range rec.Features {
					if schema.Names().Name(f.ID) != f.Name {
						t.Errorf("id %d is not that of %s", f.ID, f.Name)
						return
					}
				}
				texts[g] = append(texts[g], fmt.Sprint(flatten(&rec), rec.Positive))
			}
		})
	}
	wait.Wait()
	for g := range texts {
		if !slices.Equal(texts[g], texts[0]) {
			t.Errorf("decoder %d read other records than decoder 0", g)
		}
	}
	if n := schema.Names().Len(); n != 12 {
		t.Errorf("%d names, want the 12 features", n)
	}
}

func TestSchemaAccessors(t *testing.T) {
	schema := fullSchema(t)
	if !slices.Equal(schema.Attributes(), []string{"sex", "a.group"}) {
		t.Errorf("attributes %q", schema.Attributes())
	}
	if config := schema.Config(); !slices.Equal(config.Missing, []record.Text{"", "?", "NaN", "nan", "NA", "N/A", "null", "None", "NULL"}) {
		t.Errorf("the defaults are not filled in: %+v", config)
	}
	if schema.LabelOptional().Names() != schema.Names() {
		t.Error("the schema without label has names of its own")
	}
}

// TestReasons: the reasons go into metric labels and headers, and no two are the same word.
func TestReasons(t *testing.T) {
	word := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	seen := map[record.Reason]bool{}
	for _, reason := range record.Reasons() {
		if !word.MatchString(string(reason)) || seen[reason] {
			t.Errorf("reason %q is no word or not the only one", reason)
		}
		seen[reason] = true
	}
	if len(seen) != 27 {
		t.Errorf("%d reasons, want 27: a new one belongs into Reasons", len(seen))
	}
}

// What names a person is read even if the field is ignored, from JSON and CSV, and changes nothing else of the record. Of an object it is missing.
func TestClusterIsReadBesides(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Ignore: []string{"person", "note"}, ID: "id"}, []string{"sex"})
	if err != nil {
		t.Fatal(err)
	}
	if schema.Feature("person") || schema.Feature("id") || !schema.Feature("age") {
		t.Error("wrong features")
	}
	for text, want := range map[string]string{
		`{"y":1,"age":30,"sex":"f","person":"p 7","id":"a","note":[1]}`: "p 7", `{"y":1,"age":30,"sex":"f","person":7,"id":"a"}`: "7",
		`{"y":1,"age":30,"sex":"f","person":null,"id":"a"}`: "", `{"y":1,"age":30,"sex":"f","person":{"n":7},"id":"a"}`: "", `{"y":1,"age":30,"sex":"f","id":"a"}`: "",
	} {
		var with, without record.Record
		if err := schema.WithCluster("person").NewDecoder().DecodeJSON(&with, []byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := schema.NewDecoder().DecodeJSON(&without, []byte(text)); err != nil {
			t.Fatal(err)
		}
		with.Keep(nil)
		if string(with.Cluster) != want || without.Cluster != nil || len(with.Features) != 1 || len(without.Features) != 1 || string(with.Attributes[0].Text) != "f" {
			t.Errorf("%s: the person is %q, want %q; features %v", text, with.Cluster, want, with.Features)
		}
	}
	var r record.Record
	if err := schema.WithCluster("id").NewDecoder().DecodeJSON(&r, []byte(`{"y":1,"age":30,"sex":"f","id":"a"}`)); err != nil || string(r.Cluster) != "a" || string(r.ID) != "a" {
		t.Errorf("the identifier as the person: %q, %v", r.Cluster, err)
	}
}

// TestWithID: the field is read beside what it was, ignored or a feature, and not where the configuration has an identifier.
func TestWithID(t *testing.T) {
	for name, c := range map[string]struct {
		config   record.Config
		id       string
		features int
	}{
		"ignored": {record.Config{Ignore: []string{"case"}}, "7", 1},
		"feature": {record.Config{}, "7", 2},
		"another": {record.Config{ID: "x"}, "1", 1},
	} {
		c.config.Label = record.Label{Field: "y", Positive: "1"}
		schema, err := record.NewSchema(c.config, nil)
		if err != nil {
			t.Fatal(err)
		}
		var r record.Record
		if err := schema.LabelOptional().WithID("case").NewDecoder().DecodeJSON(&r, []byte(`{"case":7,"x":1}`)); err != nil || string(r.ID) != c.id || len(r.Features) != c.features {
			t.Errorf("%s: the identifier %q and %d features, want %q and %d; %v", name, r.ID, len(r.Features), c.id, c.features, err)
		}
	}
}
