package csspa

import (
	"math"
	"testing"
)

// TestScoresOfTrials: the objective, less its bound where there is one, and what is violated at the weight; the worst level, which is 0 without constraints.
func TestScoresOfTrials(t *testing.T) {
	trials := []outcome{
		{value: 3, bound: 1, levels: []float64{-1, .5}, lambda: []float64{1, 2}},
		{value: 5, bound: 1, levels: []float64{-2, -4}, lambda: []float64{4, 0}},
		{value: 4, bound: math.Inf(-1), levels: []float64{0, -1}, lambda: []float64{0, 0}},
	}
	for i, want := range []float64{2 + 10*.5, 4, 4} {
		if got := trials[i].score(10); got != want {
			t.Errorf("trial %d has the score %v, want %v", i, got, want)
		}
	}
	for i, want := range []float64{.5, -2, 0} {
		if got := trials[i].worst(); got != want {
			t.Errorf("the worst level of trial %d is %v, want %v", i, got, want)
		}
	}
	if (outcome{}).worst() != 0 {
		t.Error("a problem without constraints violates one")
	}
	// Only the second trial has a margin, of 2: its multipliers are at most (5 − 3)/2 = 1 together, less than the 4 that a trial ended with.
	if got := penaltyWeight(trials); got != 2 {
		t.Errorf("the weight of a penalty is %v, want 2", got)
	}
	if got := penaltyWeight(trials[:1]); got != 6 {
		t.Errorf("without a margin the weight is %v, want 6", got)
	}
	if got := largestMargin(trials); got != 2 {
		t.Errorf("the largest margin is %v, want 2", got)
	}
	if best := least(trials, 10); best.value != 5 {
		t.Errorf("the best trial is %+v", best)
	}
	if best := least(trials, 0); best.value != 3 {
		t.Errorf("without a penalty the best trial is %+v", best)
	}
}
