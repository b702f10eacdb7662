package changes

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// A time stands for "not known" if it is the first or the last of all, leastEdge rows have it, and it is farther from the others than these are apart.
	leastEdge = 10
)

// Edge is a time that is far from all others of a column and that many rows have, and how many.
func Edge(t *table.Table, name string) (at float64, rows int) {
	c := t.Column(name)
	if c == nil {
		return 0, 0
	}
	x := slices.DeleteFunc(slices.Clone(c.Numbers), math.IsNaN)
	if len(x) < table.Enough {
		return 0, 0
	}
	slices.Sort(x)
	low, high := x[0], x[len(x)-1]
	first, _ := slices.BinarySearch(x, math.Nextafter(low, math.Inf(1)))
	last, _ := slices.BinarySearch(x, high)
	switch {
	case first == len(x):
	case first >= leastEdge && x[first]-low > high-x[first]:
		return low, first
	case len(x)-last >= leastEdge && high-x[last-1] > x[last-1]-low:
		return high, len(x) - last
	}
	return 0, 0
}

// Later says of two columns of times in how many rows each is the later one, of those that have two different ones.
func Later(t *table.Table, first, second string) (firstLater, secondLater int) {
	a, b := t.Column(first), t.Column(second)
	if a == nil || b == nil {
		return 0, 0
	}
	for r, x := range a.Numbers {
		switch y := b.Numbers[r]; {
		case x > y:
			firstLater++
		case x < y:
			secondLater++
		}
	}
	return firstLater, secondLater
}

// Order is that of times in the order of the rows.
type Order string

// The orders that are told of.
const (
	AnyOrder    Order = ""
	NewestFirst Order = "newest first"
	LaterFirst  Order = "later first" // parts of which each is in order, the later one first
)

// Rows are in the order of times if at most one in mostAgainst steps goes the other way.
const mostAgainst = 200

// Backwards says whether the times of a column go from the newest to the oldest, or go on but end before they began.
func Backwards(t *table.Table, name string) Order {
	c := t.Column(name)
	if c == nil {
		return AnyOrder
	}
	x := slices.DeleteFunc(slices.Clone(c.Numbers), math.IsNaN)
	up, down := 0, 0
	for i := 1; i < len(x); i++ {
		switch {
		case x[i] > x[i-1]:
			up++
		case x[i] < x[i-1]:
			down++
		}
	}
	switch {
	case up+down < table.Enough || x[len(x)-1] >= x[0]:
		return AnyOrder
	case mostAgainst*up <= down:
		return NewestFirst
	case mostAgainst*down <= up:
		return LaterFirst
	}
	return AnyOrder
}
