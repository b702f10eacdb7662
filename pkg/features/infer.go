package features

import (
	"math"
	"slices"
)

// How many values of a column are looked at before its type and its bins are inferred. Columns of the
// first records are inferred when those are complete, if they have leastSample values by then. A
// column that appears later, or is rarer, is inferred when it has had lateSample values, or leastSample of rare counts. Until
// then its values are levels.
const (
	leastSample = 32
	lateSample  = 256
	// numericShare of the values must be numbers for a column to count as numeric.
	numericShare = .95
	// A number is taken to be 0 where its field is absent, as in counts of words, if fewer than zeroShare of the records have the
	// field, and leastShare of its values are the least one, above 0. Other absent numbers are missing: they count as the mean.
	zeroShare  = .5
	leastShare = .25
	// A column that is inferred late holds rare counts if mostlyLeast of leastSample values or more are the least one, and none is a text.
	mostlyLeast = .75
	// knots of the piecewise-linear encoding.
	knots = 16
)

// sample is the first values of a column.
type sample struct {
	numbers []float64
	texts   int   // values that are no numbers
	first   int64 // records before the first value
	nulls   bool  // some record that was observed has a null
}

func (o *sample) observe(text []byte) {
	if x, ok := readNumber(text); ok {
		o.numbers = append(o.numbers, x)
	} else {
		o.texts++
	}
}

func (o *sample) size() int { return len(o.numbers) + o.texts }

// share is that of the records since the first value that have one, 1 if some had a null.
func (o *sample) share(records int64, nulls bool) float64 {
	if nulls || o.nulls {
		return 1
	}
	return float64(o.size()) / float64(max(1, records-o.first))
}

// rareCounts says whether the values look like counts in few records, the words of texts for instance, of which x is the least one. share is that of
// the records that have the field.
func (o *sample) rareCounts(x, share float64) bool {
	if o.texts > 0 || len(o.numbers) < leastSample || share >= zeroShare || x <= 0 || x*x < leastSquares {
		return false
	}
	least := 0
	for _, number := range o.numbers {
		if number < x {
			return false
		}
		if number == x {
			least++
		}
	}
	return float64(least) >= mostlyLeast*float64(len(o.numbers))
}

// countFrom makes an Untyped column one of counts, in which the weight of the least number, a level so far, becomes that of all numbers, in proportion to
// their roots. So a count that is rarer still, or never came, says something from the start. The root is between counts that say so much each and those
// that say no more than the presence of the field, as too few come to tell. Other numbers keep their levels beside that, which matters if they are codes.
// Bins come with lateSample values.
func (c *Column) countFrom(least float64, weight int32) {
	if weight == 0 {
		return // there was no room for the level
	}
	c.Kind, c.Linear, c.fromLevel, c.NumberLevels = Binned, weight, true, true
	c.SquareRoots, c.Mean, c.Scale, c.Low, c.High = 1, 0, 1/math.Sqrt(least), 0, min(largestNumber, clip*clip*least)
	c.Binning = Binning{Coarse: []int32{0}, Single: []bool{false}}
}

// infer fixes the kind of a column, as far as it is not declared, and its bins. It takes weights from next on, and
// returns the next free weight. share is that of the records that have the field. The sample is empty afterwards.
func (o *sample) infer(c *Column, declared ColumnConfig, next int32, share float64) int32 {
	numbers := o.numbers
	numeric := len(numbers) > 0 && declared.Type != Categorical &&
		(declared.Type == Numeric || float64(len(numbers)) >= numericShare*float64(o.size()))
	*o = sample{}
	if c.Kind == Binned { // of counts, which lack nothing but bins
		c.Binning = newBinning(numbers)
		return next
	}
	if !numeric {
		c.Kind = Levelled
		return next
	}
	c.First = next
	switch declared.Encoding {
	case PiecewiseLinear:
		c.Kind, c.Knots = Interpolated, quantileKnots(numbers)
	case Standardized:
		c.Kind = Scaled
		c.Mean, c.Scale = standardize(numbers)
	default:
		c.Kind, c.Binning = Binned, newBinning(numbers)
		c.NumberLevels = c.Binning.repeats(numbers)
		c.First = 0
		spreads := c.spread(numbers)
		if share < 1 && !spreads || share < zeroShare && counts(numbers) {
			spreads = c.fromZero(numbers)
		}
		if spreads {
			c.Linear = next
			next++
		}
	}
	return next + c.weights()
}

// keepLevels lets numbers that had weights as levels keep them, in a column that was inferred late: in a stream of rare words, most of what
// was learnt of a word would be lost otherwise. Without repeated numbers there is nothing to keep.
func (c *Column) keepLevels() {
	if c.Kind == Binned && (c.NumberLevels || slices.Contains(c.Binning.Single, true)) {
		c.NumberLevels = true
		clear(c.Binning.Single)
	}
}

func quantileKnots(sample []float64) []float64 {
	slices.Sort(sample)
	var at []float64
	for i := range knots {
		at = append(at, sample[i*(len(sample)-1)/(knots-1)])
	}
	return slices.Compact(at)
}

// Bounds of the numbers of a Binned column before they are standardized: the median plus and minus boundSpreads robust
// standard deviations, that of the quartiles or, where these are equal, that of the outer percents. So outliers and heavy
// tails do not squeeze the others together.
const (
	boundSpreads  = 5.0
	quartileRange = 1.349 // of a normal distribution, in standard deviations
	percentRange  = 4.653 // between its 1 % and 99 % quantiles
	// leastSquares is the mean square of numbers that are taken to differ from 0.
	leastSquares = 1e-300
)

// Amounts such as incomes and prices differ by factors: their effect is more nearly that of a root than that of the amount. They are
// told by quartiles: the upper one is at least largeFactor times the lower one, and skewed times as far from the median; and of at least
// lateSample numbers, less than one of a hundred is 0 or below. The logarithm of a number with a normal logarithm is close to linear in its fourth root.
const (
	largeFactor = 3.0
	skewed      = 1.5
	amountRoots = 2
)

// amounts says whether numbers are amounts. The sample is sorted.
func amounts(sample []float64) bool {
	at := func(share float64) float64 { return quantile(sample, share) }
	return len(sample) >= lateSample && sample[0] >= 0 && at(.01) > 0 &&
		at(.75) >= float64(largeFactor*at(.25)) && at(.75)-at(.5) >= float64(skewed*(at(.5)-at(.25)))
}

func quantile(sample []float64, share float64) float64 {
	return sample[int(share*float64(len(sample)-1))]
}

// spread finds bounds, mean and scale of a Binned column, and says whether its numbers differ. The sample is sorted.
func (c *Column) spread(sample []float64) bool {
	if amounts(sample) {
		c.SquareRoots = amountRoots
		roots := make([]float64, len(sample))
		for i, x := range sample {
			roots[i] = c.root(x)
		}
		differ := c.bounds(roots)
		for range c.SquareRoots { // bounds are of the numbers themselves
			c.Low, c.High = float64(c.Low*c.Low), float64(c.High*c.High)
		}
		return differ
	}
	return c.bounds(sample)
}

// bounds is spread of what is standardized, which is sorted.
func (c *Column) bounds(sample []float64) bool {
	at := func(share float64) float64 { return quantile(sample, share) }
	deviation := (at(.75) - at(.25)) / quartileRange
	if deviation == 0 {
		deviation = (at(.99) - at(.01)) / percentRange
	}
	c.Low, c.High = sample[0], sample[len(sample)-1]
	if deviation > 0 {
		c.Low, c.High = max(c.Low, at(.5)-float64(boundSpreads*deviation)), min(c.High, at(.5)+float64(boundSpreads*deviation))
	}
	bounded := make([]float64, len(sample))
	for i, x := range sample {
		bounded[i] = min(c.High, max(c.Low, x))
	}
	c.Mean, c.Scale = standardize(bounded)
	return c.Low < c.High
}

// counts says whether numbers look like counts of which 0 is left out. The sample is sorted.
func counts(sample []float64) bool {
	return sample[0] > 0 && sample[int(leastShare*float64(len(sample)-1))] == sample[0]
}

// fromZero standardizes a Binned column about 0 instead of about the mean, so that a field that is absent contributes what a 0
// would. It says whether there are numbers other than 0.
func (c *Column) fromZero(sample []float64) bool {
	var squares float64
	c.SquareRoots = 0
	for _, x := range sample {
		x = min(c.High, max(c.Low, x))
		squares += float64(x*x) / float64(len(sample))
	}
	c.Low, c.High = min(0, c.Low), max(0, c.High)
	if squares < leastSquares {
		return false
	}
	c.Mean, c.Scale = 0, 1/math.Sqrt(squares)
	return true
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
