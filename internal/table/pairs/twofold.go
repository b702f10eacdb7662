package pairs

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Two columns are one under two names if no row has both, leastHalf has each and leastEither has one of them, and they hold the same: numbers as
	// Scaled has it, or texts of which leastCommon are in the other, too.
	leastHalf   = .1
	leastEither = .9
	leastCommon = .9
)

// Twofold lists pairs of columns, among those that may be meant, that hold the same in different rows.
func Twofold(t *table.Table, may func(name string) bool) (pairs [][2]string) {
	for j := range t.Columns {
		for i := range j {
			a, b := &t.Columns[i], &t.Columns[j]
			if may(a.Name) && may(b.Name) && never(t, a, b) && (sameNumbers(a, b) || sameTexts(a, b)) {
				pairs = append(pairs, [2]string{a.Name, b.Name})
			}
		}
	}
	return pairs
}

// never says whether each column has a value in many rows, one of them in nearly all, and both in none.
func never(t *table.Table, a, b *table.Column) bool {
	for r := range a.Hashes {
		if a.Hashes[r] != 0 && b.Hashes[r] != 0 {
			return false
		}
	}
	n, first, second := float64(len(t.Kept)), float64(a.Values()), float64(b.Values())
	return min(first, second) >= max(leastHalf*n, table.Enough) && first+second >= leastEither*n
}

func sameNumbers(a, b *table.Column) bool {
	numbers := func(c *table.Column) []float64 {
		x := slices.DeleteFunc(slices.Clone(c.Numbers), math.IsNaN)
		slices.Sort(x)
		return x
	}
	x, y := numbers(a), numbers(b)
	return len(x) == a.Values() && len(y) == b.Values() && table.Apart(x, y, 1) <= table.Deviations(len(x), len(y))
}

func sameTexts(a, b *table.Column) bool {
	count := func(c *table.Column) map[uint64]int {
		counts := map[uint64]int{}
		for r, hash := range c.Hashes {
			if hash != 0 && math.IsNaN(c.Numbers[r]) {
				counts[hash]++
			}
		}
		return counts
	}
	first, second := count(a), count(b)
	shared := func(of, others map[uint64]int) bool {
		in, all := 0, 0
		for hash, n := range of {
			if all += n; others[hash] > 0 {
				in += n
			}
		}
		return float64(in) >= leastCommon*float64(all)
	}
	return min(len(first), len(second)) > 1 && max(len(first), len(second)) <= table.MostTexts && shared(first, second) && shared(second, first)
}
