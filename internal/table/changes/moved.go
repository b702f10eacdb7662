package changes

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// The first and the last fifth of the rows are compared, if each has table.Enough rows. A column stops or starts if mostThere of the rows of one have a
	// value, and fewThere of the other.
	mostThere = .9
	fewThere  = .02
	mostStuck = .7
	// All last values are the same by chance with a probability of exp(-leastSettled) at most, were they as frequent as among the first.
	leastSettled = 25.
	// Numbers stick if the last fifth has one, and the first table.LeastNumbers different ones or this one in mostStuck of its rows at most. Texts are new ones if at most fewThere of the last rows with
	// one have a text of the first, and each fifth has two to table.MostTexts of them.
)

// Move is what becomes of a column on the way.
type Move string

// What may become of a column.
const (
	Stays  Move = ""
	Stops  Move = "stops"
	Starts Move = "starts"
	Sticks Move = "sticks" // to one number
	Others Move = "others" // other texts
	// Settles is to one value, which others were beside before.
	Settles Move = "settles"
)

// Moved says what becomes of a column between the first rows and the last.
func Moved(t *table.Table, name string) Move {
	c := t.Column(name)
	n := len(t.Kept) / table.Fifth
	if c == nil || n < table.Enough {
		return Stays
	}
	first, last := c.Part(0, n), c.Part(len(t.Kept)-n, len(t.Kept))
	of, to := float64(first.Values())/float64(n), float64(last.Values())/float64(n)
	switch {
	case of >= mostThere && to <= fewThere:
		return Stops
	case of <= fewThere && to >= mostThere:
		return Starts
	case min(of, to) < mostThere:
		return Stays
	case stuck(last) && (distinctOf(first) >= table.LeastNumbers || share(first, last.Numbers[0]) <= mostStuck):
		return Sticks
	case settled(last, first):
		return Settles
	case first.IsText() && last.IsText() && others(first.Texts(), last.Texts()):
		return Others
	}
	return Stays
}

// stuck says whether all values are one number.
func stuck(c *table.Column) bool {
	return !slices.ContainsFunc(c.Numbers, func(x float64) bool { return math.IsNaN(x) || x != c.Numbers[0] })
}

// settled says whether all values are the same, which by the values of the first rows chance does not explain.
func settled(c, first *table.Column) bool {
	one, n, same, all := uint64(0), 0, 0, 0
	for _, hash := range c.Hashes {
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
	for _, hash := range first.Hashes {
		if hash == 0 {
			continue
		}
		if all++; hash == one {
			same++
		}
	}
	return same > 0 && -float64(n)*math.Log(float64(same)/float64(all)) >= leastSettled
}

// share is that of a number among all rows.
func share(c *table.Column, x float64) float64 {
	n := 0
	for _, v := range c.Numbers {
		if v == x {
			n++
		}
	}
	return float64(n) / float64(len(c.Numbers))
}

// others says whether hardly any of the last texts are among the first.
func others(first, last map[uint64]int) bool {
	if len(first) < 2 || len(last) < 2 || len(first) > table.MostTexts || len(last) > table.MostTexts {
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

// distinctOf is how many different numbers a column has.
func distinctOf(c *table.Column) int {
	numbers := slices.DeleteFunc(slices.Clone(c.Numbers), math.IsNaN)
	slices.Sort(numbers)
	return table.Distinct(numbers)
}
