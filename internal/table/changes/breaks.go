package changes

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

// Breaks says whether all numbers of a column from some row on are above, or below, all before it, though they do not rise or fall in either part: each
// has leastScaled rows and leastNumbers different numbers, and its halves are alike. The first part is from low to below, the other from above to high.
func Breaks(t *table.Table, name string) (low, below, above, high float64, found bool) {
	c := t.Column(name)
	if c == nil {
		return 0, 0, 0, 0, false
	}
	x := slices.DeleteFunc(slices.Clone(c.Numbers), math.IsNaN)
	for _, sign := range []float64{1, -1} {
		least := make([]float64, len(x)+1) // of the numbers from each place on
		least[len(x)] = math.Inf(1)
		for i := len(x) - 1; i >= 0; i-- {
			least[i] = min(least[i+1], sign*x[i])
		}
		most := math.Inf(-1)
		for i := range x {
			if i >= table.Enough && len(x)-i >= table.Enough && most < least[i] && steady(x[:i]) && steady(x[i:]) {
				before, after := slices.Clone(x[:i]), slices.Clone(x[i:])
				return slices.Min(before), slices.Max(before), slices.Min(after), slices.Max(after), true
			}
			most = max(most, sign*x[i])
		}
	}
	return 0, 0, 0, 0, false
}

// steady says whether numbers have many values, and the same in both halves.
func steady(x []float64) bool {
	first, second := slices.Clone(x[:len(x)/2]), slices.Clone(x[len(x)/2:])
	slices.Sort(first)
	slices.Sort(second)
	return min(table.Distinct(first), table.Distinct(second)) >= table.LeastNumbers && table.Apart(first, second, 1) <= table.Deviations(len(first), len(second))
}
