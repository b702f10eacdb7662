package fairness

import "math"

// Blocks pair the records of the two sides of a comparison, in about the proportion in which they come. Each side gathers its records
// in parts. When a part is full, it makes a block with the newest part of the other side that still waits; without one it waits itself.
// So a run of one side is not lost: its parts wait for the other side's next run, and the records of a block are as near to each other
// in time as the runs allow. Which records make a block depends on their sides and places alone, never on what was decided.
//
// At most mostWaiting parts wait, all of one side, and none is paired that came waitingRecords or more before. The fields are exported
// for a codec. Blocks that are zero have seen nothing.
type Blocks struct {
	Seen    [2]int64 // records of the group and of versus
	Open    [2]Part  // that a side is gathering
	Waiting []Part   // full ones, the newest last
	Waits   int      // the side of those that wait, 0 for Group and 1 for Versus
}

// Part is the records of one side in a block.
type Part struct {
	Wanted, Taken int64
	Sum           float64 // of what was decided or predicted
	Places        float64 // sum of how many records of the two sides came before each
}

const (
	// blockSmaller and blockLarger are the records of the smaller side in a block, and the most of the larger one. With more than two, a
	// change would have to wait for the block's end.
	blockSmaller = 2
	blockLarger  = 40

	mostWaiting    = 256
	waitingRecords = 4096
	// fewExpired is how many parts that wait in vain are removed at once.
	fewExpired = 16
)

// mean is that of a full part, place where it is in the middle.
func (p *Part) mean() float64  { return p.Sum / float64(p.Wanted) }
func (p *Part) place() float64 { return p.Places / float64(p.Wanted) }

// block is a part of each side.
type block struct{ group, versus Part }

// difference is that of the means, records how many the block has.
func (b *block) difference() float64 { return b.group.mean() - b.versus.mean() }
func (b *block) records() float64    { return float64(b.group.Wanted + b.versus.Wanted) }

// later is how many records the group's part comes after that of versus.
func (b *block) later() float64 { return b.group.place() - b.versus.place() }

// add takes a record of a side. It returns the block that the record completes, if it does. Sides other than Group and Versus are
// ignored.
func (b *Blocks) add(side Side, value float64) (complete block, ok bool) {
	i := 0
	switch side {
	case Group:
	case Versus:
		i = 1
	default:
		return complete, false
	}
	open := &b.Open[i]
	if open.Wanted == 0 {
		open.Wanted = blockOf(b.Seen)[i]
	}
	open.Taken++
	open.Sum += value
	open.Places += float64(b.Seen[0] + b.Seen[1])
	b.Seen[i]++
	if open.Taken < open.Wanted {
		return complete, false
	}
	full := *open
	*open = Part{}
	other, there := b.newest(i)
	switch {
	case !there:
		b.wait(full, i)
		return complete, false
	case i == 0:
		return block{full, other}, true
	}
	return block{other, full}, true
}

// newest takes the newest part that waits for one of a side.
func (b *Blocks) newest(side int) (part Part, there bool) {
	last := len(b.Waiting) - 1
	if last < 0 || b.Waits == side {
		return part, false
	}
	part = b.Waiting[last]
	if b.expired(&part) {
		b.Waiting = b.Waiting[:0] // the others are older
		return part, false
	}
	b.Waiting = b.Waiting[:last]
	return part, true
}

func (b *Blocks) expired(p *Part) bool {
	return float64(b.Seen[0]+b.Seen[1])-p.place() >= waitingRecords
}

// wait has a part of a side wait, behind those of this side.
func (b *Blocks) wait(p Part, side int) {
	gone := 0
	for gone < len(b.Waiting) && b.expired(&b.Waiting[gone]) {
		gone++
	}
	if len(b.Waiting) == mostWaiting {
		gone = max(gone, mostWaiting/2)
	}
	if gone >= fewExpired {
		b.Waiting = b.Waiting[:copy(b.Waiting, b.Waiting[gone:])]
	}
	b.Waiting, b.Waits = append(b.Waiting, p), side
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

// valid says whether blocks that were read from somewhere can be, with values of at most largest.
func (b *Blocks) valid(largest float64) bool {
	if min(b.Seen[0], b.Seen[1]) < 0 || max(b.Seen[0], b.Seen[1]) > 1<<52 || len(b.Waiting) > mostWaiting || b.Waits < 0 || b.Waits > 1 {
		return false
	}
	most := float64(b.Seen[0] + b.Seen[1])
	possible := func(p *Part) bool {
		n := float64(p.Taken)
		return p.Taken >= 0 && p.Wanted <= blockLarger && math.Abs(p.Sum) <= largest*n && p.Places >= 0 && p.Places <= most*n
	}
	for i := range b.Open {
		if p := &b.Open[i]; !possible(p) || p.Taken > 0 != (p.Wanted > 0) || p.Taken > 0 && p.Taken >= p.Wanted {
			return false
		}
	}
	for i := range b.Waiting {
		if p := &b.Waiting[i]; !possible(p) || p.Taken != p.Wanted || p.Wanted < 1 {
			return false
		}
	}
	return true
}
