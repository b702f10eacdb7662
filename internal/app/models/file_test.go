package models

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// learnt is a document of weights that were learnt from made-up records, with what happened since.
func learnt(t *testing.T, yaml string) []byte {
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
	rows, err := record.NewReader(strings.NewReader(apptest.CSV(1500)), record.CSV, c.Record.Limits)
	if err != nil {
		t.Fatal(err)
	}
	decoder, one := schema.NewDecoder(), record.Record{}
	for {
		if err := rows.Next(); err != nil {
			if _, rejected := err.(*record.Rejection); rejected {
				continue
			}
			break
		}
		if rows.Decode(decoder, &one) == nil {
			learner.Learn(&one)
		}
	}
	d, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	d.Job, d.Unlabelled, d.Rejected = "loans", 12, 3
	d.Lineage.Changes = []document.ConfigChange{{Key: "learner.step", Old: json.RawMessage("1"), New: json.RawMessage("2"), Time: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), Version: 1000}}
	text, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestWhatIsShownOfAFile: a document of decisions and one of predictions, in each form; none needs a job.
func TestWhatIsShownOfAFile(t *testing.T) {
	stage := apptest.NewStage(t)
	decisions := learnt(t, "record: {label: {field: paid, positive: 1}, ignore: [pay]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n")
	amounts := learnt(t, "record: {label: {field: pay}, ignore: [paid]}\nlearner: {task: regression}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 5}]\n")
	apptest.InDirectory(t, map[string]string{"decisions.json": string(decisions), "amounts.json": string(amounts) + "\n", "bad.json": "{}", "a.csv": apptest.CSV(300)})
	for _, name := range []string{"decisions", "amounts"} {
		file := func(asJSON bool) *Weights {
			return &Weights{Streams: stage.Streams, File: name + ".json", JSON: asJSON}
		}
		stage.Says(t, "file-"+name+".txt", file(false).Show)
		stage.Says(t, "file-"+name+"-explain.txt", func(ctx context.Context) error { return file(false).Explain(ctx, 3) })
		stage.Says(t, "file-"+name+"-columns.txt", (&ByColumn{Weights: file(false), Input: "a.csv", Top: 2}).Explain)
		stage.Says(t, "file-"+name+"-card.json", func(ctx context.Context) error { return file(false).Card(ctx, export.Card{}) })
		text, err := os.ReadFile(name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if got := stage.Writes(t, file(true).Show); got != strings.TrimSpace(string(text))+"\n" {
			t.Errorf("%s: %d bytes of JSON, want %d", name, len(got), len(text))
		}
	}
	if graph := stage.Writes(t, (&Weights{Streams: stage.Streams, File: "decisions.json"}).Graph); !strings.Contains(graph, "io.fairstream") {
		t.Errorf("no graph in %d bytes", len(graph))
	}
	for name, show := range map[string]func(*Weights, context.Context) error{"Show": (*Weights).Show, "Graph": (*Weights).Graph, "Card": func(w *Weights, ctx context.Context) error { return w.Card(ctx, export.Card{}) }} {
		for file, want := range map[string]string{"bad.json": "bad.json: ", "none.json": "none.json"} {
			if err := show(&Weights{Streams: stage.Streams, File: file}, t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %s: %v", name, file, err)
			}
		}
	}
}
