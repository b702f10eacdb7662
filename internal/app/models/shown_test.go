package models

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatIsShown: each way of showing the weights of a job that learnt from made-up records, and orders about them.
func TestWhatIsShown(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.Learnt(t)
	apptest.InDirectory(t, map[string]string{"a.csv": apptest.CSV(300), "own.json": `{"schema_version": "0.0.2", "model_details": {"name": "loans of the bank"}}`,
		"bad.json": `{"model": 1}`})
	said := func(name string, show func(context.Context) error) string {
		t.Helper()
		return stage.Says(t, name, show)
	}
	weights := func(change func(*Weights)) *Weights {
		w := &Weights{Streams: stage.Streams, Config: j.Config}
		change(w)
		return w
	}
	same := func(*Weights) {}
	said("list.txt", weights(same).List)
	said("list.json", weights(func(w *Weights) { w.JSON = true }).List)
	said("show.txt", weights(same).Show)
	said("first.txt", weights(func(w *Weights) { w.Version = Version{version: 594} }).Show)
	said("none.txt", weights(func(w *Weights) { w.Version = Version{term: 9, version: 7} }).Show)
	said("alias.txt", weights(func(w *Weights) { w.Alias = "stabel" }).Show)
	said("explain.txt", func(ctx context.Context) error { return weights(same).Explain(ctx, 5) })
	said("explain-all.json", func(ctx context.Context) error {
		return weights(func(w *Weights) { w.JSON = true }).Explain(ctx, 0)
	})
	said("columns.txt", (&ByColumn{Weights: weights(same), Input: "a.csv"}).Explain)
	said("columns-top.json", (&ByColumn{Weights: weights(func(w *Weights) { w.JSON = true }), Input: "a.csv", Top: 1}).Explain)
	said("columns-topic.txt", (&ByColumn{Weights: weights(same), Top: 1}).Explain)
	said("card.json", func(ctx context.Context) error {
		var own export.Card
		if err := ReadCard("own.json", &own); err != nil {
			return err
		}
		return weights(same).Card(ctx, own)
	})
	var out apptest.Screen
	if err := weights(func(w *Weights) { w.Streams = &program.Streams{Out: &out, Err: &out} }).Report(t.Context()); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"Fairness report of the job \"loans\"\nFrom ", `An outcome is positive if the field "paid" is "1".`, "learnt from 1,188 records; 12 were rejected", "Comparison: sex; Groups: M and F", "The history is complete: 6 entries"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	said("no-history.txt", weights(func(w *Weights) {
		other := *j.Config
		other.Job = "another"
		w.Config = &other
	}).Report)
	if err := ReadCard("bad.json", new(export.Card)); err == nil || !strings.HasPrefix(err.Error(), "--own bad.json is not a model card") {
		t.Errorf("an unknown key: %v", err)
	}
	if err := ReadCard("none.json", new(export.Card)); err == nil {
		t.Error("a card that is not there")
	}
	for _, dry := range []bool{true, false} {
		said("prune-"+map[bool]string{true: "dry", false: "done"}[dry]+".txt", func(ctx context.Context) error { return Prune(ctx, stage.Streams, j.Client, j.Config, dry) })
	}
	order := func(action string, version Version, asJSON bool) func(context.Context) error {
		return (&Release{Streams: stage.Streams, Config: j.Config, Action: action, Version: version, Said: command.Said{Actor: "maria", Reason: "a trial"}, Wait: 10 * time.Second, JSON: asJSON}).Run
	}
	said("promote.txt", order("promote", Version{version: 1188}, false))
	said("pause.txt", order("pause", Version{}, false))
	said("refused.txt", order("promote", Version{version: 5}, false))
	elsewhere := *j.Config
	elsewhere.Topics.Model = "nowhere"
	if err := Prune(t.Context(), stage.Streams, j.Client, &elsewhere, true); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a topic that is not there: %v", err)
	}
	said("list-promoted.txt", weights(same).List)
	text := said("promote.json", order("promote", Version{version: 594}, true))
	var answer struct {
		Before, After map[string]struct{ Version int64 }
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Before["stable"].Version != 1188 || answer.After["stable"].Version != 594 {
		t.Errorf("%s (%v)", text, err)
	}
}

// TestVersionsElsewhere: versions that are not listed are named in their order, and releases that are stopped are told with their time.
func TestVersionsElsewhere(t *testing.T) {
	now := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	sum := strings.Repeat("ab", 32)
	by := map[place][]ServedBy{{2, 5, sum}: {{}}, {1, 9, sum}: {{}}, {1, 7, sum}: {{}}, {1, 8, sum}: {{}}}
	told := elsewhere(by, []Listed{{Term: 1, Version: 8, WeightsSHA256: sum}}, now)
	last := -1
	for _, want := range []string{"Version 1/7 (abababababab…) is not listed", "Version 1/9", "Version 2/5"} {
		at := strings.Index(told, want)
		if at <= last {
			t.Errorf("%q at %d in\n%s", want, at, told)
		}
		last = at
	}
	if strings.Contains(told, "1/8") {
		t.Errorf("a listed version is told of:\n%s", told)
	}
	if words := unwatchedWords(now); !strings.Contains(words, "since 2026-11-26 09:00:00 UTC") {
		t.Error(words)
	}
}

// TestVersion: a version is written as it was read, and what is none is refused.
func TestVersion(t *testing.T) {
	for text, want := range map[string]Version{"7": {version: 7}, "1": {version: 1}, "2/7": {term: 2, version: 7}, "1/1": {term: 1, version: 1}} {
		var v Version
		if err := v.Set(text); err != nil || v != want || v.String() != text {
			t.Errorf("%s: %+v, %s (%v)", text, v, v.String(), err)
		}
	}
	for _, text := range []string{"", "0", "-1", "0/7", "2/0", "-1/7", "x", "2/x", "x/2", "1/2/3"} {
		var v Version
		if err := v.Set(text); err == nil || !strings.Contains(err.Error(), "write a version, such as 48842") {
			t.Errorf("%q: %+v (%v)", text, v, err)
		}
	}
	if (&Version{}).String() != "" || (&Version{}).Type() != "VERSION" {
		t.Error("no version is something")
	}
}

// TestColumnsNeedRecords: without a job the records must be named.
func TestColumnsNeedRecords(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&ByColumn{Weights: &Weights{}}).each(t.Context(), schema, nil)
	if err == nil || !strings.Contains(err.Error(), "add --input FILE") || errors.Unwrap(err) != nil {
		t.Error(err)
	}
}
