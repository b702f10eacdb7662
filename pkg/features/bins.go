package features

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/fairstream/fairstream/pkg/record"
)

// largestNumber bounds the numbers of a column, so that squares, differences and the next number after one
// are finite. A number beyond it counts as the bound.
const largestNumber = 1e150

// readNumber is parseNumber within the bounds.
func readNumber(text []byte) (float64, bool) {
	x, ok := record.Decimal(text)
	return min(largestNumber, max(-largestNumber, x)), ok
}

// Sizes of the binned encoding. A coarse bin learns fast because many records share it, a fine one
// follows the shape once there are enough; the sum of both did better in one pass over the Adult
// records than either (research/learner.md).
const (
	fineBins    = 32 // bins per numeric column, about
	finePerBin  = 4  // adjacent fine bins per coarse bin
	repeatShare = .25
)

// Binning cuts the real line at quantiles. With n edges there are n+1 bins: bin i is Edges[i-1] <= x < Edges[i].
type Binning struct {
	// Edges are finite and ascend strictly.
	Edges []float64
	// Coarse maps each bin to its coarse bin.
	Coarse []int32
	// Single says that a bin holds a single frequent value, such as the zero of a zero-inflated column, and that this value has no level.
	Single []bool
}

// newBinning cuts at the quantiles of a sample. A value that alone makes up a bin's share gets a bin of
// its own, and the quantiles are those of the other values, so that a column that is mostly zero
// still resolves the rest. The sample is sorted in place and must hold no NaN.
func newBinning(sample []float64) Binning {
	slices.Sort(sample)
	var heavy, rest []float64
	for start := 0; start < len(sample); {
		end := start + 1
		for end < len(sample) && sample[end] == sample[start] {
			end++
		}
		if (end-start)*fineBins > len(sample) {
			heavy = append(heavy, sample[start])
		} else {
			rest = append(rest, sample[start:end]...)
		}
		start = end
	}
	quantiles := max(fineBins-len(heavy), finePerBin)
	var cuts []float64
	for i := 1; i < quantiles && len(rest) > 0; i++ {
		cuts = append(cuts, rest[i*len(rest)/quantiles])
	}
	cuts = slices.Compact(cuts)
	edges := slices.Clone(cuts)
	for _, x := range heavy {
		edges = append(edges, x, math.Nextafter(x, math.Inf(1)))
	}
	slices.Sort(edges)
	b := Binning{Edges: slices.Compact(edges)}
	b.group(cuts, heavy)
	return b
}

// group numbers the coarse bins: one for each heavy value, and one for every few quantiles.
func (b *Binning) group(cuts, heavy []float64) {
	b.Coarse = make([]int32, len(b.Edges)+1)
	b.Single = make([]bool, len(b.Edges)+1)
	groups := int32(len(cuts)/finePerBin) + 1
	for i := range b.Coarse {
		lower := math.Inf(-1)
		if i > 0 {
			lower = b.Edges[i-1]
		}
		if k, found := slices.BinarySearch(heavy, lower); found {
			b.Single[i] = true
			b.Coarse[i] = groups + int32(k)
			continue
		}
		below := sort.Search(len(cuts), func(k int) bool { return cuts[k] > lower })
		b.Coarse[i] = int32(below / finePerBin)
	}
}

// count is the number of fine bins, coarseCount that of coarse ones.
func (b *Binning) count() int32 { return int32(len(b.Coarse)) }

func (b *Binning) coarseCount() int32 {
	var most int32
	for _, c := range b.Coarse {
		most = max(most, c)
	}
	return most + 1
}

// find returns the fine bin of x: how many edges are not above it. It counts every eighth edge, and then those between two of them: no comparison waits for
// another one, as in a search by halves, and none is a branch, which no processor could foresee (it would be one if it counted itself).
func (b *Binning) find(x float64) int32 {
	const step = 8 // about the root of their number
	passed := 0
	for i := step - 1; i < len(b.Edges); i += step {
		one := 0
		if x >= b.Edges[i] {
			one = 1
		}
		passed += one
	}
	bin := passed * step
	for _, edge := range b.Edges[bin:min(bin+step-1, len(b.Edges))] {
		one := 0
		if x >= edge {
			one = 1
		}
		bin += one
	}
	return int32(bin)
}

// repeats says whether values repeat besides the frequent ones: then single values may earn weights of their own. (In
// the Adult records, certain capital gains nearly determine the label.) The sample is sorted.
func (b *Binning) repeats(sample []float64) bool {
	light, repeated := 0, 0
	for start := 0; start < len(sample); {
		end := start + 1
		for end < len(sample) && sample[end] == sample[start] {
			end++
		}
		if !b.Single[b.find(sample[start])] {
			light += end - start
			if end-start > 1 {
				repeated += end - start
			}
		}
		start = end
	}
	return light > 0 && float64(repeated) >= repeatShare*float64(light)
}

// isOne says whether a bin, not the first one, holds one number.
func (b *Binning) isOne(bin int) bool {
	return bin < len(b.Edges) && b.Edges[bin] == math.Nextafter(b.Edges[bin-1], math.Inf(1))
}

// words names the numbers from one bin to another, such as [28, 31).
func (b *Binning) words(first, last int) string {
	if first > 0 && first == last && b.isOne(first) {
		return "= " + formatNumber(b.Edges[first-1])
	}
	lower, upper := "", ""
	switch {
	case first > 1 && b.isOne(first-1):
		lower = "(" + formatNumber(b.Edges[first-2]) // its own edge is the next number after the single value
	case first > 0:
		lower = "[" + formatNumber(b.Edges[first-1])
	}
	if last < len(b.Edges) {
		upper = formatNumber(b.Edges[last])
	}
	switch {
	case lower == "" && upper == "":
		return "any number"
	case lower == "":
		return "< " + upper
	case upper == "" && lower[0] == '(':
		return "> " + lower[1:]
	case upper == "":
		return ">= " + lower[1:]
	}
	return lower + ", " + upper + ")"
}

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
