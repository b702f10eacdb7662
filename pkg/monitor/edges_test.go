package monitor

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestTheBoundsOfEachSetting: the least and the largest value of each setting, and what is just beyond.
func TestTheBoundsOfEachSetting(t *testing.T) {
	g := grouper(t, group("sex", "f", fairness.DemographicParity, .05))
	one := math.Nextafter(1, 0)
	for i, c := range []struct {
		config Config
		want   string
	}{
		{Config{Confidence: 5e-324, Level: 5e-324, MinimumRecords: 1, Window: windowFrames, Period: time.Second, Look: 1, RunLength: 1}, ""},
		{Config{Confidence: one, Level: one, Window: 100_000_000, Period: 100 * 365 * 24 * time.Hour, RunLength: math.MaxInt64}, ""},
		{Config{Confidence: 1}, "confidence"}, {Config{Confidence: -5e-324}, "confidence"}, {Config{Level: 1}, "the level"}, {Config{Level: -5e-324}, "the level"},
		{Config{MinimumRecords: -1}, "minimum"}, {Config{Window: windowFrames - 1}, "window"}, {Config{Window: 100_000_001}, "window"},
		{Config{Period: time.Second - 1}, "period"}, {Config{Period: 100*365*24*time.Hour + 1}, "period"}, {Config{Look: -1}, "looks"},
		{Config{RunLength: one}, "run length"}, {Config{RunLength: 2 * math.MaxInt64}, "run length"},
	} {
		c.config.Grouper = g
		if _, err := New(c.config); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d: %v, want %q", i, err, c.want)
		}
	}
	if _, err := Restore(Config{}, nil); err == nil || !strings.Contains(err.Error(), "grouper") {
		t.Errorf("a state without a grouper: %v", err)
	}
}

// TestWhichDecisionsAreCalibrated: those with a label, and a score in [0, 1].
func TestWhichDecisionsAreCalibrated(t *testing.T) {
	for score, want := range map[float64]bool{0: true, 1: true, .5: true, -5e-324: false, math.Nextafter(1, 2): false, math.Inf(1): false} {
		d := Decision{Score: score, Labelled: true}
		if d.calibrated() != want {
			t.Errorf("a score of %v: %t", score, !want)
		}
		if d.Labelled = false; d.calibrated() {
			t.Errorf("a score of %v without a label", score)
		}
	}
	if (&Decision{Score: math.NaN(), Labelled: true}).calibrated() {
		t.Error("a score of NaN counts as calibrated")
	}
	for weight, want := range map[float64]bool{0: false, 1: false, 2: true, .5: true} {
		if got := (&Decision{Weight: weight, Labelled: true}).weighs(); got != want {
			t.Errorf("a weight of %v: %t", weight, got)
		}
	}
}

// TestTheNewestEventsAreKept: as many as there is room for, and all are counted.
func TestTheNewestEventsAreKept(t *testing.T) {
	var e events
	for i := range mostEvents + 3 {
		e.add(event{comparison: i})
		if len(e.kept) != min(i+1, mostEvents) || e.kept[len(e.kept)-1].comparison != i || e.kept[0].comparison != max(0, i+1-mostEvents) || e.total != int64(i+1) {
			t.Fatalf("after %d: %d are kept from %d to %d, %d in all", i+1, len(e.kept), e.kept[0].comparison, e.kept[len(e.kept)-1].comparison, e.total)
		}
	}
}

// TestFramesOfThePeriod: a record is in the period until as many frames have passed, also before 1970; the frame itself counts, and one that is too old is late.
func TestFramesOfThePeriod(t *testing.T) {
	for a, want := range map[int64][2]int64{7: {2, 1}, 6: {2, 0}, 0: {0, 0}, -1: {-1, 2}, -3: {-1, 0}, -4: {-2, 2}} {
		if floorDiv(a, 3) != want[0] || floorMod(a, 3) != want[1] {
			t.Errorf("%d by 3 is %d, %d", a, floorDiv(a, 3), floorMod(a, 3))
		}
	}
	for _, start := range []time.Time{time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(1969, 3, 1, 0, 0, 0, 0, time.UTC)} {
		for hours, want := range map[int]int64{0: 2, 1: 2, periodFrames - 1: 2, periodFrames: 1, periodFrames + 1: 1, 5 * periodFrames: 1, -1: 2, 1 - periodFrames: 2, -periodFrames: 1} {
			f := newFrames(100, periodFrames*time.Hour, 1)
			for _, at := range []time.Time{start, start.Add(time.Duration(hours) * time.Hour)} {
				if f.begin(at); f.now >= 0 {
					f.add(0)
				}
			}
			late := int64(0)
			if hours == -periodFrames {
				late = 1
			}
			if got := f.inPeriod(make([]int64, 1), 0)[0]; got != want || f.late != late {
				t.Errorf("%d hours after %v: %d in the period, %d late", hours, start, got, f.late)
			}
		}
	}
}

// TestAJumpInTime: of a full period, what is left after so many hours is what is in the frames that are still in it.
func TestAJumpInTime(t *testing.T) {
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for hours := 1; hours <= 3*periodFrames; hours++ {
		f := newFrames(1000, periodFrames*time.Hour, 1)
		for i := range periodFrames {
			f.begin(start.Add(time.Duration(i) * time.Hour))
			f.add(0)
		}
		f.begin(start.Add(time.Duration(periodFrames-1+hours) * time.Hour))
		f.add(0)
		if got, want := f.inPeriod(make([]int64, 1), 0)[0], int64(max(0, periodFrames-hours)+1); got != want {
			t.Fatalf("%d hours later: %d in the period, want %d", hours, got, want)
		}
	}
}

// TestOutcomesAddUp: counts of two parts are those of the whole, and each measure is of its decisions.
func TestOutcomesAddUp(t *testing.T) {
	a, b := Outcomes{1, 20, 3, 4, 5, 6}, Outcomes{100, 200, 300, 400, 500, 600}
	if a.Combine(b); a != (Outcomes{101, 220, 303, 404, 505, 606}) {
		t.Errorf("%+v", a)
	}
	o := Outcomes{Negative: 50, Positive: 40, TrueNegative: 12, FalsePositive: 4, FalseNegative: 8, TruePositive: 16}
	if o.Records() != 90 || o.Labelled() != 40 || o.LabelledPositive() != 20 || o.LabelledNegative() != 20 || o.UnlabelledPositive() != 20 || o.UnlabelledNegative() != 30 {
		t.Errorf("%d records, %d labelled, %d positive and %d negative without a label", o.Records(), o.Labelled(), o.UnlabelledPositive(), o.UnlabelledNegative())
	}
	for measure, want := range map[Measure][2]int64{SelectionRate: {40, 90}, TPR: {16, 24}, FPR: {4, 16}, PPV: {16, 20}, Accuracy: {28, 40}, BaseRate: {24, 40}} {
		if k, n := o.fraction(measure); k != want[0] || n != want[1] {
			t.Errorf("%s is %d of %d", measure, k, n)
		}
		if rate := o.Rate(measure, .95); rate.Value != float64(want[0])/float64(want[1]) || !(rate.Lo < rate.Value && rate.Value < rate.Hi) || rate.Records != want[1] {
			t.Errorf("%s: %+v", measure, rate)
		}
		if rate := (Outcomes{}).Rate(measure, .95); !math.IsNaN(rate.Value) || !math.IsNaN(rate.Lo) || rate.Records != 0 {
			t.Errorf("%s of nobody: %+v", measure, rate)
		}
	}
	if left := (Outcomes{TruePositive: 1, TrueNegative: 1}); left.UnlabelledPositive() != 0 || left.UnlabelledNegative() != 0 {
		t.Errorf("labels of decisions that have left: %d and %d", left.UnlabelledPositive(), left.UnlabelledNegative())
	}
	defer func() {
		if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "monitor: ") {
			t.Error(said)
		}
	}()
	o.fraction("another")
}

// TestLabelsOfOneDecision: labels come for one decision only if there are enough decisions, and the other's are a tenth as frequent.
func TestLabelsOfOneDecision(t *testing.T) {
	for name, c := range map[string]struct {
		of   Outcomes
		want string
	}{
		"both":                  {Outcomes{Negative: 100, Positive: 100, TrueNegative: 50, TruePositive: 50}, ""},
		"positive only":         {Outcomes{Negative: 100, Positive: 100, TruePositive: 50}, "0 of 100 negative decisions"},
		"negative only":         {Outcomes{Negative: 100, Positive: 100, FalseNegative: 50}, "0 of 100 positive decisions"},
		"of few":                {Outcomes{Negative: selectiveRecords - 1, Positive: 100, TruePositive: 50}, ""},
		"of enough":             {Outcomes{Negative: selectiveRecords, Positive: 100, TruePositive: 50}, "0 of 30 negative decisions"},
		"few labels":            {Outcomes{Negative: 100, Positive: 100, TruePositive: selectiveRecords - 1}, ""},
		"enough labels":         {Outcomes{Negative: 100, Positive: 100, TruePositive: selectiveRecords}, "0 of 100 negative decisions"},
		"a tenth as frequent":   {Outcomes{Negative: 100, Positive: 100, TrueNegative: 5, TruePositive: 50}, ""},
		"less than a tenth":     {Outcomes{Negative: 100, Positive: 100, TrueNegative: 4, TruePositive: 50}, "4 of 100 negative decisions"},
		"a tenth of the others": {Outcomes{Negative: 100, Positive: 100, TrueNegative: 50, TruePositive: 5}, ""},
	} {
		comparison := group("sex", "f", fairness.EqualOpportunity, .1)
		fine := side{Outcomes: Outcomes{Negative: 100, Positive: 100, TrueNegative: 50, TruePositive: 50}}
		for label, why := range map[string]string{comparison.GroupLabel(): whySelective(&comparison, side{Outcomes: c.of}, fine), comparison.VersusLabel(): whySelective(&comparison, fine, side{Outcomes: c.of})} {
			if why == "" != (c.want == "") || why != "" && !strings.HasPrefix(why, label+": ") || !strings.Contains(why, c.want) {
				t.Errorf("%s: %q", name, why)
			}
		}
		if got := selective(side{Outcomes: c.of}); got == "" != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestFewLabelsThatAreWeighed are enough from 30 of the rarer decision on.
func TestFewLabelsThatAreWeighed(t *testing.T) {
	for few, want := range map[int64]bool{selectiveRecords - 1: true, selectiveRecords: false} {
		of := Outcomes{Negative: 10_000, Positive: 10_000, TrueNegative: few, TruePositive: 9000}
		if got := selective(side{Outcomes: of, standing: &standing{}}); (got != "") != want {
			t.Errorf("%d labels: %q", few, got)
		}
		if selective(side{Outcomes: of}) == "" {
			t.Errorf("%d labels are not selective though nothing is weighed", few)
		}
	}
}

// TestVerdictsAtTheBound: an interval that touches tau keeps it, and weighed decisions never do.
func TestVerdictsAtTheBound(t *testing.T) {
	above := math.Nextafter(.25, 1)
	for _, c := range []struct {
		lo, hi float64
		want   fairness.Status
	}{
		{-.25, .25, fairness.Met}, {-.25, above, fairness.Inconclusive}, {-above, .25, fairness.Inconclusive}, {above, .5, fairness.Violated}, {.25, .5, fairness.Inconclusive},
		{-.5, -above, fairness.Violated}, {-.5, -.25, fairness.Inconclusive}, {.25, .25, fairness.Met},
	} {
		if got := verdict(c.lo, c.hi, .25); got != c.want {
			t.Errorf("[%v, %v]: %s", c.lo, c.hi, got)
		}
	}
	for _, status := range fairness.Statuses() {
		got, reason := unproven(status, "r")
		if want := map[bool]fairness.Status{true: fairness.Inconclusive, false: status}[status == fairness.Met]; got != want || (reason == "r") == (status == fairness.Met) {
			t.Errorf("%s of weighed decisions is %s, %s", status, got, reason)
		}
	}
}

// TestMoreGroupsThanThereIsRoomFor: decisions of further groups are counted as such, and in comparisons as others are.
func TestMoreGroupsThanThereIsRoomFor(t *testing.T) {
	var comparisons []fairness.Comparison
	for i := range 70 {
		c := group("a", fmt.Sprint("a", i), fairness.DemographicParity, .1)
		c.Group = append(c.Group, fairness.Is("b", fmt.Sprint("b", i)))
		comparisons = append(comparisons, c)
	}
	g := grouper(t, comparisons...)
	m := made(t, Config{Grouper: g, Window: 1000})
	for i := range 70 {
		for k := range 70 {
			m.Observe(&Decision{Levels: []fairness.Level{g.Level(0, fmt.Append(nil, "a", i)), g.Level(1, fmt.Append(nil, "b", k))}, Positive: true})
		}
	}
	one, rest := m.both(0, inAll)
	if len(m.groups.cells) != mostCells || m.groups.beyond == 0 || one.Records() != 1 || rest.Records() != 70*70-1 {
		t.Errorf("%d groups, %d decisions beyond, %d and %d in the first comparison", len(m.groups.cells), m.groups.beyond, one.Records(), rest.Records())
	}
	again, err := Restore(Config{Grouper: g, Window: 1000}, m.State())
	if err != nil || len(again.groups.cells) != mostCells || again.groups.beyond != m.groups.beyond {
		t.Errorf("restored with %v", err)
	}
}

// TestSparseCounters: what is written of counters is read again, and no more than they can hold.
func TestSparseCounters(t *testing.T) {
	for name, counters := range map[string][]int64{"none": {0, 0, 0}, "the first": {5, 0, 0}, "the last": {0, 0, 7}, "all": {1, 2, 3}, "as many as can be": {0, 100, 0}} {
		w := codec.NewWriter(nil)
		sparse(w, slices.Clone(counters), 100)
		r := codec.NewReader(w.Bytes())
		read := make([]int64, len(counters))
		if sparse(r, read, 100); r.End() != nil || !slices.Equal(read, counters) {
			t.Errorf("%s: %v is read as %v with %v", name, counters, read, r.End())
		}
		r = codec.NewReader(w.Bytes())
		if sparse(r, make([]int64, len(counters)), 99); (r.Err() == nil) == (name == "as many as can be") {
			t.Errorf("%s: read as at most 99 with %v", name, r.Err())
		}
		r = codec.NewReader(w.Bytes())
		if sparse(r, make([]int64, 2), 100); (r.Err() == nil) != (name == "none" || name == "the first" || name == "as many as can be") {
			t.Errorf("%s: two counters are read with %v", name, r.Err())
		}
	}
}
