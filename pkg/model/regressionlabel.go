package model

import (
	"math"
	"slices"
)

const (
	// outlyingLabels is the share of the first labels, at either end, that counts as no further out than the
	// others.
	outlyingLabels = .005
	// largestDeviation is how many standard deviations a label counts as at most, in its own mean and
	// spread and in the residual of a step: what is further out is an error more often than a truth.
	largestDeviation = 10.0
	// largestPrediction is far beyond record.MaxLabel: only weights out of a damaged state reach it.
	largestPrediction = 1e32
)

// labelScale is where labels lie and how far apart: a regression learns in these units, so that neither
// the zero nor the unit of the label is of consequence.
//
// The centre is fixed with the first records, so that weights keep their meaning. Mean and spread are
// followed; a spread that is far too small, after a change of unit, say, grows geometrically with every
// label that reaches beyond it.
type labelScale struct {
	centre   float64 // median of the first labels
	mean     float64 // of labels less the centre, faded
	variance float64 // about the mean, faded
	records  float64
}

// start takes the first labels.
func (l *labelScale) start(labels []float64) {
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

// spread is the standard deviation, 0 while all labels were equal.
func (l *labelScale) spread() float64 { return math.Sqrt(l.variance) }

// observe takes a label in. weight is relative to the mean weight, and forgetting in records.
func (l *labelScale) observe(label, weight, forgetting float64) {
	l.records++
	fade := min(1, float64(weight*max(1/l.records, 1/forgetting)))
	d := label - l.centre - l.mean
	if most := float64(largestDeviation * l.spread()); most > 0 {
		d = min(most, max(-most, d))
	}
	l.mean += float64(d * fade)
	l.variance += float64((float64(d*d) - l.variance) * fade)
}

// prediction is that of weights that give x.
func (l *labelScale) prediction(x float64) float64 {
	if x += l.centre; math.Abs(x) <= largestPrediction {
		return x
	}
	return l.centre
}

// constant is the prediction to compare with: the mean of all labels so far, the older ones faded.
func (l *labelScale) constant() float64 { return l.prediction(l.mean) }
