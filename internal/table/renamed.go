package table

import (
	"math"
	"slices"
)

const (
	// The first and the last two fifths are compared. A text is gone if leastGone of the rows with a value have it in one of them, at least goneRows, and none
	// in the other. One other text took its place if it has grown by leastTaken of that or more, and by takenDeviations standard deviations of chance: a new
	// text alone makes all others rarer, and one of them by chance most.
	leastGone       = .08
	goneRows        = 40
	leastTaken      = .75
	takenDeviations = 5
	// Numbers are rounded in one of them if nearly all there, mostlyRound, are whole multiples, and at most fewRound in the other.
	mostlyRound = .97
	fewRound    = .3
	leastRound  = 5 // different ones
)

// Renamed finds texts of a column that have another name on the way: one that all rows stop to have, or begin to, and one that takes, or gave, its place.
func (t *Table) Renamed(name string) (gone, taken uint64, share float64, found bool) {
	c := t.of(name)
	n := 2 * len(t.rows) / fifth
	if c == nil || n < leastScaled || !c.isText() {
		return 0, 0, 0, false
	}
	first, last := c.part(0, n), c.part(len(t.rows)-n, len(t.rows))
	was, is := first.texts(), last.texts()
	of, to := float64(first.values()), float64(last.values())
	if of < leastScaled || to < leastScaled || len(was) < 2 || len(is) < 2 || len(was) > mostTexts || len(is) > mostTexts {
		return 0, 0, 0, false
	}
	if gone, taken, share = replaced(was, is, of, to); share > 0 {
		return gone, taken, share, true
	}
	// the other way round: one text of the first rows becomes two
	if gone, taken, share = replaced(is, was, to, of); share > 0 {
		return taken, gone, share, true
	}
	return 0, 0, 0, false
}

// replaced finds the most frequent text that is not among others, and what has grown by as much as all such texts together.
func replaced(texts, others map[uint64]int, all, ofOthers float64) (gone, taken uint64, share float64) {
	lost := 0.
	for hash, rows := range texts {
		of := float64(rows) / all
		if rows < goneRows || of < leastGone || others[hash] > 0 {
			continue
		}
		if lost += of; rows > texts[gone] || rows == texts[gone] && hash < gone {
			gone = hash
		}
	}
	if lost == 0 {
		return 0, 0, 0
	}
	most := 0.
	for hash, rows := range others {
		if grown := float64(rows)/ofOthers - float64(texts[hash])/all; grown > most || grown == most && hash < taken {
			most, taken = grown, hash
		}
	}
	of := float64(others[taken]+texts[taken]) / (all + ofOthers)
	if most < leastTaken*lost || most < takenDeviations*math.Sqrt(of*(1-of)*(1/all+1/ofOthers)) {
		return 0, 0, 0
	}
	return gone, taken, lost
}

// Rounded finds numbers that are rounded to a power of ten in the first two fifths of the rows alone, or in the last.
func (t *Table) Rounded(name string) (to float64, last, found bool) {
	c := t.of(name)
	n := 2 * len(t.rows) / fifth
	if c == nil || n < leastScaled {
		return 0, false, false
	}
	parts := [2]*column{c.part(0, n), c.part(len(t.rows)-n, len(t.rows))}
	for _, power := range []float64{1, 10, 100, 1000} {
		var round [2]float64
		for p, part := range parts {
			whole, all := 0, 0
			for _, x := range part.numbers {
				if math.IsNaN(x) || x == 0 {
					continue
				}
				if all++; math.Mod(x, power) == 0 {
					whole++
				}
			}
			if all < leastScaled {
				return 0, false, false
			}
			round[p] = float64(whole) / float64(all)
		}
		if max(round[0], round[1]) < mostlyRound {
			break // then to no larger power, too
		}
		low := slices.Index(round[:], min(round[0], round[1]))
		if round[low] <= fewRound && round[1-low] >= mostlyRound && distinctOf(parts[1-low]) >= leastRound {
			to, last, found = power, low == 0, true
		}
	}
	return to, last, found
}
