package monitor

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// told is all that a monitor tells.
func told(m *Monitor) string {
	var text strings.Builder
	text.WriteString(goldentest.Print("report", m.Report()))
	text.WriteString(goldentest.Print("events", m.Events(0)))
	for i := range m.config.Grouper.Comparisons() {
		text.WriteString(goldentest.Print(fmt.Sprint("comparison ", i), []any{m.Series(i), m.Seen(i), m.Verdict(i), m.Alarmed(i)}))
	}
	text.WriteString(goldentest.Print("all", []any{m.Repeats(), m.Records(), m.LastEvent(), m.Weighs()}))
	return text.String()
}

// TestARestoredMonitorTellsTheSame as the one that was saved, at once and after more decisions, of all that it tells.
func TestARestoredMonitorTellsTheSame(t *testing.T) {
	for name, s := range streams(t) {
		t.Run(name, func(t *testing.T) {
			steady, restarted := made(t, s.config), made(t, s.config)
			s.run(5000, func(d *Decision) {
				steady.Observe(d)
				restarted.Observe(d)
			}, func(d *Decision) {
				steady.Label(d)
				restarted.Label(d)
			}, func(i int) {
				if i%1400 != 799 && i != 4999 {
					return
				}
				var err error
				if restarted, err = Restore(s.config, restarted.State()); err != nil {
					t.Fatal(err)
				}
				got, want := strings.Split(told(restarted), "\n"), strings.Split(told(steady), "\n")
				for k := range want {
					if k >= len(got) || got[k] != want[k] {
						t.Fatalf("after %d decisions, line %d is %q, want %q", i+1, k, got[min(k, len(got)-1)], want[k])
					}
				}
			})
		})
	}
}

// TestWhatWasSeen of a comparison are its records by their sides, and of the same person one.
func TestWhatWasSeen(t *testing.T) {
	comparisons := grouper(t, group("sex", "f", fairness.EqualizedOdds, .05), group("sex", "f", fairness.DemographicParity, .05))
	last := len(comparisons.Comparisons()) - 1
	for name, c := range map[string]struct {
		config Config
		person func(i int) uint64
		counts func(i int) bool
	}{
		"all":                  {Config{Grouper: comparisons}, func(int) uint64 { return 0 }, func(int) bool { return true }},
		"in their order":       {Config{Grouper: comparisons, Exact: true}, func(int) uint64 { return 0 }, func(int) bool { return true }},
		"one of each person":   {Config{Grouper: comparisons, Cluster: "person"}, func(i int) uint64 { return 1 + uint64(i/2) }, func(i int) bool { return i%2 == 0 }},
		"another each time":    {Config{Grouper: comparisons, Cluster: "person"}, func(i int) uint64 { return 1 + uint64(i) }, func(int) bool { return true }},
		"all of nearly nobody": {Config{Grouper: comparisons, Cluster: "person"}, func(int) uint64 { return 5 }, func(i int) bool { return i == 0 }},
	} {
		m, w := made(t, c.config), newWorld(8)
		var want Seen
		for i := range 1500 {
			d := w.next(.3, .6)
			d.Levels, d.Person = d.Levels[:1], c.person(i)
			if m.Observe(&d); d.Levels[0] == fairness.MissingLevel {
				want.Unknown++
			} else if c.counts(i) {
				of := &want.Versus
				if d.Levels[0] == 2 {
					of = &want.Group
				}
				of.Add(d.Positive)
			}
		}
		got := m.Seen(last)
		if got.Group.Records != want.Group.Records || got.Group.Positives != want.Group.Positives || got.Versus.Records != want.Versus.Records || got.Versus.Positives != want.Versus.Positives || got.Unknown != want.Unknown || got.Neither != 0 || got.Selective {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestWeighedDecisionsOfPersons have no sequence: the decisions that count are one of each person, and what they stand for is not known.
func TestWeighedDecisionsOfPersons(t *testing.T) {
	m, w := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.EqualOpportunity, .05)), Cluster: "person"}), newWorld(2)
	for i := range 3000 {
		d := w.next(.3, .6)
		d.Levels, d.Person = d.Levels[:1], uint64(i+1)
		if d.Labelled = w.random.IntN(2) == 0; d.Labelled {
			d.Weight = 1 + w.random.Float64()
		}
		m.Observe(&d)
	}
	if s := m.Report().Comparisons[0].Totals; s.Status != fairness.NotEstimable || s.Reason == "" || !math.IsNaN(s.Value) || !math.IsNaN(s.Lo) || !math.IsNaN(s.Hi) {
		t.Errorf("%+v", s)
	}
}

// TestGroupsOfEnoughRecords: a group is set against the best from as many records on as are asked for.
func TestGroupsOfEnoughRecords(t *testing.T) {
	for few, want := range map[int]float64{9: math.NaN(), 10: .5} {
		m := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.DemographicParity, .05)), MinimumRecords: 10})
		decide := func(level fairness.Level, n, positive int) {
			for i := range n {
				m.Observe(&Decision{Levels: []fairness.Level{level}, Positive: i < positive, Score: math.NaN()})
			}
		}
		decide(2, few, few/2)
		decide(1, 10, 10)
		decide(fairness.MissingLevel, 20, 20)
		for _, g := range m.Report().Groups {
			if g.Unknown || g.All.Records() != int64(few) || few == 10 && g.Rate.Value == 1 {
				continue
			}
			if !(g.ImpactRatio == want) && !(math.IsNaN(want) && math.IsNaN(g.ImpactRatio)) || math.Abs(g.Share-float64(few)/float64(few+10)) > 1e-12 {
				t.Errorf("of %d: %+v, want a ratio of %v", few, g, want)
			}
		}
	}
}

// TestMoreThanEnoughRecords: nothing is said of how many more a verdict takes where none are needed, or no number is enough.
func TestMoreThanEnoughRecords(t *testing.T) {
	m := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.DemographicParity, .05))})
	c := m.config.Grouper.Comparisons()[0]
	for range 20_000 {
		m.Observe(&Decision{Levels: []fairness.Level{1}})
	}
	trials := func(records, positives int64) fairness.Trials {
		return fairness.Trials{Records: records, Positives: positives}
	}
	for _, of := range []struct {
		group, versus fairness.Trials
		known         bool
	}{
		{trials(0, 0), trials(100, 50), false}, {trials(100, 50), trials(0, 0), false}, {trials(100, 50), trials(100, 40), true}, {trials(10_000, 9000), trials(10_000, 1000), false},
		{trials(100, 0), trials(100, 40), false}, {trials(100, 45), trials(100, 40), false},
	} {
		if got := m.needed(c, .95, of.group, of.versus); math.IsNaN(got) == of.known || of.known && !(got > 0) {
			t.Errorf("%+v and %+v: %v", of.group, of.versus, got)
		}
	}
}
