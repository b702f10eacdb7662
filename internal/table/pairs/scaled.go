package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// The numbers of a level are those of the others times a factor if both have table.Enough rows, they are apart by leastApart (Kolmogorov and
	// Smirnov's distance), and alike once they are divided by the ratio of their medians, which is leastFactor or its inverse.
	leastApart  = .6
	leastFactor = 1.8
)

// Scale is a level of Category in whose rows the numbers of a column are Factor times as large as in the others.
type Scale struct {
	Category string
	Level    uint64
	Rows     int
	Factor   float64
}

// Scaled finds the column, among those of texts that may be meant, that the unit of a column of numbers depends on.
func Scaled(t *table.Table, name string, may func(category string) bool) (found Scale, is bool) {
	c := t.Column(name)
	if c == nil {
		return found, false
	}
	rising := rising(c)
	if len(rising) < 2*table.Enough {
		return found, false
	}
	for k, coding := range t.Coded() {
		category := &t.Columns[k]
		if category.Name == name || coding.Places == nil || !may(category.Name) {
			continue
		}
		counts := make([]int, len(coding.Levels)+1)
		for _, r := range rising {
			counts[coding.Places[r]]++
		}
		off := off(c, coding, rising, counts)
		for place, level := range coding.Levels {
			rows := counts[place+1]
			if rows < table.Enough || 2*rows > len(t.Kept) || is && (rows < found.Rows || rows == found.Rows && level > found.Level) {
				continue
			}
			if factor := factorOf(c, coding.Places, uint8(place+1), rising, off); factor != 0 {
				found, is = Scale{category.Name, level, rows, factor}, true
			}
		}
	}
	return found, is
}

// off says of each level, by its place, whether the median of its numbers is leastFactor off that of all, so that it is no measure of the others.
func off(c *table.Column, coding table.Coding, rising, counts []int) []bool {
	off := make([]bool, len(counts))
	middle := c.Numbers[rising[len(rising)/2]]
	for place := 1; place < len(counts); place++ {
		if counts[place] < table.Enough {
			continue
		}
		factor := median(c, rising, counts[place], func(r int) bool { return coding.Places[r] == uint8(place) }) / middle
		off[place] = max(factor, 1/factor) >= leastFactor
	}
	return off
}

// factorOf is by what the positive numbers of a level are larger than those of the others that are not off, 0 if they are not the same but for a factor.
// The rows are those with positive numbers, the smallest first.
func factorOf(c *table.Column, places []uint8, level uint8, rows []int, off []bool) float64 {
	inside, outside := make([]float64, 0, len(rows)), make([]float64, 0, len(rows))
	for _, r := range rows {
		switch place := places[r]; {
		case place == level:
			inside = append(inside, c.Numbers[r])
		case place != 0 && !off[place]:
			outside = append(outside, c.Numbers[r])
		}
	}
	if len(inside) < table.Enough || len(outside) < table.Enough {
		return 0
	}
	factor := inside[len(inside)/2] / outside[len(outside)/2]
	if max(factor, 1/factor) < leastFactor {
		return 0
	}
	if min(table.Distinct(inside), table.Distinct(outside)) < table.LeastNumbers ||
		table.Apart(inside, outside, 1) < leastApart || table.Apart(inside, outside, factor) > table.Deviations(len(inside), len(outside)) {
		return 0
	}
	return factor
}

// median is that of the numbers in some of the rows, which rise.
func median(c *table.Column, rows []int, of int, in func(row int) bool) float64 {
	before := of / 2
	for _, r := range rows {
		if in(r) {
			if before == 0 {
				return c.Numbers[r]
			}
			before--
		}
	}
	return math.NaN()
}

// rising are the rows with positive numbers, the smallest first.
func rising(c *table.Column) (rows []int) {
	for r, x := range c.Numbers {
		if x > 0 {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(c.Numbers[a], c.Numbers[b]) })
	return rows
}
