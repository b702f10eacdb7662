package table

import (
	"cmp"
	"math"
	"slices"
)

const (
	// The numbers of a level are those of the others times a factor if both have leastScaled rows, they are apart by leastApart (Kolmogorov and
	// Smirnov's distance), and by at most mostAlike once they are divided by the ratio of their medians, which is leastFactor or its inverse. For two
	// samples of n and m rows chance goes beyond alikeDeviations sqrt(1/n + 1/m) once in 100 times.
	leastScaled     = 100
	leastApart      = .6
	mostAlike       = .12
	alikeDeviations = 1.63
	leastFactor     = 1.8
	mostScales      = 20 // levels of the other column
	leastNumbers    = 30 // different ones
)

// Scaled is a level of Category in whose rows the numbers of a column are Factor times as large as in the others.
type Scaled struct {
	Category string
	Level    uint64
	Rows     int
	Factor   float64
}

// Scaled finds the column, among those of texts that may be meant, that the unit of a column of numbers depends on.
func (t *Table) Scaled(name string, may func(category string) bool) (found Scaled, is bool) {
	c := t.of(name)
	if c == nil {
		return found, false
	}
	rising := c.rising()
	if len(rising) < 2*leastScaled {
		return found, false
	}
	for k, coding := range t.coded() {
		category := &t.columns[k]
		if category.name == name || coding.places == nil || !may(category.name) {
			continue
		}
		counts := make([]int, len(coding.levels)+1)
		for _, r := range rising {
			counts[coding.places[r]]++
		}
		off := c.off(coding, rising, counts)
		for place, level := range coding.levels {
			rows := counts[place+1]
			if rows < leastScaled || 2*rows > len(t.rows) || is && (rows < found.Rows || rows == found.Rows && level > found.Level) {
				continue
			}
			if factor := factorOf(c, coding.places, uint8(place+1), rising, off); factor != 0 {
				found, is = Scaled{category.name, level, rows, factor}, true
			}
		}
	}
	return found, is
}

// coding is a column of texts with two to mostScales levels: for each row the place of its level from 1 on, 0 of none. It has no places where the column
// is another.
type coding struct {
	places []uint8
	levels []uint64
}

// coded are the codings of all columns, which are kept until a record comes.
func (t *Table) coded() []coding {
	if t.codings != nil && t.codedAt == t.records {
		return t.codings
	}
	t.codings, t.codedAt = make([]coding, len(t.columns)), t.records
	for k := range t.columns {
		category := &t.columns[k]
		if !category.isText() {
			continue
		}
		of, places, known := coding{places: make([]uint8, len(t.rows))}, map[uint64]uint8{}, true
		for r, hash := range category.hashes {
			if hash == 0 {
				continue
			}
			place := places[hash]
			if place == 0 {
				if known = len(of.levels) < mostScales; !known {
					break
				}
				of.levels = append(of.levels, hash)
				place = uint8(len(of.levels))
				places[hash] = place
			}
			of.places[r] = place
		}
		if known && len(of.levels) >= 2 {
			t.codings[k] = of
		}
	}
	return t.codings
}

// isText says whether none of the values is a number or a time.
func (c *column) isText() bool {
	return !slices.ContainsFunc(c.numbers, func(x float64) bool { return !math.IsNaN(x) })
}

// off says of each level, by its place, whether the median of its numbers is leastFactor off that of all, so that it is no measure of the others.
func (c *column) off(coding coding, rising, counts []int) []bool {
	off := make([]bool, len(counts))
	median := c.numbers[rising[len(rising)/2]]
	for place := 1; place < len(counts); place++ {
		if counts[place] < leastScaled {
			continue
		}
		factor := c.median(rising, counts[place], func(r int) bool { return coding.places[r] == uint8(place) }) / median
		off[place] = max(factor, 1/factor) >= leastFactor
	}
	return off
}

// factorOf is by what the positive numbers of a level are larger than those of the others that are not off, 0 if they are not the same but for a factor.
// The rows are those with positive numbers, the smallest first.
func factorOf(c *column, places []uint8, level uint8, rows []int, off []bool) float64 {
	var inside, outside []float64
	for _, r := range rows {
		switch place := places[r]; {
		case place == level:
			inside = append(inside, c.numbers[r])
		case place != 0 && !off[place]:
			outside = append(outside, c.numbers[r])
		}
	}
	if len(inside) < leastScaled || len(outside) < leastScaled {
		return 0
	}
	factor := inside[len(inside)/2] / outside[len(outside)/2]
	if max(factor, 1/factor) < leastFactor {
		return 0
	}
	n, m := float64(len(inside)), float64(len(outside))
	if distinct(inside) < leastNumbers || distinct(outside) < leastNumbers ||
		apart(inside, outside, 1) < leastApart || apart(inside, outside, factor) > max(mostAlike, alikeDeviations*math.Sqrt(1/n+1/m)) {
		return 0
	}
	return factor
}

// median is that of the numbers in some of the rows, which rise.
func (c *column) median(rows []int, of int, in func(row int) bool) float64 {
	before := of / 2
	for _, r := range rows {
		if in(r) {
			if before == 0 {
				return c.numbers[r]
			}
			before--
		}
	}
	return math.NaN()
}

// rising are the rows with positive numbers, the smallest first.
func (c *column) rising() (rows []int) {
	for r, x := range c.numbers {
		if x > 0 {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(c.numbers[a], c.numbers[b]) })
	return rows
}

func distinct(sorted []float64) int { return len(slices.Compact(slices.Clone(sorted))) }

// apart is the largest difference of the distribution functions of a and of b times a factor, both sorted. Numbers within a thousandth count as equal.
func apart(a, b []float64, factor float64) (most float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x := min(a[i], b[j]*factor)
		upTo := x + math.Abs(x)/1000
		for i < len(a) && a[i] <= upTo {
			i++
		}
		for j < len(b) && b[j]*factor <= upTo {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}
