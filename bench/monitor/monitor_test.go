package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
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
	for mean, most := range map[int]int{1: 2000, 60: 2500, 200: 3500} {
		if median, never := s.delay(inRuns{stream: stream{base: 0.3, difference: 0.15, share: 0.3, changeAt: 10_000}, mean: mean}); median > most || never > 0 {
			t.Errorf("runs of %d: an alarm after %d records in the median, and in %d streams never", mean, median, never)
		}
	}
	for _, difference := range []float64{tau, -tau} {
		drifting := inRuns{stream: stream{base: 0.35, difference: difference, share: 0.3}, mean: 200, drift: 0.3, over: driftRecords}
		if f := s.falseInRuns(drifting, driftThreshold, driftRecords); f.value > 0.1 {
			t.Errorf("rates of both groups that rise by 0.3: %+v have an alarm at %v", f, difference)
		}
	}
	// No difference at any moment, but the share of the group falls while both rates rise.
	if ever, _ := (study{runs: 50, records: 20_000}).firstViolated(simpson{base: .2, rise: .3, share: .5, falls: .4}.draw); ever[0].value < .9 || ever[1].value > .05 {
		t.Errorf("totals are violated in %+v of streams, the difference at equal time in %+v", ever[0], ever[1])
	}
	if _, median := s.firstViolated(simpson{difference: .15, base: .14, share: .3}.draw); float64(median[1]) > 1.3*float64(median[0]) {
		t.Errorf("at equal time, violated comes after %d records, of totals after %d", median[1], median[0])
	}
	// Five copies of each record: with the key of the person they count once, and without it they are noticed.
	for cluster, most := range map[string]int{"": 30, "person": 4} {
		violated, warned := 0, 0.0
		for _, c := range parallel(30, func(i int) clustered {
			return s.watched(people{5, 1, .5}, uint64(i), cluster, 10_000, runLength)
		}) {
			if warned += c.warned / 30; c.equal || c.totals {
				violated++
			}
		}
		if violated > most || warned > 0.01 != (cluster == "") {
			t.Errorf("copies with the key %q: %d of 30 are violated, and %v of the looks warn", cluster, violated, warned)
		}
	}
	if mean := s.meanRunLength(stream{base: 0.3, difference: tau, share: 0.3}, 500); mean < 500 {
		t.Errorf("the mean run length is %v, below 500", mean)
	}
}

// Values of Each that come one after the other, all at a difference of tau, are seldom called violated, however many there are.
func TestValuesThatComeLater(t *testing.T) {
	const runs, records, values = 50, 4000, 8
	each := fairness.Comparison{Name: "each", Criterion: fairness.DemographicParity, Tau: tau, Each: true,
		Group: []fairness.Term{{Attribute: "a"}}, Versus: []fairness.Term{fairness.Is("a", "v0")}}
	violated, compared := 0, 0
	for _, found := range parallel(runs, func(i int) [2]int { return eachValue(each, uint64(i), records, values) }) {
		violated += min(1, found[0])
		compared += found[1]
	}
	t.Logf("violated in %d of %d streams; %v comparisons have a sequence in the mean", violated, runs, float64(compared)/runs)
	if violated > runs/10 || compared < runs*(values-2) {
		t.Errorf("violated in %d of %d streams, with %d comparisons", violated, runs, compared)
	}
}

// eachValue counts the events that say violated in a stream whose values begin one after the other, and the comparisons with a sequence.
func eachValue(each fairness.Comparison, seed uint64, records, values int) (counts [2]int) {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{each})
	if err != nil {
		panic(err)
	}
	m, err := monitor.New(monitor.Config{Subject: monitor.Subject{ID: "study"}, Grouper: grouper, Look: 8})
	if err != nil {
		panic(err)
	}
	random := rand.New(rand.NewPCG(seed, 4))
	levels := make([]fairness.Level, 1)
	for i := range records {
		value, rate := random.IntN(min(values, 2+i*values/records*2)), 0.3
		if value > 0 {
			rate += tau
		}
		levels[0] = grouper.Level(0, fmt.Appendf(nil, "v%d", value))
		m.Observe(&monitor.Decision{Levels: levels, Positive: random.Float64() < rate})
	}
	for _, e := range m.Events(0) {
		if e.To == fairness.Violated {
			counts[0]++
		}
	}
	for _, c := range m.Report().Comparisons {
		if c.Sequence.Status != fairness.NotEstimable {
			counts[1]++
		}
	}
	return counts
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
