package monitor

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// decided is a decision about a member of the group, or about another person.
func decided(member, positive bool) *Decision {
	level := fairness.OtherLevel
	if member {
		level++
	}
	return &Decision{Levels: []fairness.Level{level}, Positive: positive, Time: time.Unix(1, 0)}
}

// TestAnAlarmEndsAtTau: it is over once the recent window holds only records after it, and its difference is tau or less, its ratio tau or more.
func TestAnAlarmEndsAtTau(t *testing.T) {
	for _, c := range []struct {
		criterion     fairness.Criterion
		group, others int // of ten that are decided positively
		later         int64
		want          bool
	}{
		{fairness.DemographicParity, 5, 10, 20, true}, {fairness.DemographicParity, 10, 5, 20, true}, {fairness.DemographicParity, 4, 10, 20, false}, {fairness.DemographicParity, 10, 4, 20, false},
		{fairness.DemographicParity, 5, 10, 19, false}, {fairness.ImpactRatio, 5, 10, 20, true}, {fairness.ImpactRatio, 10, 5, 20, true}, {fairness.ImpactRatio, 4, 10, 20, false},
		{fairness.ImpactRatio, 10, 4, 20, false}, {fairness.ImpactRatio, 4, 8, 20, true}, {fairness.ImpactRatio, 3, 8, 20, false},
	} {
		m := made(t, Config{Grouper: grouper(t, group("sex", "f", c.criterion, .5)), Window: windowFrames})
		for i := range 10 {
			m.Observe(decided(true, i < c.group))
			m.Observe(decided(false, i < c.others))
		}
		if m.claims[0].alarm = (alarm{raised: true, last: m.records - c.later}); m.ended(0) != c.want {
			t.Errorf("%s, %d and %d of ten, %d records after the alarm: over %t", c.criterion, c.group, c.others, c.later, !c.want)
		}
	}
}

// TestWeighedDecisionsEndAVerdict: what was met while each labelled decision was one is so no more once they are weighed, and exact sequences cannot weigh.
func TestWeighedDecisionsEndAVerdict(t *testing.T) {
	for _, exact := range []bool{false, true} {
		m, w := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.EqualOpportunity, .3)), Exact: exact}), newWorld(31)
		observe := func(count int, weight float64) {
			for range count {
				d := w.next(.5, .5)
				d.Weight = weight
				m.Observe(&d)
			}
		}
		if observe(20_000, 0); m.Report().Comparisons[0].Sequence.Status != fairness.Met {
			t.Fatalf("exact %t: %+v", exact, m.Report().Comparisons[0].Sequence)
		}
		observe(2_000, 2)
		s, want := m.Report().Comparisons[0].Sequence, fairness.Inconclusive
		if exact {
			want = fairness.NotEstimable
		}
		if s.Status != want || s.Reason == "" || math.IsNaN(s.Value) != exact || math.IsNaN(s.Lo) != exact || math.IsNaN(s.Hi) != exact || exact && s.Reason != noWeighedSequence {
			t.Errorf("exact %t: %+v", exact, s)
		}
		events := m.Events(0)
		if last := events[len(events)-1]; last.Kind != VerdictChanged || last.To != want || !slices.ContainsFunc(events, func(e Event) bool { return e.From == fairness.Met }) {
			t.Errorf("exact %t: the last event is %+v", exact, last)
		}
	}
	if one := (claim{stood: [2]fairness.Count{{Records: 1}, {}}}); !one.weighed() || (&claim{}).weighed() {
		t.Error("a single decision is weighed, none is not")
	}
}

// TestMeasuresOfStandingDecisions: numerator and denominator of each measure that needs labels.
func TestMeasuresOfStandingDecisions(t *testing.T) {
	s := standing{trueNegative: {1, 10, 100}, falseNegative: {2, 20, 200}, falsePositive: {4, 40, 400}, truePositive: {8, 80, 800}}
	for m, want := range map[Measure][2]int64{TPR: {8, 10}, FPR: {4, 5}, PPV: {8, 12}, Accuracy: {9, 15}, BaseRate: {10, 15}} {
		k, n := want[0], want[1]
		if got := s.count(m); got != (fairness.Count{Records: n, Positives: k, Weight: float64(10 * n), WeightSquared: float64(100 * n), PositiveWeight: float64(10 * k), PositiveSquared: float64(100 * k)}) {
			t.Errorf("measure %v: %+v, want %d of %d", m, got, k, n)
		}
	}
	of := side{Outcomes{TruePositive: 1, FalseNegative: 1}, &s}
	if of.Count(TPR).Records != 10 || of.Count(SelectionRate).Records == s.count(TPR).Records {
		t.Errorf("of labelled decisions %+v, of all %+v", of.Count(TPR), of.Count(SelectionRate))
	}
	defer func() {
		if recover() == nil {
			t.Error("a measure that needs no label")
		}
	}()
	s.count(SelectionRate)
}

// TestAnAlarmWaitsForPersons: where one decision of each person counts, as many more records pass until an alarm as each person has.
func TestAnAlarmWaitsForPersons(t *testing.T) {
	m, w := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.DemographicParity, .05)), Cluster: "person", Look: 1}), newWorld(32)
	for person := range uint64(2000) {
		d := w.next(.5, .4)
		d.Person = person + 1
		for range 3 {
			m.Observe(&d)
		}
	}
	r := m.Report()
	c := &r.Comparisons[0]
	persons := r.AlarmAfter(c, .3)
	r.Cluster = ""
	records := r.AlarmAfter(c, .3)
	if !(records > 10) || math.Abs(persons-3*records) > 3 {
		t.Errorf("after %v records of persons, after %v of records", persons, records)
	}
}

// TestFramesOfAnyWindow: a window is divided into frames that hold all of it.
func TestFramesOfAnyWindow(t *testing.T) {
	for window, want := range map[int]int{windowFrames: 1, windowFrames + 1: 2, 2 * windowFrames: 2, 2*windowFrames + 1: 3, 3*windowFrames - 1: 3} {
		if f := newFrames(window, time.Hour, 1); f.perFrame != want {
			t.Errorf("%d records: %d in a frame, want %d", window, f.perFrame, want)
		}
	}
}

// TestCalibrationOfNothing is not known; one score says how far it is off.
func TestCalibrationOfNothing(t *testing.T) {
	var c Calibration
	if !math.IsNaN(c.SignedError()) || !math.IsNaN(c.Bins(.95)[3].MeanScore) {
		t.Errorf("without records: an error of %v", c.SignedError())
	}
	c.add(.75, true)
	if b := c.Bins(.95)[7]; c.SignedError() != -.25 || b.MeanScore != .75 || b.From != .7 || b.To != .8 || b.Rate.Value != 1 {
		t.Errorf("an error of %v, %+v", c.SignedError(), b)
	}
	c.add(1, false)
	if b := c.Bins(.95)[CalibrationBins-1]; b.MeanScore != 1 || c.SignedError() != .375 {
		t.Errorf("an error of %v, %+v", c.SignedError(), b)
	}
}

// TestStatesThatAreRefused: each at its bound.
func TestStatesThatAreRefused(t *testing.T) {
	config := Config{Grouper: grouper(t, group("sex", "f", fairness.EqualOpportunity, .05))}
	weighed := func(m *Monitor, change func(one *sum)) {
		for i := range m.counters.sums.closed {
			if m.counters.sums.closed[i].records > 0 {
				change(&m.counters.sums.closed[i])
				return
			}
		}
		m.counters.sums.closed[0] = sum{1, 1, 1}
		change(&m.counters.sums.closed[0])
	}
	for name, c := range map[string]struct {
		change func(m *Monitor)
		taken  bool
	}{
		"unchanged":             {func(*Monitor) {}, true},
		"more looked at":        {func(m *Monitor) { m.looked = m.records + 1 }, false},
		"fewer steps":           {func(m *Monitor) { m.steps = m.records - 1 }, false},
		"the first time":        {func(m *Monitor) { m.counters.newest = math.MinInt64/2 + 1 }, true},
		"before it":             {func(m *Monitor) { m.counters.newest = math.MinInt64 / 2 }, false},
		"the last time":         {func(m *Monitor) { m.counters.newest = math.MaxInt64/2 - 1 }, true},
		"behind it":             {func(m *Monitor) { m.counters.newest = math.MaxInt64 / 2 }, false},
		"a weight":              {func(m *Monitor) { weighed(m, func(one *sum) { one.weight, one.squared = 2, 4 }) }, true},
		"no weight":             {func(m *Monitor) { weighed(m, func(one *sum) { one.weight = 0 }) }, false},
		"no square of a weight": {func(m *Monitor) { weighed(m, func(one *sum) { one.squared = 0 }) }, false},
		"all events":            {func(m *Monitor) { m.events.kept, m.events.total = make([]event, mostEvents), mostEvents }, true},
		"an event too many":     {func(m *Monitor) { m.events.kept, m.events.total = make([]event, mostEvents+1), mostEvents+1 }, false},
		"more events than all":  {func(m *Monitor) { m.events.kept, m.events.total = make([]event, 3), 2 }, false},
	} {
		m, w := made(t, config), newWorld(33)
		for i := range 300 {
			d := w.next(.5, .5)
			d.Weight = 1 + float64(i%2)
			m.Observe(&d)
		}
		c.change(m)
		if _, err := Restore(config, m.State()); (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGroupsWithoutComparisons: a state that has groups is not that of a monitor which compares nobody.
func TestGroupsWithoutComparisons(t *testing.T) {
	config := Config{Grouper: grouper(t)}
	m := made(t, config)
	if _, err := Restore(config, m.State()); err != nil {
		t.Error(err)
	}
	m.groups.cells = make([]cell, 1)
	if _, err := Restore(config, m.State()); err == nil {
		t.Error("a group of no comparison is read")
	}
}
