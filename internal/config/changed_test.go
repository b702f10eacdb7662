package config

import (
	"slices"
	"testing"
)

// TestChanged: a setting is listed if it differs from its default, whatever wrote it, and one that a file repeats is not.
func TestChanged(t *testing.T) {
	loaded, err := Load(Sources{Text: []byte(`record: {label: {field: income, positive: "1"}, missing: ["", none], ignore: [id]}
learner: {warmup: 100, confidence: 0.8, level: 0.95, columns: {zip: {type: categorical}}}
constraints: [{attribute: sex, group: m, versus: f, tau: 0.05}]
`)}, Learning)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, s := range loaded.Changed("record.missing", "record.ignore", "learner") {
		paths = append(paths, s.Path+"="+s.Value)
		if s.Path == "learner.warmup" && s.Default != "1000" {
			t.Errorf("the default of warmup is %q", s.Default)
		}
	}
	if want := []string{"record.ignore=[id]", `record.missing=["", none]`, "learner.warmup=100", "learner.confidence=0.8", "learner.columns={zip: {type: categorical}}"}; !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	if same := Default().Changed("record", "learner", "stream"); len(same) != 0 {
		t.Errorf("defaults differ from themselves: %v", same)
	}
}
