package inspect

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// within counts the records of the two sides by their stratum, and those that are in none.
type within struct {
	strata map[int]*[2]int64
	none   int64
}

const (
	// A stratum compares nothing if the records of one side are less than this share of it.
	leastOfStratum = .02
	// A comparison within strata should leave out at most this share of its records.
	mostLeftOut = 1. / 3
)

// within counts the present record in its stratum.
func (i *Inspection) within() {
	if i.strata == nil {
		return
	}
	i.grouper.Strata(i.strataOf, i.levels)
	i.grouper.Members(i.members, i.levels)
	for c := range i.strata {
		w := &i.strata[c]
		side := i.members[c]
		switch {
		case i.counts[c].Strata == "" || i.sides[c] == fairness.Excluded || side != fairness.Group && side != fairness.Versus:
			continue
		case i.strataOf[c] < 0:
			w.none++
			continue
		case w.strata == nil:
			w.strata = map[int]*[2]int64{}
		}
		sides := w.strata[i.strataOf[c]]
		if sides == nil {
			sides = &[2]int64{}
			w.strata[i.strataOf[c]] = sides
		}
		if side == fairness.Group {
			sides[0]++
		} else {
			sides[1]++
		}
	}
}

// lopsided finds comparisons within strata of which most have one group only.
func (s *search) lopsided() {
	for k := range s.strata {
		w, c := &s.strata[k], &s.counts[k]
		all, left, alone := w.none, w.none, 0
		for _, sides := range w.strata {
			n := sides[0] + sides[1]
			all += n
			if float64(min(sides[0], sides[1])) < leastOfStratum*float64(n) {
				left += n
				alone++
			}
		}
		if all < leastNamed || float64(left) <= mostLeftOut*float64(all) {
			continue
		}
		at := slices.IndexFunc(s.config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		s.add(false, fmt.Sprintf("constraints[%d].strata", at), "%d of %d records of %s and %s hardly count: %d of %d values of %q have nearly one of the two groups only, so there is nobody to compare with. Choose a field whose values both groups have, or remove the key",
			left, all, Quote(c.GroupLabel()), Quote(c.VersusLabel()), alone, len(w.strata), c.Strata)
	}
}
