package appraise

import (
	"math"

	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// CalibrationBins is how many equal ranges of the score are compared with the labels.
const CalibrationBins = 10

// Group is what the weights do to one group, whatever the criterion looks at.
type Group struct {
	Label string
	// Confusion counts decisions against labels.
	Confusion fairness.Confusion
	// Calibration has the records of each tenth of the score.
	Calibration [CalibrationBins]Bin
}

// Bin is a range of scores.
type Bin struct {
	Records                 int64
	Weight, Score, Positive float64 // sums of weights, of weighted scores, and of the weights of positive labels
	squares                 float64
}

// MeanScore is the mean predicted probability, and Rate the share of positive labels with its Wilson interval. Both
// are NaN without records.
func (b *Bin) MeanScore() float64 { return b.Score / b.Weight }

// Rate is the share of positive labels among the bin's records.
func (b *Bin) Rate(level float64) fairness.Measure {
	return rate(b.Positive, b.Weight, b.Weight*b.Weight/b.squares, b.Records, level)
}

func (g *Group) add(positive bool, margin, weight float64) {
	g.Confusion.Add(positive, margin > 0, weight)
	score := logistic.Probability(margin)
	b := &g.Calibration[min(CalibrationBins-1, int(score*CalibrationBins))]
	b.Records++
	b.Weight += weight
	b.squares += weight * weight
	b.Score += weight * score
	if positive {
		b.Positive += weight
	}
}

func (g *Group) combine(other *Group) {
	g.Confusion.Combine(other.Confusion)
	for i := range g.Calibration {
		b, o := &g.Calibration[i], &other.Calibration[i]
		b.Records += o.Records
		b.Weight += o.Weight
		b.squares += o.squares
		b.Score += o.Score
		b.Positive += o.Positive
	}
}

// MeanScore is the mean score of the group, NaN without records.
func (g *Group) MeanScore() float64 {
	score, weight := 0.0, 0.0
	for i := range g.Calibration {
		score, weight = score+g.Calibration[i].Score, weight+g.Calibration[i].Weight
	}
	return score / weight
}

// CalibrationError is the expected calibration error: the mean distance of score and share of positive labels over the
// bins, by their weight. It is NaN without records.
func (g *Group) CalibrationError() float64 {
	off, weight := 0.0, 0.0
	for i := range g.Calibration {
		b := &g.Calibration[i]
		off, weight = off+math.Abs(b.Score-b.Positive), weight+b.Weight
	}
	return off / weight
}

// Selected is the share of positive decisions.
func (g *Group) Selected(level float64) fairness.Measure { return g.Confusion.SelectionRate(level) }

// TruePositives is the share of positive decisions among positive labels, FalsePositives among negative ones.
func (g *Group) TruePositives(level float64) fairness.Measure {
	return g.among(g.Confusion.TruePositive, g.Confusion.TruePositive+g.Confusion.FalseNegative, level)
}

// FalsePositives is the share of positive decisions among negative labels.
func (g *Group) FalsePositives(level float64) fairness.Measure {
	return g.among(g.Confusion.FalsePositive, g.Confusion.FalsePositive+g.Confusion.TrueNegative, level)
}

// Precision is the share of positive labels among positive decisions.
func (g *Group) Precision(level float64) fairness.Measure {
	return g.among(g.Confusion.TruePositive, g.Confusion.TruePositive+g.Confusion.FalsePositive, level)
}

// among is a share of part of the records, whose effective number is in proportion to their weight.
func (g *Group) among(weight, of, level float64) fairness.Measure {
	share := of / g.Confusion.Weight()
	return rate(weight, of, share*g.Confusion.Effective(), int64(math.Round(share*float64(g.Confusion.Records))), level)
}

func rate(weight, of, effective float64, records int64, level float64) fairness.Measure {
	m := fairness.Measure{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: level, Records: records, Effective: effective, Method: fairness.MethodWilson}
	if !(of > 0) || !(effective > 0) {
		m.Records, m.Effective = 0, 0
		return m
	}
	m.Value = min(1, max(0, weight/of))
	m.Lo, m.Hi = fairness.Wilson(m.Value, effective, level)
	return m
}

// Pair is two groups that constraints compare.
type Pair struct {
	Name          string // of the first constraint that compares them
	Group, Versus Group
	attributes    string // that tell the groups apart
}

func (p *Pair) same(o *Pair) bool {
	return p.attributes == o.attributes && p.Group.Label == o.Group.Label && p.Versus.Label == o.Versus.Label
}
