package appraise_test

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/appraise"
)

// TestAUCOfFew: an area needs a record of each label, its interval more than one of each, and an area of 1 of a few records is not known to be 1.
func TestAUCOfFew(t *testing.T) {
	type scored struct {
		positive       bool
		margin, weight float64
	}
	many := func(n int, by float64) (all []scored) {
		for range n {
			all = append(all, scored{true, by, 1}, scored{false, -by, 1})
		}
		return all
	}
	for name, c := range map[string]struct {
		of            []scored
		counted       bool
		value, lo, hi float64
	}{
		"none":              {nil, false, math.NaN(), math.NaN(), math.NaN()},
		"one label":         {[]scored{{true, 1, 1}, {true, 2, 1}}, false, math.NaN(), math.NaN(), math.NaN()},
		"the other":         {[]scored{{false, 1, 1}, {false, 2, 1}}, false, math.NaN(), math.NaN(), math.NaN()},
		"one of each":       {[]scored{{true, 2, 1}, {false, 1, 1}}, true, 1, math.NaN(), math.NaN()},
		"two and one":       {[]scored{{true, 2, 1}, {true, 3, 1}, {false, 1, 1}}, true, 1, math.NaN(), math.NaN()},
		"one of them alike": {[]scored{{true, 1, 1}, {false, 1, 1}}, true, 0.5, math.NaN(), math.NaN()},
		"two of each":       {[]scored{{true, 2, 1}, {true, 3, 1}, {false, 1, 1}, {false, 0, 1}}, true, 1, 0, 1},
		"six of each":       {many(6, 1), true, 1, 0.5, 1}, // the rule of three
		"six turned round":  {many(6, -1), true, 0, 0, 0.5},
		"all in one place":  {many(6, 0), true, 0.5, 0, 1},
	} {
		var r appraise.Ranking
		for _, s := range c.of {
			r.Add(s.positive, s.margin, s.weight)
		}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if got := r.AUC(.95); r.Counted() != c.counted || !same(got.Value, c.value) || !same(got.Lo, c.lo) || !same(got.Hi, c.hi) {
			t.Errorf("%s: counted %v, %+v", name, r.Counted(), got)
		}
	}
}

// TestRatioWithoutRecords is not a number, and neither is a rate of nobody.
func TestRatioWithoutRecords(t *testing.T) {
	var some appraise.Group
	some.Confusion.Add(true, true, 1)
	for name, p := range map[string]appraise.Pair{"neither": {}, "no group": {Versus: some}, "no versus": {Group: some}} {
		if r := p.ImpactRatio(.95); !math.IsNaN(r.Value) || !math.IsNaN(r.Lo) || !math.IsNaN(r.Hi) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	both := appraise.Pair{Group: some, Versus: some}
	if r := both.ImpactRatio(.95); r.Value != 1 {
		t.Errorf("the same group twice: %+v", r)
	}
	for name, m := range map[string]float64{"true positives": some.TruePositives(.95).Value, "precision": some.Precision(.95).Value} {
		if m != 1 {
			t.Errorf("%s of one record that is right: %v", name, m)
		}
	}
	if m := some.FalsePositives(.95); !math.IsNaN(m.Value) || m.Records != 0 || m.Effective != 0 {
		t.Errorf("false positives without a negative label: %+v", m)
	}
}
