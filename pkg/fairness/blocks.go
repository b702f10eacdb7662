package fairness

// Blocks are the records of both sides of a comparison, in blocks that hold the two sides in about the proportion of the records before
// them. The fields are exported for a codec. Blocks that are zero have seen nothing.
type Blocks struct {
	// Seen is how many records of the group and of versus there were before the block; the rest is about the block.
	Seen   [2]int64
	Wanted [2]int64
	Taken  [2]int64
	Block  [2]int64 // records since the block began, those above Wanted too
}

// blockSmaller and blockLarger are the records of the smaller side in a block, and the most of the larger one. With one record of
// the smaller side more of the others would be passed over; with more than two a change would have to wait for the block's end.
const (
	blockSmaller = 2
	blockLarger  = 40
)

// take counts a record on a side. It returns the place of the side, 0 for Group and 1 for Versus, and whether the block takes the record.
// Sides other than these two are ignored.
func (b *Blocks) take(side Side) (i int, taken bool) {
	switch side {
	case Group:
	case Versus:
		i = 1
	default:
		return 0, false
	}
	b.Block[i]++
	if b.Wanted[i] == 0 {
		b.Wanted = blockOf(b.Seen)
	}
	if b.Taken[i] == b.Wanted[i] {
		return i, false
	}
	b.Taken[i]++
	return i, true
}

// full says whether the block has all that it wants. It then has to be followed by the next.
func (b *Blocks) full() bool { return b.Taken == b.Wanted }

// next begins the next block.
func (b *Blocks) next() {
	*b = Blocks{Seen: [2]int64{b.Seen[0] + b.Block[0], b.Seen[1] + b.Block[1]}}
}

// blockOf is how many records a block takes of each side, by those seen before.
func blockOf(seen [2]int64) (wanted [2]int64) {
	wanted = [2]int64{blockSmaller, blockSmaller}
	larger, smaller := 0, 1
	if seen[1] > seen[0] {
		larger, smaller = 1, 0
	}
	if few := seen[smaller]; few > 0 {
		wanted[larger] = min(blockLarger, (2*blockSmaller*seen[larger]+few)/(2*few))
	}
	return wanted
}

// valid says whether blocks that were read from somewhere can be: a block holds no more than it wants.
func (b *Blocks) valid() bool {
	for i := range b.Seen {
		if b.Seen[i] < 0 || b.Taken[i] < 0 || b.Wanted[i] < b.Taken[i] || b.Block[i] < b.Taken[i] || b.Seen[i] > 1<<60 || b.Wanted[i] > blockLarger {
			return false
		}
	}
	begun, full := b.Wanted != [2]int64{}, b.Taken == b.Wanted
	return begun != full && (b.Wanted[0] > 0) == (b.Wanted[1] > 0) && (begun || b.Block == [2]int64{})
}
