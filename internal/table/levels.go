package table

import "slices"

const (
	// A value gives the label away if leastOf rows or more have it, all but mostOther of them of one label, where chance would have brought leastChance
	// rows of the other and there are at most mostOfChance of these. They are leastOfClass of the rows with this label, or leastOfRarer if it is the rarer one.
	leastOf      = 100
	mostOther    = .01
	leastChance  = 20
	mostOfChance = .05
	leastOfClass = .3
	leastOfRarer = .1
	// Of a column with more than mostLevels values nothing is said.
	mostLevels = 100
)

// Level is a value of a column: how many rows have it, and how many of these are positive.
type Level struct {
	Hash           uint64
	Number         float64 // NaN of a text
	Rows, Positive int
}

// levels counts the rows of two classes by the value of a column, and all of them; it is nil where there are too many.
func (t *Table) levels(c *column, class func(row int) (first, known bool)) (levels map[uint64]Level, all Level) {
	levels = map[uint64]Level{}
	for r, hash := range c.hashes {
		first, known := class(r)
		if !known || t.rows[r].repeated {
			continue
		}
		all.add(first)
		if hash == 0 {
			continue
		}
		level := levels[hash]
		level.Hash, level.Number = hash, c.numbers[r]
		level.add(first)
		if levels[hash] = level; len(levels) > mostLevels {
			return nil, all
		}
	}
	return levels, all
}

func (l *Level) add(positive bool) {
	l.Rows++
	if positive {
		l.Positive++
	}
}

// byLabel are the levels of a column by label, which are kept until a record comes.
func (t *Table) byLabel(c *column) (levels map[uint64]Level, all Level) {
	if t.labelled == nil || t.labelledAt != t.records {
		t.labelled, t.labelledAt = map[string]labelled{}, t.records
	}
	of, known := t.labelled[c.name]
	if !known {
		of.levels, of.all = t.levels(c, func(row int) (first, known bool) { return t.rows[row].positive, t.rows[row].labelled })
		t.labelled[c.name] = of
	}
	return of.levels, of.all
}

// labelled are the levels of a column by label, and all rows with one.
type labelled struct {
	levels map[uint64]Level
	all    Level
}

// Telling is the most frequent value of a column that nearly only records of one label have, and whether that is the positive one.
func (t *Table) Telling(name string) (most Level, positive, found bool) {
	c := t.of(name)
	if c == nil {
		return most, false, false
	}
	return telling(t.byLabel(c))
}

// TellingOf does so of two groups, given by the hashes of their values of an attribute; Positive counts the first.
func (t *Table) TellingOf(name, attribute string, first, second []uint64) (most Level, ofFirst, found bool) {
	groups := t.of(attribute)
	if groups == nil {
		return most, false, false
	}
	c := t.of(name)
	if c == nil {
		return most, false, false
	}
	return telling(t.levels(c, func(row int) (is, known bool) {
		is = slices.Contains(first, groups.hashes[row])
		return is, is || slices.Contains(second, groups.hashes[row])
	}))
}

func telling(levels map[uint64]Level, all Level) (most Level, positive, found bool) {
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
