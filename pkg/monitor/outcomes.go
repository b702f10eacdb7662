package monitor

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Outcomes are the decisions about a group and the labels that came for them. In a window, decisions count when they are made and
// labels when they come.
type Outcomes struct {
	Negative int64 // decisions, with or without a label
	Positive int64

	TrueNegative  int64 // labelled decisions
	FalsePositive int64
	FalseNegative int64
	TruePositive  int64
}

// The indexes of the counters behind Outcomes. Each decision, and each label that comes later, counts at one: unlabelled
// decisions at the first two, decisions that come with their label at the next four, later labels at the last four.
const (
	atUnlabelled = 0
	atLabelled   = 2
	atLate       = 6
	perGroup     = 10
)

func newOutcomes(n []int64) Outcomes {
	o := Outcomes{Negative: n[0], Positive: n[1]}
	for i, cell := range [...]*int64{&o.TrueNegative, &o.FalseNegative, &o.FalsePositive, &o.TruePositive} {
		*cell = n[atLabelled+i] + n[atLate+i]
	}
	o.Negative += n[atLabelled] + n[atLabelled+1]
	o.Positive += n[atLabelled+2] + n[atLabelled+3]
	return o
}

// counterOf is the counter of a decision, if it is new, or of its label.
func counterOf(d *Decision, isNew bool) int {
	switch {
	case d.Labelled && isNew:
		return atLabelled + cellOf(d)
	case d.Labelled:
		return atLate + cellOf(d)
	case d.Positive:
		return atUnlabelled + 1
	}
	return atUnlabelled
}

// cellOf is the place of a labelled decision among the four kinds.
func cellOf(d *Decision) (cell int) {
	if d.Positive {
		cell = 2
	}
	if d.Label {
		cell++
	}
	return cell
}

// Combine adds the records of other outcomes.
func (o *Outcomes) Combine(other Outcomes) {
	o.Negative += other.Negative
	o.Positive += other.Positive
	o.TrueNegative += other.TrueNegative
	o.FalsePositive += other.FalsePositive
	o.FalseNegative += other.FalseNegative
	o.TruePositive += other.TruePositive
}

// Records is how many decisions there are.
func (o Outcomes) Records() int64 { return o.Negative + o.Positive }

// LabelledPositive, LabelledNegative and Labelled count labelled decisions, by decision and in all.
func (o Outcomes) LabelledPositive() int64 { return o.TruePositive + o.FalsePositive }

// LabelledNegative is described at LabelledPositive.
func (o Outcomes) LabelledNegative() int64 { return o.TrueNegative + o.FalseNegative }

// Labelled is described at LabelledPositive.
func (o Outcomes) Labelled() int64 { return o.LabelledPositive() + o.LabelledNegative() }

// UnlabelledPositive and UnlabelledNegative are decisions without a label. In a window, where a label may come after the decision has
// left it, they are at least 0.
func (o Outcomes) UnlabelledPositive() int64 { return max(0, o.Positive-o.LabelledPositive()) }

// UnlabelledNegative is described at UnlabelledPositive.
func (o Outcomes) UnlabelledNegative() int64 { return max(0, o.Negative-o.LabelledNegative()) }

// Measure is a rate of a group, by its name.
type Measure string

// The measures, each in [0, 1]. Their gaps, group minus versus, are in [−1, 1], and positive where the rate of the group is higher.
const (
	SelectionRate Measure = "selection_rate" // share of positive decisions among all decisions
	TPR           Measure = "tpr"            // share of positive decisions among positive labels
	FPR           Measure = "fpr"            // share of positive decisions among negative labels
	PPV           Measure = "ppv"            // share of positive labels among labelled positive decisions
	Accuracy      Measure = "accuracy"       // share of decisions that equal the label
	BaseRate      Measure = "base_rate"      // share of positive labels among labelled decisions
)

// Measures are all measures.
func Measures() []Measure { return []Measure{SelectionRate, TPR, FPR, PPV, Accuracy, BaseRate} }

// Count is numerator and denominator of a measure.
func (o Outcomes) Count(m Measure) fairness.Count {
	k, n := o.fraction(m)
	return fairness.Count{Records: n, Positives: k, Weight: float64(n), WeightSquared: float64(n), PositiveWeight: float64(k)}
}

// fraction is k of n.
func (o Outcomes) fraction(m Measure) (k, n int64) {
	switch m {
	case SelectionRate:
		return o.Positive, o.Records()
	case TPR:
		return o.TruePositive, o.TruePositive + o.FalseNegative
	case FPR:
		return o.FalsePositive, o.FalsePositive + o.TrueNegative
	case PPV:
		return o.TruePositive, o.LabelledPositive()
	case Accuracy:
		return o.TruePositive + o.TrueNegative, o.Labelled()
	case BaseRate:
		return o.TruePositive + o.FalseNegative, o.Labelled()
	}
	panic("monitor: no such measure")
}

// Rate is a measure with its Wilson interval; NaN without records.
func (o Outcomes) Rate(m Measure, level float64) fairness.Measure {
	k, n := o.fraction(m)
	rate := fairness.Measure{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: level, Records: n, Effective: float64(n), Method: fairness.MethodWilson}
	if n > 0 {
		rate.Value = float64(k) / float64(n)
		rate.Lo, rate.Hi = fairness.Wilson(rate.Value, float64(n), level)
	}
	return rate
}

// measureOf is the rate that a criterion compares.
func measureOf(c fairness.Criterion) Measure {
	switch c.Condition() {
	case fairness.PositiveLabel:
		return TPR
	case fairness.NegativeLabel:
		return FPR
	}
	return SelectionRate
}

// sum is so many labelled decisions, and what they stand for.
type sum struct {
	records         int64
	weight, squared float64 // Σ w and Σ w²
}

func (s *sum) combine(other sum) {
	s.records += other.records
	s.weight += other.weight
	s.squared += other.squared
}

// standing are the labelled decisions about one side of a comparison by what they stand for, in the order of the counters: see atLabelled.
type standing [4]sum

const (
	trueNegative = iota
	falseNegative
	falsePositive
	truePositive
)

// count is numerator and denominator of a measure that needs labels.
func (s *standing) count(m Measure) fairness.Count {
	var of, others []int
	switch m {
	case TPR:
		of, others = []int{truePositive}, []int{falseNegative}
	case FPR:
		of, others = []int{falsePositive}, []int{trueNegative}
	case PPV:
		of, others = []int{truePositive}, []int{falsePositive}
	case Accuracy:
		of, others = []int{truePositive, trueNegative}, []int{falsePositive, falseNegative}
	case BaseRate:
		of, others = []int{truePositive, falseNegative}, []int{falsePositive, trueNegative}
	default:
		panic("monitor: no such measure of labels")
	}
	var k, n sum
	for _, at := range of {
		k.combine(s[at])
	}
	n = k
	for _, at := range others {
		n.combine(s[at])
	}
	return fairness.Count{Records: n.records, Positives: k.records, Weight: n.weight, WeightSquared: n.squared, PositiveWeight: k.weight, PositiveSquared: k.squared}
}

// side is what is known of one side of a comparison: its outcomes, and what the labelled ones stand for, nil if each is one.
type side struct {
	Outcomes
	standing *standing
}

// Count is numerator and denominator of a measure. What needs labels is weighed where labels depend on the records.
func (s side) Count(m Measure) fairness.Count {
	if s.standing != nil && m != SelectionRate {
		return s.standing.count(m)
	}
	return s.Outcomes.Count(m)
}

// perStanding is how many sums a comparison has: those of the group, and then those of versus.
const perStanding = 2 * len(standing{})
