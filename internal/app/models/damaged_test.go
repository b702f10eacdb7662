package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/pkg/document"
)

const twoGroups = "record: {label: {field: paid, positive: 1}, ignore: [pay]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n"

// ofFile are the commands that show a document, by what the command line calls them.
func ofFile(file string, asJSON bool) map[string]func(context.Context, *program.Streams) error {
	of := func(show func(context.Context, *Weights) error) func(context.Context, *program.Streams) error {
		return func(ctx context.Context, s *program.Streams) error {
			return show(ctx, &Weights{Streams: s, File: file, JSON: asJSON})
		}
	}
	return map[string]func(context.Context, *program.Streams) error{
		"show": of(func(ctx context.Context, w *Weights) error { return w.Show(ctx) }), "explain": of(func(ctx context.Context, w *Weights) error { return w.Explain(ctx, 5) }),
		"columns": of(func(ctx context.Context, w *Weights) error {
			return (&ByColumn{Weights: w, Input: "a.csv"}).Explain(ctx)
		}),
		"onnx": of(func(ctx context.Context, w *Weights) error { return w.Graph(ctx) }), "card": of(func(ctx context.Context, w *Weights) error { return w.Card(ctx, export.Card{}) }),
	}
}

// TestWhatCannotBeWritten is an error of each command.
func TestWhatCannotBeWritten(t *testing.T) {
	apptest.InDirectory(t, map[string]string{"w.json": string(learnt(t, twoGroups)), "a.csv": apptest.CSV(300)})
	for _, asJSON := range []bool{true, false} {
		apptest.Unwritten(t, ofFile("w.json", asJSON))
	}
}

// TestDamagedDocuments are errors of the commands that need what is damaged.
func TestDamagedDocuments(t *testing.T) {
	sum := func(text string) string {
		of := sha256.Sum256([]byte(text))
		return hex.EncodeToString(of[:])
	}
	for name, c := range map[string]struct{ was, is, fail string }{
		"the weights":  {"", "", "card columns explain onnx"},
		"a constraint": {`"demographic-parity"`, `"luck"`, "columns"},
		"the label":    {`"field":"paid"`, `"field":""`, "columns"},
	} {
		text := string(learnt(t, twoGroups, func(d *document.Document) {
			if c.was == "" {
				d.Model, d.WeightsSHA256 = json.RawMessage(`{"columns":3}`), sum(`{"columns":3}`)
			}
		}))
		before, config, _ := strings.Cut(text, `"config":`)
		if !strings.Contains(config, c.was) {
			t.Fatalf("no %s in %.1500s", c.was, config)
		}
		text = before + `"config":` + strings.Replace(config, c.was, c.is, 1)
		apptest.InDirectory(t, map[string]string{"w.json": text, "a.csv": apptest.CSV(300)})
		for command, show := range ofFile("w.json", false) {
			var out apptest.Screen
			err := show(t.Context(), &program.Streams{Out: &out, Err: &out})
			if (err != nil) != strings.Contains(c.fail, command) {
				t.Errorf("%s is damaged, and %s: %v", name, command, err)
			}
		}
	}
}
