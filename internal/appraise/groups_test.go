package appraise

import (
	"math"
	"testing"
)

// TestDecisionsAtTheBoundary: a margin of 0 is a negative decision, and a weight of 0 gives no rate.
func TestDecisionsAtTheBoundary(t *testing.T) {
	var g Group
	g.add(true, 0, 1)
	g.add(true, math.SmallestNonzeroFloat64, 2)
	if g.Confusion.FalseNegative != 1 || g.Confusion.TruePositive != 2 {
		t.Errorf("%+v", g.Confusion)
	}
	for _, c := range []struct{ of, effective float64 }{{0, 1}, {1, 0}, {0, 0}, {math.NaN(), 1}, {1, math.NaN()}} {
		if m := rate(0, c.of, c.effective, 5, .95); !math.IsNaN(m.Value) || m.Records != 0 || m.Effective != 0 {
			t.Errorf("%+v: %+v", c, m)
		}
	}
	if m := rate(1, 2, 3, 5, .95); m.Value != .5 || m.Records != 5 || m.Effective != 3 || !(m.Lo < .5 && m.Hi > .5) {
		t.Errorf("%+v", m)
	}
}
