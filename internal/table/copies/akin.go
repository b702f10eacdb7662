package copies

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Rows are akin by a column if leastAkin of all, and leastAkinRows, have in it the value of another row, which few others have: mostAkin rows in all, and
	// there is a value for every mostRepeated rows. Two such rows have in half of the other columns the same value in sameIn of the cases, and two rows at random would
	// have all these at once in byChance of the cases at most. Columns in which two of any rows agree more often than commonIn tell nothing.
	leastAkin     = .03
	leastAkinRows = 40
	mostAkin      = 8
	mostRepeated  = 4
	sameIn        = .9
	commonIn      = .6
	byChance      = .02
	// Numbers are the same if they are so with as many decimals as the one with fewer has, of mostDecimals.
	mostDecimals = 6
)

// Kin are rows that have the value of another row in the column By, and in Alike of Of other columns, too.
type Kin struct {
	By        string
	Rows      int
	Alike, Of int
	Differing string // one of the others
}

// Akin finds rows that are probably about the same: versions of a record, its repetitions by a join, or two exports of it. A column may show it if it is
// distinctive.
func Akin(t *table.Table, may, distinctive func(name string) bool) (most Kin, found bool) {
	for k := range t.Columns {
		if c := &t.Columns[k]; may(c.Name) && distinctive(c.Name) {
			if akin, is := akinBy(t, k, may); is && akin.Rows > most.Rows {
				most, found = akin, true
			}
		}
	}
	return most, found
}

func akinBy(t *table.Table, by int, may func(name string) bool) (akin Kin, is bool) {
	pairs, different, values := pairs(&t.Columns[by])
	if len(pairs) < leastAkinRows || float64(len(pairs)) < leastAkin*float64(len(t.Kept)) || mostRepeated*different < values {
		return akin, false
	}
	chance := 1.
	for k := range t.Columns {
		c := &t.Columns[k]
		if k == by || !may(c.Name) || !c.Varies() {
			continue
		}
		random := 0
		for r := range t.Kept {
			if same(c, r, (r+len(t.Kept)/2)%len(t.Kept)) {
				random++
			}
		}
		common := float64(random) / float64(len(t.Kept))
		if common > commonIn {
			continue
		}
		alike := 0
		for _, p := range pairs {
			if same(c, p[0], p[1]) {
				alike++
			}
		}
		if akin.Of++; float64(alike) >= sameIn*float64(len(pairs)) {
			akin.Alike++
			chance *= common
		} else {
			akin.Differing = c.Name
		}
	}
	akin.By, akin.Rows = t.Columns[by].Name, len(pairs)
	return akin, akin.Alike > 1 && 2*akin.Alike >= akin.Of && chance <= byChance
}

// pairs are rows with the same value that few have, how many different values there are, and how many rows with one.
func pairs(c *table.Column) (pairs [][2]int, different, values int) {
	var rows []int
	for r, hash := range c.Hashes {
		if hash != 0 {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		switch x, y := c.Numbers[a], c.Numbers[b]; {
		case x < y || math.IsNaN(y) && !math.IsNaN(x):
			return -1
		case x > y || math.IsNaN(x) && !math.IsNaN(y):
			return 1
		case c.Hashes[a] < c.Hashes[b] && math.IsNaN(x):
			return -1
		case c.Hashes[a] > c.Hashes[b] && math.IsNaN(x):
			return 1
		}
		return 0
	})
	for from := 0; from < len(rows); different++ {
		to := from + 1
		for to < len(rows) && same(c, rows[to-1], rows[to]) {
			to++
		}
		if to-from <= mostAkin {
			for at := from + 1; at < to; at++ {
				pairs = append(pairs, [2]int{rows[at-1], rows[at]})
			}
		}
		from = to
	}
	return pairs, different, len(rows)
}

// same says whether two rows have the same value, or none.
func same(c *table.Column, a, b int) bool {
	x, y := c.Numbers[a], c.Numbers[b]
	if math.IsNaN(x) || math.IsNaN(y) {
		return c.Hashes[a] == c.Hashes[b]
	}
	return x == y || math.Abs(x-y) < 1 && math.Abs(x-y) <= max(step(x), step(y))*(.5+1e-6)
}

// step is one in the last decimal of a number.
func step(x float64) float64 {
	power := 1.
	for range mostDecimals {
		if math.Abs(x*power-math.Round(x*power)) < 1e-6*power {
			break
		}
		power *= 10
	}
	return 1 / power
}
