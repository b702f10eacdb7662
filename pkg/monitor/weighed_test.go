package monitor

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// chosen is a decision that is right about rich people more often, and whose label comes of them more often, of women in particular. Among all with a
// positive label, the difference of the rates of women and others is 0; among those whose label comes it is not.
func (w *world) chosen() (d Decision, known bool) {
	d = w.next(0, 0)
	d.Label = w.random.IntN(2) == 0
	rich, woman := w.random.IntN(2) == 0, d.Levels[0] == 2
	right := map[bool]float64{true: .9, false: .5}[rich]
	d.Positive = d.Label == (w.random.Float64() < right)
	of := .4
	if woman {
		of = map[bool]float64{true: .9, false: .1}[rich]
	}
	d.Weight = .4 / of
	return d, w.random.Float64() < of
}

// TestWeighedDecisionsStandForAll: what needs labels is about all decisions where labelled ones are weighed, in each window and also if labels come late; such
// a verdict is never met, and raises no alarm. Without weights the same decisions are taken for unfair.
func TestWeighedDecisionsStandForAll(t *testing.T) {
	g := grouper(t, group("sex", "f", fairness.EqualOpportunity, .06), group("sex", "f", fairness.DemographicParity, .06))
	for _, late := range []bool{false, true} {
		weighed, bare := made(t, Config{Grouper: g, Window: 5000, RunLength: 2000}), made(t, Config{Grouper: g, Window: 5000, RunLength: 2000})
		w := newWorld(21)
		for range 40_000 {
			d, known := w.chosen()
			label, weight := d.Label, d.Weight
			for _, m := range []*Monitor{weighed, bare} {
				if d.Weight = 0; m == weighed {
					d.Weight = weight
				}
				if d.Labelled = known && !late; !d.Labelled {
					d.Label = false
				}
				m.Observe(&d)
				if known && late {
					d.Labelled, d.Label = true, label
					m.Label(&d)
				}
				d.Label = label
			}
		}
		c, b := weighed.Report().Comparisons[0], bare.Report().Comparisons[0]
		for name, e := range map[string]fairness.Estimate{"all": c.All, "recent": c.Recent, "period": c.Period} {
			if e.Lo > 0 || e.Hi < 0 || e.Method != fairness.MethodNewcombeKish || !(e.EffectiveGroup < .8*float64(e.NGroup)) || e.NGroup == 0 {
				t.Errorf("%s, late %v: %+v", name, late, e)
			}
		}
		if c.All.Status != fairness.Inconclusive || !strings.Contains(c.All.Reason, "labels are known for some records") || !c.Weighed || b.Weighed || b.All.Lo < .06 {
			t.Errorf("late %v: weighed %+v, as they are %+v", late, c.All, b.All)
		}
		s := c.Sequence
		if s.Status != fairness.Inconclusive || s.Method != fairness.MethodWeighedSequence || s.Lo > 0 || s.Hi < 0 || s.Lo < -.06 || s.Hi > .06 || s.Value != c.Totals.Value {
			t.Errorf("late %v: %+v", late, s)
		}
		if s := weighed.Report().Comparisons[1]; s.Sequence.Status != fairness.Met || s.Weighed {
			t.Errorf("late %v: parity %+v", late, s.Sequence)
		}
		if b.Sequence.Status != fairness.Violated || len(bare.Events(0)) < 2 {
			t.Errorf("late %v: without weights %+v", late, b.Sequence)
		}
		for _, e := range weighed.Events(0) {
			if e.Comparison == 0 && (e.Kind != VerdictChanged || e.To != fairness.Inconclusive) {
				t.Errorf("late %v: event %+v", late, e)
			}
		}
		for i, gap := range c.Gaps {
			n, m := gap.NGroup, b.Gaps[i].NGroup
			if whole := gap.EffectiveGroup == float64(gap.NGroup); gap.Status == fairness.Met && gap.Measure != SelectionRate || n == 0 || n > m || whole != (gap.Measure == SelectionRate) {
				t.Errorf("late %v: %+v, without weights %+v", late, gap, b.Gaps[i])
			}
		}
		if gap := c.Gaps[1]; gap.Measure != TPR || gap.Lo > 0 || gap.Hi < 0 || math.Abs(gap.Value-c.All.Value) > 1e-12 {
			t.Errorf("late %v: %+v", late, gap)
		}
	}
}

// TestSumsAgreeWithAPlainCount in all windows; nothing is weighed before the first decision that stands for another number, nor what nobody knows the
// weight of.
func TestSumsAgreeWithAPlainCount(t *testing.T) {
	const size, period = 200, 24 * time.Minute
	g := grouper(t, group("sex", "f", fairness.EqualOpportunity, .05))
	config := Config{Grouper: g, Window: size, Period: period, Look: 1}
	m := made(t, config)
	w := newWorld(22)
	var told []Decision
	for n := range 1500 {
		d, known := w.chosen()
		d.Levels = append([]fairness.Level(nil), d.Levels...)
		if d.Labelled = known; n < 300 {
			d.Weight = 1
		} else if n%5 == 0 {
			d.Weight = 0
		}
		m.Observe(&d)
		if told = append(told, d); n%70 == 0 {
			restored, err := Restore(config, m.State())
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(m.State(), restored.State()) {
				t.Fatal("the states differ")
			}
			m = restored
		}
	}
	frame := period / periodFrames
	newest := told[len(told)-1].Time.Truncate(frame)
	for in, since := range []func(k int, d Decision) bool{
		func(int, Decision) bool { return true },
		func(k int, _ Decision) bool { return k >= 1500-size },
		func(_ int, d Decision) bool { return d.Time.After(newest.Add(-period + frame - 1)) },
	} {
		var want fairness.Count
		for k, d := range told {
			if d.Levels[0] == 2 && d.Labelled && d.Label && since(k, d) && k >= 300 && d.Weight > 0 {
				want.Add(d.Positive, d.Weight)
			}
		}
		one, _ := m.both(0, window(in))
		got := one.Count(TPR)
		if got.Records != want.Records || got.Positives != want.Positives || math.Abs(got.Weight-want.Weight) > 1e-9 || math.Abs(got.WeightSquared-want.WeightSquared) > 1e-9 ||
			math.Abs(got.PositiveWeight-want.PositiveWeight) > 1e-9 || math.Abs(got.PositiveSquared-want.PositiveSquared) > 1e-9 || want.Records == 0 {
			t.Errorf("window %d: %+v, want %+v", in, got, want)
		}
	}
}

// TestFewLabelsOfADecisionAreWeighed: of one decision labels are rare, as with exploration. Without weights nothing is known, with them the rates are.
func TestFewLabelsOfADecisionAreWeighed(t *testing.T) {
	g := grouper(t, group("sex", "f", fairness.EqualOpportunity, .05))
	for _, weighed := range []bool{false, true} {
		m := made(t, Config{Grouper: g})
		w := newWorld(23)
		for range 60_000 {
			d := w.next(.3, .3)
			d.Label, d.Labelled = true, d.Positive || w.random.IntN(20) == 0
			if weighed {
				d.Weight = map[bool]float64{true: 1, false: 20}[d.Positive]
			}
			m.Observe(&d)
		}
		c := m.Report().Comparisons[0]
		if known := c.All.Status != fairness.NotEstimable; known != weighed || known && (math.Abs(c.All.RateGroup-.3) > .03 || c.All.Lo > 0 || c.All.Hi < 0) {
			t.Errorf("weighed %v: %+v", weighed, c.All)
		}
		if c.Sequence.Status == fairness.Met || (c.Sequence.Status == fairness.NotEstimable) == weighed {
			t.Errorf("weighed %v: %+v", weighed, c.Sequence)
		}
	}
}
