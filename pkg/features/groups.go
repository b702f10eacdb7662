package features

// Weights of one kind in one column, and those of one cross, are a group. A prior draws the weights of a group to 0
// together.
const (
	fineGroup   = iota // bins, knots or the standardized number
	coarseGroup        // coarse bins
	levelGroup         // levels, the missing one included
	crossGroup         // of the i-th cross rather than of the i-th column
	linearGroup        // of a binned column: the standardized number
	// GroupKinds is how many kinds there are: the kind of a group is its number modulo GroupKinds.
	GroupKinds

	// LevelKind is the kind of levels.
	LevelKind = levelGroup
)

// GroupCount is above the number of every group. Groups keep their numbers when columns come.
func (f *Frozen) GroupCount() int {
	return GroupKinds * max(len(f.columns), len(f.crosses))
}

// Groups visits every weight that has a group, from ≤ weight < to. The intercept and the weights that
// are shared by hash have none.
func (f *Frozen) Groups(visit func(group int, from, to int32)) {
	for i := range f.columns {
		c, group := &f.columns[i], GroupKinds*i
		if c.Missing != 0 {
			visit(group+levelGroup, c.Missing, c.Missing+1)
		}
		switch c.Kind {
		case Binned:
			visitOf := func(kind int, first, count int32) {
				if first != 0 {
					visit(group+kind, first, first+count)
				}
			}
			if !c.fromLevel {
				visitOf(linearGroup, c.Linear, 1)
			}
			visitOf(fineGroup, c.First, c.Binning.count())
			visitOf(coarseGroup, c.FirstCoarse, c.Binning.coarseCount())
		case Interpolated, Scaled:
			visit(group+fineGroup, c.First, c.First+c.weights())
		}
	}
	for i := range f.words.levels {
		l := &f.words.levels[i]
		group := GroupKinds*int(l.Slot.index) + levelGroup
		if l.Slot.cross {
			group = GroupKinds*int(l.Slot.index) + crossGroup
		}
		visit(group, l.Weight, l.Weight+1)
	}
}

// Bins visits the bins that Binned columns have earned, fine ones and coarse ones: weights from ≤ weight < to, one of which has the value 1 in each
// record with a number.
func (f *Frozen) Bins(visit func(from, to int32)) {
	for i := range f.columns {
		c := &f.columns[i]
		if c.Kind != Binned {
			continue
		}
		if c.First != 0 {
			visit(c.First, c.First+c.Binning.count())
		}
		if c.FirstCoarse != 0 {
			visit(c.FirstCoarse, c.FirstCoarse+c.Binning.coarseCount())
		}
	}
}

// NoOwner is the owner of the intercept and of the weights that are shared by hash.
const NoOwner int32 = -1

// Owners extends a list of which column or cross each weight belongs to: columns have even numbers, crosses odd ones.
// Call it with what it returned before. The weights of a column are next to each other in every row.
func (f *Frozen) Owners(known []int32) []int32 {
	first := int32(len(known))
	for range f.size - first {
		known = append(known, NoOwner)
	}
	own := func(from, to, owner int32) {
		for j := max(from, first, Intercept+1); j < to; j++ {
			known[j] = owner
		}
	}
	for i := range f.columns {
		c, owner := &f.columns[i], int32(2*i)
		own(c.Missing, c.Missing+1, owner)
		switch c.Kind {
		case Binned:
			own(c.Linear, c.Linear+1, owner)
			if c.First != 0 {
				own(c.First, c.First+c.Binning.count(), owner)
			}
			if c.FirstCoarse != 0 {
				own(c.FirstCoarse, c.FirstCoarse+c.Binning.coarseCount(), owner)
			}
		case Interpolated, Scaled:
			own(c.First, c.First+c.weights(), owner)
		}
	}
	for i := len(f.words.levels) - 1; i >= 0 && f.words.levels[i].Weight >= first; i-- {
		l := &f.words.levels[i]
		owner := 2 * l.Slot.index
		if l.Slot.cross {
			owner++
		}
		known[l.Weight] = owner
	}
	return known
}

// OneLevel returns the categorical columns, by their indices, that have had one value only and no missing one.
func (l *Learning) OneLevel() (columns []int) {
	for i, n := range l.words.counts(len(l.columns)) {
		if n == 1 && l.columns[i].Kind == Levelled && l.columns[i].Missing == 0 {
			columns = append(columns, i)
		}
	}
	return columns
}

// Crowding says which column has most of the levels once there is no room for more; "" while there is room.
func (l *Learning) Crowding() (column string, levels int) {
	if l.room().forCategory() {
		return "", 0
	}
	for i, n := range l.words.counts(len(l.columns)) {
		if n > levels {
			column, levels = l.columns[i].Name, n
		}
	}
	return column, levels
}
