package fairness

import "math"

// MeanDetector raises an alarm when the difference of two means leaves [−limit, limit]: the e-detector of Detector, for predictions
// of a number. It needs no bound of the predictions.
//
// An e-detector needs a gain with a known least value. The difference D of a block is therefore cut at ±c with
//
//	c = 4 s + 2 limit
//
// where s is the standard deviation of D over about the last 1,000 blocks before. A bet λ on the group collects
//
//	M ← (M + w) (1 + λ (D cut − limit) / (c + limit))
//
// and so does one on versus with −D; w is the number of records in the block. While the mean of D cut is within [−limit, limit], the
// factor is at most 1 in expectation, and the records to an alarm at the threshold A are at least A in the mean.
//
// The cut is rare: a normal D is cut in less than one block of 15,000. It changes the mean of a D with standard deviation s by at most s/16,
// and by far less if D is about symmetric, as both ends are cut alike. A later D that is cut counts for s as cut, so a few predictions that
// are very far from all others count less than they do in the mean. The first 20 blocks give s alone and are no evidence.
//
// The fields are exported for a codec. A MeanDetector that is zero has seen nothing.
type MeanDetector struct {
	Bets
	Blocks
	// Ended is how many blocks ended, at most detectorMemory; Mean and Variance are about their differences.
	Ended    int64
	Mean     float64
	Variance float64
}

const (
	detectorCut    = 4    // in standard deviations of a block's difference
	detectorMemory = 1000 // blocks
	detectorStart  = 20   // blocks
	mostValue      = 1e12 // predictions are cut there, so that sums stay finite
	mostVariance   = 1e26 // what their differences can come to
)

// Add counts one prediction on a side. It says whether a block ended: only then the evidence changes. Sides other than Group and
// Versus are ignored. A prediction that is not a number counts as 1e12.
func (d *MeanDetector) Add(side Side, prediction float64, limit float64) bool {
	if !(math.Abs(prediction) < mostValue) {
		prediction = math.Copysign(mostValue, prediction)
	}
	b, complete := d.add(side, prediction)
	if complete {
		d.end(&b, min(limit, 4*mostValue))
	}
	return complete
}

// end bets on the difference of a block.
func (d *MeanDetector) end(b *block, limit float64) {
	difference := b.difference()
	most := float64(detectorCut*math.Sqrt(d.Variance)) + 2*limit
	if d.Ended >= detectorStart {
		unit := most + limit
		cut := min(most, max(-most, difference))
		d.collect(b, [2]float64{(cut - limit) / unit, (-cut - limit) / unit}, 1)
	}
	d.scale(difference, most)
}

// scale counts a difference for the standard deviation by which later ones are cut. A difference far from the mean counts as one at the
// cut, so that a single wild prediction does not make the detector blind.
func (d *MeanDetector) scale(difference, most float64) {
	off := difference - d.Mean
	if d.Ended >= detectorStart {
		off = min(most, max(-most, off))
	}
	d.Ended = min(d.Ended+1, detectorMemory)
	weight := 1 / float64(d.Ended)
	d.Mean += float64(weight * off)
	d.Variance = float64((1 - weight) * (d.Variance + float64(weight*float64(off*off))))
}

// Valid says whether a MeanDetector that was read from somewhere can be one.
func (d *MeanDetector) Valid() bool {
	return d.possible() && d.valid(mostValue) && d.Ended >= 0 && d.Ended <= detectorMemory &&
		math.Abs(d.Mean) <= 4*mostValue && d.Variance >= 0 && d.Variance <= mostVariance
}
