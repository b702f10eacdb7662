package control

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// Brings is what comes with a record.
type Brings uint8

// A record usually comes with its label. Else it comes twice: without one, which may never follow, and as a label.
const (
	Both   Brings = iota // a record with its label
	Itself               // a record without a label
	Label                // the label of a record that came before without one
)

// Record is what control is told of one record.
type Record struct {
	Brings Brings
	// Number is of a record that waits for its label, and of its label the same one, above 0. Numbers grow.
	Number int64
	Row    *features.Row
	// Margins are those of all models, and Published the margin of what was published, before the record was learnt.
	Margins   *linear.Margins
	Published float64
	// Positive is the label of a decision.
	Positive bool
	// Weight is the record's own weight, above 0, and Relative that in units of the mean weight. Labelled is the weight with which it
	// counts among the records that have labels; 0 stands for Weight.
	Weight, Relative, Labelled float64
	// Scale multiplies what constraints that need no label push; 0 stands for 1, which it is unless records come without labels.
	Scale float64
	// Sides are by comparison, fairness.Uncounted where a record does not count with what it brings. Factors multiply the weight in a comparison; nil if all are 1.
	Sides   []fairness.Side
	Factors []float64
}

// scale is by how much pushes are multiplied.
func (r *Record) scale() float64 {
	if r.Scale == 0 {
		return 1
	}
	return r.Scale
}

// labelled is the weight among the records that have labels.
func (r *Record) labelled() float64 {
	if r.Labelled == 0 {
		return r.Weight
	}
	return r.Labelled
}

// factor is by how much the weight is multiplied in a comparison.
func (r *Record) factor(comparison int) float64 {
	if r.Factors == nil {
		return 1
	}
	return r.Factors[comparison]
}

// Models are what Rates asks of the models.
type Models interface {
	// Margins computes the margins of a row under all models. Several goroutines may, while nothing changes the models.
	Margins(dst *linear.Margins, row *features.Row)
	// NewMargins returns room for them.
	NewMargins() *linear.Margins
	// Influence prepares dst for the influence of records on their own margins. curvature is that of what constrained models minimise,
	// square what pushes add to the mean square of a gradient.
	Influence(dst *linear.Influence, curvature, square float64)
	// Nudge takes a step of one model from a gradient in its margin of a row.
	Nudge(row *features.Row, model int, gradient float64)
	// Join adds a model that is equal to the one without constraints, and returns its index; Leave removes one, and later
	// ones move up. Settle makes the average of a model follow its iterate at once, Reflect mirrors it at the one
	// without constraints.
	Join() (model int)
	Leave(model int)
	Settle(model int)
	Reflect(model int)
}

// Sums are what Means asks of the models: the rows of the two sides of the k-th enforced comparison are in the sums 2k
// and 2k+1.
type Sums interface {
	// Join adds the model of the next constraint and its two sums.
	Join() (model int)
	// Add adds a row, whose margins are given, to a sum.
	Add(sum int, row *features.Row, at *linear.Margins, weight float64)
	// Mean is the mean margin that a model gives the rows of a sum.
	Mean(sum, model int) float64
	// Total is the weight of the rows of a sum, Effective their effective number.
	Total(sum int) float64
	Effective(sum int) float64
	// Part is what the weights from ≤ j < to of the model that is published at interpolation weights add to its mean margin on the rows of a sum.
	Part(sum int, interpolation []float64, from, to int) float64
	// Weight is the j-th weight of the model that is published at interpolation weights.
	Weight(j int, interpolation []float64) float64
}

// shares follows the share of records that are on each side.
type shares [2]float64

func (s *shares) observe(side fairness.Side, fade float64) {
	for i, on := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		hit := 0.0
		if side == on {
			hit = 1
		}
		s[i] += float64((hit - s[i]) * fade)
	}
}

// combine is a margin at interpolation weights.
func combine(margins []float64, shift float64, interpolation []float64) float64 {
	margin := margins[0] + shift
	for k, value := range interpolation {
		margin += float64(value * (margins[k+1] - margins[0]))
	}
	return margin
}

// combineSingle is the margin of a remembered record, at a factor of the interpolation weights.
func combineSingle(margins []float32, factor float64, interpolation []float64) float64 {
	free := float64(margins[0])
	margin := free
	for k, value := range interpolation {
		margin += float64(float64(factor*value) * (float64(margins[k+1]) - free))
	}
	return margin
}

// enforcedOf returns the indices of the comparisons that are enforced.
func enforcedOf(comparisons []fairness.Comparison) (enforced []int) {
	for i, c := range comparisons {
		if c.Enforce {
			enforced = append(enforced, i)
		}
	}
	return enforced
}

// Report is how one enforced constraint is kept.
type Report struct {
	Comparison int // its index
	Name       string
	Criterion  fairness.Criterion
	Group      string
	Tau        float64
	// Multiplier is the Lagrange multiplier; its sign is that of the difference it works against.
	Multiplier float64
	// Target is the absolute difference that is aimed at on recent records: tau less Theta, the allowance for sampling
	// error, and Gap, the allowance for the generalisation gap; at least a fifth of tau.
	Target, Theta, Gap float64
	// Difference is the tracked one that multipliers ascend on: R(u). While |R(u)| is below Target the multiplier falls to 0,
	// and where the multiplier is not 0 they are equal but for chance (complementary slackness).
	Difference float64
	// EffectiveConstant is the c of the paper that was found on the way: c·tau is the value of the relaxation at the
	// published weights, plus tau − |R(u)|.
	EffectiveConstant float64
	// Rarest is the share of the records that are on the rarer side.
	Rarest float64
	// Reachable is false while no interpolation weight reaches the target on recent records.
	Reachable bool
	// Changes is how often the records changed so much that older ones were dropped.
	Changes int64
	// Unsteady says that this happened three times in the last 40,000 records, or twice, in the same direction or beyond doubt.
	Unsteady bool
	// Moved is by how much the difference, or the relative one of an impact ratio, on the newest records is off that on the older ones it is measured
	// on, if that is more than chance and half of tau or more; else 0.
	Moved float64
	// Away is for how many records the group and versus have stayed away, if for so long that the windows of the two sides are of
	// different times; otherwise 0.
	Away [2]float64
	// AtFloor says that Theta leaves no more than the least target: tau is below what chance makes of a holdout.
	AtFloor bool
}

// Slackness is |λ| (R(u) − target), R(u) in the direction that the multiplier works against.
func (r *Report) Slackness() float64 {
	return math.Abs(r.Multiplier) * (math.Copysign(1, r.Multiplier)*r.Difference - r.Target)
}
