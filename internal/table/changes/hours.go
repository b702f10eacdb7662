package changes

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
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

// Turn is by how many hours the times of some rows are off: where Category has the value Level, or from some time on if Category is empty.
type Turn struct {
	Category string
	Level    uint64
	Hours    int
}

// hourly counts times by the hour of their day.
type hourly struct {
	of [hours]int
	n  int
}

func (h *hourly) add(at float64) {
	h.of[(int64(math.Floor(at/3600))%hours+hours)%hours]++ // before 1970, too
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
	if min(h.n, others.n) < table.Enough || h.apart(others, 0) < max(leastTurn, turnApart*least) {
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

// Clock finds times of another zone in a column.
func Clock(t *table.Table, name string, may func(name string) bool) (found Turn, is bool) {
	c := t.Column(name)
	if c == nil {
		return found, false
	}
	var rows []int
	var all hourly
	for r, at := range c.Numbers {
		if !math.IsNaN(at) {
			rows = append(rows, r)
			all.add(at)
		}
	}
	if all.n < 2*table.Enough || all.different() < leastHours || 2*slices.Max(all.of[:]) > all.n {
		return found, false
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(c.Numbers[a], c.Numbers[b]) })
	var first, last hourly
	for i, r := range rows {
		switch {
		case table.Fifth*i < 2*len(rows):
			first.add(c.Numbers[r])
		case table.Fifth*i >= 3*len(rows):
			last.add(c.Numbers[r])
		}
	}
	if by := last.turnedFrom(&first); by != 0 {
		return Turn{Hours: by}, true
	}
	for k, coding := range t.Coded() {
		if coding.Places == nil || !may(t.Columns[k].Name) {
			continue
		}
		for at, level := range coding.Levels {
			var inside, outside hourly
			for _, r := range rows {
				if coding.Places[r] == uint8(at+1) {
					inside.add(c.Numbers[r])
				} else {
					outside.add(c.Numbers[r])
				}
			}
			if 2*inside.n > all.n {
				continue
			}
			if by := inside.turnedFrom(&outside); by != 0 {
				return Turn{t.Columns[k].Name, level, by}, true
			}
		}
	}
	return found, false
}

// Halved says whether the times of a column probably lack the half of the day that they are in: their hours are 1 to 12, and most of them occur.
func Halved(t *table.Table, name string) bool {
	c := t.Column(name)
	if c == nil {
		return false
	}
	var all hourly
	for _, at := range c.Numbers {
		if !math.IsNaN(at) {
			all.add(at)
		}
	}
	early := all.of[0] == 0 && all.of[12] > 0
	for _, n := range all.of[13:] {
		early = early && n == 0
	}
	return early && all.n >= table.Enough && all.different() >= leastHours
}
