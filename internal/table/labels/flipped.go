package labels

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Labels are turned round in a level if what the other columns tell of the label outside of it ranks the rows inside the wrong way round: by at least
	// leastFlipped standard deviations of chance (Mann and Whitney), and with an area below the curve of at most mostFlipped, where that of the others is
	// leastRanked or more. Both have table.Enough rows, and leastRarer of each label.
	leastFlipped = 6
	mostFlipped  = .4
	leastRanked  = .6
	// Labels are of other records in a level if the area is near one half inside: by severedDeviations standard deviations of chance, it is below half-way
	// to that of the others, which is severedRanked or more in rows that it was not made from. And the columns do not rank the labels by what they tell inside:
	// not by ownDeviations. What tells of others may say little of the young, for example, of whom other columns tell.
	severedRanked     = .65
	ownDeviations     = 2
	severedDeviations = 4
	mostSevered       = .6
	// mostFlippable columns are looked at, of 2 to mostLevelsOf values each.
	mostFlippable = 12
	mostLevelsOf  = 12
)

// Flip is a part of the rows in which the labels are probably turned round, or, if Severed, have nothing to do with the other columns: those in which
// Column has the value Level, or, if Column is empty, the rows of the records From to To, of Of.
type Flip struct {
	Severed      bool
	Column       string
	Level        uint64
	Rows         int
	From, To, Of int
}

// Flipped finds such a part. may says which columns are features; what they tell of the label is added up (naive Bayes), without the rows of the part itself.
func Flipped(t *table.Table, may func(name string) bool) (found Flip, is bool) {
	b := binnedBy(t, may)
	if len(b.bins) == 0 {
		return found, false
	}
	var severed Flip
	most := 0.
	for from := range table.Fifth {
		for to := from + 1; to <= min(from+2, table.Fifth); to++ { // half of the rows at most
			part := make([]int, len(b.rows))
			for at := range part {
				if of := at * table.Fifth / len(part); of >= from && of < to {
					part[at] = 1
				}
			}
			of := Flip{From: from * t.Records / table.Fifth, To: to * t.Records / table.Fifth, Of: t.Records}
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
				found, is = Flip{Column: name, Level: hash, Rows: rows}, true
			} else if isSevered && rows > severed.Rows {
				severed = Flip{Severed: true, Column: name, Level: hash, Rows: rows}
			}
		}
	}
	if !is && severed.Rows > 0 {
		return severed, true
	}
	return found, is
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
	if inside < table.Enough || len(part)-inside < table.Enough || 2*inside > len(part) || min(positive, inside-positive) < leastRarer {
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
	if n, m := float64(inside-positive), float64(positive); area >= mostFlipped && area+severedDeviations*math.Sqrt((n+m+1)/(12*n*m)) <= b.halfWay(in, but) && !b.ownRanked(in, but) {
		return inside, 0, true
	}
	return 0, 0, false
}

// halfWay is half-way between one half and the area that the columns but one should have in a part by what they tell outside of it, in every other row by what
// the others tell; 0 if they tell little there.
func (b *binned) halfWay(in func(at int) bool, but int) float64 {
	scores := b.scored(func(at int) bool { return !in(at) && at%2 == 0 }, but)
	tested := func(at int) bool { return !in(at) && at%2 == 1 }
	outside, _ := b.ranked(scores, tested)
	if outside < severedRanked {
		return 0
	}
	return .5 + (min(outside, b.expected(scores, in, tested))-.5)/2
}

// expected is the area that scores would have in a part: see table.ExpectedArea.
func (b *binned) expected(scores []float64, in, elsewhere func(at int) bool) float64 {
	order := make([]int, len(scores))
	for at := range order {
		order[at] = at
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	return table.ExpectedArea(order, in, elsewhere, func(at int) bool { return b.positive[at] })
}

// ownRanked says whether the columns but one rank the labels of a part by what they tell inside it: of one half by the other.
func (b *binned) ownRanked(in func(at int) bool, but int) bool {
	sum := 0.
	for half := range 2 {
		scores := b.scored(func(at int) bool { return in(at) && at%2 == half }, but)
		_, deviations := b.ranked(scores, func(at int) bool { return in(at) && at%2 != half })
		sum += deviations
	}
	return sum > ownDeviations*math.Sqrt2
}
