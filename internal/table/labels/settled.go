package labels

import (
	"math"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// All rows of a level have one label by a rule, rather than by chance, if they are leastOf or more, chance would have brought leastOther of the other,
	// and each other level of leastOthers rows or more has that label at least mostlyLike times as often as all of them together.
	leastOther  = 25
	leastOthers = 30
	mostlyLike  = .6
)

// Settled is the level of a column whose rows all have one label, though those of all others have both.
func Settled(t *table.Table, name string) (most table.Level, positive, found bool) {
	c := t.Column(name)
	if c == nil {
		return most, false, false
	}
	levels, all := t.ByLabel(c)
	for hash, level := range levels {
		of := level.Positive > 0
		if level.Rows < leastOf || of && level.Positive < level.Rows || level.Rows < most.Rows || level.Rows == most.Rows && hash > most.Hash {
			continue
		}
		other := func(l table.Level) float64 { // rows with the other label
			if of {
				return float64(l.Rows - l.Positive)
			}
			return float64(l.Positive)
		}
		share := other(all) / float64(all.Rows-level.Rows)
		alike := 0
		for _, l := range levels {
			if l.Hash != hash && l.Rows >= leastOthers {
				if alike++; other(l) < mostlyLike*share*float64(l.Rows) {
					alike = math.MinInt32
				}
			}
		}
		if alike >= 2 && share*float64(level.Rows) >= leastOther {
			most, positive, found = level, of, true
		}
	}
	return most, positive, found
}
