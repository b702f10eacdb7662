package turns

// readPairs reads all records but the last one of an odd number, or up to one whose slot does not exist, which is as wrong as an index beyond a slice.
// It returns how many it read, and how many turns it found.
func (c *Counts) readPairs(margins []float32, slots []int32, at *Weights, turns *[AtOnce]Turn) (done, found int) {
	if len(slots) < 2 || len(margins) < 2 {
		return 0, 0
	}
	read, found := read(c, at, &margins[0], len(margins)/2, &slots[0], len(slots)/2, &turns[0])
	return 2 * read, found
}

// read reads so many pairs of records, whose slots are below count.
//
//go:noescape
func read(c *Counts, at *Weights, margins *float32, count int, slots *int32, pairs int, turns *Turn) (done, found int)
