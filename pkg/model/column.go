package model

import (
	"math"
	"slices"
)

// How many values of a column are looked at before its type and its bins are decided. Columns of the
// first records are decided when those are complete, if they have leastSample values by then; a
// column that appears later, or is rarer, when it has had lateSample values. Until then its values
// are levels.
const (
	leastSample = 32
	lateSample  = 256
	// numericShare of the values must be numbers for a column to count as numeric.
	numericShare = .95
	// knots of the piecewise-linear encoding.
	knots = 16
	// vouchingValues and vouchingDispersion are what it takes for all values of a column to have weights.
	vouchingValues     = 20
	vouchingDispersion = 2.0
	// clip bounds a standardized value: a single outlier must not decide alone.
	clip = 5
)

// column is what the encoder knows of one field.
type column struct {
	name     string
	declared ColumnConfig // zero if the type is to be inferred
	missing  int32        // weight of the missing level, 0 until a record lacks a value
	decided  bool
	numeric  bool
	encoding Encoding // of a numeric column

	sample []float64 // numbers seen while undecided
	texts  int       // values seen meanwhile that are no numbers

	base   int32     // first weight of the bins, knots or the standardized value
	coarse int32     // first weight of the coarse bins
	bins   bins      // encoding bins
	exact  bool      // repeated values may have levels of their own
	knots  []float64 // encoding piecewise-linear
	mean   float64   // encoding standardized
	scale  float64   // 1 / standard deviation

	tried      int64   // values whose trial is over
	dispersion float64 // sum of the squares of their deviations
	vouched    bool    // new values have levels at once

	crossed bool // part of a cross
}

// observe counts one value of an undecided column.
func (c *column) observe(text []byte) {
	if x, ok := readNumber(text); ok {
		c.sample = append(c.sample, x)
	} else {
		c.texts++
	}
}

func (c *column) observed() int { return len(c.sample) + c.texts }

// decide fixes type and bins from the sample, and takes weights from next on. It returns the next free
// weight.
func (c *column) decide(next int32) int32 {
	c.decided = true
	sample := c.sample
	c.sample = nil
	c.numeric = len(sample) > 0 && c.declared.Type != Categorical &&
		(c.declared.Type == Numeric || float64(len(sample)) >= numericShare*float64(len(sample)+c.texts))
	if !c.numeric {
		return next
	}
	c.encoding = c.declared.Encoding
	if c.encoding == "" {
		c.encoding = Bins
	}
	c.base = next
	switch c.encoding {
	case PiecewiseLinear:
		c.knots = quantileKnots(sample)
		return next + int32(len(c.knots))
	case Standardized:
		c.mean, c.scale = standardize(sample)
		return next + 1
	}
	c.bins = newBins(sample)
	c.exact = c.bins.repeats(sample)
	c.coarse = c.base + c.bins.count()
	return c.coarse + c.bins.coarseCount()
}

// try takes in how many standard deviations, squared, the residuals of a repeated value lie from zero after
// its trial. The mean is 1 if values mean nothing beyond their bins; where it is vouchingDispersion over
// enough values, as in the capital gains of the Adult records, every new value is given a weight at once.
func (c *column) try(square float64) {
	c.tried++
	c.dispersion += square
	if c.tried >= vouchingValues && c.dispersion >= vouchingDispersion*float64(c.tried) {
		c.vouched = true
	}
}

// encode adds the non-zeros of the number x. It returns the bin, for crosses, and whether the value may
// have a level of its own.
func (c *column) encode(row *Row, x float64) (bin int32, level bool) {
	switch c.encoding {
	case PiecewiseLinear:
		return c.encodeKnots(row, x), false
	case Standardized:
		z := (x - c.mean) * c.scale
		row.add(c.base, min(clip, max(-clip, z)))
		return int32(math.Round(min(clip, max(-clip, z)))) + clip, false
	}
	bin = c.bins.find(x)
	row.add(c.base+bin, 1)
	row.add(c.coarse+c.bins.coarse[bin], 1)
	return c.bins.coarse[bin], c.exact && !c.bins.heavy[bin]
}

// encodeKnots adds the two hat functions that are not zero at x.
func (c *column) encodeKnots(row *Row, x float64) (bin int32) {
	last := len(c.knots) - 1
	if last == 0 {
		row.add(c.base, 1)
		return 0
	}
	x = min(c.knots[last], max(c.knots[0], x))
	i, _ := slices.BinarySearch(c.knots, x)
	i = min(max(i-1, 0), last-1)
	share := (x - c.knots[i]) / (c.knots[i+1] - c.knots[i])
	row.add(c.base+int32(i), 1-share)
	row.add(c.base+int32(i)+1, share)
	return int32(i)
}

func quantileKnots(sample []float64) []float64 {
	slices.Sort(sample)
	var at []float64
	for i := range knots {
		at = append(at, sample[i*(len(sample)-1)/(knots-1)])
	}
	return slices.Compact(at)
}

func standardize(sample []float64) (mean, scale float64) {
	for _, x := range sample {
		mean += (x - sample[0]) / float64(len(sample))
	}
	mean += sample[0] // exact for a constant column
	var variance float64
	for _, x := range sample {
		variance += float64((x-mean)*(x-mean)) / float64(len(sample))
	}
	scale = 1 / math.Sqrt(variance)
	if math.IsInf(scale, 0) || math.IsNaN(scale) {
		scale = 1
	}
	return mean, scale
}
