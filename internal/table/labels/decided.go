package labels

import (
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// A column of numbers decides in a part of table.Enough rows, with leastRarer of each label, if a threshold is wrong in fewWrong of these at most, and any
	// threshold in manyWrong of the rarer label elsewhere at least.
	fewWrong  = .005
	manyWrong = .4
	// mostDeciding columns are looked at.
	mostDeciding = 24
)

// Rule is a part of the rows in which a threshold of one column tells every label: those in which Column has the value Level, or, if Column is empty,
// the rows of the records From to To, of Of.
type Rule struct {
	By           string
	Column       string
	Level        uint64
	Rows         int
	From, To, Of int
}

// Decided finds such a part. The column that decides is one of many different numbers.
func Decided(t *table.Table, may, category func(name string) bool) (most Rule, found bool) {
	parts := append(slices.Clone(t.Coded()), t.Fifths())
	inside, outside := make([]point, 0, len(t.Kept)), make([]point, 0, len(t.Kept))
	looked := 0
	for k := range t.Columns {
		c := &t.Columns[k]
		if !may(c.Name) || looked == mostDeciding {
			continue
		}
		looked++
		points := pointsOf(t, c)
		for p, part := range parts {
			if part.Places == nil || p < len(t.Columns) && !category(t.Columns[p].Name) {
				continue
			}
			rows := make([]int, len(part.Levels)+1)
			for _, point := range points {
				rows[part.Places[point.row]]++
			}
			for at, level := range part.Levels {
				in := rows[at+1]
				if in < table.Enough || 2*in > len(points) || in <= most.Rows {
					continue
				}
				inside, outside = inside[:0], outside[:0]
				for _, point := range points {
					if part.Places[point.row] == uint8(at+1) {
						inside = append(inside, point)
					} else {
						outside = append(outside, point)
					}
				}
				if wrong, rarer := stump(inside); rarer < leastRarer || wrong > fewWrong*float64(in) {
					continue
				}
				if wrong, rarer := stump(outside); wrong < manyWrong*rarer {
					continue
				}
				most, found = Rule{By: c.Name, Rows: in}, true
				if p < len(t.Columns) {
					most.Column, most.Level = t.Columns[p].Name, level
				} else {
					most.From, most.To, most.Of = at*t.Records/table.Fifth, (at+1)*t.Records/table.Fifth, t.Records
				}
			}
		}
	}
	return most, found
}

// stump is how often the best threshold is wrong, and how many points have the rarer label.
func stump(points []point) (wrong, rarer float64) {
	positive := 0
	for _, p := range points {
		positive += one(p.positive)
	}
	n := len(points)
	least, below := min(positive, n-positive), 0
	rarer = float64(least)
	for i, p := range points {
		if i > 0 && p.x != points[i-1].x {
			upper := below + (n - i) - (positive - below) // those above are called positive
			least = min(least, upper, n-upper)
		}
		below += one(p.positive)
	}
	return float64(least), rarer
}
