package table

import (
	"cmp"
	"math"
	"slices"
)

const (
	// The hours of the day of some rows are those of the others, turned by some hours, if the two are at most turnNoise times what chance brings apart once
	// they are turned back, and leastTurn and turnApart times that limit as they are. The distance is half the sum of the absolute differences of their
	// shares. leastHours different ones occur, and none in more than half of the rows: dates alone are at midnight.
	hours      = 24
	leastHours = 8
	leastTurn  = .25
	turnNoise  = .6
	turnApart  = 1.25
)

// Clock is by how many hours the times of some rows are off: where Category has the value Level, or from some time on if Category is empty.
type Clock struct {
	Category string
	Level    uint64
	Hours    int
}

// Clock finds times of another zone in a column.
func (t *Table) Clock(name string, may func(name string) bool) (found Clock, is bool) {
	c := t.of(name)
	if c == nil {
		return found, false
	}
	var rows []int
	var all hourly
	for r, at := range c.numbers {
		if !math.IsNaN(at) {
			rows = append(rows, r)
			all.add(at)
		}
	}
	if all.n < 2*leastScaled || all.different() < leastHours || 2*slices.Max(all.of[:]) > all.n {
		return found, false
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(c.numbers[a], c.numbers[b]) })
	var first, last hourly
	for i, r := range rows {
		switch {
		case fifth*i < 2*len(rows):
			first.add(c.numbers[r])
		case fifth*i >= 3*len(rows):
			last.add(c.numbers[r])
		}
	}
	if by := last.turnedFrom(&first); by != 0 {
		return Clock{Hours: by}, true
	}
	for k, coding := range t.coded() {
		if coding.places == nil || !may(t.columns[k].name) {
			continue
		}
		for at, level := range coding.levels {
			var inside, outside hourly
			for _, r := range rows {
				if coding.places[r] == uint8(at+1) {
					inside.add(c.numbers[r])
				} else {
					outside.add(c.numbers[r])
				}
			}
			if 2*inside.n > all.n {
				continue
			}
			if by := inside.turnedFrom(&outside); by != 0 {
				return Clock{t.columns[k].name, level, by}, true
			}
		}
	}
	return found, false
}

// Halved says whether the times of a column probably lack the half of the day that they are in: their hours are 1 to 12, and most of them occur.
func (t *Table) Halved(name string) bool {
	c := t.of(name)
	if c == nil {
		return false
	}
	var all hourly
	for _, at := range c.numbers {
		if !math.IsNaN(at) {
			all.add(at)
		}
	}
	early := all.of[0] == 0 && all.of[12] > 0
	for _, n := range all.of[13:] {
		early = early && n == 0
	}
	return early && all.n >= leastScaled && all.different() >= leastHours
}

const (
	// A time stands for "not known" if it is the first or the last of all, leastEdge rows have it, and it is farther from the others than these are apart.
	leastEdge = 10
)

// Edge is a time that is far from all others of a column and that many rows have, and how many.
func (t *Table) Edge(name string) (at float64, rows int) {
	c := t.of(name)
	if c == nil {
		return 0, 0
	}
	x := slices.DeleteFunc(slices.Clone(c.numbers), math.IsNaN)
	if len(x) < leastScaled {
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

// hourly counts times by the hour of their day.
type hourly struct {
	of [hours]int
	n  int
}

func (h *hourly) add(at float64) {
	h.of[((int64(at)/3600)%hours+hours)%hours]++
	h.n++
}

func (h *hourly) different() (n int) {
	for _, of := range h.of {
		if of > 0 {
			n++
		}
	}
	return n
}

// turnedFrom is by how many hours these are later than others, from -11 to 12, 0 if they are the same or differ otherwise.
func (h *hourly) turnedFrom(others *hourly) (by int) {
	least := turnNoise * math.Sqrt(hours*(1/float64(h.n)+1/float64(others.n)))
	if min(h.n, others.n) < leastScaled || h.apart(others, 0) < max(leastTurn, turnApart*least) {
		return 0
	}
	for turn := 1; turn < hours; turn++ {
		if d := h.apart(others, turn); d < least {
			least, by = d, turn
		}
	}
	if by > hours/2 {
		by -= hours
	}
	return by
}

func (h *hourly) apart(others *hourly, turn int) (sum float64) {
	for hour, n := range others.of {
		sum += math.Abs(float64(h.of[(hour+turn)%hours])/float64(h.n)-float64(n)/float64(others.n)) / 2
	}
	return sum
}

// Later says of two columns of times in how many rows each is the later one, of those that have two different ones.
func (t *Table) Later(first, second string) (firstLater, secondLater int) {
	a, b := t.of(first), t.of(second)
	if a == nil || b == nil {
		return 0, 0
	}
	for r, x := range a.numbers {
		switch y := b.numbers[r]; {
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
func (t *Table) Backwards(name string) Order {
	c := t.of(name)
	if c == nil {
		return AnyOrder
	}
	x := slices.DeleteFunc(slices.Clone(c.numbers), math.IsNaN)
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
	case up+down < leastScaled || x[len(x)-1] >= x[0]:
		return AnyOrder
	case mostAgainst*up <= down:
		return NewestFirst
	case mostAgainst*down <= up:
		return LaterFirst
	}
	return AnyOrder
}
