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
	var meant []compared
	for k := range t.Columns {
		if c := &t.Columns[k]; may(c.Name) {
			meant = append(meant, compared{Column: c})
		}
	}
	for by := range meant {
		if distinctive(meant[by].Name) {
			if akin, is := akinBy(len(t.Kept), by, meant); is && akin.Rows > most.Rows {
				most, found = akin, true
			}
		}
	}
	return most, found
}

func akinBy(rows, by int, meant []compared) (akin Kin, is bool) {
	pairs, different, values := meant[by].pairs()
	if len(pairs) < leastAkinRows || float64(len(pairs)) < leastAkin*float64(rows) || mostRepeated*different < values {
		return akin, false
	}
	chance := 1.
	for k := range meant {
		c := &meant[k]
		if k == by {
			continue
		}
		common, varies := c.agreement()
		if !varies || common > commonIn {
			continue
		}
		alike := 0
		for _, p := range pairs {
			if c.same(p[0], p[1]) {
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
	akin.By, akin.Rows = meant[by].Name, len(pairs)
	return akin, akin.Alike > 1 && 2*akin.Alike >= akin.Of && chance <= byChance
}

// compared is a column whose rows are compared with each other, and what is found out for that once.
type compared struct {
	*table.Column
	steps         []float64 // of its numbers
	asked, varied bool
	common        float64
}

// agreement is the share of the rows that have the value of one at random, and whether there are several values.
func (c *compared) agreement() (common float64, varies bool) {
	if !c.asked {
		c.asked = true
		if c.varied = c.Varies(); c.varied {
			n, random := len(c.Hashes), 0
			for r := range n {
				if c.same(r, (r+n/2)%n) {
					random++
				}
			}
			c.common = float64(random) / float64(n)
		}
	}
	return c.common, c.varied
}

// pairs are rows with the same value that few have, how many different values there are, and how many rows with one.
func (c *compared) pairs() (pairs [][2]int, different, values int) {
	var rows []int
	for r, hash := range c.Hashes {
		if hash != 0 {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
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
		return a - b // a stable sort takes twice as long
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
func (c *compared) same(a, b int) bool {
	x, y := c.Numbers[a], c.Numbers[b]
	if math.IsNaN(x) || math.IsNaN(y) {
		return c.Hashes[a] == c.Hashes[b]
	}
	apart := math.Abs(x - y)
	if x == y || !(apart < 1) {
		return x == y
	}
	if c.steps == nil {
		for _, number := range c.Numbers {
			c.steps = append(c.steps, step(number))
		}
	}
	return apart <= max(c.steps[a], c.steps[b])*(.5+1e-6)
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
