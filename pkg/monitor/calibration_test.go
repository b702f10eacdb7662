package monitor

import (
	"math"
	"testing"
)

// Scores fall into ten bins, 1 into the last; two halves combine to the whole.
func TestCalibration(t *testing.T) {
	var all, first, second Calibration
	for i, one := range []struct {
		score float64
		label bool
	}{{0, false}, {0.05, true}, {0.1, false}, {0.999, true}, {1, true}, {1, false}} {
		all.add(one.score, one.label)
		if i < 3 {
			first.add(one.score, one.label)
		} else {
			second.add(one.score, one.label)
		}
	}
	if first.Combine(second); first != all {
		t.Errorf("two halves give %+v, want %+v", first, all)
	}
	bins := all.Bins(0.95)
	if bins[0].Rate.Records != 2 || bins[0].Rate.Value != 0.5 || math.Abs(bins[0].MeanScore-0.025) > 1e-15 || bins[1].Rate.Records != 1 || bins[9].Rate.Records != 3 {
		t.Errorf("the bins are %+v", bins)
	}
	if !math.IsNaN(bins[5].MeanScore) || !math.IsNaN(bins[5].Rate.Value) || bins[9].From != 0.9 || bins[9].To != 1 {
		t.Errorf("the bins are %+v", bins)
	}
	// (0 + 0.05 + 0.1 + 0.999 + 1 + 1 − 3 labels) / 6
	if got := all.SignedError(); math.Abs(got-0.149/6) > 1e-12 {
		t.Errorf("the signed error is %v", got)
	}
	if empty := (&Calibration{}); !math.IsNaN(empty.SignedError()) {
		t.Error("no records have a signed error")
	}
}
