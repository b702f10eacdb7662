package labels

import (
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// A value gives the label away if leastOf rows or more have it, all but mostOther of them of one label, where chance would have brought leastChance
	// rows of the other and there are at most mostOfChance of these. They are leastOfClass of the rows with this label, or leastOfRarer if it is the rarer one.
	leastOf      = 100
	mostOther    = .01
	leastChance  = 20
	mostOfChance = .05
	leastOfClass = .3
	leastOfRarer = .1
)

// Telling is the most frequent value of a column that nearly only records of one label have, and whether that is the positive one.
func Telling(t *table.Table, name string) (most table.Level, positive, found bool) {
	c := t.Column(name)
	if c == nil {
		return most, false, false
	}
	return telling(t.ByLabel(c))
}

// TellingOf does so of two groups, given by the hashes of their values of an attribute; Positive counts the first.
func TellingOf(t *table.Table, name, attribute string, first, second []uint64) (most table.Level, ofFirst, found bool) {
	groups := t.Column(attribute)
	if groups == nil {
		return most, false, false
	}
	c := t.Column(name)
	if c == nil {
		return most, false, false
	}
	return telling(t.Levels(c, func(row int) (is, known bool) {
		is = slices.Contains(first, groups.Hashes[row])
		return is, is || slices.Contains(second, groups.Hashes[row])
	}))
}

func telling(levels map[uint64]table.Level, all table.Level) (most table.Level, positive, found bool) {
	for _, level := range levels {
		of := 2*level.Positive > level.Rows
		having, class := level.Rows-level.Positive, all.Rows-all.Positive
		if of {
			having, class = level.Positive, all.Positive
		}
		others := all.Rows - class
		least := leastOfClass
		if class < others {
			least = leastOfRarer
		}
		chance := float64(level.Rows) * float64(others) / float64(all.Rows)
		if level.Rows < leastOf || float64(level.Rows-having) > min(mostOther*float64(level.Rows), mostOfChance*chance) || chance < leastChance ||
			float64(having) < least*float64(class) || level.Rows < most.Rows || level.Rows == most.Rows && level.Hash < most.Hash {
			continue
		}
		most, positive, found = level, of, true
	}
	return most, positive, found
}
