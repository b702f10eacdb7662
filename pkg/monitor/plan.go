package monitor

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// AlarmAfter is about how many records of the stream pass between a sudden change and the alarm: before it both sides have the rate
// of all their records so far, after it their rates differ by difference, which is in (0, 1). It is the median of
// fairness.Needs.Alarm in the direction that takes longer. It is NaN where the rates are not known or compared by their ratio, and
// for a difference that is not beyond tau.
func (r *Report) AlarmAfter(c *ComparisonReport, difference float64) float64 {
	measure := measureOf(c.Comparison.Criterion)
	k1, n1 := c.Group.share(measure)
	k0, n0 := c.Versus.share(measure)
	if c.Sequence.Status == fairness.NotEstimable || c.Comparison.Criterion.OfRatio() || n1 == 0 || n0 == 0 || difference >= 1 {
		return math.NaN()
	}
	both := float64(n1 + n0)
	rate, share := float64(k1+k0)/both, float64(n1)/both
	longest := 0.0
	for _, signed := range []float64{difference, -difference} {
		// The rate of all stays as it is, as far as both rates stay within 0 and 1.
		versus := min(max(rate-signed*share, max(0, -signed)), min(1, 1-signed))
		needs := fairness.Needs{RateGroup: min(max(versus+signed, 0), 1), RateVersus: versus, ShareGroup: share, Tau: c.Comparison.Tau}
		longest = max(longest, needs.Alarm(c.Alarm.Threshold))
	}
	after := longest * float64(r.Records) / both
	if !(after < 1e10) {
		return math.NaN()
	}
	return math.Ceil(after)
}
