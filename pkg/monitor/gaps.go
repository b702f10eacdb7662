package monitor

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Gap is the difference of a measure, group minus versus, with Newcombe's pointwise interval; NaN while it is not estimable.
type Gap struct {
	Measure Measure
	Value   float64 // in [−1, 1]
	Lo, Hi  float64
	// Bounded says whether the comparison's tau bounds this measure. If not, Status is that of the same bound, for orientation: of a
	// comparison by ratio, of 1 − tau.
	Bounded bool
	Status  fairness.Status
	// Reason is why it is not estimable; empty otherwise.
	Reason string
}

// gaps are those of a comparison's groups.
func gaps(c fairness.Comparison, group, versus Outcomes, o fairness.Options) []Gap {
	var all []Gap
	for _, m := range [...]Measure{SelectionRate, TPR, FPR, PPV, Accuracy} {
		all = append(all, newGap(c, m, group, versus, o))
	}
	return all
}

func newGap(c fairness.Comparison, m Measure, group, versus Outcomes, o fairness.Options) Gap {
	g := Gap{Measure: m, Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Bounded: m == measureOf(c.Criterion) && !c.Criterion.OfRatio(), Status: fairness.NotEstimable}
	if m != SelectionRate {
		if g.Reason = whySelective(&c, group, versus); g.Reason != "" {
			return g
		}
	}
	for _, side := range [...]struct {
		label string
		Outcomes
	}{{c.GroupLabel(), group}, {c.VersusLabel(), versus}} {
		if _, n := side.fraction(m); float64(n) < o.MinimumRecords {
			g.Reason = fmt.Sprintf("%s has %d %s and needs %.4g", side.label, n, denominator(m), o.MinimumRecords)
			return g
		}
	}
	k1, n1 := group.fraction(m)
	k0, n0 := versus.fraction(m)
	rate1, rate0 := float64(k1)/float64(n1), float64(k0)/float64(n0)
	g.Value = rate1 - rate0
	g.Lo, g.Hi = fairness.Newcombe(rate1, float64(n1), rate0, float64(n0), o.Level)
	g.Status = verdict(g.Lo, g.Hi, c.Bound())
	return g
}

func verdict(lo, hi, tau float64) fairness.Status {
	switch {
	case lo >= -tau && hi <= tau:
		return fairness.Met
	case lo > tau || hi < -tau:
		return fairness.Violated
	}
	return fairness.Inconclusive
}

// denominator names the decisions that a measure is a share of.
func denominator(m Measure) string {
	switch m {
	case TPR:
		return "records with a positive label"
	case FPR:
		return "records with a negative label"
	case PPV:
		return "labelled positive decisions"
	case Accuracy, BaseRate:
		return "labelled decisions"
	}
	return "records"
}

// Labels are selective if they come for one decision only, as where nobody knows whether a refused loan would have been repaid:
// a decision of which there are so many has labels less than selectiveShare times as often as the other.
const (
	selectiveRecords = 30
	selectiveShare   = 0.1
)

// selective says that labels arrive for one decision only; empty if they do not.
func selective(o Outcomes) string {
	positive := labels{"positive", o.LabelledPositive(), o.Positive}
	negative := labels{"negative", o.LabelledNegative(), o.Negative}
	switch {
	case positive.lacking(negative):
		return positive.words()
	case negative.lacking(positive):
		return negative.words()
	}
	return ""
}

// labels is how many of the decisions of a kind have a label.
type labels struct {
	decision string
	labelled int64
	records  int64
}

func (l labels) share() float64 { return float64(l.labelled) / float64(l.records) }

func (l labels) lacking(other labels) bool {
	return l.records >= selectiveRecords && other.labelled >= selectiveRecords && l.share() < selectiveShare*other.share()
}

func (l labels) words() string {
	return fmt.Sprintf("labels come for one decision only: %d of %d %s decisions have one", l.labelled, l.records, l.decision)
}

// whySelective says, with the side, that its labels are selective; empty if they are not.
func whySelective(c *fairness.Comparison, group, versus Outcomes) string {
	if why := selective(group); why != "" {
		return c.GroupLabel() + ": " + why
	}
	if why := selective(versus); why != "" {
		return c.VersusLabel() + ": " + why
	}
	return ""
}
