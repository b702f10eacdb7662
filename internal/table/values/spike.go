package values

import (
	"math"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// A number is too frequent if leastSpike of a column's values are it, at least spikeRows, and of the others leastOwn are different.
	leastSpike = .04
	spikeRows  = 40
	leastOwn   = .8
	leastWhole = 10
)

// Spike is the number between the lowest and the highest that many rows have, while nearly all others have one of their own; of is how many rows have
// any. 0 is none: nothing of something is frequent for a reason.
func Spike(t *table.Table, name string) (x float64, rows, of int) {
	c := t.Column(name)
	if c == nil {
		return 0, 0, 0
	}
	counts := map[float64]int{}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range c.Numbers {
		if !math.IsNaN(v) {
			counts[v]++
			of++
			low, high = min(low, v), max(high, v)
		}
	}
	for v, n := range counts {
		if n > rows || n == rows && v < x {
			x, rows = v, n
		}
	}
	own := float64(len(counts)-1) >= leastOwn*float64(of-rows) || x != math.Trunc(x) && allWhole(counts, x) // as a mean among ages
	if x == 0 || x == low || x == high || rows < spikeRows || float64(rows) < leastSpike*float64(of) || !own {
		return 0, 0, 0
	}
	return x, rows, of
}

// allWhole says whether all numbers but one are whole, and there are leastWhole different ones.
func allWhole(counts map[float64]int, but float64) bool {
	for v := range counts {
		if v != but && v != math.Trunc(v) {
			return false
		}
	}
	return len(counts) > leastWhole
}
