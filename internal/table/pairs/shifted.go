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
	var columns []texts
	for i := range t.Columns {
		c := &t.Columns[i]
		if !may(c.Name) {
			continue
		}
		if of := textsOf(c); len(of.counts) <= table.MostTexts {
			columns = append(columns, of)
		}
	}
	for i := range columns {
		for j := range columns {
			if i == j {
				continue
			}
			if n := foreign(t, columns[i], columns[j]); n > rows {
				here, there, rows = columns[i].name, columns[j].name, n
			}
		}
	}
	return here, there, rows
}

// texts are those of a column, and in how many rows each is, of those with a value.
type texts struct {
	name   string
	counts map[uint64]int
	values float64
}

func textsOf(c *table.Column) texts { return texts{c.Name, c.Texts(), float64(c.Values())} }

// foreign is how many rows of a have texts of b, 0 if these may be of a, too.
func foreign(t *table.Table, a, b texts) (rows int) {
	kinds := 0
	for hash, n := range a.counts {
		there := b.counts[hash]
		switch common := float64(there) >= commonThere*b.values; {
		case there > 0 && float64(n) >= rareHere*a.values: // both columns have it
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
