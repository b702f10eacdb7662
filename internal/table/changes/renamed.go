package changes

import (
	"math"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// The first and the last two fifths are compared. A text is gone if leastGone of the rows with a value have it in one of them, at least goneRows, and none
	// in the other. One other text took its place if it has grown by leastTaken of that or more, and by takenDeviations standard deviations of chance: a new
	// text alone makes all others rarer, and one of them by chance most.
	leastGone       = .08
	goneRows        = 40
	leastTaken      = .75
	takenDeviations = 5
)

// Renamed finds texts of a column that have another name on the way: one that all rows stop to have, or begin to, and one that takes, or gave, its place.
func Renamed(t *table.Table, name string) (gone, taken uint64, share float64, found bool) {
	c := t.Column(name)
	n := 2 * len(t.Kept) / table.Fifth
	if c == nil || n < table.Enough || !c.IsText() {
		return 0, 0, 0, false
	}
	first, last := c.Part(0, n), c.Part(len(t.Kept)-n, len(t.Kept))
	was, is := first.Texts(), last.Texts()
	of, to := float64(first.Values()), float64(last.Values())
	if min(of, to) < table.Enough || min(len(was), len(is)) < 2 || max(len(was), len(is)) > table.MostTexts {
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
