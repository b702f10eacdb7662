package table

import (
	"math"
	"slices"
)

const (
	// Two columns are one under two names if no row has both, leastHalf has each and leastEither has one of them, and they hold the same: numbers as
	// Scaled has it, or texts of which leastShared are in the other, too.
	leastHalf   = .1
	leastEither = .9
	leastShared = .9
	mostTexts   = 50
)

// Twofold lists pairs of columns, among those that may be meant, that hold the same in different rows.
func (t *Table) Twofold(may func(name string) bool) (pairs [][2]string) {
	for j := range t.columns {
		for i := range j {
			a, b := &t.columns[i], &t.columns[j]
			if may(a.name) && may(b.name) && t.never(a, b) && (sameNumbers(a, b) || sameTexts(a, b)) {
				pairs = append(pairs, [2]string{a.name, b.name})
			}
		}
	}
	return pairs
}

// never says whether each column has a value in many rows, one of them in nearly all, and both in none.
func (t *Table) never(a, b *column) bool {
	for r := range a.hashes {
		if a.hashes[r] != 0 && b.hashes[r] != 0 {
			return false
		}
	}
	n, first, second := float64(len(t.rows)), float64(a.values()), float64(b.values())
	return min(first, second) >= max(leastHalf*n, leastScaled) && first+second >= leastEither*n
}

func sameNumbers(a, b *column) bool {
	numbers := func(c *column) []float64 {
		x := slices.DeleteFunc(slices.Clone(c.numbers), math.IsNaN)
		slices.Sort(x)
		return x
	}
	x, y := numbers(a), numbers(b)
	return len(x) == a.values() && len(y) == b.values() && apart(x, y, 1) <= max(mostAlike, alikeDeviations*math.Sqrt(1/float64(len(x))+1/float64(len(y))))
}

func sameTexts(a, b *column) bool {
	count := func(c *column) map[uint64]int {
		counts := map[uint64]int{}
		for r, hash := range c.hashes {
			if hash != 0 && math.IsNaN(c.numbers[r]) {
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
		return all > 0 && float64(in) >= leastShared*float64(all)
	}
	return len(first) > 1 && len(first) <= mostTexts && len(second) > 1 && len(second) <= mostTexts && shared(first, second) && shared(second, first)
}
