package model

// Weights of one kind in one column, and those of one cross, are a group: evidence.go draws them to 0
// together.
const (
	fineGroup   = iota // bins, knots or the standardized value
	coarseGroup        // coarse bins
	levelGroup         // levels, the missing one included
	crossGroup         // of the i-th cross rather than of the i-th column
	groupsPerColumn
)

// groupCount is above the number of every group. Groups keep their numbers when columns come.
func (e *encoder) groupCount() int {
	return groupsPerColumn * max(len(e.columns), len(e.crosses))
}

// groups visits every weight that has a group, from ≤ weight < to. The intercept and the weights that are
// shared by levels beyond the vocabulary have none.
func (e *encoder) groups(visit func(group int, from, to int32)) {
	for i := range e.columns {
		c, group := &e.columns[i], groupsPerColumn*i
		if c.missing != 0 {
			visit(group+levelGroup, c.missing, c.missing+1)
		}
		if !c.numeric {
			continue
		}
		switch c.encoding {
		case PiecewiseLinear:
			visit(group+fineGroup, c.base, c.base+int32(len(c.knots)))
		case Standardized:
			visit(group+fineGroup, c.base, c.base+1)
		default:
			visit(group+fineGroup, c.base, c.coarse)
			visit(group+coarseGroup, c.coarse, c.coarse+c.bins.coarseCount())
		}
	}
	for i := range e.words.levels {
		l := &e.words.levels[i]
		group := groupsPerColumn*int(l.column) + levelGroup
		if l.column < 0 {
			group = groupsPerColumn*int(-1-l.column) + crossGroup
		}
		visit(group, l.index, l.index+1)
	}
}
