package monitor

import "github.com/fairstream/fairstream/pkg/fairness"

// CalibrationBins is the number of score bins, which have equal width.
const CalibrationBins = 10

// Calibration compares the scores of labelled decisions with their labels.
type Calibration struct {
	Records   [CalibrationBins]int64
	Positives [CalibrationBins]int64
	Scores    [CalibrationBins]float64 // sum
}

// add counts a score in [0, 1].
func (c *Calibration) add(score float64, label bool) {
	bin := min(CalibrationBins-1, int(score*CalibrationBins))
	c.Records[bin]++
	c.Scores[bin] += score
	if label {
		c.Positives[bin]++
	}
}

// Combine adds the records of another calibration.
func (c *Calibration) Combine(other Calibration) {
	for i := range c.Records {
		c.Records[i] += other.Records[i]
		c.Positives[i] += other.Positives[i]
		c.Scores[i] += other.Scores[i]
	}
}

// Bin is the decisions with a score from From up to To: their mean score, NaN without records, and the share of positive labels
// with its Wilson interval.
type Bin struct {
	From, To  float64
	MeanScore float64
	Rate      fairness.Measure
}

// Bins are all bins, in ascending order.
func (c *Calibration) Bins(level float64) []Bin {
	bins := make([]Bin, CalibrationBins)
	for i := range bins {
		n := c.Records[i]
		o := Outcomes{TruePositive: c.Positives[i], FalsePositive: n - c.Positives[i]}
		bins[i] = Bin{float64(i) / CalibrationBins, float64(i+1) / CalibrationBins, c.Scores[i] / float64(n), o.Rate(BaseRate, level)}
	}
	return bins
}

// SignedError is the mean of score minus label, in [−1, 1]: positive where scores are too high. It is NaN without records.
func (c *Calibration) SignedError() float64 {
	records, sum := int64(0), 0.0
	for i := range c.Records {
		records += c.Records[i]
		sum += c.Scores[i] - float64(c.Positives[i])
	}
	return sum / float64(records) // 0/0 without records
}
