package seen

import "github.com/fairstream/fairstream/pkg/fairness"

// Within counts the records of the two sides of a comparison by their stratum, and those that are in none.
type Within struct {
	strata map[int]*[2]int64
	none   int64
}

// leastOfStratum is the share of a stratum that the records of each side must be, or it compares nothing.
const leastOfStratum = .02

// add counts a record of the group or of versus in its stratum, which is below 0 if it has none.
func (w *Within) add(stratum int, side fairness.Side) {
	switch {
	case stratum < 0:
		w.none++
		return
	case w.strata == nil:
		w.strata = map[int]*[2]int64{}
	}
	sides := w.strata[stratum]
	if sides == nil {
		sides = &[2]int64{}
		w.strata[stratum] = sides
	}
	if side == fairness.Group {
		sides[0]++
	} else {
		sides[1]++
	}
}

// Len is how many strata have records.
func (w *Within) Len() int { return len(w.strata) }

// None is how many records of both sides are in no stratum.
func (w *Within) None() int64 { return w.none }

// Alone is how many records of both sides there are, how many of them are in strata that compare nothing or in none, and how many such strata there are.
func (w *Within) Alone() (all, left int64, strata int) {
	all, left = w.none, w.none
	for _, sides := range w.strata {
		n := sides[0] + sides[1]
		all += n
		if float64(min(sides[0], sides[1])) < leastOfStratum*float64(n) {
			left += n
			strata++
		}
	}
	return all, left, strata
}
