package table

import (
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// leastNearly of the rows are copies but for one field.
	leastNearly = .1
	// Beside that and the one that shows it, leastCommon columns are the same in copies and not in all rows: fewer may be so by chance.
	leastCommon = 3
)

// Nearly finds the column, among those that may be meant, in which copies differ that are the same in all others: how many rows they are, and the column
// that shows that they are copies.
func (t *Table) Nearly(may func(name string) bool) (rows int, differing, shown string) {
	varying := 0
	for c := range t.columns {
		if may(t.columns[c].name) && t.columns[c].varies() {
			varying++
		}
	}
	if varying < leastCommon+2 {
		return 0, "", ""
	}
	for skip := range t.columns {
		if !may(t.columns[skip].name) || !t.mayBeCopies(skip, may) {
			continue
		}
		var copies profile.Copies
		var rec record.Record
		for r := range t.rows {
			rec.Positive = t.rows[r].positive
			rec.Features = rec.Features[:0]
			for c := range t.columns {
				if of := &t.columns[c]; c != skip && may(of.name) {
					rec.Features = append(rec.Features, record.Field{Name: of.name, Hash: of.hashes[r], Missing: of.hashes[r] == 0})
				}
			}
			copies.Add(&rec)
		}
		if n, column := copies.Found(); n > rows && float64(n) >= leastNearly*float64(len(t.rows)) {
			rows, differing, shown = n, t.columns[skip].name, column
		}
	}
	return rows, differing, shown
}

// mayBeCopies says whether enough rows are the same as an earlier one but for a column, by chance or not.
func (t *Table) mayBeCopies(skip int, may func(name string) bool) bool {
	sums := make([]uint64, len(t.rows))
	for c := range t.columns {
		if of := &t.columns[c]; c != skip && may(of.name) {
			for r, hash := range of.hashes {
				sums[r] += record.Mix(uint64(c), hash)
			}
		}
	}
	slices.Sort(sums)
	return float64(len(sums)-len(slices.Compact(sums))) >= leastNearly*float64(len(t.rows))
}

// varies says whether the rows have different values.
func (c *column) varies() bool {
	return slices.ContainsFunc(c.hashes, func(hash uint64) bool { return hash != c.hashes[0] })
}
