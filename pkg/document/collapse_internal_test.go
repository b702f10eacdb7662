package document

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestWhatPredictionsAreWorth, at the bounds: of enough records, with an interval above 0 that reaches as far as the least skill.
func TestWhatPredictionsAreWorth(t *testing.T) {
	for name, c := range map[string]struct {
		effective, lo, hi float64
		want              fairness.CollapseState
	}{
		"of worth":             {500, .01, .2, fairness.NoCollapse},
		"just of worth":        {500, .01, .05, fairness.NoCollapse},
		"too few":              {499, .01, .2, fairness.CollapseNotEstimable},
		"not known how many":   {math.NaN(), .01, .2, fairness.CollapseNotEstimable},
		"no interval":          {500, math.NaN(), math.NaN(), fairness.CollapseNotEstimable},
		"an interval at 0":     {500, 0, .2, fairness.NoBetterThanConstant},
		"too little":           {500, .01, .049, fairness.NoBetterThanConstant},
		"less than a constant": {500, -.5, -.1, fairness.NoBetterThanConstant},
		"a single point":       {500, .3, .3, fairness.NoCollapse},
	} {
		p := Predictions{RSquared: fairness.Measure{Value: (c.lo + c.hi) / 2, Lo: c.lo, Hi: c.hi, Effective: c.effective}}
		if got := p.collapse(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
