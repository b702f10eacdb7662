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
	// NGroup and NVersus are the decisions of which the measure is a share, and EffectiveGroup and EffectiveVersus how many of equal weights they are
	// worth: fewer than these where labelled decisions are weighed.
	NGroup, NVersus                 int64
	EffectiveGroup, EffectiveVersus float64
}

// gaps are those of a comparison's groups.
func gaps(c fairness.Comparison, group, versus side, o fairness.Options) []Gap {
	var all []Gap
	for _, m := range [...]Measure{SelectionRate, TPR, FPR, PPV, Accuracy} {
		all = append(all, newGap(c, m, group, versus, o))
	}
	return all
}

func newGap(c fairness.Comparison, m Measure, group, versus side, o fairness.Options) Gap {
	one, other := group.Count(m), versus.Count(m)
	g := Gap{Measure: m, NGroup: one.Records, NVersus: other.Records, EffectiveGroup: one.Effective(), EffectiveVersus: other.Effective(), Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Bounded: m == measureOf(c.Criterion) && !c.Criterion.OfRatio(), Status: fairness.NotEstimable}
	if m != SelectionRate {
		if g.Reason = whySelective(&c, group, versus); g.Reason != "" {
			return g
		}
	}
	for _, side := range [...]struct {
		label string
		n     float64
	}{{c.GroupLabel(), g.EffectiveGroup}, {c.VersusLabel(), g.EffectiveVersus}} {
		if side.n < o.MinimumRecords*(1-1e-9) {
			g.Reason = fmt.Sprintf("%s has %.4g %s and needs %.4g", side.label, side.n, denominator(m), o.MinimumRecords)
			return g
		}
	}
	g.Value = one.Rate() - other.Rate()
	g.Lo, g.Hi = fairness.Newcombe(one.Rate(), one.Worth(), other.Rate(), other.Worth(), o.Level)
	if g.Status = verdict(g.Lo, g.Hi, c.Bound()); m != SelectionRate && group.standing != nil {
		g.Status, _ = unproven(g.Status, "")
	}
	return g
}

const (
	weighedReason     = "labels are known for some records more often than for others: they are weighted, and the other records may still differ in ways that no record shows"
	noWeighedSequence = "labels are known for some records more often than for others, and neither an exact sequence nor one that counts a single decision of each person can weight them"
)

// unproven is a verdict on weighed decisions, which is never met.
func unproven(s fairness.Status, reason string) (fairness.Status, string) {
	if s == fairness.Met {
		return fairness.Inconclusive, weighedReason
	}
	return s, reason
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

// selective says that labels arrive for one decision only; empty if they do not, or if the few of the other decision are weighed.
func selective(o side) string {
	if o.standing != nil && min(o.LabelledPositive(), o.LabelledNegative()) >= selectiveRecords {
		return ""
	}
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
func whySelective(c *fairness.Comparison, group, versus side) string {
	if why := selective(group); why != "" {
		return c.GroupLabel() + ": " + why
	}
	if why := selective(versus); why != "" {
		return c.VersusLabel() + ": " + why
	}
	return ""
}
