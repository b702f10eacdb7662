package models

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
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

// long gives columns names that are too long for a table.
var long = strings.NewReplacer("age,", "the_age_of_the_applicant_now,", "part", "the_part_of_the_country_now").Replace

// learnt is a document of weights that were learnt from made-up records, with what happened since.
func learnt(t *testing.T, yaml string, changes ...func(*document.Document)) []byte {
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
	csv := apptest.CSV(1500)
	if strings.Contains(yaml, "the_part_of_the_country_now") {
		csv = long(csv)
	}
	rows, err := record.NewReader(strings.NewReader(csv), record.CSV, c.Record.Limits)
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
	for _, change := range changes {
		change(d)
	}
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
		for file, absent := range map[string]bool{"bad.json": false, "none.json": true} {
			if err := show(&Weights{Streams: stage.Streams, File: file}, t.Context()); err == nil || !strings.Contains(err.Error(), file+": ") || errors.Is(err, fs.ErrNotExist) != absent {
				t.Errorf("%s of %s: %v", name, file, err)
			}
		}
	}
}

// TestWhatIsShownAtTheEdges: a document without constraints that follows another one, and one of three constraints, of which the table of columns has
// room for two, and of a column whose name is too long for it.
func TestWhatIsShownAtTheEdges(t *testing.T) {
	stage := apptest.NewStage(t)
	plain := learnt(t, "record: {label: {field: paid, positive: 1}, ignore: [pay]}\n", func(d *document.Document) {
		d.Unlabelled, d.Lineage.Changes, d.Lineage.Parent, d.Lineage.Program, d.Lineage.Input = 1, nil, d.Version-1, "fairstream 0.1", "topic loans"
		d.Offsets = map[string]int64{"loans/1": 0, "loans/0": 700}
	})
	first := learnt(t, "record: {label: {field: paid, positive: 1}, ignore: [pay]}\n", func(d *document.Document) { d.Unlabelled, d.Lineage.Parent = 0, d.Version })
	many := learnt(t, `record: {label: {field: paid, positive: 1}, ignore: [pay]}
constraints:
  - {name: sexes, attribute: sex, group: M, versus: F, tau: 0.2}
  - {name: parts, attribute: the_part_of_the_country_now, group: n, versus: s, tau: 0.2}
  - {name: other parts, attribute: the_part_of_the_country_now, group: n, versus: w, tau: 0.2}
`)
	apptest.InDirectory(t, map[string]string{"plain.json": string(plain), "first.json": string(first), "many.json": string(many), "a.csv": long(apptest.CSV(300)), "none.csv": apptest.Header + "\n"})
	for _, name := range []string{"plain", "first", "many"} {
		file := func(asJSON bool) *Weights {
			return &Weights{Streams: stage.Streams, File: name + ".json", JSON: asJSON}
		}
		stage.Says(t, "edge-"+name+".txt", file(false).Show)
		stage.Says(t, "edge-"+name+"-columns.txt", (&ByColumn{Weights: file(false), Input: "a.csv"}).Explain)
		stage.Says(t, "edge-"+name+"-columns.json", (&ByColumn{Weights: file(true), Input: "a.csv", Top: 1}).Explain)
		stage.Says(t, "edge-"+name+"-explain.txt", func(ctx context.Context) error { return file(false).Explain(ctx, 1) })
	}
	stage.Says(t, "edge-no-records.txt", (&ByColumn{Weights: &Weights{Streams: stage.Streams, File: "many.json"}, Input: "none.csv"}).Explain)
	stage.Says(t, "edge-no-file.txt", (&ByColumn{Weights: &Weights{Streams: stage.Streams, File: "many.json"}, Input: "absent.csv"}).Explain)
}
