package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestIdleComparisonsChangeNothing is the quick version of the study: comparisons that the model without constraints keeps
// cost no accuracy, from record 10,000 on and at the end.
func TestIdleComparisonsChangeNothing(t *testing.T) {
	s := study{runs: 2, records: 20_000, fresh: 20_000, seed: 1, tau: .05}
	for _, comparisons := range []int{1, 16, 50} {
		w := world{comparisons: comparisons, rarity: .9, lean: lean}
		runs, err := s.measure(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			t.Logf("%d comparisons: accuracy %.4f, on the way %.4f; without %.4f and %.4f; %d pressed", comparisons,
				r.constrained.accuracy, r.constrained.onTheWay, r.free.accuracy, r.free.onTheWay, r.constrained.pressed)
			if lost := r.free.accuracy - r.constrained.accuracy; lost > .004 {
				t.Errorf("%d comparisons cost %.4f of accuracy", comparisons, lost)
			}
			if lost := r.free.onTheWay - r.constrained.onTheWay; lost > .004 {
				t.Errorf("%d comparisons cost %.4f of accuracy on the way", comparisons, lost)
			}
		}
	}
}

// TestBindingComparisonsAreKept: of 16 comparisons two bind, and the others leave these room.
func TestBindingComparisonsAreKept(t *testing.T) {
	s := study{runs: 1, records: 30_000, fresh: 20_000, seed: 1, tau: .05}
	w := world{comparisons: 16, binding: 2, rarity: 1, lean: lean}
	runs, err := s.measure(w)
	if err != nil {
		t.Fatal(err)
	}
	r := runs[0]
	free, err := w.stream(1, s.records, s.fresh).learn(w.measured(s.tau), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("accuracy %.4f, without constraints %.4f; largest difference %.4f, without %.4f", r.constrained.accuracy, r.free.accuracy, r.constrained.largest, free.largest)
	if free.within > free.pairs-2 || free.largest < .1 {
		t.Errorf("%d of %d comparisons do not bind, the largest difference is %.4f: the test looks at nothing", free.within, free.pairs, free.largest)
	}
	if r.constrained.within < r.constrained.pairs {
		t.Errorf("%d of %d comparisons are within tau", r.constrained.within, r.constrained.pairs)
	}
	if r.constrained.accuracy < .7 {
		t.Errorf("accuracy %.4f", r.constrained.accuracy)
	}
}

func TestStudy(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-runs", "1", "-records", "2000", "-rows", "1:2"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[2], "| 2 | 1 | 1 | 0.") || strings.Count(lines[2], "|") != strings.Count(lines[0], "|") {
		t.Errorf("%s", out.String())
	}
	for _, args := range [][]string{{"-runs", "0"}, {"-rows", "2:1"}, {"-rows", "0:1000"}, {"-rarity", "0"}} {
		if err := run(args, &out); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// TestTruthIsThatOfRecords: the differences that are computed from the rates at each shift are those of records with attributes, as far as
// these tell, and comparisons whose sides have the same shifts have none.
func TestTruthIsThatOfRecords(t *testing.T) {
	w := world{comparisons: 22, binding: 3, rarity: .7, lean: .6}
	learner, err := model.New(w.measured(.05))
	if err != nil {
		t.Fatal(err)
	}
	learnt := w.draw(rand.New(rand.NewPCG(1, 1)), 4000)
	for i := range learnt {
		learner.Learn(&learnt[i])
	}
	d, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	_, rates, err := decided(d, w.fresh(1, 20_000), math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		t.Fatal(err)
	}
	drawn := w.draw(rand.New(rand.NewPCG(1, 3)), 60_000)
	for i := range drawn {
		evaluation.Add(&drawn[i])
	}
	moved, still := 0, 0
	for i, truth := range w.differences(rates) {
		e, p := evaluation.Report().Constraints[i], w.places()[i]
		if e.Name != w.config(.05).Constraints[i].Name {
			t.Fatalf("comparison %d is %s", i, e.Name)
		}
		if half := (e.Hi - e.Lo) / 2; math.Abs(e.Value-truth) > 2*half {
			t.Errorf("%s: %.4f of records with attributes, by more than ±%.4f off %.4f", e.Name, e.Value, half, truth)
		}
		switch signs := w.signs(); {
		case math.Abs(truth) > .1:
			moved++
		case truth == 0 || p.attribute == 2 && math.Abs(truth) < 1e-12:
			still++
		case signs[p] != 0:
			t.Errorf("%s leans, and its difference is %v", e.Name, truth)
		}
	}
	if moved != 3 || still < 6 {
		t.Errorf("%d comparisons have a difference, and %d have none", moved, still)
	}
}
