package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestSumsAreAsGoodAsOneLearner: at equal difference, on one split, sums lose at most what chance makes of a holdout of 9,768 records.
func TestSumsAreAsGoodAsOneLearner(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	of := &sets("")[0]
	records, err := of.load()
	if err != nil {
		t.Fatal(err)
	}
	held, learnt := deal(records, 1)
	all, err := (&trial{of, "demographic-parity", held, learnt}).compare([]float64{.05})
	if err != nil {
		t.Fatal(err)
	}
	found := all[0]
	for i, o := range found[1:] {
		if o.beside > .005 || o.above > .006 || o.error > .16 || o.difference > .07 || o.difference < -.05 {
			t.Errorf("%s: %+v", methods[i+1], o)
		}
	}
	var out bytes.Buffer
	write(&out, "adult", .05, methods[1], []outcome{found[1], found[2]})
	if !strings.HasPrefix(out.String(), "| adult | 0.05 | sums | 0.1") || !strings.Contains(out.String(), " of 2 | ") {
		t.Error(out.String())
	}
}

// TestParabola: a curve that is one is found again.
func TestParabola(t *testing.T) {
	var curve []outcome
	for _, x := range []float64{.01, .02, .05, .1} {
		curve = append(curve, outcome{error: .15 - .3*x + x*x, difference: x})
	}
	if got, want := at(curve, .07), .15-.3*.07+.07*.07; got-want > 1e-9 || want-got > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if err := run([]string{"-tau", "x"}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "-tau x") {
		t.Errorf("%v", err)
	}
}
