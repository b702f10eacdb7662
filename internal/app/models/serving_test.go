package models

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestServedWords: who is silent is named first, and of many instances a few are named.
func TestServedWords(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	one := func(i int, silent bool) ServedBy {
		return ServedBy{Instance: fmt.Sprint("desk-", i), Alias: "stable", Since: now.Add(-time.Hour), Heard: now.Add(-40 * time.Second), Silent: silent}
	}
	if got, want := servedWords([]ServedBy{one(1, false)}, now), "served by 1 instance: desk-1 (stable since 2026-11-24 11:00:00)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := servedWords([]ServedBy{one(1, false), one(2, true)}, now), "served by 2 instances, 1 of them silent: desk-2 (stable since 2026-11-24 11:00:00, silent for 40s), desk-1 (stable since 2026-11-24 11:00:00)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var many []ServedBy
	for i := range 50 {
		many = append(many, one(i, i == 49))
	}
	got := servedWords(many, now)
	for _, want := range []string{"served by 50 instances, 1 of them silent: desk-49 (stable since 2026-11-24 11:00:00, silent for 40s), desk-0 (", "and 45 more"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	listed := []Listed{{Term: 1, Version: 3000, WeightsSHA256: "a"}}
	at := place{1, 2000, strings.Repeat("5d", 32)}
	by := map[place][]ServedBy{{1, 3000, "a"}: many, at: many[:1]}
	if got := strings.ReplaceAll(elsewhere(by, listed, now), "\n", " "); !strings.HasPrefix(got, "Version 1/2000 (5d5d5d5d5d5d…) is not listed, and is served by 1 instance: desk-0") || strings.Contains(got, "3000 ") {
		t.Errorf("elsewhere: %s", got)
	}
}

// TestListOfVersions: those without an alias, that nobody watches, that are served, and of no constraints; of a topic that is published to by count alone.
func TestListOfVersions(t *testing.T) {
	stage := apptest.NewStage(t)
	sum, then := strings.Repeat("5d", 32), time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	w := &Weights{Streams: stage.Streams, Config: apptest.Load(t, "record: {label: {field: paid, positive: 1}}\nstream: {publish: {interval: 0, records: 100}, keep_versions: 1}\n", 0)}
	measured := findings.Measures{Decisions: &document.Decisions{Accuracy: fairness.Measure{Value: .8, Lo: .7, Hi: .9, Level: .95}}}
	all := []Listed{
		{Version: 900, Term: 1, WeightsSHA256: sum, Published: then, Measures: measured},
		{Version: 1900, Term: 1, WeightsSHA256: sum, Published: then.Add(time.Hour), Measures: measured, Alias: []string{"latest", "stable"}, UnwatchedSince: then.Add(2 * time.Hour),
			ServedBy: []ServedBy{{Instance: "desk", Alias: "stable", Since: then}}, Constraints: []fairness.Estimate{{Name: "sex", Group: "M", Versus: "F", Tau: .1}, {Name: "age", Group: "old", Versus: "young", Tau: .2}}},
	}
	stage.Says(t, "list-made.txt", func(context.Context) error { return w.writeList(all, nil) })
	for _, test := range []struct {
		taus []float64
		want string
	}{{nil, "null"}, {[]float64{.1}, "0.1"}, {[]float64{.1, .1}, "0.1"}, {[]float64{.1, .2}, "null"}} {
		var constraints []fairness.Estimate
		for _, tau := range test.taus {
			constraints = append(constraints, fairness.Estimate{Tau: tau})
		}
		if got, err := json.Marshal(commonTau(constraints)); err != nil || string(got) != test.want {
			t.Errorf("of %v: %s, want %s (%v)", test.taus, got, test.want, err)
		}
	}
}

// TestServersOfAnAbsentCluster: heartbeats are not asked for without serve.heartbeat, and that they cannot be read is a warning.
func TestServersOfAnAbsentCluster(t *testing.T) {
	stage := apptest.NewStage(t)
	config := apptest.Load(t, "record: {label: {field: paid, positive: 1}}\ntopics: {events: events, model: model}\nserve: {heartbeat: 10s}\nkafka: {brokers: [\"127.0.0.1:1\"]}\n", 0)
	w := &Weights{Streams: stage.Streams, Config: config}
	stage.Says(t, "servers-absent.txt", func(ctx context.Context) error {
		ended, end := context.WithCancel(ctx)
		end()
		if by := w.servers(ended); by != nil {
			t.Errorf("servers %v", by)
		}
		return nil
	})
	other := *config
	other.Serve.Heartbeat = 0
	if by := (&Weights{Streams: stage.Streams, Config: &other}).servers(t.Context()); by != nil {
		t.Errorf("servers %v", by)
	}
}
