package release

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// mostNeeded is a number of records that nobody waits for.
const mostNeeded = 1e10

// needed is about how many more records of the stream a comparison takes to a verdict, if rates and shares stay as they are; NaN if
// that is not known. fairness.Needs.Verdict would be closer, and is too slow for a report on many comparisons.
func needed(c fairness.Comparison, seen monitor.Seen, level float64, observed int64) float64 {
	if c.Criterion.OfRatio() || !(c.Tau > 0 && c.Tau < 1) {
		return math.NaN()
	}
	both := float64(seen.Group.Records + seen.Versus.Records)
	needs := fairness.Needs{RateGroup: float64(seen.Group.Positives) / float64(seen.Group.Records),
		RateVersus: float64(seen.Versus.Positives) / float64(seen.Versus.Records), ShareGroup: float64(seen.Group.Records) / both, Tau: c.Tau}
	room := math.Abs(c.Tau - math.Abs(needs.RateGroup-needs.RateVersus))
	for n := both; n < mostNeeded; n *= 1.05 {
		if needs.HalfWidth(n, level) < room {
			return more((n - both) * float64(observed) / both)
		}
	}
	return math.NaN()
}

// neededLabels is how many more labels a loss takes to a verdict, if its mean stays so far from the limit.
func neededLabels(room, variance, level float64, records int64) float64 {
	for n := float64(max(1, records)); n < mostNeeded; n *= 1.05 {
		if sequenceHalf(n, variance, level) < math.Abs(room) {
			return more(n - float64(records))
		}
	}
	return math.NaN()
}

func more(records float64) float64 {
	if !(records > 0 && records < mostNeeded) {
		return math.NaN()
	}
	return math.Ceil(records)
}
