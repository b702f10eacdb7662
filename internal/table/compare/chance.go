package compare

import (
	"maps"
	"math"
	"slices"
)

// leastErrors is by how many standard errors two shares differ that are not the same.
const leastErrors = 6

// beyondChance says whether two shares, of n and of m, differ by more than leastErrors standard errors.
func beyondChance(p, q float64, n, m int) bool {
	both := (p*float64(n) + q*float64(m)) / float64(n+m)
	return math.Abs(p-q) > leastErrors*math.Sqrt(both*(1-both)*(1/float64(n)+1/float64(m)))
}

// unseen is how many rows of the second have a value that none of the first has, and singles how many values one row has: their share is about what share
// of further rows from the same source have a new value (Good and Turing).
func unseen(first, second map[uint64]int) (rows int) {
	for hash, n := range second {
		if first[hash] == 0 {
			rows += n
		}
	}
	return rows
}

func singles(counts map[uint64]int) (n int) {
	for _, rows := range counts {
		if rows == 1 {
			n++
		}
	}
	return n
}

// variation is the total variation between two distributions, without what chance alone makes of n and m rows: its mean is at most that of independent
// values, and its standard deviation at most half the root of 1/n + 1/m.
func variation(first, second map[uint64]int, n, m int) float64 {
	per := 1/float64(n) + 1/float64(m)
	total, chance := 0.0, math.Sqrt(per)
	add := func(p, q float64) {
		both := (p*float64(n) + q*float64(m)) / float64(n+m)
		total += math.Abs(p-q) / 2
		chance += math.Sqrt(2/math.Pi*both*(1-both)*per) / 2
	}
	for _, hash := range slices.Sorted(maps.Keys(first)) {
		add(float64(first[hash])/float64(n), float64(second[hash])/float64(m))
	}
	for _, hash := range slices.Sorted(maps.Keys(second)) {
		if first[hash] == 0 {
			add(0, float64(second[hash])/float64(m))
		}
	}
	return total - chance
}
