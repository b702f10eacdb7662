package table

import (
	"math"
	"slices"
)

const (
	// Labels are turned round in a level if what the other columns tell of the label outside of it ranks the rows inside the wrong way round: by at least
	// leastFlipped standard deviations of chance (Mann and Whitney), and with an area below the curve of at most mostFlipped, where that of the others is
	// leastRanked or more. Both have leastScaled rows, and leastRarer of each label.
	leastFlipped = 6
	mostFlipped  = .4
	leastRanked  = .6
	leastRarer   = 30
	// Labels are of other records in a level if the area is near one half inside: by severedDeviations standard deviations of chance, it is below half-way
	// to that of the others, which is severedRanked or more in rows that it was not made from.
	severedRanked     = .65
	severedDeviations = 4
	mostSevered       = .6
	// mostFlippable columns are looked at, of 2 to mostLevelsOf values each.
	mostFlippable = 12
	mostLevelsOf  = 12
	numberBins    = 4 // of a column of numbers, with equal numbers of rows
)

// Flipped is a part of the rows in which the labels are probably turned round, or, if Severed, have nothing to do with the other columns: those in which
// Column has the value Level, or, if Column is empty, the rows of the records From to To, of Of.
type Flipped struct {
	Severed      bool
	Column       string
	Level        uint64
	Rows         int
	From, To, Of int
}

// Flipped finds such a part. may says which columns are features; what they tell of the label is added up (naive Bayes), without the rows of the part itself.
func (t *Table) Flipped(may func(name string) bool) (found Flipped, is bool) {
	b := t.binned(may)
	if len(b.bins) == 0 {
		return found, false
	}
	var severed Flipped
	most := 0.
	for from := range fifth {
		for to := from + 1; to <= min(from+2, fifth); to++ { // half of the rows at most
			part := make([]int, len(b.rows))
			for at := range part {
				if of := at * fifth / len(part); of >= from && of < to {
					part[at] = 1
				}
			}
			of := Flipped{From: from * t.records / fifth, To: to * t.records / fifth, Of: t.records}
			rows, deviations, isSevered := b.turned(part, 1, -1)
			if of.Rows = rows; rows > 0 && deviations < most {
				most, found = deviations, of
			} else if isSevered && rows > severed.Rows {
				of.Severed = true
				severed = of
			}
		}
	}
	if most < 0 {
		return found, true
	}
	for k, name := range b.names {
		if len(b.levels[k]) < 2 || len(b.levels[k]) > mostLevelsOf || b.numeric[k] {
			continue
		}
		if b.looked++; b.looked > mostFlippable {
			break
		}
		for level, hash := range b.levels[k] {
			rows, _, isSevered := b.turned(b.bins[k], level, k)
			if !isSevered && rows > found.Rows {
				found, is = Flipped{Column: name, Level: hash, Rows: rows}, true
			} else if isSevered && rows > severed.Rows {
				severed = Flipped{Severed: true, Column: name, Level: hash, Rows: rows}
			}
		}
	}
	if !is && severed.Rows > 0 {
		return severed, true
	}
	return found, is
}

// binned are the rows with a label as small numbers: of each column the bin that a row lies in.
type binned struct {
	rows     []int
	positive []bool
	names    []string
	bins     [][]int
	levels   [][]uint64 // of a column of texts, by bin; one more bin is for rows without a value, and those beyond mostLevels
	numeric  []bool
	scores   []float64 // of all rows, by all columns
	looked   int
}

func (t *Table) binned(may func(name string) bool) *binned {
	b := &binned{}
	for r := range t.rows {
		if t.rows[r].labelled && !t.rows[r].repeated {
			b.rows, b.positive = append(b.rows, r), append(b.positive, t.rows[r].positive)
		}
	}
	if len(b.rows) < 2*leastScaled {
		return b
	}
	for c := range t.columns {
		column := &t.columns[c]
		if !may(column.name) {
			continue
		}
		bins, levels := make([]int, len(b.rows)), []uint64(nil)
		numeric := !column.isText()
		if numeric {
			ends := column.quantiles(b.rows)
			for at, r := range b.rows {
				if bins[at] = numberBins; !math.IsNaN(column.numbers[r]) {
					bins[at], _ = slices.BinarySearch(ends, column.numbers[r])
				}
			}
		} else {
			places := map[uint64]int{}
			for at, r := range b.rows {
				hash := column.hashes[r]
				place, known := places[hash]
				if !known && hash != 0 && len(places) < mostLevels {
					place, known = len(places), true
					places[hash] = place
					levels = append(levels, hash)
				}
				if bins[at] = place; !known {
					bins[at] = mostLevels
				}
			}
		}
		b.names, b.bins, b.levels, b.numeric = append(b.names, column.name), append(b.bins, bins), append(b.levels, levels), append(b.numeric, numeric)
	}
	b.scores = b.scored(func(int) bool { return true }, -1)
	return b
}

// quantiles bound the bins of a column of numbers.
func (c *column) quantiles(rows []int) (ends []float64) {
	var x []float64
	for _, r := range rows {
		if v := c.numbers[r]; !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	if len(x) == 0 {
		return nil
	}
	slices.Sort(x)
	for q := 1; q < numberBins; q++ {
		ends = append(ends, x[q*(len(x)-1)/numberBins])
	}
	return slices.Compact(ends)
}

// turned is how many rows a part has if the columns but one rank its labels the wrong way round, else 0, and by how many standard deviations they do. Rows
// whose labels they do not rank at all are severed.
func (b *binned) turned(part []int, of, but int) (rows int, deviations float64, severed bool) {
	inside, positive := 0, 0
	for at, p := range part {
		if p == of {
			inside++
			if b.positive[at] {
				positive++
			}
		}
	}
	if inside < leastScaled || len(part)-inside < leastScaled || 2*inside > len(part) || min(positive, inside-positive) < leastRarer {
		return 0, 0, false
	}
	in := func(at int) bool { return part[at] == of }
	if area, _ := b.ranked(b.scores, in); area > mostSevered { // even with its own rows
		return 0, 0, false
	}
	scores := b.scored(func(at int) bool { return !in(at) }, but)
	area, deviations := b.ranked(scores, in)
	if area <= mostFlipped && deviations <= -leastFlipped {
		if outside, _ := b.ranked(scores, func(at int) bool { return !in(at) }); outside >= leastRanked {
			return inside, deviations, false
		}
	}
	if n, m := float64(inside-positive), float64(positive); area >= mostFlipped && area+severedDeviations*math.Sqrt((n+m+1)/(12*n*m)) <= b.halfWay(in, but) {
		return inside, 0, true
	}
	return 0, 0, false
}

// halfWay is half-way between one half and the area that the columns but one have outside of a part, in every other row by what the others tell; 0 if they
// tell little there.
func (b *binned) halfWay(in func(at int) bool, but int) float64 {
	scores := b.scored(func(at int) bool { return !in(at) && at%2 == 0 }, but)
	outside, _ := b.ranked(scores, func(at int) bool { return !in(at) && at%2 == 1 })
	if outside < severedRanked {
		return 0
	}
	return .5 + (outside-.5)/2
}

// scored is what the columns but one tell of each row's label, added up, by what they tell in the rows of others.
func (b *binned) scored(others func(at int) bool, but int) []float64 {
	scores := make([]float64, len(b.rows))
	for k := range b.bins {
		if k == but {
			continue
		}
		var counts [mostLevels + 1][2]float64
		var all [2]float64
		for at, bin := range b.bins[k] {
			if others(at) {
				counts[bin][place(b.positive[at])]++
				all[place(b.positive[at])]++
			}
		}
		var weights [mostLevels + 1]float64
		for bin, n := range counts {
			if n[0]+n[1] > 0 {
				weights[bin] = math.Log((n[1] + 1) / (all[1] + 2) * (all[0] + 2) / (n[0] + 1))
			}
		}
		for at, bin := range b.bins[k] {
			scores[at] += weights[bin]
		}
	}
	return scores
}

func place(positive bool) int {
	if positive {
		return 1
	}
	return 0
}

// ranked is the area below the curve of the scores of some rows, and by how many standard deviations of chance it is off one half. Equal scores count half.
func (b *binned) ranked(scores []float64, in func(at int) bool) (area, deviations float64) {
	var of [2][]float64
	for at, score := range scores {
		if in(at) {
			of[place(b.positive[at])] = append(of[place(b.positive[at])], score)
		}
	}
	n, m := float64(len(of[0])), float64(len(of[1]))
	if n == 0 || m == 0 {
		return .5, 0
	}
	slices.Sort(of[0])
	for _, score := range of[1] {
		below, _ := slices.BinarySearch(of[0], score)
		upTo, _ := slices.BinarySearch(of[0], math.Nextafter(score, math.Inf(1)))
		area += float64(below+upTo) / 2
	}
	area /= n * m
	return area, (area - .5) / math.Sqrt((n+m+1)/(12*n*m))
}
