package control

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestInflated: half of what leave-one-out takes out of a difference counts as a standard error of it, besides 1.5 times the variance of independent decisions.
func TestInflated(t *testing.T) {
	count := func(positive, records int) (n fairness.Count) {
		for i := range records {
			n.Add(i < positive, 1)
		}
		return n
	}
	sides := func(group, versus int) [2]fairness.Count {
		return [2]fairness.Count{count(group, 398), count(versus, 198)}
	}
	// One positive and one negative decision are added: rates of 0.5 and 0.25, of 398 and 198 records.
	const variance = .5*.5/398 + .25*.75/198
	decided := sides(199, 49)
	for name, c := range map[string]struct {
		learnt [2]fairness.Count
		taken  float64
	}{
		"nothing":         {decided, 0},
		"of one side":     {sides(179, 49), 20. / 398},
		"of the other":    {sides(199, 59), 10. / 198},
		"of both, alike":  {sides(189, 44), 10./398 - 5./198},
		"of both, beyond": {sides(239, 29), -40./398 - 20./198},
	} {
		want := 1.5 + c.taken*c.taken/4/variance
		if got := inflated(decided, c.learnt); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: inflation %v, want %v", name, got, want)
		}
	}
	if got, want := inflated([2]fairness.Count{count(1, 1), count(0, 1)}, [2]fairness.Count{count(0, 1), count(0, 1)}), 1.5+.25/(2*2./9); math.Abs(got-want) > 1e-9 {
		t.Errorf("of one record a side: %v, want %v", got, want)
	}
	if got := inflated([2]fairness.Count{count(0, 0), count(1, 2)}, [2]fairness.Count{count(0, 0), count(2, 2)}); got != 1.5 {
		t.Errorf("without records of a side: %v", got)
	}
	if got := inflated(sides(0, 0), sides(4, 0)); !(got > 1.5) || math.IsInf(got, 0) {
		t.Errorf("without positive decisions: %v", got)
	}
}
