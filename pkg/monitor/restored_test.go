package monitor

import (
	"errors"
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
		text.WriteString(goldentest.Print(fmt.Sprint("comparison ", i), []any{m.Series(i), m.Seen(i), m.Verdict(i), m.Alarmed(i), m.claims[i].stood, m.claims[i].trials, m.claims[i].seen}))
	}
	text.WriteString(goldentest.Print("all", []any{m.Repeats(), m.Records(), m.LastEvent(), m.Weighs(), m.counters.late, m.counters.row}))
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

// TestCountsThatNobodyHas are refused: more that is positive than there is.
func TestCountsThatNobodyHas(t *testing.T) {
	config := Config{Grouper: bySexAndRace(t)}
	for name, spoil := range map[string]func(m *Monitor){
		"nothing":       func(*Monitor) {},
		"trials":        func(m *Monitor) { m.claims[1].trials[1] = fairness.Trials{Records: 5, Positives: 6} },
		"what was seen": func(m *Monitor) { m.claims[0].seen[0] = fairness.Trials{Records: 5, Positives: 6} },
		"labels of a group": func(m *Monitor) {
			m.groups.cells[1].calibration.Positives[3] = m.groups.cells[1].calibration.Records[3] + 1
		},
		"scores of a group": func(m *Monitor) {
			m.groups.cells[0].calibration.Scores[0] = float64(m.groups.cells[0].calibration.Records[0]) + 1
		},
		"a negative number of them": func(m *Monitor) { m.claims[0].trials[0].Records = -1 },
	} {
		m, w := made(t, config), newWorld(5)
		for range 300 {
			d := w.next(.3, .6)
			m.Observe(&d)
		}
		spoil(m)
		if _, err := Restore(config, m.State()); (err == nil) != (name == "nothing") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAlarmAfterByDefinition: the rates after the change differ by the difference, that of all stays as it is as far as both are rates, and the direction that takes longer is told.
func TestAlarmAfterByDefinition(t *testing.T) {
	comparison := group("sex", "f", fairness.DemographicParity, .05)
	outcomes := func(positive, all int64) Outcomes { return Outcomes{Positive: positive, Negative: all - positive} }
	for _, c := range []struct{ k1, n1, k0, n0 int64 }{{300, 1000, 900, 3000}, {500, 1000, 300, 3000}, {10, 1000, 5, 200}, {990, 1000, 195, 200}, {0, 1000, 40, 1000}} {
		for _, difference := range []float64{.1, .3, .6} {
			r := Report{Records: 10_000}
			of := ComparisonReport{Comparison: comparison, Group: outcomes(c.k1, c.n1), Versus: outcomes(c.k0, c.n0)}
			of.Sequence.Status, of.Alarm.Threshold = fairness.Met, 1e5
			rate, share, longest := float64(c.k1+c.k0)/float64(c.n1+c.n0), float64(c.n1)/float64(c.n1+c.n0), 0.
			for _, signed := range []float64{difference, -difference} {
				versus := rate - signed*share
				if versus < 0 {
					versus = 0
				}
				if versus+signed < 0 {
					versus = -signed
				}
				if versus > 1 {
					versus = 1
				}
				if versus+signed > 1 {
					versus = 1 - signed
				}
				needs := fairness.Needs{RateGroup: versus + signed, RateVersus: versus, ShareGroup: share, Tau: .05}
				needs.RateGroup = max(0, min(1, needs.RateGroup))
				longest = max(longest, needs.Alarm(1e5))
			}
			if got, want := r.AlarmAfter(&of, difference), math.Ceil(longest*10_000/float64(c.n1+c.n0)); !(math.Abs(got-want) <= 1) && !(math.IsNaN(got) && want >= 1e10) {
				t.Errorf("%+v, a difference of %v: %v, want %v", c, difference, got, want)
			}
		}
	}
}

// TestOtherComparisonsAreRefused: a state is of the comparisons that it was made with, each with its name, criterion, bound, attribute, sides and strata.
func TestOtherComparisonsAreRefused(t *testing.T) {
	of := func(change func(c *fairness.Comparison)) Config {
		c := fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: .05, Group: []fairness.Term{fairness.Is("sex", "f")}, Versus: []fairness.Term{fairness.Is("sex", "m")}}
		change(&c)
		return Config{Grouper: grouper(t, c)}
	}
	m := made(t, of(func(*fairness.Comparison) {}))
	for i := range 10 {
		m.Observe(&Decision{Levels: []fairness.Level{fairness.Level(1 + i%3)}, Positive: i%2 == 0})
	}
	state := m.State()
	for name, change := range map[string]func(c *fairness.Comparison){
		"":          func(*fairness.Comparison) {},
		"name":      func(c *fairness.Comparison) { c.Name = "gender" },
		"criterion": func(c *fairness.Comparison) { c.Criterion, c.Tau = fairness.EqualOpportunity, .05 },
		"bound":     func(c *fairness.Comparison) { c.Tau = .06 },
		"attribute": func(c *fairness.Comparison) {
			c.Group, c.Versus = []fairness.Term{fairness.Is("gender", "f")}, []fairness.Term{fairness.Is("gender", "m")}
		},
		"group":  func(c *fairness.Comparison) { c.Group = []fairness.Term{fairness.Is("sex", "x")} },
		"versus": func(c *fairness.Comparison) { c.Versus = []fairness.Term{fairness.Is("sex", "x")} },
		"rest":   func(c *fairness.Comparison) { c.Versus, c.Rest = nil, true },
	} {
		again, err := Restore(of(change), state)
		if name == "" && (err != nil || again.Records() != 10) || name != "" && !errors.Is(err, ErrOtherSettings) {
			t.Errorf("with another %s: %v", name, err)
		}
	}
}

// TestNoAlarmOfNobody: without records on a side nothing is known of an alarm, and of one record it is.
func TestNoAlarmOfNobody(t *testing.T) {
	r := Report{Records: 1000}
	for _, c := range []struct {
		group, versus int64
		known         bool
	}{{0, 500, false}, {500, 0, false}, {1, 500, true}, {500, 1, true}} {
		of := ComparisonReport{Comparison: group("sex", "f", fairness.DemographicParity, .05), Group: Outcomes{Positive: c.group / 2, Negative: c.group - c.group/2}, Versus: Outcomes{Positive: c.versus / 2, Negative: c.versus - c.versus/2}}
		of.Sequence.Status, of.Alarm.Threshold = fairness.Met, 1e3
		if after := r.AlarmAfter(&of, .3); math.IsNaN(after) == c.known {
			t.Errorf("%+v: %v", c, after)
		}
	}
}
