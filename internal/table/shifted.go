package table

import "math"

const (
	// Cells are shifted if leastShifted rows and mostShifted of all have in one column texts that are of another: there at least two of them are
	// frequent, commonThere of its rows, and here each is rare, rareHere.
	leastShifted = 10
	mostShifted  = .2
	commonThere  = .05
	rareHere     = .05
)

// Shifted is the pair of columns, among those that may be meant, of which the first has most texts of the second, and in how many rows.
func (t *Table) Shifted(may func(name string) bool) (here, there string, rows int) {
	for i := range t.columns {
		for j := range t.columns {
			a, b := &t.columns[i], &t.columns[j]
			if i == j || !may(a.name) || !may(b.name) {
				continue
			}
			if n := t.foreign(a, b); n > rows {
				here, there, rows = a.name, b.name, n
			}
		}
	}
	return here, there, rows
}

// foreign is how many rows of a have texts of b, 0 if these may be of a, too.
func (t *Table) foreign(a, b *column) (rows int) {
	own, others := a.texts(), b.texts()
	if len(own) > mostTexts || len(others) > mostTexts {
		return 0
	}
	values, elsewhere := float64(a.values()), float64(b.values())
	kinds := 0
	for hash, n := range own {
		switch common := float64(others[hash]) >= commonThere*elsewhere; {
		case others[hash] > 0 && float64(n) >= rareHere*values: // both columns have it
			return 0
		case common:
			kinds, rows = kinds+1, rows+n
		}
	}
	if kinds < 2 || rows < leastShifted || float64(rows) > mostShifted*float64(len(t.rows)) {
		return 0
	}
	return rows
}

// texts counts the rows by their text.
func (c *column) texts() map[uint64]int {
	counts := map[uint64]int{}
	for r, hash := range c.hashes {
		if hash != 0 && math.IsNaN(c.numbers[r]) {
			if counts[hash]++; len(counts) > mostTexts {
				break
			}
		}
	}
	return counts
}
