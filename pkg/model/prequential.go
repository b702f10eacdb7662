package model

import "github.com/fairstream/fairstream/internal/codec"

// Sizes of the recent part of the measurements: recentBlocks complete blocks and the one that is being
// filled.
const (
	blockRecords = 1024
	recentBlocks = 8
)

// tally counts measured records; each has counted a part of the stream.
type tally[T any] interface {
	Combine(other T)
	Reset()
}

// rolling is a tally over the whole stream and over its recent part.
type rolling[T tally[T]] struct {
	total  T   // of all complete blocks
	blocks []T // the latest complete blocks, a ring
	next   int // where the next complete block goes
	open   T   // the block that is being filled

	empty func() T
}

func newRolling[T tally[T]](empty func() T) rolling[T] {
	return rolling[T]{total: empty(), open: empty(), empty: empty}
}

// close ends the open block.
func (r *rolling[T]) close() {
	r.total.Combine(r.open)
	full := r.open
	if len(r.blocks) < recentBlocks {
		r.blocks = append(r.blocks, full)
		r.open = r.empty()
		return
	}
	r.open, r.blocks[r.next] = r.blocks[r.next], full
	r.open.Reset()
	r.next = (r.next + 1) % recentBlocks
}

// all is the tally of the whole stream.
func (r *rolling[T]) all() T {
	sum := r.empty()
	sum.Combine(r.total)
	sum.Combine(r.open)
	return sum
}

// recent is the tally of the last 8,192 to 9,215 records, or of all if there are fewer.
func (r *rolling[T]) recent() T {
	sum := r.empty()
	for i := range r.blocks {
		sum.Combine(r.blocks[(r.next+i)%len(r.blocks)])
	}
	sum.Combine(r.open)
	return sum
}

// count takes in that the open block has so many records.
func (r *rolling[T]) count(records int64) {
	if records == blockRecords {
		r.close()
	}
}

// fields codes the tallies, one by one.
func (r *rolling[T]) fields(c *codec.Coder, one func(T)) {
	one(r.total)
	one(r.open)
	codec.Index(c, &r.next, recentBlocks)
	n := c.Length(len(r.blocks), 8)
	c.Check(n <= recentBlocks)
	for i := range n {
		if c.Err() != nil {
			return
		}
		if c.Reading() {
			r.blocks = append(r.blocks, r.empty())
		}
		one(r.blocks[i])
	}
	c.Check(r.next == 0 || r.next < len(r.blocks))
}
