package values

import (
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// A few numbers have a wrong sign if leastTurned and at most mostTurned of all are below 0, and spread as the others are above it.
	leastTurned = 50
	mostTurned  = .1
)

// Turned is how many numbers of a column are below 0 though their amounts are like those of the many above it, and of how many.
func Turned(t *table.Table, name string) (below, of int) {
	c := t.Column(name)
	if c == nil {
		return 0, 0
	}
	var negative, positive []float64
	for _, x := range c.Numbers {
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
	if table.Distinct(positive) < table.LeastNumbers || positive[len(positive)/20] < positive[len(positive)-1]/200 || table.Apart(negative, positive, 1) > table.Deviations(len(negative), len(positive)) {
		return 0, 0
	}
	return len(negative), len(negative) + len(positive)
}
