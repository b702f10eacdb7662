package table

import (
	"math"
	"slices"
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

// Akin are rows that have the value of another row in the column By, and in Alike of Of other columns, too.
type Akin struct {
	By        string
	Rows      int
	Alike, Of int
	Differing string // one of the others
}

// Akin finds rows that are probably about the same: versions of a record, its repetitions by a join, or two exports of it. A column may show it if it is
// distinctive.
func (t *Table) Akin(may, distinctive func(name string) bool) (most Akin, found bool) {
	for k := range t.columns {
		if c := &t.columns[k]; may(c.name) && distinctive(c.name) {
			if akin, is := t.akinBy(k, may); is && akin.Rows > most.Rows {
				most, found = akin, true
			}
		}
	}
	return most, found
}

func (t *Table) akinBy(by int, may func(name string) bool) (akin Akin, is bool) {
	pairs, different, values := t.columns[by].pairs()
	if len(pairs) < leastAkinRows || float64(len(pairs)) < leastAkin*float64(len(t.rows)) || mostRepeated*different < values {
		return akin, false
	}
	chance := 1.
	for k := range t.columns {
		c := &t.columns[k]
		if k == by || !may(c.name) || !c.varies() {
			continue
		}
		random := 0
		for r := range t.rows {
			if c.same(r, (r+len(t.rows)/2)%len(t.rows)) {
				random++
			}
		}
		common := float64(random) / float64(len(t.rows))
		if common > commonIn {
			continue
		}
		same := 0
		for _, p := range pairs {
			if c.same(p[0], p[1]) {
				same++
			}
		}
		if akin.Of++; float64(same) >= sameIn*float64(len(pairs)) {
			akin.Alike++
			chance *= common
		} else {
			akin.Differing = c.name
		}
	}
	akin.By, akin.Rows = t.columns[by].name, len(pairs)
	return akin, akin.Alike > 1 && 2*akin.Alike >= akin.Of && chance <= byChance
}

// pairs are rows with the same value that few have, how many different values there are, and how many rows with one.
func (c *column) pairs() (pairs [][2]int, different, values int) {
	var rows []int
	for r, hash := range c.hashes {
		if hash != 0 {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		switch x, y := c.numbers[a], c.numbers[b]; {
		case x < y || math.IsNaN(y) && !math.IsNaN(x):
			return -1
		case x > y || math.IsNaN(x) && !math.IsNaN(y):
			return 1
		case c.hashes[a] < c.hashes[b] && math.IsNaN(x):
			return -1
		case c.hashes[a] > c.hashes[b] && math.IsNaN(x):
			return 1
		}
		return 0
	})
	for from := 0; from < len(rows); different++ {
		to := from + 1
		for to < len(rows) && c.same(rows[to-1], rows[to]) {
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
func (c *column) same(a, b int) bool {
	x, y := c.numbers[a], c.numbers[b]
	if math.IsNaN(x) || math.IsNaN(y) {
		return c.hashes[a] == c.hashes[b]
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
