package labels

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

// leastRarer rows of each label are needed to say how labels go with a column.
const leastRarer = 30

// point is a row with a number and a label.
type point struct {
	x        float64
	row      int
	positive bool
}

// pointsOf are the rows with a number in a column and a label, the smallest number first.
func pointsOf(t *table.Table, c *table.Column) (points []point) {
	for r, x := range c.Numbers {
		if t.Kept[r].Labelled && !t.Kept[r].Repeated && !math.IsNaN(x) {
			if points == nil {
				points = make([]point, 0, len(c.Numbers)-r)
			}
			points = append(points, point{x, r, t.Kept[r].Positive})
		}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	return points
}

func one(positive bool) int {
	if positive {
		return 1
	}
	return 0
}
