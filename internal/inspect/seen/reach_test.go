package seen

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestReach: half of the interval of a difference, or how far below 1 that of a ratio goes; none without records on a side, nor of rates where all labels are alike.
func TestReach(t *testing.T) {
	of := func(known, positive int64, task model.Task) *Records {
		c := counted()
		c.Learner.Task = task
		r, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		r.Sequence.Known, r.Sequence.Positive = known, positive
		for i := range 10 { // of the variance 100/9 · 25
			r.numbers.Add(float64(i%2*10), 1)
		}
		return r
	}
	sides := func(criterion fairness.Criterion, group, versus int64) Counts {
		return Counts{Comparison: fairness.Comparison{Criterion: criterion}, Group: group, Versus: versus}
	}
	r := of(1000, 300, model.Classification)
	n, m := r.Config.Decisions(600), r.Config.Decisions(400)
	lo, hi := fairness.Newcombe(.3, n, .3, m, r.Config.Learner.Level)
	even, top := fairness.Newcombe(.5, n, .5, m, r.Config.Learner.Level)
	numbers := of(10, 0, model.Regression)
	of600, of400 := numbers.Config.Decisions(600), numbers.Config.Decisions(400)
	for name, c := range map[string]struct{ got, want float64 }{
		"a difference":           {r.Reach(sides(fairness.DemographicParity, 600, 400)), (hi - lo) / 2},
		"of those with a label":  {r.Reach(sides(fairness.EqualOpportunity, 600, 400)), (top - even) / 2},
		"a ratio":                {r.Reach(sides(fairness.ImpactRatio, 600, 400)), 1 - fairness.NewRatio(.3, n, .3, m, r.Config.Learner.Level).Lo},
		"without a group":        {r.Reach(sides(fairness.DemographicParity, 0, 400)), math.NaN()},
		"without the other":      {r.Reach(sides(fairness.DemographicParity, 600, 0)), math.NaN()},
		"no positive label":      {of(1000, 0, model.Classification).Reach(sides(fairness.DemographicParity, 600, 400)), math.NaN()},
		"no negative label":      {of(1000, 1000, model.Classification).Reach(sides(fairness.DemographicParity, 600, 400)), math.NaN()},
		"means":                  {numbers.Reach(sides(fairness.MeanDifference, 600, 400)), fairness.NormalQuantile((1+numbers.Config.Learner.Level)/2) * math.Sqrt(numbers.numbers.Variance()*(1/of600+1/of400))},
		"means without a group":  {numbers.Reach(sides(fairness.MeanDifference, 0, 400)), math.NaN()},
		"means without another":  {numbers.Reach(sides(fairness.MeanDifference, 600, 0)), math.NaN()},
		"more records show more": {math.Max(0, of(1000, 300, model.Classification).Reach(sides(fairness.DemographicParity, 6000, 4000))-(hi-lo)/2), 0},
	} {
		if math.IsNaN(c.got) != math.IsNaN(c.want) || math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

// TestColumnsThatALearnerLeavesOut are found out, unless the configuration declares them, or told.
func TestColumnsThatALearnerLeavesOut(t *testing.T) {
	c := counted()
	c.Learner.Warmup = 150
	seen := func(c model.Config, records int) *Records {
		r, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			if err := r.Add(fmt.Appendf(nil, `{"y":%d,"sex":"%s","code":"K-%x","x":%d}`, i%2, []string{"M", "F"}[i/2%2], i*7919, i%9)); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	r := seen(c, 200)
	if got := r.LeftOut(); !slices.Equal(got, []string{"code"}) || r.heldBack.Records() != 150 {
		t.Errorf("%q of %d records", got, r.heldBack.Records())
	}
	if r.LeaveOut([]string{"x"}); !slices.Equal(r.LeftOut(), []string{"x"}) {
		t.Errorf("told: %q", r.LeftOut())
	}
	declared := c
	declared.Learner.Crosses = [][]string{{"code", "x"}}
	if got := seen(declared, 200).LeftOut(); declared.Declares("code") && got != nil {
		t.Errorf("declared: %q", got)
	}
	if got := seen(c, 99).LeftOut(); got != nil {
		t.Errorf("of few records: %q", got)
	}
	told, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if told.IsFeature("code") != true || told.IsFeature("y") {
		t.Error("without a record the configuration says what is a feature")
	}
	if told.LeaveOut(nil); told.Add([]byte(`{"y":1,"sex":"M","x":3}`)) != nil || told.heldBack.Records() != 0 || !told.IsFeature("x") || told.IsFeature("code") {
		t.Errorf("%d records are held back", told.heldBack.Records())
	}
}

// TestRowsOfASnapshot by Debezium are counted; labels are those of records that are no copies, if there are copies.
func TestRowsOfASnapshot(t *testing.T) {
	c := counted()
	c.Record.At = record.Debezium
	r, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{"r", "c", "r", "u"} {
		if err := r.Add(fmt.Appendf(nil, `{"op":%q,"after":{"y":1,"sex":"M","x":3}}`, op)); err != nil {
			t.Fatal(err)
		}
	}
	if r.Snapshot() != 2 {
		t.Errorf("%d rows of a snapshot", r.Snapshot())
	}
	for _, copies := range []int{0, 100} {
		r, err := New(counted())
		if err != nil {
			t.Fatal(err)
		}
		for i := range 400 + copies {
			k := i % 400
			if err := r.Add(fmt.Appendf(nil, `{"y":%d,"sex":"%s","x":"v%d"}`, k%2, []string{"M", "F"}[k/2%2], k)); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.Evidence(); got.Known != 400 || got == &r.original != (copies > 0) || r.Known() != int64(400+copies) {
			t.Errorf("%d copies: evidence of %d labels of %d", copies, got.Known, r.Known())
		}
	}
}
