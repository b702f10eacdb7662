package linear

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// outlyingLabels is the share of the first labels, at either end, that counts as no further out than the
	// others.
	outlyingLabels = .005
	// largestDeviation is how many standard deviations a label counts as at most, in its own mean and
	// spread and in the residual of a step: what is further out is an error more often than a truth.
	largestDeviation = 10.0
	// LargestPrediction is far beyond record.MaxLabel: only weights out of a damaged state reach it.
	LargestPrediction = 1e32
)

// Labels is where labels lie and how far apart: a regression learns in these units, so that neither
// the zero nor the unit of the label is of consequence.
//
// The centre is fixed with the first records, so that weights keep their meaning. Mean and spread are
// followed; a spread that is far too small, after a change of unit, say, grows geometrically with every
// label that reaches beyond it.
type Labels struct {
	centre   float64 // median of the first labels
	mean     float64 // of labels less the centre, faded
	variance float64 // about the mean, faded
	records  float64
}

// Start takes the first labels.
func (l *Labels) Start(labels []float64) {
	if len(labels) == 0 {
		return
	}
	sorted := slices.Clone(labels)
	slices.Sort(sorted)
	last := len(sorted) - 1
	l.centre = (sorted[last/2] + sorted[len(sorted)/2]) / 2
	low, high := sorted[int(outlyingLabels*float64(last))], sorted[last-int(outlyingLabels*float64(last))]
	l.records = float64(len(labels))
	for pass := range 2 {
		mean, variance := 0.0, 0.0
		for _, y := range labels {
			if pass == 0 {
				y = min(high, max(low, y))
			}
			mean += (y - l.centre) / l.records
		}
		for _, y := range labels {
			if pass == 0 {
				y = min(high, max(low, y))
			}
			d := y - l.centre - mean
			variance += float64(d * d / l.records)
		}
		l.mean, l.variance = mean, variance
		if variance > 0 {
			return // otherwise only the outlying ones differ
		}
	}
}

// Spread is the standard deviation, 0 while all labels were equal.
func (l *Labels) Spread() float64 { return math.Sqrt(l.variance) }

// Centre is what a margin of 0 predicts.
func (l *Labels) Centre() float64 { return l.centre }

// observe takes a label in. weight is relative to the mean weight, and forgetting in records.
func (l *Labels) observe(label, weight, forgetting float64) {
	l.records++
	fade := min(1, float64(weight*max(1/l.records, 1/forgetting)))
	d := label - l.centre - l.mean
	if most := float64(largestDeviation * l.Spread()); most > 0 {
		d = bounded(d, most)
	}
	l.mean += float64(d * fade)
	l.variance += float64((float64(d*d) - l.variance) * fade)
}

// Prediction is the label that a margin stands for.
func (l *Labels) Prediction(margin float64) float64 {
	if y := margin + l.centre; math.Abs(y) <= LargestPrediction {
		return y
	}
	return l.centre
}

// Constant is the prediction to compare with: the mean of all labels so far, the older ones faded.
func (l *Labels) Constant() float64 { return l.Prediction(l.mean) }

// Residual is how far a label is off a prediction, in units of the spread, and bounded like that of a step. It is 0
// while all labels were equal.
func (l *Labels) Residual(label, prediction float64) float64 {
	spread := l.Spread()
	if spread <= 0 {
		return 0
	}
	return bounded((label-prediction)/spread, largestDeviation)
}

// Fields codes the labels' statistics.
func (l *Labels) Fields(c *codec.Coder) {
	c.Within(&l.centre, record.MaxLabel)
	c.Float(&l.mean)
	c.Float(&l.variance)
	c.Float(&l.records)
}

func bounded(x, limit float64) float64 { return min(limit, max(-limit, x)) }
