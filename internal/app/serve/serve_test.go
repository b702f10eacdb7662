package serve

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
)

// TestWhatDoesNotFitTogether: a share of the records needs an alias that decides it, and is a share.
func TestWhatDoesNotFitTogether(t *testing.T) {
	for _, c := range []struct {
		shadow string
		split  float64
		want   string // in the problem; empty: there is none
	}{
		{"", 0, ""}, {"latest", 0, ""}, {"latest", 0.25, ""}, {"latest", 1, ""},
		{"", 0.25, "--split needs --shadow"}, {"latest", math.Nextafter(1, 2), "is outside [0, 1]"}, {"latest", -0.1, "--split -0.1 is outside"},
		{"latest", math.NaN(), "is outside"},
	} {
		err := (&Server{Shadow: c.shadow, Split: c.split}).Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("shadow %q, split %v: %v, want %q", c.shadow, c.split, err, c.want)
		}
	}
}

// TestADocumentIsReadWhole: a file whose document could decide no record is refused by its name before the server answers.
func TestADocumentIsReadWhole(t *testing.T) {
	encoder, err := features.NewFrozen(features.Parts{Columns: []features.Column{{Name: "a", Kind: features.Levelled}}, Levels: []features.Level{{Weight: 1, Text: "x"}}, Size: 2})
	if err != nil {
		t.Fatal(err)
	}
	text := func(config string) []byte {
		d, err := document.New(document.Classification, encoder.Parts(), make([]float64, encoder.Size()))
		if err != nil {
			t.Fatal(err)
		}
		if d.Config, err = document.NewConfig([]byte(config)); err != nil {
			t.Fatal(err)
		}
		whole, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return whole
	}
	path := filepath.Join(t.TempDir(), "weights.json")
	for name, c := range map[string]struct {
		text []byte
		good bool
	}{
		"whole":        {text(`{"record":{"label":{"field":"y","positive":"1"}},"learner":{"level":0.9,"minimum_records":5,"window":256},"constraints":[]}`), true},
		"no schema":    {text(`{"record":{"label":{"field":""}},"learner":{"level":0.9,"minimum_records":5,"window":256},"constraints":[]}`), false},
		"no document":  {[]byte(`{}`), false},
		"no JSON":      {[]byte(`weights`), false},
		"nothing else": {nil, false},
	} {
		if err := os.WriteFile(path, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := read(path)
		if (err == nil) != c.good || c.good && d == nil || !c.good && !strings.Contains(err.Error(), "weights.json: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read(filepath.Join(t.TempDir(), "absent.json")); err == nil || !strings.Contains(err.Error(), "absent.json") {
		t.Errorf("a file that is not there: %v", err)
	}
}
