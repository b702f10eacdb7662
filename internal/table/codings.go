package table

// mostScales is how many levels a coding has at most.
const mostScales = 20

// Fifth is in how many parts rows are divided to see what changes on the way.
const Fifth = 5

// Coded are the codings of all columns, which are kept until a record comes.
func (t *Table) Coded() []Coding {
	if t.codings != nil && t.codedAt == t.Records {
		return t.codings
	}
	t.codings, t.codedAt = make([]Coding, len(t.Columns)), t.Records
	for k := range t.Columns {
		category := &t.Columns[k]
		if !category.IsText() {
			continue
		}
		of, places, known := Coding{Places: make([]uint8, len(t.Kept))}, map[uint64]uint8{}, true
		for r, hash := range category.Hashes {
			if hash == 0 {
				continue
			}
			place := places[hash]
			if place == 0 {
				if known = len(of.Levels) < mostScales; !known {
					break
				}
				of.Levels = append(of.Levels, hash)
				place = uint8(len(of.Levels))
				places[hash] = place
			}
			of.Places[r] = place
		}
		if known && len(of.Levels) >= 2 {
			t.codings[k] = of
		}
	}
	return t.codings
}

// Fifths are the rows in five parts of their order.
func (t *Table) Fifths() Coding {
	of := Coding{Places: make([]uint8, len(t.Kept)), Levels: make([]uint64, Fifth)}
	for r := range of.Places {
		of.Places[r] = uint8(1 + r*Fifth/len(t.Kept))
	}
	return of
}
