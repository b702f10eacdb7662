package monitor

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// A stream is what a monitor is told of a kind of decisions.
type stream struct {
	config Config
	rate   func(i int) float64
	change func(i int, w *world, d *Decision) // nil changes nothing
}

// streams are of labels that come at once, late or seldom, of drifts, of persons who come again, and of comparisons of all kinds.
func streams(t *testing.T) map[string]stream {
	t.Helper()
	forty := 40.0
	kinds := grouper(t,
		fairness.Comparison{Name: "ratio", Criterion: fairness.ImpactRatio, Tau: 0.8, Rest: true, Group: []fairness.Term{fairness.Is("sex", "f")}},
		fairness.Comparison{Name: "age", Criterion: fairness.PredictiveEquality, Tau: 0.1, Rest: true,
			Group: []fairness.Term{{Attribute: "race", Members: fairness.Members{Range: &fairness.Range{From: &forty}}}}},
		fairness.Comparison{Name: "within", Criterion: fairness.DemographicParity, Tau: 0.05, Strata: "branch", Rest: true, Group: []fairness.Term{fairness.Is("sex", "f")}})
	return map[string]stream{
		"fair": {Config{Grouper: bySexAndRace(t)}, func(int) float64 { return 0.5 }, nil},
		"drift": {Config{Grouper: bySexAndRace(t)}, func(i int) float64 { return 0.5 - 0.3*float64(i/2500) }, func(i int, w *world, d *Decision) {
			d.Labelled = w.random.IntN(4) > 0
		}},
		"weighed": {Config{Grouper: bySexAndRace(t)}, func(int) float64 { return 0.4 }, func(_ int, w *world, d *Decision) {
			if d.Labelled = w.random.IntN(3) == 0; d.Labelled {
				d.Weight = 0.5 + w.random.Float64()
			}
		}},
		"late": {Config{Grouper: bySexAndRace(t)}, func(int) float64 { return 0.5 }, func(i int, _ *world, d *Decision) {
			if i%40 == 39 {
				d.Time = d.Time.Add(-60 * 24 * time.Hour)
			}
		}},
		"persons": {Config{Grouper: bySexAndRace(t), Cluster: "person"}, func(int) float64 { return 0.45 }, func(_ int, w *world, d *Decision) {
			d.Person = 1 + w.random.Uint64N(900)
		}},
		"kinds": {Config{Grouper: kinds}, func(int) float64 { return 0.3 }, func(_ int, w *world, d *Decision) {
			d.Levels = append(append([]fairness.Level{}, d.Levels...), make([]fairness.Level, len(kinds.Attributes())-2)...)
			for k, attribute := range kinds.Attributes() {
				value := map[string]string{"sex": []string{"f", "m"}[w.random.IntN(2)], "race": fmt.Sprint(20 + w.random.IntN(40)), "branch": []string{"x", "y"}[w.random.IntN(2)]}[attribute]
				d.Levels[k] = kinds.Level(k, []byte(value))
			}
			if w.random.IntN(20) == 0 {
				d.Score = math.NaN()
			}
		}},
	}
}

// run has decisions observed, labels told late, and do called after each.
func (s *stream) run(decisions int, observe, label func(d *Decision), do func(i int)) {
	w := newWorld(4)
	var late []Decision
	for i := range decisions {
		d := w.next(s.rate(i), 0.5)
		if s.change != nil {
			s.change(i, w, &d)
		}
		observe(&d)
		if !d.Labelled && i%5 == 0 {
			d.Levels = append([]fairness.Level{}, d.Levels...)
			late = append(late, d)
		}
		if len(late) > 300 {
			one := late[0]
			one.Labelled = true
			label(&one)
			late = late[1:]
		}
		do(i)
	}
}

// TestTheWholeReport compares all that is reported of some streams, now and then, with a file.
func TestTheWholeReport(t *testing.T) {
	for name, c := range streams(t) {
		t.Run(name, func(t *testing.T) {
			m := made(t, c.config)
			var text strings.Builder
			c.run(6000, m.Observe, m.Label, func(i int) {
				if i == 700 || i == 5999 {
					r := m.Report()
					for k := range r.Comparisons {
						r.Comparisons[k].Comparison = fairness.Comparison{Name: r.Comparisons[k].Comparison.Name}
					}
					text.WriteString(goldentest.Print(fmt.Sprintf("after %d", i+1), r))
				}
			})
			for k := range c.config.Grouper.Comparisons() {
				points := m.Series(k)
				text.WriteString(goldentest.Print(fmt.Sprintf("series %d", k), points[:min(3, len(points))]))
			}
			text.WriteString(goldentest.Print("events", m.Events(0)))
			goldentest.Compare(t, "whole-"+name+".txt", text.String())
		})
	}
}
