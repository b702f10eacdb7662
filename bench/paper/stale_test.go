package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestTablesAreOfThisCode computes one row of each kind again: the page is stale if the present code gives others.
func TestTablesAreOfThisCode(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	committed, err := readTables(filepath.Join(research, "paper"))
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range committed {
		if len(table.code) != 12 {
			t.Errorf("%s.csv does not name its code", name)
		}
	}
	s := newStudy(false, 1, runtime.GOMAXPROCS(0), io.Discard)
	algorithm, err := newAlgorithm(s)
	if err != nil {
		t.Fatal(err)
	}
	learner, err := newLearner(s)
	if err != nil {
		t.Fatal(err)
	}
	plans := []planned{
		{way: learner.paper(learner.stream), approximation: surrogate.Approximation1, tau: .1},
		{way: learner.paper(learner.horizon), approximation: surrogate.Approximation1, tau: .1},
		{way: learner.adaptive(), approximation: surrogate.Approximation1, tau: .05},
		{way: algorithm.byDefinition(), approximation: surrogate.Approximation2, tau: .1},
	}
	if err := s.each("thresholds", len(plans), func(i int) error { return plans[i].tune() }); err != nil {
		t.Fatal(err)
	}
	if err := learnPlans(s, plans, learner.size()); err != nil {
		t.Fatal(err)
	}
	now := tradeOffTable(plans)
	for i, p := range plans {
		tolerance := 2e-6 // of the product: the last of six digits
		if p.way.name == algorithm.byDefinition().name {
			tolerance = 1e-3 // of arithmetic that another processor rounds otherwise, over thousands of steps
		}
		compareRow(t, committed["trade-off"], now, fmt.Sprintf("%s / %s / %v", p.way.name, p.approximation, p.tau), now.rows[i], tolerance)
	}
}

// TestRatesAreOfThisCode is the same for the problems with known optimum.
func TestRatesAreOfThisCode(t *testing.T) {
	committed, err := readTable("theta", filepath.Join(research, "paper", "theta.csv"))
	if err != nil {
		t.Fatal(err)
	}
	const steps, seed = 10_000, uint64(1)
	for i, e := range gallery.All() {
		if e.Name != "norm" {
			continue
		}
		m := series{number: i, entry: e, factor: 1}
		p, err := gallery.Measure(e, steps, 10, seed<<32+steps, gallery.StartCSSPA(m.theta))
		if err != nil {
			t.Fatal(err)
		}
		now := newTable("theta", "steps", "problem", "factor", "level", "level_se", "gap", "gap_se")
		now.add(steps, e.Name, m.factor, p.Level, p.LevelError, p.Gap, p.GapError)
		compareRow(t, committed, now, "10000 / norm / 1", now.rows[0], 1e-3)
	}
}

// compareRow compares the numbers of a row with the committed ones.
func compareRow(t *testing.T, committed, now *table, key string, row []string, tolerance float64) {
	t.Helper()
	was, err := committed.find(key)
	if err != nil {
		t.Error(err)
		return
	}
	for j, column := range now.columns {
		got, notNumber := strconv.ParseFloat(row[j], 64)
		if notNumber != nil {
			continue // a name, or no number
		}
		if want := committed.value(was, column); !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
			t.Errorf("research/paper/%s.csv is stale: %s of %q is %v there, and %v by the present code: run `make paper`", committed.name, column, key, want, got)
		}
	}
}
