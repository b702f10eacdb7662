package table

import (
	"math"
	"slices"
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

// Exchanged is two columns that are exchanged in some rows: where Category has the value Level, or anywhere if Category is empty.
type Exchanged struct {
	First, Second string
	Category      string
	Level         uint64
	Rows          int
}

// Exchanged finds two columns of many different numbers, among those that may be meant, that are exchanged in a part of the rows: in a value of a category, or
// anywhere.
func (t *Table) Exchanged(may, category func(name string) bool) (most Exchanged, found bool) {
	var numbers []int
	for k := range t.columns {
		if c := &t.columns[k]; may(c.name) && len(numbers) < mostExchangeable {
			numbers = append(numbers, k)
		}
	}
	larger := make([]int8, len(t.rows)) // of two numbers the first: 1, the second: -1, none: 0
	for j, second := range numbers {
		for _, first := range numbers[:j] {
			a, b := &t.columns[first], &t.columns[second]
			all, of := 0, 0
			for r := range larger {
				larger[r] = 0
				switch x, y := a.numbers[r], b.numbers[r]; {
				case x > y:
					larger[r] = 1
					all, of = all+1, of+1
				case x < y:
					larger[r] = -1
					of++
				}
			}
			for k, coding := range t.coded() {
				if coding.places == nil || !category(t.columns[k].name) {
					continue
				}
				if level, rows := coding.exchanged(a, b, larger); rows > most.Rows {
					most, found = Exchanged{a.name, b.name, t.columns[k].name, level, rows}, true
				}
			}
			if rows := mixed(a, b, larger, all, of); rows > most.Rows && most.Category == "" {
				most, found = Exchanged{First: a.name, Second: b.name, Rows: rows}, true
			}
		}
	}
	return most, found
}

// exchanged is the level in which two columns are exchanged, and its rows; 0 if there is none.
func (c *coding) exchanged(a, b *column, larger []int8) (level uint64, most int) {
	counts := make([][2]int, len(c.levels)+1) // those where the first is larger, and all with two different numbers
	all, of := 0, 0
	for r, place := range c.places {
		if place == 0 || larger[r] == 0 {
			continue
		}
		of++
		counts[place][1]++
		if larger[r] > 0 {
			all++
			counts[place][0]++
		}
	}
	for at, hash := range c.levels {
		place := uint8(at + 1)
		in := counts[place]
		if in[1] < leastScaled || 2*in[1] > of || in[1] <= most || !turnedRound(float64(in[0])/float64(in[1]), float64(all-in[0])/float64(of-in[1])) {
			continue
		}
		inside := func(r int) bool { return c.places[r] == place && larger[r] != 0 }
		outside := func(r int) bool { return c.places[r] != place && c.places[r] != 0 && larger[r] != 0 }
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
func mixed(a, b *column, larger []int8, all, of int) int {
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
		switch difference := math.Abs(a.numbers[r] - b.numbers[r]); {
		case inside(r):
			here = append(here, difference)
		case outside(r):
			there = append(there, difference)
		}
	}
	slices.Sort(here)
	slices.Sort(there)
	if apart(here, there, 1) > deviations(len(here), len(there)) || !crossed(a, b, inside, outside, leastApart) {
		return 0
	}
	return few
}

// crossed says whether each of two columns is inside what the other is elsewhere, and not what it is itself there.
func crossed(a, b *column, inside, outside func(row int) bool, least float64) bool {
	numbers := func(c *column, in func(row int) bool) (x []float64) {
		for r, v := range c.numbers {
			if in(r) {
				x = append(x, v)
			}
		}
		slices.Sort(x)
		return x
	}
	aIn, bIn, aOut, bOut := numbers(a, inside), numbers(b, inside), numbers(a, outside), numbers(b, outside)
	most := surelyAlike * deviations(len(aIn), len(aOut))
	return apart(aIn, aOut, 1) >= least && apart(bIn, bOut, 1) >= least && apart(aIn, bOut, 1) <= most && apart(bIn, aOut, 1) <= most
}
