package pairs

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Two columns of numbers are exchanged where the one that is mostly the larger is mostly the smaller one: from mostlyLarger of the rows to seldomLarger.
	// There each is distributed as the other is elsewhere, and leastMoved apart from what it is itself elsewhere (Kolmogorov and Smirnov's distance).
	mostlyLarger = .8
	seldomLarger = .2
	leastMoved   = .3
	// They may be exchanged in leastMixed rows anywhere, too. Then their difference is there what it is elsewhere but for the sign.
	leastMixed = 15
	// Two samples of one distribution are surelyAlike times as far apart once in 1,000 times, not once in 100.
	surelyAlike = 1.2
	// mostExchangeable columns of numbers are looked at.
	mostExchangeable = 24
)

// Exchange is two columns that are exchanged in some rows: where Category has the value Level, or anywhere if Category is empty.
type Exchange struct {
	First, Second string
	Category      string
	Level         uint64
	Rows          int
}

// Exchanged finds two columns of many different numbers, among those that may be meant, that are exchanged in a part of the rows: in a value of a category, or
// anywhere.
func Exchanged(t *table.Table, may, category func(name string) bool) (most Exchange, found bool) {
	var numbers []int
	for k := range t.Columns {
		if c := &t.Columns[k]; may(c.Name) && len(numbers) < mostExchangeable {
			numbers = append(numbers, k)
		}
	}
	larger := make([]int8, len(t.Kept)) // of two numbers the first: 1, the second: -1, none: 0
	for j, second := range numbers {
		for _, first := range numbers[:j] {
			a, b := &t.Columns[first], &t.Columns[second]
			all, of := 0, 0
			for r := range larger {
				larger[r] = 0
				switch x, y := a.Numbers[r], b.Numbers[r]; {
				case x > y:
					larger[r] = 1
					all, of = all+1, of+1
				case x < y:
					larger[r] = -1
					of++
				}
			}
			for k, coding := range t.Coded() {
				if coding.Places == nil || !category(t.Columns[k].Name) {
					continue
				}
				if level, rows := exchangedIn(&coding, a, b, larger); rows > most.Rows {
					most, found = Exchange{a.Name, b.Name, t.Columns[k].Name, level, rows}, true
				}
			}
			if rows := mixed(a, b, larger, all, of); rows > most.Rows && most.Category == "" {
				most, found = Exchange{First: a.Name, Second: b.Name, Rows: rows}, true
			}
		}
	}
	return most, found
}

// exchangedIn is the level in which two columns are exchanged, and its rows; 0 if there is none.
func exchangedIn(c *table.Coding, a, b *table.Column, larger []int8) (level uint64, most int) {
	counts := make([][2]int, len(c.Levels)+1) // those where the first is larger, and all with two different numbers
	all, of := 0, 0
	for r, place := range c.Places {
		if place == 0 || larger[r] == 0 {
			continue
		}
		of++
		counts[place][1]++
		if larger[r] == 1 {
			all++
			counts[place][0]++
		}
	}
	for at, hash := range c.Levels {
		place := uint8(at + 1)
		in := counts[place]
		if in[1] < table.Enough || 2*in[1] > of || in[1] <= most || !turnedRound(float64(in[0])/float64(in[1]), float64(all-in[0])/float64(of-in[1])) {
			continue
		}
		inside := func(r int) bool { return c.Places[r] == place && larger[r] != 0 }
		outside := func(r int) bool { return c.Places[r] != place && c.Places[r] != 0 && larger[r] != 0 }
		if crossed(a, b, inside, outside, leastMoved) {
			level, most = hash, in[1]
		}
	}
	return level, most
}

// turnedRound says whether what is mostly so elsewhere is mostly not so inside.
func turnedRound(inside, elsewhere float64) bool {
	return inside <= seldomLarger && elsewhere >= mostlyLarger || inside >= mostlyLarger && elsewhere <= seldomLarger
}

// mixed is in how many rows anywhere two columns are exchanged.
func mixed(a, b *table.Column, larger []int8, all, of int) int {
	few, sign := all, int8(1)
	if 2*all > of {
		few, sign = of-all, -1
	}
	if few < leastMixed || float64(few) > seldomLarger*float64(of) {
		return 0
	}
	inside := func(r int) bool { return larger[r] == sign }
	outside := func(r int) bool { return larger[r] == -sign }
	var here, there []float64
	for r := range larger {
		switch difference := math.Abs(a.Numbers[r] - b.Numbers[r]); {
		case inside(r):
			here = append(here, difference)
		case outside(r):
			there = append(there, difference)
		}
	}
	slices.Sort(here)
	slices.Sort(there)
	if table.Apart(here, there, 1) > table.Deviations(len(here), len(there)) || !crossed(a, b, inside, outside, leastApart) {
		return 0
	}
	return few
}

// crossed says whether each of two columns is inside what the other is elsewhere, and not what it is itself there.
func crossed(a, b *table.Column, inside, outside func(row int) bool, least float64) bool {
	numbers := func(c *table.Column, in func(row int) bool) (x []float64) {
		for r, v := range c.Numbers {
			if in(r) {
				x = append(x, v)
			}
		}
		slices.Sort(x)
		return x
	}
	aIn, bIn, aOut, bOut := numbers(a, inside), numbers(b, inside), numbers(a, outside), numbers(b, outside)
	most := surelyAlike * table.Deviations(len(aIn), len(aOut))
	return min(table.Apart(aIn, aOut, 1), table.Apart(bIn, bOut, 1)) >= least && max(table.Apart(aIn, bOut, 1), table.Apart(bIn, aOut, 1)) <= most
}
