package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestSeveralConstraintsAtOnce is the quick version of the tables: one fold in one order each. Every pair is
// within tau but for three standard errors of the holdout, or said to be too small; and the decisions are
// better than constant ones, whose error is 0.239.
func TestSeveralConstraintsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	for name, args := range map[string][]string{
		"race and sex":   {"-constraints", "race-and-sex"},
		"equalized odds": {"-criterion", "equalized-odds"},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := parse(append(args, "-tau", ".05", "-relaxation", "approximation-1", "-folds", "1", "-shuffles", "1"))
			if err != nil {
				t.Fatal(err)
			}
			c := o.config(o.taus[0], o.relaxations[0])
			records, err := records.All(c, adult.Open())
			if err != nil {
				t.Fatal(err)
			}
			runs, err := o.study.measure(records, c)
			if err != nil {
				t.Fatal(err)
			}
			report := runs[0].report
			if e := 1 - report.Accuracy.Value; !(e < .18) {
				t.Errorf("error %.4f", e)
			}
			if len(report.Constraints) < 2 {
				t.Fatalf("%d comparisons", len(report.Constraints))
			}
			for _, e := range report.Constraints {
				t.Logf("%s, %s: %+.4f", e.Name, e.Criterion, e.Value)
				if e.Status != fairness.NotEstimable && !(math.Abs(e.Value) <= e.Tau+3*standardError(e)) {
					t.Errorf("%s, %s: difference %+.4f with standard error %.4f is beyond tau", e.Name, e.Criterion, e.Value, standardError(e))
				}
			}
		})
	}
}

// TestTable runs the command and reads the counts of its row back.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	var out bytes.Buffer
	if err := run([]string{"-tau", ".05", "-relaxation", "approximation-2", "-folds", "2", "-shuffles", "1"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	head, cells := strings.Split(lines[0], " | "), strings.Split(lines[2], " | ")
	if len(head) != len(cells) {
		t.Fatalf("%d names of columns, %d cells", len(head), len(cells))
	}
	if cells[3] != "2" || cells[2] != "sex, demographic-parity" {
		t.Errorf("row: %s", lines[2])
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-tau", "small"}, {"-relaxation", "none"}, {"-criterion", "justice"}, {"-constraints", "all"}} {
		if _, err := parse(args); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
