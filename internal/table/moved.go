package table

import (
	"math"
	"slices"
)

const (
	// The first and the last fifth of the rows are compared, if each has leastScaled rows. A column stops or starts if mostThere of the rows of one have a
	// value, and fewThere of the other.
	fifth     = 5
	mostThere = .9
	fewThere  = .02
	// Numbers stick if the last fifth has one, and the first leastNumbers different ones. Texts are new ones if at most fewThere of the last rows with
	// one have a text of the first, and each fifth has two to mostTexts of them.
)

// Moved is what becomes of a column on the way.
type Moved string

// What may become of a column.
const (
	Stays  Moved = ""
	Stops  Moved = "stops"
	Starts Moved = "starts"
	Sticks Moved = "sticks" // to one number
	Others Moved = "others" // other texts
)

// Moved says what becomes of a column between the first rows and the last.
func (t *Table) Moved(name string) Moved {
	c := t.of(name)
	n := len(t.rows) / fifth
	if c == nil || n < leastScaled {
		return Stays
	}
	first, last := c.part(0, n), c.part(len(t.rows)-n, len(t.rows))
	of, to := float64(first.values())/float64(n), float64(last.values())/float64(n)
	switch {
	case of >= mostThere && to <= fewThere:
		return Stops
	case of <= fewThere && to >= mostThere:
		return Starts
	case min(of, to) < mostThere:
		return Stays
	case last.stuck() && distinctOf(first) >= leastNumbers:
		return Sticks
	case first.isText() && last.isText() && others(first.texts(), last.texts()):
		return Others
	}
	return Stays
}

func (c *column) part(from, to int) *column {
	return &column{name: c.name, numbers: c.numbers[from:to], hashes: c.hashes[from:to]}
}

// stuck says whether all values are one number.
func (c *column) stuck() bool {
	return !slices.ContainsFunc(c.numbers, func(x float64) bool { return math.IsNaN(x) || x != c.numbers[0] })
}

func distinctOf(c *column) int {
	numbers := slices.DeleteFunc(slices.Clone(c.numbers), math.IsNaN)
	slices.Sort(numbers)
	return distinct(numbers)
}

// others says whether hardly any of the last texts are among the first.
func others(first, last map[uint64]int) bool {
	if len(first) < 2 || len(last) < 2 || len(first) > mostTexts || len(last) > mostTexts {
		return false
	}
	known, all := 0, 0
	for hash, n := range last {
		if all += n; first[hash] > 0 {
			known += n
		}
	}
	return float64(known) <= fewThere*float64(all)
}
