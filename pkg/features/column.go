package features

import (
	"fmt"
	"math"
	"slices"
)

// Kind is how the values of a column become weights.
type Kind uint8

// The kinds of columns.
const (
	// Untyped: too few values were seen to infer the type, and every value is a level.
	Untyped Kind = iota
	// Levelled: every value is a level.
	Levelled
	// Binned: a number has one weight, times the standardized number, and the weights of its bin, of its coarse bin and of
	// its level, as far as these have been earned.
	Binned
	// Interpolated: a number has the weights of the two knots around it, in shares that add up to 1.
	Interpolated
	// Scaled: a number has one weight, times the standardized number.
	Scaled
)

// clip bounds a standardized number: a single outlier must not outweigh all other columns.
const clip = 5

// MostSquareRoots is the most that a column may have: after more, numbers hardly differ.
const MostSquareRoots = 16

// largestStandardized is beyond every standardized number of a Binned column: its square is at most the size of the
// sample that mean and scale come from.
const largestStandardized = 1e9

// Column is how the values of one field become weights.
type Column struct {
	Name string
	Kind Kind
	// Missing is the weight of a missing value, 0 if there is none.
	Missing int32
	// First is the first weight of the bins or knots, or that of the standardized number of a Scaled column. It is 0
	// while a Binned column has not earned its bins.
	First int32
	// FirstCoarse is the first weight of the coarse bins of a Binned column, 0 while they have not been earned.
	FirstCoarse int32
	// Linear is the weight of the standardized number of a Binned column, 0 if its numbers were all equal and in all records. In a column of rare
	// counts it is the weight that the least number had as a level.
	Linear int32
	// Binning of a Binned column.
	Binning Binning
	// NumberLevels says that a number of a Binned column may have a level, too.
	NumberLevels bool
	// Knots of an Interpolated column are finite and ascend strictly. There is at least one.
	Knots []float64
	// Mean, and Scale, which is 1 / standard deviation, of a Scaled column, and of a Binned one with Linear, of roots if it has any. Where an absent
	// number is 0, they are 0 and 1 / root of the mean square, or 1 / root of the least number in a column of rare counts.
	Mean, Scale float64
	// Low and High bound the numbers of a Binned column before they are standardized.
	Low, High float64
	// SquareRoots is how often the square root of a number of a Binned column is taken before it is standardized, at most
	// MostSquareRoots. Low is then at least 0. Square roots are exact to the last bit everywhere, as logarithms are not.
	SquareRoots int32

	crossed   bool // part of a cross
	fromLevel bool // Linear is the weight of a level
}

// Numeric says whether numbers are more than levels.
func (c *Column) Numeric() bool { return c.Kind >= Binned }

// sampling says whether further values decide on the type or the bins.
func (c *Column) sampling() bool {
	return c.Kind == Untyped || c.Kind == Binned && c.Binning.count() == 1
}

// CoarseBins is the number of coarse bins of a Binned column.
func (c *Column) CoarseBins() int32 { return c.Binning.coarseCount() }

// place is where a number of a column lies.
type place struct {
	token int32   // the bin, for crosses
	level bool    // whether the number may have a level
	bin   int32   // of a Binned column
	z     float64 // the standardized number of a Binned column
}

// encode adds the non-zeros of the number x, but not that of its level.
func (c *Column) encode(row *Row, x float64) place {
	switch c.Kind {
	case Interpolated:
		return place{token: c.interpolate(row, x)}
	case Scaled:
		z := min(clip, max(-clip, (x-c.Mean)*c.Scale))
		row.Add(c.First, z)
		return place{token: int32(math.Round(z)) + clip}
	}
	e := place{bin: c.Binning.find(x), z: c.standardize(x)}
	e.token, e.level = c.Binning.Coarse[e.bin], c.NumberLevels && !c.Binning.Single[e.bin]
	if c.Linear != 0 {
		row.Add(c.Linear, e.z)
	}
	if c.First != 0 {
		row.Add(c.First+e.bin, 1)
	}
	if c.FirstCoarse != 0 {
		row.Add(c.FirstCoarse+e.token, 1)
	}
	return e
}

// standardize returns the standardized number of a Binned column, 0 if its numbers were all equal.
func (c *Column) standardize(x float64) float64 {
	if c.Linear == 0 {
		return 0
	}
	return (c.root(min(c.High, max(c.Low, x))) - c.Mean) * c.Scale
}

// root takes the square roots of a number within bounds.
func (c *Column) root(x float64) float64 {
	for range c.SquareRoots {
		x = math.Sqrt(x)
	}
	return x
}

// interpolate adds the two hat functions that are not zero at x.
func (c *Column) interpolate(row *Row, x float64) (bin int32) {
	last := len(c.Knots) - 1
	if last == 0 {
		row.Add(c.First, 1)
		return 0
	}
	x = min(c.Knots[last], max(c.Knots[0], x))
	i, _ := slices.BinarySearch(c.Knots, x)
	i = min(max(i-1, 0), last-1)
	share := (x - c.Knots[i]) / (c.Knots[i+1] - c.Knots[i])
	row.Add(c.First+int32(i), 1-share)
	row.Add(c.First+int32(i)+1, share)
	return int32(i)
}

// BinWords names the numbers of a bin of a Binned column, such as "[28, 31)".
func (c *Column) BinWords(bin int) string { return c.Binning.words(bin, bin) }

// words names the bin that a number contributes to crosses.
func (c *Column) words(bin int32) string {
	switch c.Kind {
	case Scaled:
		return fmt.Sprintf("about %.6g", c.Mean+float64(bin-clip)/c.Scale)
	case Interpolated:
		if len(c.Knots) == 1 {
			return "any number"
		}
		return "[" + formatNumber(c.Knots[bin]) + ", " + formatNumber(c.Knots[bin+1]) + "]"
	}
	first := slices.Index(c.Binning.Coarse, bin)
	last := first
	for i, coarse := range c.Binning.Coarse {
		if coarse == bin {
			last = i
		}
	}
	return c.Binning.words(first, last)
}

// weights is how many weights the numbers of the column have from the start, First being the first of them.
func (c *Column) weights() int32 {
	switch c.Kind {
	case Interpolated:
		return int32(len(c.Knots))
	case Scaled:
		return 1
	}
	return 0
}

// check returns what is wrong with a column that has been read, of an encoder with size weights.
func (c *Column) check(size int32) error {
	bad := func(what string) error { return fmt.Errorf("column %q: %s", c.Name, what) }
	fits := func(first, count int32) bool { return first >= 0 && int64(first)+int64(count) <= int64(size) }
	if c.Missing < 0 || c.Missing >= size {
		return bad("the weight of the missing value does not exist")
	}
	switch c.Kind {
	case Untyped, Levelled:
		return nil
	case Binned:
		return c.checkBins(fits, bad)
	case Interpolated:
		if len(c.Knots) == 0 || !ascends(c.Knots) {
			return bad("the knots do not ascend")
		}
	case Scaled:
		if !(math.Abs(c.Mean) <= largestNumber && c.Scale > 0 && c.Scale <= math.MaxFloat64) {
			return bad("mean or scale is out of range")
		}
	default:
		return bad("a type that this program does not know")
	}
	if !fits(c.First, c.weights()) {
		return bad("weights do not exist")
	}
	return nil
}

func (c *Column) checkBins(fits func(first, count int32) bool, bad func(what string) error) error {
	b := &c.Binning
	if len(b.Coarse) != len(b.Edges)+1 || len(b.Single) != len(b.Coarse) || !ascends(b.Edges) || b.Single[0] {
		return bad("edges and bins do not match")
	}
	for _, k := range b.Coarse {
		if k < 0 || int(k) >= len(b.Coarse) {
			return bad("a coarse bin does not exist")
		}
	}
	if c.First != 0 && !fits(c.First, b.count()) || c.FirstCoarse != 0 && !fits(c.FirstCoarse, b.coarseCount()) || !fits(c.Linear, 1) {
		return bad("weights do not exist")
	}
	if c.Linear != 0 && !(math.Abs(c.Mean) <= largestNumber && c.Scale > 0 && c.Scale <= math.MaxFloat64 &&
		-largestNumber <= c.Low && c.Low <= c.High && c.High <= largestNumber &&
		c.SquareRoots >= 0 && c.SquareRoots <= MostSquareRoots && (c.SquareRoots == 0 || c.Low >= 0) &&
		math.Abs(c.standardize(c.Low)) <= largestStandardized && math.Abs(c.standardize(c.High)) <= largestStandardized) {
		return bad("mean, scale or bounds are out of range")
	}
	return nil
}

// ascends says whether numbers are finite and each is above the one before.
func ascends(x []float64) bool {
	last := math.Inf(-1)
	for _, v := range x {
		if !(v > last && v <= math.MaxFloat64) {
			return false
		}
		last = v
	}
	return true
}
