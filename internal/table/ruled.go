package table

import (
	"cmp"
	"math"
	"slices"
)

const (
	// All rows of a level have one label by a rule, rather than by chance, if they are leastOf or more, chance would have brought leastOther of the other,
	// and each other level of leastOthers rows or more has that label at least mostlyLike times as often as all of them together.
	leastOther  = 25
	leastOthers = 30
	mostlyLike  = .6
)

// Settled is the level of a column whose rows all have one label, though those of all others have both.
func (t *Table) Settled(name string) (most Level, positive, found bool) {
	c := t.of(name)
	if c == nil {
		return most, false, false
	}
	levels, all := t.byLabel(c)
	for hash, level := range levels {
		of := level.Positive > 0
		if level.Rows < leastOf || of && level.Positive < level.Rows || level.Rows < most.Rows || level.Rows == most.Rows && hash > most.Hash {
			continue
		}
		other := func(l Level) float64 { // rows with the other label
			if of {
				return float64(l.Rows - l.Positive)
			}
			return float64(l.Positive)
		}
		share := other(all) / float64(all.Rows-level.Rows)
		alike := 0
		for _, l := range levels {
			if l.Hash != hash && l.Rows >= leastOthers {
				if alike++; other(l) < mostlyLike*share*float64(l.Rows) {
					alike = math.MinInt32
				}
			}
		}
		if alike >= 2 && share*float64(level.Rows) >= leastOther {
			most, positive, found = level, of, true
		}
	}
	return most, positive, found
}

const (
	// At a threshold the share of positive labels jumps if it differs by leastJump and leastJumps standard deviations of chance between the jumpWindow rows
	// below and above it, or a sixteenth of all, and by mostSlope of that at most between these rows and as many beyond them. Most numbers in all four
	// windows are different, ownNumbers: prices, grades and years have steps of their own.
	leastJump  = .15
	leastJumps = 5.5
	jumpWindow = 100
	mostSlope  = .4
	ownNumbers = .5
)

// Jump is the number at which the share of positive labels jumps, and the shares below it and above.
func (t *Table) Jump(name string) (at, below, above float64, found bool) {
	c := t.of(name)
	if c == nil {
		return 0, 0, 0, false
	}
	points := t.points(c)
	window := max(jumpWindow, len(points)/16)
	if len(points) < 4*window {
		return 0, 0, 0, false
	}
	positive, different := make([]int, len(points)+1), make([]int, len(points)+1) // before each place
	for i, p := range points {
		positive[i+1], different[i+1] = positive[i]+place(p.positive), different[i]
		if i == 0 || p.x != points[i-1].x {
			different[i+1]++
		}
	}
	share := func(from, to int) float64 { return float64(positive[to]-positive[from]) / float64(to-from) }
	most := leastJumps
	for i := 2 * window; i <= len(points)-2*window; i++ {
		if points[i].x == points[i-1].x || float64(different[i+2*window]-different[i-2*window]) < ownNumbers*4*float64(window) {
			continue
		}
		left, right := share(i-window, i), share(i, i+window)
		jump := math.Abs(right - left)
		both := (left + right) / 2
		if z := jump / math.Sqrt(2*both*(1-both)/float64(window)); jump < leastJump || z < most ||
			math.Abs(share(i-2*window, i-window)-left) > mostSlope*jump || math.Abs(share(i+window, i+2*window)-right) > mostSlope*jump {
			continue
		} else {
			most, at, below, above, found = z, points[i].x, left, right, true
		}
	}
	return at, below, above, found
}

// point is a row with a number and a label.
type point struct {
	x        float64
	row      int
	positive bool
}

// points are the rows with a number in a column and a label, the smallest number first.
func (t *Table) points(c *column) (points []point) {
	for r, x := range c.numbers {
		if t.rows[r].labelled && !t.rows[r].repeated && !math.IsNaN(x) {
			points = append(points, point{x, r, t.rows[r].positive})
		}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	return points
}

const (
	// A column of numbers decides in a part of leastScaled rows, with leastRarer of each label, if a threshold is wrong in fewWrong of these at most, and any
	// threshold in manyWrong of the rarer label elsewhere at least.
	fewWrong  = .005
	manyWrong = .4
)

// Decided is a part of the rows in which a threshold of one column tells every label: those in which Column has the value Level, or, if Column is empty,
// the rows of the records From to To, of Of.
type Decided struct {
	By           string
	Column       string
	Level        uint64
	Rows         int
	From, To, Of int
}

// Decided finds such a part. The column that decides is one of many different numbers.
func (t *Table) Decided(may, category func(name string) bool) (most Decided, found bool) {
	parts := append(slices.Clone(t.coded()), t.fifths())
	looked := 0
	for k := range t.columns {
		c := &t.columns[k]
		if !may(c.name) || looked == mostExchangeable {
			continue
		}
		looked++
		points := t.points(c)
		for p, part := range parts {
			if part.places == nil || p < len(t.columns) && !category(t.columns[p].name) {
				continue
			}
			inside := make([][]point, len(part.levels)+1)
			for _, point := range points {
				place := part.places[point.row]
				inside[place] = append(inside[place], point)
			}
			for at, level := range part.levels {
				in := inside[at+1]
				if len(in) < leastScaled || 2*len(in) > len(points) || len(in) <= most.Rows {
					continue
				}
				if wrong, rarer := stump(in); rarer < leastRarer || wrong > fewWrong*float64(len(in)) {
					continue
				}
				if wrong, rarer := stump(slices.DeleteFunc(slices.Clone(points), func(p point) bool { return part.places[p.row] == uint8(at+1) })); wrong < manyWrong*rarer {
					continue
				}
				most, found = Decided{By: c.name, Rows: len(in)}, true
				if p < len(t.columns) {
					most.Column, most.Level = t.columns[p].name, level
				} else {
					most.From, most.To, most.Of = at*t.records/fifth, (at+1)*t.records/fifth, t.records
				}
			}
		}
	}
	return most, found
}

// fifths are the rows in five parts of their order.
func (t *Table) fifths() coding {
	of := coding{places: make([]uint8, len(t.rows)), levels: make([]uint64, fifth)}
	for r := range of.places {
		of.places[r] = uint8(1 + r*fifth/len(t.rows))
	}
	return of
}

// stump is how often the best threshold is wrong, and how many points have the rarer label.
func stump(points []point) (wrong, rarer float64) {
	positive := 0
	for _, p := range points {
		positive += place(p.positive)
	}
	n := len(points)
	least, below := min(positive, n-positive), 0
	rarer = float64(least)
	for i, p := range points {
		if i > 0 && p.x != points[i-1].x {
			upper := below + (n - i) - (positive - below) // those above are called positive
			least = min(least, upper, n-upper)
		}
		below += place(p.positive)
	}
	return float64(least), rarer
}
