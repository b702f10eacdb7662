package pairs

import (
	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Cells are shifted if leastShifted rows and mostShifted of all have in one column texts that are of another: there at least two of them are
	// frequent, commonThere of its rows, and here each is rare, rareHere.
	leastShifted = 10
	mostShifted  = .2
	commonThere  = .05
	rareHere     = .05
)

// Shifted is the pair of columns, among those that may be meant, of which the first has most texts of the second, and in how many rows.
func Shifted(t *table.Table, may func(name string) bool) (here, there string, rows int) {
	for i := range t.Columns {
		for j := range t.Columns {
			a, b := &t.Columns[i], &t.Columns[j]
			if i == j || !may(a.Name) || !may(b.Name) {
				continue
			}
			if n := foreign(t, a, b); n > rows {
				here, there, rows = a.Name, b.Name, n
			}
		}
	}
	return here, there, rows
}

// foreign is how many rows of a have texts of b, 0 if these may be of a, too.
func foreign(t *table.Table, a, b *table.Column) (rows int) {
	own, others := a.Texts(), b.Texts()
	if len(own) > table.MostTexts || len(others) > table.MostTexts {
		return 0
	}
	values, elsewhere := float64(a.Values()), float64(b.Values())
	kinds := 0
	for hash, n := range own {
		switch common := float64(others[hash]) >= commonThere*elsewhere; {
		case others[hash] > 0 && float64(n) >= rareHere*values: // both columns have it
			return 0
		case common:
			kinds, rows = kinds+1, rows+n
		}
	}
	if kinds < 2 || rows < leastShifted || float64(rows) > mostShifted*float64(len(t.Kept)) {
		return 0
	}
	return rows
}
