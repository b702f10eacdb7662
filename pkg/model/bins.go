package model

import (
	"math"
	"slices"
	"sort"
)

// Sizes of the binned encoding. A coarse bin learns fast because many records share it, a fine one
// follows the shape once there are enough; the sum of both did better in one pass over the Adult
// records than either (docs/learner.md).
const (
	fineBins    = 32 // bins per numeric column, about
	finePerBin  = 4  // adjacent fine bins per coarse bin
	repeatShare = .25
)

// bins cuts the real line at quantiles: bin i is edges[i-1] <= x < edges[i].
type bins struct {
	edges []float64
	// coarse maps a fine bin to its coarse bin.
	coarse []int32
	// heavy says that a fine bin holds a single value that is frequent, such as the zero of a
	// zero-inflated column.
	heavy []bool
}

// newBins cuts at the quantiles of a sample. A value that alone makes up a bin's share gets a bin of
// its own, and the quantiles are those of the other values, so that a column that is mostly zero
// still resolves the rest. The sample is sorted in place and must hold no NaN.
func newBins(sample []float64) bins {
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
	b := bins{edges: slices.Compact(edges)}
	b.group(cuts, heavy)
	return b
}

// group numbers the coarse bins: one for each heavy value, and one for every few quantiles.
func (b *bins) group(cuts, heavy []float64) {
	b.coarse = make([]int32, len(b.edges)+1)
	b.heavy = make([]bool, len(b.edges)+1)
	groups := int32(len(cuts)/finePerBin) + 1
	for i := range b.coarse {
		lower := math.Inf(-1)
		if i > 0 {
			lower = b.edges[i-1]
		}
		if k, found := slices.BinarySearch(heavy, lower); found {
			b.heavy[i] = true
			b.coarse[i] = groups + int32(k)
			continue
		}
		below := sort.Search(len(cuts), func(k int) bool { return cuts[k] > lower })
		b.coarse[i] = int32(below / finePerBin)
	}
}

// count is the number of fine bins, coarseCount that of coarse ones.
func (b *bins) count() int32 { return int32(len(b.coarse)) }

func (b *bins) coarseCount() int32 {
	var most int32
	for _, c := range b.coarse {
		most = max(most, c)
	}
	return most + 1
}

// find returns the fine bin of x.
func (b *bins) find(x float64) int32 {
	low, high := 0, len(b.edges)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if x >= b.edges[middle] {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return int32(low)
}

// repeats says whether a column has values that come again and again besides the heavy ones: then
// single values deserve weights of their own (on the Adult records, certain capital gains decide
// almost alone). The sample is sorted.
func (b *bins) repeats(sample []float64) bool {
	light, repeated := 0, 0
	for start := 0; start < len(sample); {
		end := start + 1
		for end < len(sample) && sample[end] == sample[start] {
			end++
		}
		if !b.heavy[b.find(sample[start])] {
			light += end - start
			if end-start > 1 {
				repeated += end - start
			}
		}
		start = end
	}
	return light > 0 && float64(repeated) >= repeatShare*float64(light)
}
