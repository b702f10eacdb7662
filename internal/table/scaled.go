package table

import (
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
	for k := range t.columns {
		category := &t.columns[k]
		if category.name == name || !may(category.name) {
			continue
		}
		counts := map[uint64]int{}
		for r, hash := range category.hashes {
			if hash != 0 && c.numbers[r] > 0 {
				counts[hash]++
			}
		}
		if !category.isText() || len(counts) < 2 || len(counts) > mostScales {
			continue
		}
		for level, rows := range counts {
			if rows < leastScaled || 2*rows > len(t.rows) || is && (rows < found.Rows || rows == found.Rows && level > found.Level) {
				continue
			}
			if factor := factorOf(c, category, level); factor != 0 {
				found, is = Scaled{category.name, level, rows, factor}, true
			}
		}
	}
	return found, is
}

// isText says whether none of the values is a number or a time.
func (c *column) isText() bool {
	return !slices.ContainsFunc(c.numbers, func(x float64) bool { return !math.IsNaN(x) })
}

// factorOf is by what the positive numbers of a level are larger than those of the others, 0 if they are not the same but for a factor.
func factorOf(c, category *column, level uint64) float64 {
	var inside, outside []float64
	for r, x := range c.numbers {
		switch {
		case !(x > 0) || category.hashes[r] == 0:
		case category.hashes[r] == level:
			inside = append(inside, x)
		default:
			outside = append(outside, x)
		}
	}
	if len(inside) < leastScaled || len(outside) < leastScaled {
		return 0
	}
	slices.Sort(inside)
	slices.Sort(outside)
	factor := inside[len(inside)/2] / outside[len(outside)/2]
	n, m := float64(len(inside)), float64(len(outside))
	if math.Max(factor, 1/factor) < leastFactor || distinct(inside) < leastNumbers || distinct(outside) < leastNumbers ||
		apart(inside, outside, 1) < leastApart || apart(inside, outside, factor) > max(mostAlike, alikeDeviations*math.Sqrt(1/n+1/m)) {
		return 0
	}
	return factor
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
