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
	mostStuck = .7
	// All last values are the same by chance with a probability of exp(-leastSettled) at most, were they as frequent as among the first.
	leastSettled = 25.
	// Numbers stick if the last fifth has one, and the first leastNumbers different ones or this one in mostStuck of its rows at most. Texts are new ones if at most fewThere of the last rows with
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
	// Settles is to one value, which others were beside before.
	Settles Moved = "settles"
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
	case last.stuck() && (distinctOf(first) >= leastNumbers || first.share(last.numbers[0]) <= mostStuck):
		return Sticks
	case last.settled(first):
		return Settles
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

// settled says whether all values are the same, which by the values of the first rows chance does not explain.
func (c *column) settled(first *column) bool {
	one, n, same, all := uint64(0), 0, 0, 0
	for _, hash := range c.hashes {
		if hash == 0 {
			continue
		}
		if one == 0 {
			one = hash
		}
		if n++; hash != one {
			return false
		}
	}
	for _, hash := range first.hashes {
		if hash == 0 {
			continue
		}
		if all++; hash == one {
			same++
		}
	}
	return n > 0 && same > 0 && -float64(n)*math.Log(float64(same)/float64(all)) >= leastSettled
}

// share is that of a number among all rows.
func (c *column) share(x float64) float64 {
	n := 0
	for _, v := range c.numbers {
		if v == x {
			n++
		}
	}
	return float64(n) / float64(len(c.numbers))
}

// Breaks says whether all numbers of a column from some row on are above, or below, all before it, though they do not rise or fall in either part: each
// has leastScaled rows and leastNumbers different numbers, and its halves are alike. The first part is from low to below, the other from above to high.
func (t *Table) Breaks(name string) (low, below, above, high float64, found bool) {
	c := t.of(name)
	if c == nil {
		return 0, 0, 0, 0, false
	}
	x := slices.DeleteFunc(slices.Clone(c.numbers), math.IsNaN)
	for _, sign := range []float64{1, -1} {
		least := make([]float64, len(x)+1) // of the numbers from each place on
		least[len(x)] = math.Inf(1)
		for i := len(x) - 1; i >= 0; i-- {
			least[i] = min(least[i+1], sign*x[i])
		}
		most := math.Inf(-1)
		for i := range x {
			if i >= leastScaled && len(x)-i >= leastScaled && most < least[i] && steady(x[:i]) && steady(x[i:]) {
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
	return distinct(first) >= leastNumbers && distinct(second) >= leastNumbers && apart(first, second, 1) <= deviations(len(first), len(second))
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
