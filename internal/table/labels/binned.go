package labels

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

// numberBins are the bins of a column of numbers, with equal numbers of rows.
const numberBins = 4

// binned are the rows with a label as small numbers: of each column the bin that a row lies in.
type binned struct {
	rows     []int
	positive []bool
	names    []string
	bins     [][]int
	levels   [][]uint64 // of a column of texts, by bin; one more bin is for rows without a value, and those beyond mostLevels
	numeric  []bool
	scores   []float64 // of all rows, by all columns
	looked   int
}

func binnedBy(t *table.Table, may func(name string) bool) *binned {
	b := &binned{}
	for r := range t.Kept {
		if t.Kept[r].Labelled && !t.Kept[r].Repeated {
			b.rows, b.positive = append(b.rows, r), append(b.positive, t.Kept[r].Positive)
		}
	}
	if len(b.rows) < 2*table.Enough {
		return b
	}
	for c := range t.Columns {
		column := &t.Columns[c]
		if !may(column.Name) {
			continue
		}
		bins, levels := make([]int, len(b.rows)), []uint64(nil)
		numeric := !column.IsText()
		if numeric {
			ends := quantiles(column, b.rows)
			for at, r := range b.rows {
				if bins[at] = numberBins; !math.IsNaN(column.Numbers[r]) {
					bins[at], _ = slices.BinarySearch(ends, column.Numbers[r])
				}
			}
		} else {
			places := map[uint64]int{}
			for at, r := range b.rows {
				hash := column.Hashes[r]
				place, known := places[hash]
				if !known && hash != 0 && len(places) < table.MostLevels {
					place, known = len(places), true
					places[hash] = place
					levels = append(levels, hash)
				}
				if bins[at] = place; !known {
					bins[at] = table.MostLevels
				}
			}
		}
		b.names, b.bins, b.levels, b.numeric = append(b.names, column.Name), append(b.bins, bins), append(b.levels, levels), append(b.numeric, numeric)
	}
	b.scores = b.scored(func(int) bool { return true }, -1)
	return b
}

// quantiles bound the bins of a column of numbers.
func quantiles(c *table.Column, rows []int) (ends []float64) {
	var x []float64
	for _, r := range rows {
		if v := c.Numbers[r]; !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	if len(x) == 0 {
		return nil
	}
	slices.Sort(x)
	for q := 1; q < numberBins; q++ {
		ends = append(ends, x[q*(len(x)-1)/numberBins])
	}
	return slices.Compact(ends)
}

// scored is what the columns but one tell of each row's label, added up, by what they tell in the rows of others.
func (b *binned) scored(others func(at int) bool, but int) []float64 {
	scores := make([]float64, len(b.rows))
	for k := range b.bins {
		if k == but {
			continue
		}
		var counts [table.MostLevels + 1][2]float64
		var all [2]float64
		for at, bin := range b.bins[k] {
			if others(at) {
				counts[bin][one(b.positive[at])]++
				all[one(b.positive[at])]++
			}
		}
		var weights [table.MostLevels + 1]float64
		for bin, n := range counts {
			if n[0]+n[1] > 0 {
				weights[bin] = math.Log((n[1] + 1) / (all[1] + 2) * (all[0] + 2) / (n[0] + 1))
			}
		}
		for at, bin := range b.bins[k] {
			scores[at] += weights[bin]
		}
	}
	return scores
}

// ranked is the area below the curve of the scores of some rows, and by how many standard deviations of chance it is off one half. Equal scores count half.
func (b *binned) ranked(scores []float64, in func(at int) bool) (area, deviations float64) {
	var of [2][]float64
	for at, score := range scores {
		if in(at) {
			of[one(b.positive[at])] = append(of[one(b.positive[at])], score)
		}
	}
	n, m := float64(len(of[0])), float64(len(of[1]))
	if n == 0 || m == 0 {
		return .5, 0
	}
	slices.Sort(of[0])
	for _, score := range of[1] {
		below, _ := slices.BinarySearch(of[0], score)
		upTo, _ := slices.BinarySearch(of[0], math.Nextafter(score, math.Inf(1)))
		area += float64(below+upTo) / 2
	}
	area /= n * m
	return area, (area - .5) / math.Sqrt((n+m+1)/(12*n*m))
}
