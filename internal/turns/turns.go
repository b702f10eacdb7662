// Package turns counts how the records of a window are decided at several interpolation weights, and finds those whose decision depends on the
// interpolation weight. A learner reads its windows again and again, so on amd64 two records are read at a time. Results are the same everywhere.
//
// Files, in reading order:
//
//	turns.go        decisions of a window at the present and the extreme interpolation weights, one record at a time
//	pairs_amd64.go  two records at a time, in pairs_amd64.s
//	pairs_other.go  no pairs, on processors other than amd64
//
// It imports nothing of the project.
package turns

// Turn is a record whose decision depends on the interpolation weight w: it is positive where Rest + w·Slope is above 0.
type Turn struct{ Rest, Slope float64 }

// AtOnce is how many records are read at once, and so how many turns are found.
const AtOnce = 128

// Weights are those that records are decided at: the present interpolation weight, and the least and the largest that there may be.
type Weights struct{ Present, Least, Most float64 }

// Counts are how many records are decided positively: at the present interpolation weight, by the free model, and at the least weight.
type Counts struct{ Present, Free, Least int64 }

// Read counts up to AtOnce records, by their slots: the margin of a record under the free model is at margins[2·slot], and that under the
// constrained one is behind it. It writes the records that are decided in one way at the least weight and otherwise at the largest, and returns
// how many these are.
func (c *Counts) Read(margins []float32, slots []int32, at *Weights, turns *[AtOnce]Turn) (found int) {
	slots = slots[:min(AtOnce, len(slots))]
	done, found := c.readPairs(margins, slots, at, turns)
	for _, slot := range slots[done:] {
		found += c.one(margins[2*slot:2*slot+2], at, &turns[found])
	}
	return found
}

// one counts a record, and says with 1 that its decision depends on the interpolation weight.
func (c *Counts) one(margins []float32, at *Weights, turn *Turn) int {
	free := float64(margins[0])
	*turn = Turn{Rest: free, Slope: float64(margins[1]) - free}
	least, most := positive(turn.at(at.Least)), positive(turn.at(at.Most))
	c.Present += positive(turn.at(at.Present))
	c.Free += positive(free)
	c.Least += least
	return int(least ^ most)
}

// at is the margin at an interpolation weight.
func (t *Turn) at(weight float64) float64 { return t.Rest + float64(weight*t.Slope) }

func positive(margin float64) int64 {
	if margin > 0 {
		return 1
	}
	return 0
}
