package monitor

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// A monitor that is saved and restored at any record goes on as if nothing had happened, bit for bit.
func TestARestartChangesNothing(t *testing.T) {
	for _, exact := range []bool{false, true} {
		config := Config{Grouper: bySexAndRace(t), Window: 2000, Look: 16, RunLength: 500, Exact: exact}
		steady, restarted := made(t, config), made(t, config)
		w := newWorld(1)
		for i := range 30_000 {
			d := w.next(0.3+0.3*float64(i/10_000%2), 0.3)
			late := i%7 == 0
			d.Labelled = !late
			for _, m := range []*Monitor{steady, restarted} {
				m.Observe(&d)
			}
			if late {
				d.Labelled = true
				steady.Label(&d)
				restarted.Label(&d)
			}
			if w.random.IntN(500) == 0 {
				var err error
				if restarted, err = Restore(config, restarted.State()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !bytes.Equal(steady.State(), restarted.State()) {
			t.Error("the states differ")
		}
		if steady.LastEvent() < 3 {
			t.Errorf("only %d events: nothing was tested", steady.LastEvent())
		}
	}
}

// The counters of all windows agree with counting every decision again.
func TestCountersAgreeWithAPlainCount(t *testing.T) {
	const window, period = 200, 24 * time.Minute
	g := bySexAndRace(t)
	m := made(t, Config{Grouper: g, Window: window, Period: period, Look: 1})
	w := newWorld(2)
	var told []Decision
	sides := func(i int, d Decision) fairness.Side {
		all, other := make([]fairness.Side, len(m.claims)), make([]fairness.Side, len(m.claims))
		g.Sides(all, d.Levels, true)
		g.Sides(other, d.Levels, false)
		if all[i] == fairness.Excluded {
			return other[i]
		}
		return all[i]
	}
	for n := range 1500 {
		d := w.next(0.5, 0.2)
		d.Levels = append([]fairness.Level(nil), d.Levels...)
		d.Labelled = n%3 > 0
		m.Observe(&d)
		told = append(told, d)
	}
	count := func(i int, side fairness.Side, since func(k int, d Decision) bool) (o Outcomes) {
		for k, d := range told {
			if sides(i, d) != side || !since(k, d) {
				continue
			}
			o.Combine(map[bool]Outcomes{true: {Positive: 1}, false: {Negative: 1}}[d.Positive])
			switch {
			case !d.Labelled:
			case d.Positive && d.Label:
				o.TruePositive++
			case d.Positive:
				o.FalsePositive++
			case d.Label:
				o.FalseNegative++
			default:
				o.TrueNegative++
			}
		}
		return o
	}
	all := func(int, Decision) bool { return true }
	recent := func(k int, _ Decision) bool { return k >= 1500-window } // 1500 is a whole number of frames
	frame := period / periodFrames
	newest := told[len(told)-1].Time.Truncate(frame)
	inPeriod := func(_ int, d Decision) bool { return d.Time.After(newest.Add(-period + frame - 1)) }
	for i, c := range m.Report().Comparisons {
		if group, versus := count(i, fairness.Group, all), count(i, fairness.Versus, all); c.Group != group || c.Versus != versus {
			t.Errorf("%d: all are %+v and %+v, want %+v and %+v", i, c.Group, c.Versus, group, versus)
		}
		recentGroup, recentVersus := m.both(i, inRecent)
		gotGroup, gotVersus := recentGroup.Outcomes, recentVersus.Outcomes
		if group, versus := count(i, fairness.Group, recent), count(i, fairness.Versus, recent); gotGroup != group || gotVersus != versus {
			t.Errorf("%d: recent are %+v and %+v, want %+v and %+v", i, gotGroup, gotVersus, group, versus)
		}
		n := m.counters.inPeriod(make([]int64, perComparison), i*perComparison)
		gotGroup, gotVersus = sidesOf(n)
		if group, versus := count(i, fairness.Group, inPeriod), count(i, fairness.Versus, inPeriod); gotGroup != group || gotVersus != versus {
			t.Errorf("%d: the period has %+v and %+v, want %+v and %+v", i, gotGroup, gotVersus, group, versus)
		}
		if c.All.NUnknown == 0 || c.All.NGroup == 0 || c.Totals.NGroup != c.All.NGroup || c.Totals.NVersus != c.All.NVersus {
			t.Errorf("%d: %+v, %+v", i, c.All, c.Totals)
		}
	}
	// Groups: each attribute's values and the intersections count every record once.
	records := map[string]int64{}
	for _, group := range m.Report().Groups {
		records[strings.Join(group.Attributes, " ")] += group.All.Records()
	}
	if want := map[string]int64{"sex": 1500, "race": 1500, "sex race": 1500}; !maps.Equal(records, want) {
		t.Errorf("groups count %v, want %v", records, want)
	}
}

// A label that comes later gives the same counts, sequences and calibration as one that comes with its decision.
func TestLateLabelsCount(t *testing.T) {
	config := Config{Grouper: bySexAndRace(t)}
	at, later := made(t, config), made(t, config)
	w := newWorld(3)
	for range 5000 {
		d := w.next(0.5, 0.2)
		at.Observe(&d)
		d.Labelled = false
		later.Observe(&d)
		d.Labelled = true
		later.Label(&d)
	}
	one, other := at.Report(), later.Report()
	if one.Labelled != 5000 || other.Labelled != 5000 || one.Records != other.Records {
		t.Errorf("%d and %d labels", one.Labelled, other.Labelled)
	}
	for i := range one.Comparisons {
		a, b := one.Comparisons[i], other.Comparisons[i]
		if a.Group != b.Group || a.Versus != b.Versus || a.All.Value != b.All.Value || a.Alarm.Evidence != b.Alarm.Evidence {
			t.Errorf("%s: %+v and %+v", a.Comparison.Name, a, b)
		}
	}
	for i := range one.Groups {
		if one.Groups[i].Calibration != other.Groups[i].Calibration {
			t.Errorf("group %v: the calibrations differ", one.Groups[i].Values)
		}
	}
}

// Where only positive decisions get a label, rates given the label are not estimable, with that reason; the selection rate is.
func TestSelectiveLabels(t *testing.T) {
	m := made(t, Config{Grouper: bySexAndRace(t)})
	w := newWorld(4)
	for range 5000 {
		d := w.next(0.5, 0.2)
		d.Labelled = d.Positive
		m.Observe(&d)
	}
	for _, c := range m.Report().Comparisons {
		for _, gap := range c.Gaps {
			if gap.Measure == SelectionRate {
				if gap.Status == fairness.NotEstimable {
					t.Errorf("%s: %+v", c.Comparison.Name, gap)
				}
			} else if gap.Status != fairness.NotEstimable || !strings.Contains(gap.Reason, "labels come for one decision only: 0 of") || !math.IsNaN(gap.Value) {
				t.Errorf("%s: %+v", c.Comparison.Name, gap)
			}
		}
		given := c.Comparison.Criterion.Condition() != fairness.AnyLabel
		if s := c.Sequence; (s.Status == fairness.NotEstimable) != given || given && !strings.Contains(s.Reason, "one decision only") || given != math.IsNaN(s.Value) || given != math.IsNaN(s.Lo) || given != math.IsNaN(s.Hi) {
			t.Errorf("%s by %s: %+v", c.Comparison.Name, c.Comparison.Criterion, s)
		}
		if e := c.All; (e.Status == fairness.NotEstimable) != given || given && e.Reason == "" || given != math.IsNaN(e.Value) || given != math.IsNaN(e.Lo) || given != math.IsNaN(e.Hi) {
			t.Errorf("%s by %s: %+v", c.Comparison.Name, c.Comparison.Criterion, e)
		}
	}
}

// TestSelectiveLabelsRaiseNoAlarm: labels of negative decisions are rare, and rarer for men. The rates among the labelled differ by
// that alone, so there is no alarm; with all labels there is one as soon as the rates differ.
func TestSelectiveLabelsRaiseNoAlarm(t *testing.T) {
	g := grouper(t, group("sex", "f", fairness.EqualOpportunity, 0.05))
	for _, selected := range []bool{true, false} {
		m := made(t, Config{Grouper: g, RunLength: 500})
		w := newWorld(6)
		w.levels = w.levels[:1]
		alarms := 0
		for i := range 40_000 {
			d := w.next(0.3, 0.3)
			d.Label = true
			side := make([]fairness.Side, 1)
			g.Sides(side, d.Levels, true)
			if d.Labelled = true; selected {
				d.Labelled = d.Positive || side[0] == fairness.Group && i%40 == 0
			} else if side[0] == fairness.Group && i%3 == 0 {
				d.Positive = true
			}
			m.Observe(&d)
		}
		for _, e := range m.Events(0) {
			if e.Kind == AlarmRaised {
				alarms++
			}
		}
		if selected != m.Seen(0).Selective || selected != (alarms == 0) {
			t.Errorf("labels of one decision only %v: %d alarms; the monitor says %v", selected, alarms, m.Seen(0).Selective)
		}
	}
}

// A difference that comes and goes gives a verdict, an alarm and its end, in this order, and the series shows it.
func TestADriftIsToldOnce(t *testing.T) {
	m := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.DemographicParity, 0.05)), Window: 5000})
	w := newWorld(5)
	w.levels = w.levels[:1]
	for i := range 120_000 {
		rate := 0.3
		if i >= 40_000 && i < 60_000 {
			rate = 0.55
		}
		d := w.next(rate, 0.3)
		m.Observe(&d)
	}
	var kinds []Change
	for i, e := range m.Events(0) {
		if e.Number != int64(i+1) || e.Time.IsZero() {
			t.Errorf("event %d: %+v", i, e)
		}
		switch e.Kind {
		case AlarmRaised:
			if e.Record < 40_000 || e.Record > 42_000 || e.Evidence < 50_000 {
				t.Errorf("the alarm is at %+v", e)
			}
		case AlarmEnded:
			if e.Record < 62_000 || e.Record > 70_000 {
				t.Errorf("the alarm ends at %+v", e)
			}
		case VerdictChanged:
			if e.From == e.To {
				t.Errorf("no change: %+v", e)
			}
			continue
		}
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []Change{AlarmRaised, AlarmEnded}) {
		t.Errorf("alarms: %v", kinds)
	}
	points := m.Series(0)
	if len(points) < seriesPoints/2 || len(points) > seriesPoints {
		t.Errorf("the series has %d points", len(points))
	}
	highest := slices.MaxFunc(points, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
	if highest.Record < 40_000 || highest.Record > 66_000 || highest.Value < 0.2 {
		t.Errorf("the highest point is %+v", highest)
	}
	if left := m.Events(m.LastEvent() - 1); len(left) != 1 || left[0].Number != m.LastEvent() {
		t.Errorf("the newest event alone is %+v", left)
	}
}

// Comparisons of each value, by ratio, of a range and within strata: groups that were met are reported with their words, a restart
// changes nothing, and what a monitor cannot say it gives a reason for.
func TestComparisonsOfAllKinds(t *testing.T) {
	forty := 40.0
	comparisons := []fairness.Comparison{
		{Name: "each", Criterion: fairness.DemographicParity, Tau: 0.05, Each: true, Rest: true, Group: []fairness.Term{{Attribute: "race"}}},
		{Name: "age", Criterion: fairness.ImpactRatio, Tau: 0.8, Rest: true,
			Group: []fairness.Term{{Attribute: "age", Members: fairness.Members{Range: &fairness.Range{From: &forty}}}}},
		{Name: "branch", Criterion: fairness.DemographicParity, Tau: 0.05, Strata: "branch", Rest: true, Group: []fairness.Term{fairness.Is("sex", "f")}},
	}
	config := Config{Grouper: grouper(t, comparisons...)}
	steady, restarted := made(t, config), made(t, config)
	random := rand.New(rand.NewPCG(9, 9))
	attributes, again := config.Grouper.Attributes(), config.Grouper
	for i := range 12_000 {
		levels := make([]fairness.Level, len(attributes))
		old := random.IntN(2) == 0
		for k, name := range attributes {
			value := map[string]string{"race": []string{"a", "b", "c"}[random.IntN(1+min(2, i/3000))], "age": "30", "branch": "x", "sex": []string{"f", "m"}[random.IntN(2)]}[name]
			if name == "age" && old {
				value = "50"
			}
			levels[k] = config.Grouper.Level(k, []byte(value))
			if level := again.Level(k, []byte(value)); level != levels[k] {
				t.Fatalf("a restored grouper has level %d for %s, the other %d", level, name, levels[k])
			}
		}
		rate := 0.6
		if old {
			rate = 0.3
		}
		d := Decision{Levels: levels, Positive: random.Float64() < rate, Score: math.NaN()}
		steady.Observe(&d)
		restarted.Observe(&d)
		if i%2500 == 0 {
			again = grouper(t, comparisons...)
			if err := again.Adopt(config.Grouper.Found()); err != nil {
				t.Fatal(err)
			}
			var err error
			if restarted, err = Restore(Config{Grouper: again}, restarted.State()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(steady.State(), restarted.State()) {
		t.Error("the states differ")
	}
	var said []string
	for _, c := range steady.Report().Comparisons {
		said = append(said, fmt.Sprintf("%s %s %s", c.Comparison.Name, c.Comparison.GroupLabel(), c.Sequence.Status))
		if c.Comparison.Strata != "" && (c.All.Reason == "" || c.Sequence.Reason == "" || c.Alarm.Evidence != 0) {
			t.Errorf("within strata: %+v", c)
		}
		if c.Comparison.Criterion == fairness.ImpactRatio {
			points := steady.Series(c.Index)
			if last := points[len(points)-1]; math.Abs(last.Value-0.5) > 0.1 || math.Abs(last.SequenceValue-0.5) > 0.1 || !c.Alarm.Raised {
				t.Errorf("the ratio: %+v, %+v", last, c.Alarm)
			}
		}
	}
	want := []string{"each a met", "each b met", "each c met", "age age ≥ 40 violated", "branch f not_estimable"}
	if slices.Sort(said); len(said) != len(want) {
		t.Errorf("said %q, want %q", said, want)
	}
	for _, one := range want[3:] {
		if !slices.Contains(said, one) {
			t.Errorf("said %q, want %q among it", said, one)
		}
	}
	values := map[string]bool{}
	for _, g := range steady.Report().Groups {
		values[g.Attributes[0]+" "+g.Values[0]] = true
	}
	for _, one := range []string{"race a", "race b", "race c", "age ≥ 40", "age < 40", "sex f", "sex "} {
		if !values[one] {
			t.Errorf("no group %q in %v", one, values)
		}
	}
}

func TestAStepAllocatesNothing(t *testing.T) {
	m := wide(t)
	d := Decision{Levels: []fairness.Level{0}, Labelled: true, Score: 0.5, Time: time.Unix(1e9, 0)}
	i := 0
	step := func() {
		d.Levels[0], d.Positive, d.Label = fairness.Level(2+i%50), i%3 == 0, i%5 == 0
		d.Time = d.Time.Add(time.Second)
		m.Observe(&d)
		i++
	}
	for range 20_000 {
		step()
	}
	if n := testing.AllocsPerRun(2000, step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// A time far ahead makes the others late, and is forgotten after a while.
func TestATimeFarAheadDoesNotEndThePeriod(t *testing.T) {
	m := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.DemographicParity, 0.05))})
	for i := range 5000 {
		d := Decision{Levels: []fairness.Level{fairness.Level(1 + i%2)}, Time: time.Unix(1e9+int64(i), 0)}
		if i == 10 {
			d.Time = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		m.Observe(&d)
	}
	r := m.Report()
	if n := r.Comparisons[0].Period.NGroup; r.Late != lateRow || n < 1000 {
		t.Errorf("%d late records, %d of the group in the period", r.Late, n)
	}
}

func TestConfigProblemsAreNamed(t *testing.T) {
	g := grouper(t)
	for want, c := range map[string]Config{
		"grouper is missing": {}, "confidence": {Grouper: g, Confidence: 1}, "level": {Grouper: g, Level: -1}, "minimum": {Grouper: g, MinimumRecords: -1},
		"window": {Grouper: g, Window: 3}, "period": {Grouper: g, Period: time.Millisecond}, "looks": {Grouper: g, Look: -1}, "run length": {Grouper: g, RunLength: 0.5},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	means := fairness.Comparison{Name: "m", Criterion: fairness.MeanDifference, Tau: 1, Rest: true, Group: []fairness.Term{fairness.Is("a", "b")}}
	if _, err := New(Config{Grouper: grouper(t, means)}); err == nil {
		t.Error("means are monitored")
	}
}

// A state of other settings is told from a damaged one.
func TestRestoreRefuses(t *testing.T) {
	config := Config{Grouper: bySexAndRace(t)}
	m := made(t, config)
	w := newWorld(6)
	for range 500 {
		d := w.next(0.5, 0.2)
		m.Observe(&d)
	}
	state := m.State()
	other := config
	other.Window = 500
	if _, err := Restore(other, state); !errors.Is(err, ErrOtherSettings) {
		t.Errorf("other settings: %v", err)
	}
	for n := range state {
		if _, err := Restore(config, state[:n]); err == nil {
			t.Fatalf("the first %d bytes are taken", n)
		}
	}
}

func FuzzRestore(f *testing.F) {
	config := Config{Grouper: bySexAndRace(f), Window: 20, Look: 64, RunLength: 100}
	m := made(f, config)
	w := newWorld(7)
	f.Add(m.State())
	for i := range 300 {
		d := w.next(0.2+0.5*float64(i/100%2), 0.2)
		m.Observe(&d)
	}
	f.Add(m.State())
	f.Fuzz(func(t *testing.T, state []byte) {
		m, err := Restore(config, state)
		if err != nil {
			return
		}
		if again, err := Restore(config, m.State()); err != nil || !bytes.Equal(again.State(), m.State()) {
			t.Fatalf("what was restored is not saved: %v", err)
		}
		w := newWorld(8)
		for range 70 {
			d := w.next(0.5, 0.2)
			m.Observe(&d)
			m.Label(&d)
		}
		m.Report()
		m.Events(0)
		m.Series(0)
	})
}
