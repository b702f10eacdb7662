package inspect

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Reach is the half-width of the interval that a comparison's difference will have with so many records on
// each side, as the learner measures it: the least tau for which the verdict can be met, if the difference is 0. The
// rate of positive decisions is taken to be that of positive labels, or 1/2 among the records of a condition; the
// predictions of a regression to vary as its labels do. It is NaN without records on a side, and while all
// labels are alike. Of an impact ratio it is how far below 1 the interval of equal rates reaches.
func (i *Inspection) Reach(c Counts) float64 {
	group, versus := i.config.Decisions(c.Group), i.config.Decisions(c.Versus)
	alike := i.sequence.positive == 0 || i.sequence.positive == i.sequence.known
	if group == 0 || versus == 0 || alike && !c.Criterion.OfMeans() {
		return math.NaN()
	}
	level := i.config.Learner.Level
	if c.Criterion.OfMeans() {
		return fairness.NormalQuantile((1+level)/2) * math.Sqrt(i.numbers.Variance()*(1/group+1/versus))
	}
	rate := .5
	if c.Criterion.Condition() == fairness.AnyLabel {
		rate = float64(i.sequence.positive) / float64(i.sequence.known)
	}
	if c.Criterion.OfRatio() {
		return 1 - fairness.NewRatio(rate, group, rate, versus, level).Lo
	}
	lo, hi := fairness.Newcombe(rate, group, rate, versus, level)
	return (hi - lo) / 2
}

// Fields is how many fields the record had that was added last.
func (i *Inspection) Fields() int { return len(i.whole.Features) }
