package table

import (
	"math"
	"slices"
)

const (
	// A few numbers have a wrong sign if leastTurned and at most mostTurned of all are below 0, and spread as the others are above it.
	leastTurned = 50
	mostTurned  = .1
)

// Turned is how many numbers of a column are below 0 though their amounts are like those of the many above it, and of how many.
func (t *Table) Turned(name string) (below, of int) {
	c := t.of(name)
	if c == nil {
		return 0, 0
	}
	var negative, positive []float64
	for _, x := range c.numbers {
		switch {
		case x < 0:
			negative = append(negative, -x)
		case x > 0:
			positive = append(positive, x)
		}
	}
	n, m := float64(len(negative)), float64(len(positive))
	if n < leastTurned || n > mostTurned*(n+m) {
		return 0, 0
	}
	slices.Sort(negative)
	slices.Sort(positive)
	// Numbers about 0 have both signs: then the small amounts are frequent among both.
	if distinct(positive) < leastNumbers || positive[len(positive)/20] < positive[len(positive)-1]/200 || apart(negative, positive, 1) > max(mostAlike, alikeDeviations*math.Sqrt(1/n+1/m)) {
		return 0, 0
	}
	return len(negative), len(negative) + len(positive)
}
