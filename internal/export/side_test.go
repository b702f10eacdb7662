package export

import (
	"math"
	"strings"
	"testing"
)

// TestTheRateOfASide has an interval if there are records and the rate is one.
func TestTheRateOfASide(t *testing.T) {
	for _, c := range []struct {
		rate, effective float64
		known           bool
	}{{0, 5, true}, {1, 5, true}, {0.5, 0.25, true}, {0.5, 0, false}, {0.5, -1, false}, {-0.01, 5, false}, {1.01, 5, false}, {math.NaN(), 5, false}, {0.5, math.NaN(), false}} {
		m := sideOf("selection_rate", "f", "all", c.rate, 7, c.effective, 0.95)
		if (m.Value != nil) != c.known || m.Records != 7 || m.Slice != "f" || m.Level != 0.95 || c.known && float64(*m.Value) != c.rate {
			t.Errorf("rate %v of %v: %+v", c.rate, c.effective, m)
		}
	}
}

// TestACriterionOfALaterVersion: the difference is told, and no rate is named.
func TestACriterionOfALaterVersion(t *testing.T) {
	d := loans(t)
	first := &d.Constraints[0]
	before := len(comparisonMetrics(first, "all"))
	first.Criterion = "calibration"
	all := comparisonMetrics(first, "all")
	if len(all) != 1 || before < 3 || all[0].Type != "calibration" || float64(*all[0].Value) != first.Value {
		t.Errorf("%d metrics, and %d of a known criterion: %+v", len(all), before, all)
	}
	if need := first.Need(); strings.Contains(need, "label") {
		t.Errorf("it needs %s", need)
	}
	if _, err := NewCard(d, Evidence{}, Card{}); err != nil {
		t.Error(err)
	}
}
