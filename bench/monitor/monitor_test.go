package main

import (
	"strings"
	"testing"
)

// A small version of the study holds its bars, with three standard errors of room for chance.
func TestTheStatisticsHoldWhatTheySay(t *testing.T) {
	s := study{runs: 100, records: 5000}
	for _, from := range []stream{
		{base: 0.3, difference: tau, share: 0.3}, {base: 0.2, difference: -tau, share: 0.1}, {base: 0.5, difference: tau, share: 0.5, rates: true},
		{base: 0.3, difference: tau, share: 0.3, rates: true, shares: true},
	} {
		violated, missed := s.calibration(from)
		if from.shares {
			violated.value = 0 // the running means differ by more than tau
		}
		if violated.value > 0.11 || missed.value > 0.12 || violated.estimable < 0.9 {
			t.Errorf("%+v: violated %+v, missed %+v", from, violated, missed)
		}
	}
	if exact, missed := (study{runs: 20, records: 2000, exact: true}).calibration(stream{base: 0.3, difference: tau, share: 0.3}); exact.value > 0 || missed.value > 0 {
		t.Errorf("the exact sequence is wrong in %v and %v of 20 streams", exact.value, missed.value)
	}
	for share, most := range map[float64]int{0.3: 1000, 0.1: 2200} {
		for _, from := range []stream{{base: 0.14, difference: 0.15, share: share}, {base: 0.29, difference: -0.15, share: share}} {
			if median := s.power(from); median > most {
				t.Errorf("%+v is violated after %d records in the median, more than %d", from, median, most)
			}
		}
	}
	if a := s.alarms(stream{base: 0.3, difference: 0.15, share: 0.3, changeAt: 10_000}); a.before.value > 0.02 || a.median > 2100 || a.never > 0 {
		t.Errorf("alarms: %+v", a)
	}
	if mean := s.meanRunLength(stream{base: 0.3, difference: tau, share: 0.3}, 500); mean < 500 {
		t.Errorf("the mean run length is %v, below 500", mean)
	}
}

func TestTheCommandLine(t *testing.T) {
	var text strings.Builder
	if err := run([]string{"-runs", "10", "-records", "1000"}, &text); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"steady rates: false violated", "moving rates and shares: missed", "not estimable", "median delay", "promised run length"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in\n%s", part, &text)
		}
	}
	if run([]string{"-runs", "1"}, &text) == nil {
		t.Error("one run is a study")
	}
}
