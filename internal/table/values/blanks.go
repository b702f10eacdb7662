package values

import (
	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Cells are merged if most rows lack a value, mostFilled have one, and no value comes after the same one, of leastBlocks values.
	mostFilled  = .5
	leastBlocks = 4
)

// Merged says in how many of the rows a column has a value, if that may stand for the rows below it, too, as a spreadsheet's merged cells do: then no
// value follows the same one.
func Merged(t *table.Table, name string) (filled int, found bool) {
	c := t.Column(name)
	if c == nil || len(t.Kept) == 0 || c.Hashes[0] == 0 || t.Thinned() {
		return 0, false
	}
	last := uint64(0)
	different := map[uint64]bool{}
	for _, hash := range c.Hashes {
		if hash == 0 {
			continue
		}
		if hash == last {
			return 0, false
		}
		filled++
		last = hash
		different[hash] = true
	}
	return filled, filled >= leastBlocks && float64(filled) <= mostFilled*float64(len(t.Kept)) && (float64(filled) <= mostFilled/10*float64(len(t.Kept)) || len(different) <= filled/2)
}
