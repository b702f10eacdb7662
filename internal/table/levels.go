package table

// MostLevels is how many values a column has at most whose levels are counted.
const MostLevels = 100

// Levels counts the rows of two classes by the value of a column, and all of them; it is nil where there are too many.
func (t *Table) Levels(c *Column, class func(row int) (first, known bool)) (levels map[uint64]Level, all Level) {
	levels = map[uint64]Level{}
	for r, hash := range c.Hashes {
		first, known := class(r)
		if !known || t.Kept[r].Repeated {
			continue
		}
		all.add(first)
		if hash == 0 {
			continue
		}
		level := levels[hash]
		level.Hash, level.Number = hash, c.Numbers[r]
		level.add(first)
		if levels[hash] = level; len(levels) > MostLevels {
			return nil, all
		}
	}
	return levels, all
}

// ByLabel are the levels of a column by label, which are kept until a record comes.
func (t *Table) ByLabel(c *Column) (levels map[uint64]Level, all Level) {
	if t.labelled == nil || t.labelledAt != t.Records {
		t.labelled, t.labelledAt = map[string]labelled{}, t.Records
	}
	of, known := t.labelled[c.Name]
	if !known {
		of.levels, of.all = t.Levels(c, func(row int) (first, known bool) { return t.Kept[row].Positive, t.Kept[row].Labelled })
		t.labelled[c.Name] = of
	}
	return of.levels, of.all
}
