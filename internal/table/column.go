package table

import (
	"math"
	"slices"
)

// Column has the values of a field in all rows.
type Column struct {
	Name    string
	Numbers []float64 // of dates the seconds since 1970, NaN of other texts
	Hashes  []uint64  // 0 where there is no value
}

// Fill has no values up to a row.
func (c *Column) Fill(rows int) {
	for len(c.Hashes) < rows {
		c.Hashes, c.Numbers = append(c.Hashes, 0), append(c.Numbers, math.NaN())
	}
}

// Values is how many rows have one.
func (c *Column) Values() (n int) {
	for _, hash := range c.Hashes {
		if hash != 0 {
			n++
		}
	}
	return n
}

// IsText says whether none of the values is a number or a time.
func (c *Column) IsText() bool {
	return !slices.ContainsFunc(c.Numbers, func(x float64) bool { return !math.IsNaN(x) })
}

// Varies says whether the rows have different values.
func (c *Column) Varies() bool {
	return slices.ContainsFunc(c.Hashes, func(hash uint64) bool { return hash != c.Hashes[0] })
}

// Part is a column with some of the rows.
func (c *Column) Part(from, to int) *Column {
	return &Column{Name: c.Name, Numbers: c.Numbers[from:to], Hashes: c.Hashes[from:to]}
}

// Sorted are the numbers of a column.
func (c *Column) Sorted() (numbers []float64) {
	for _, x := range c.Numbers {
		if !math.IsNaN(x) {
			numbers = append(numbers, x)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// Counts is how many rows have each value.
func (c *Column) Counts() map[uint64]int {
	counts := map[uint64]int{}
	for _, hash := range c.Hashes {
		if hash != 0 {
			counts[hash]++
		}
	}
	return counts
}

// MostTexts is how many different texts a column has at most of which something is said.
const MostTexts = 50

// Texts counts the rows by their text, up to one more than MostTexts.
func (c *Column) Texts() map[uint64]int {
	counts := map[uint64]int{}
	for r, hash := range c.Hashes {
		if hash != 0 && math.IsNaN(c.Numbers[r]) {
			if counts[hash]++; len(counts) > MostTexts {
				break
			}
		}
	}
	return counts
}

// Level is a value of a column: how many rows have it, and how many of these are positive.
type Level struct {
	Hash           uint64
	Number         float64 // NaN of a text
	Rows, Positive int
}

func (l *Level) add(positive bool) {
	l.Rows++
	if positive {
		l.Positive++
	}
}

// labelled are the levels of a column by label, and all rows with one.
type labelled struct {
	levels map[uint64]Level
	all    Level
}

// Coding is a column of texts with two to mostScales levels: for each row the place of its level from 1 on, 0 of none. It has no places where the column
// is another.
type Coding struct {
	Places []uint8
	Levels []uint64
}
