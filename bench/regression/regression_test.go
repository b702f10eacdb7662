package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// The quick version of the tables: on each data set, differences on records held out are within tau but for three
// standard errors, and the error is hardly above that of the batch optimum.
func TestWithinTauAndNearTheOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	for _, name := range []string{"hours", "spam", "linear"} {
		o, err := parse([]string{"-data", name, "-splits", "1", "-folds", "1"})
		if err != nil {
			t.Fatal(err)
		}
		d := o.datasets[0]
		records, err := d.load(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, tau := range []float64{0, .1} {
			runs, err := o.measure(d, records, tau)
			if err != nil {
				t.Fatal(err)
			}
			h := runs[0]
			e, excess := h.report.Constraints[0], h.report.MSE.Value/h.same.mse-1
			t.Logf("%s, tau %v: difference %+.4f, error %.4f, %.2f %% above the optimum", name, h.tau, e.Value, h.report.MSE.Value, 100*excess)
			if !(excess < .02) {
				t.Errorf("%s, tau %v: the error is %v, in batch %v", name, h.tau, h.report.MSE.Value, h.same.mse)
			}
			if tau == 0 && !(math.Abs(e.Value) > .2*h.spread) {
				t.Errorf("%s: without a bound the difference is %v: there is nothing to bound", name, e.Value)
			}
			if tau > 0 && !(math.Abs(e.Value) <= h.tau+3*h.standard) {
				t.Errorf("%s, tau %v: the difference is %v", name, h.tau, e.Value)
			}
		}
	}
}

// The batch optimum has the difference of its bound, and no step along which the difference stays lowers its
// objective.
func TestBatchIsTheOptimum(t *testing.T) {
	o, err := parse([]string{"-data", "linear", "-records", "3000"})
	if err != nil {
		t.Fatal(err)
	}
	d := o.datasets[0]
	records, err := d.load(o)
	if err != nil {
		t.Fatal(err)
	}
	learner, err := model.New(d.config(o, 1))
	if err != nil {
		t.Fatal(err)
	}
	var train []*record.Record
	for i := range records {
		learner.Learn(&records[i])
		train = append(train, &records[i])
	}
	document, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBatch(document, d, train, train)
	if err != nil {
		t.Fatal(err)
	}
	weights := b.solve(1)
	if got := b.measure(weights).difference; math.Abs(got-1) > 1e-6 {
		t.Fatalf("the difference is %v", got)
	}
	objective := func(w []float64) float64 { return b.measure(w).mse*float64(len(train)) + b.ridge*dot(w, w) }
	best := objective(weights)
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		step := make([]float64, len(weights))
		for j := range step {
			step[j] = .01 * random.NormFloat64()
		}
		along := dot(step, b.gap) / dot(b.gap, b.gap)
		for j := range step {
			step[j] += weights[j] - along*b.gap[j]
		}
		if other := objective(step); other < best {
			t.Fatalf("another point is better: %v, not %v", other, best)
		}
	}
}

func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	var out bytes.Buffer
	if err := run([]string{"-data", "linear", "-records", "5000", "-tau", "0,.2", "-splits", "1", "-folds", "2"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	for _, line := range lines {
		if got, want := strings.Count(line, "|"), strings.Count(lines[0], "|"); got != want {
			t.Errorf("%d cells, not %d: %s", got, want, line)
		}
	}
	if !strings.HasPrefix(lines[3], "| linear | 0.2 | 2 |") {
		t.Errorf("row: %s", lines[3])
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-tau", "small"}, {"-tau", "-1"}, {"-data", "salaries"}, {"-folds", "6"}} {
		if _, err := parse(args); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: %v", args, err)
		}
	}
	if err := run([]string{"-data", "law", "-wheels", t.TempDir()}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "make study") {
		t.Errorf("without wheels: %v", err)
	}
}
