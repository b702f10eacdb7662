package copies

import (
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
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
func Nearly(t *table.Table, may func(name string) bool) (rows int, differing, shown string) {
	varying := 0
	for c := range t.Columns {
		if may(t.Columns[c].Name) && t.Columns[c].Varies() {
			varying++
		}
	}
	if varying < leastCommon+2 {
		return 0, "", ""
	}
	for skip := range t.Columns {
		if !may(t.Columns[skip].Name) || !mayBeCopies(t, skip, may) {
			continue
		}
		var copies profile.Copies
		var rec record.Record
		for r := range t.Kept {
			rec.Positive = t.Kept[r].Positive
			rec.Features = rec.Features[:0]
			for c := range t.Columns {
				if of := &t.Columns[c]; c != skip && may(of.Name) {
					rec.Features = append(rec.Features, record.Field{Name: of.Name, Hash: of.Hashes[r], Missing: of.Hashes[r] == 0})
				}
			}
			copies.Add(&rec)
		}
		if n, column := copies.Found(); n > rows && float64(n) >= leastNearly*float64(len(t.Kept)) {
			rows, differing, shown = n, t.Columns[skip].Name, column
		}
	}
	return rows, differing, shown
}

// mayBeCopies says whether enough rows are the same as an earlier one but for a column, by chance or not.
func mayBeCopies(t *table.Table, skip int, may func(name string) bool) bool {
	sums := make([]uint64, len(t.Kept))
	for c := range t.Columns {
		if of := &t.Columns[c]; c != skip && may(of.Name) {
			for r, hash := range of.Hashes {
				sums[r] += record.Mix(uint64(c), hash)
			}
		}
	}
	slices.Sort(sums)
	return float64(len(sums)-len(slices.Compact(sums))) >= leastNearly*float64(len(t.Kept))
}
