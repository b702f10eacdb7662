package main

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestMomentsAreTheData: over moments, objective, constraints and both gradients are what they are over the
// records.
func TestMomentsAreTheData(t *testing.T) {
	model := problems.FairSpAM{Features: 5, Powers: 3, Mu: .05, Tau: .02, Radius: 5, Smoothing: .01}
	rng := rand.New(rand.NewPCG(1, 2))
	data := problems.SpAMData(rng, 300, 5)
	plain, err := model.Problem()
	if err != nil {
		t.Fatal(err)
	}
	short, err := momentProblem(model)
	if err != nil {
		t.Fatal(err)
	}
	whole, means := csspa.NewFinite(plain, data), csspa.NewFinite(short, []moments{momentsOf(model, data)})
	for range 20 {
		w := around(rng, plain.N, 2)
		if a, b := whole.Objective(w), means.Objective(w); math.Abs(a-b) > 1e-10 {
			t.Errorf("objective %v, over moments %v", a, b)
		}
		var levels [2][2]float64
		whole.Constraints(levels[0][:], w)
		means.Constraints(levels[1][:], w)
		gradients := [2][]float64{make([]float64, plain.N), make([]float64, plain.N)}
		whole.Gradient(gradients[0], w)
		means.Gradient(gradients[1], w)
		weights := []float64{rng.Float64(), rng.Float64()}
		whole.AddConstraintGradient(gradients[0], w, weights)
		means.AddConstraintGradient(gradients[1], w, weights)
		if distance(levels[0][:], levels[1][:]) > 1e-10 || distance(gradients[0], gradients[1]) > 1e-9 {
			t.Errorf("levels %v, gradients %v", levels, gradients)
		}
	}
}

func TestSlopeAndItsError(t *testing.T) {
	points := []gallery.Point{{Steps: 100, Gap: 1, GapError: .1}, {Steps: 10000, Gap: .1, GapError: .01}}
	fitted, se := slope(points, gap, gapError)
	// Two points: the slope is their difference over log 100, its variance that of two relative errors of .1.
	if math.Abs(fitted+.5) > 1e-12 || math.Abs(se-.1*math.Sqrt2/math.Log(100)) > 1e-12 {
		t.Errorf("slope %v ± %v", fitted, se)
	}
}

func TestSplit(t *testing.T) {
	var held []int
	for fold := range folds {
		train, test := split(103, fold, 1, 7)
		both := slices.Concat(train, test)
		slices.Sort(both)
		if len(both) != 103 || !slices.Equal(slices.Compact(both), both) {
			t.Errorf("fold %d: %d records", fold, len(both))
		}
		held = append(held, test...)
	}
	slices.Sort(held)
	if len(slices.Compact(held)) != 103 {
		t.Error("the folds held out are not a partition")
	}
}

func TestBestTrial(t *testing.T) {
	trials := []trial{
		{threshold: 1, outcome: outcome{error: .2, difference: -.01}},
		{threshold: 2, outcome: outcome{error: .15, difference: .04}},
		{threshold: 3, outcome: outcome{error: .14, difference: .12}},
	}
	for tau, want := range map[float64]float64{.2: 3, .05: 2, .02: 1, .001: 1} {
		if got := best(trials, tau).threshold; got != want {
			t.Errorf("τ = %v: threshold %v, want %v", tau, got, want)
		}
	}
}

func TestLeast(t *testing.T) {
	c := contender[int]{steps: []float64{1, 2}, weights: []float64{3, 4}}
	if got := c.least([]float64{1, math.Inf(1), 2, 3}, []float64{5, 0, 1, 1}); got != (choice{2, 3}) {
		t.Errorf("%v", got)
	}
}

func TestEachReturnsTheFirstError(t *testing.T) {
	s := &study{workers: 3, log: io.Discard}
	err := s.each("things", 5, func(i int) error {
		if i >= 2 {
			return errors.New(strings.Repeat("x", i))
		}
		return nil
	})
	if err == nil || err.Error() != "things, 3 of 5: xx" {
		t.Errorf("%v", err)
	}
}

func TestMarkdown(t *testing.T) {
	table := newTable("t", "name", "count", "value", "value_se", "missing")
	table.add("a", 12345, .0123456, .00099, math.NaN())
	table.add("b", 7, 1.5e-9, 2e-10, 4.0)
	got, err := table.markdown(nil, nil)
	want := `| name | count | value | missing |
|---|---:|---:|---:|
| a | 12345 | 0.0123 ± 0.00099 | – |
| b | 7 | 1.5e-09 ± 2e-10 | 4 |`
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := table.markdown([]string{"other"}, nil); err == nil {
		t.Error("a column that is not there is accepted")
	}
}
