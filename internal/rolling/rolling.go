package rolling

import (
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
)

// Sizes of the recent part of the measurements: recentBlocks complete blocks and the one that is being
// filled.
const (
	Block        = 1024 // records
	recentBlocks = 8
)

// Tally counts measured records; each has counted a part of the stream.
type Tally[T any] interface {
	Combine(other T)
	Reset()
}

// Rolling is a tally over the whole stream and over its recent part.
type Rolling[T Tally[T]] struct {
	total  T   // of all complete blocks
	blocks []T // the latest complete blocks, a ring
	next   int // where the next complete block goes
	Open   T   // the block that is being filled, to which records are added

	empty func() T
}

// New returns a tally of nothing.
func New[T Tally[T]](empty func() T) Rolling[T] {
	return Rolling[T]{total: empty(), Open: empty(), empty: empty}
}

// close ends the open block.
func (r *Rolling[T]) close() {
	r.total.Combine(r.Open)
	full := r.Open
	if len(r.blocks) < recentBlocks {
		r.blocks = append(r.blocks, full)
		r.Open = r.empty()
		return
	}
	r.Open, r.blocks[r.next] = r.blocks[r.next], full
	r.Open.Reset()
	r.next = (r.next + 1) % recentBlocks
}

// All is the tally of the whole stream.
func (r *Rolling[T]) All() T {
	sum := r.empty()
	sum.Combine(r.total)
	sum.Combine(r.Open)
	return sum
}

// Recent is the tally of the last 8,192 to 9,215 records, or of all if there are fewer.
func (r *Rolling[T]) Recent() T {
	sum := r.empty()
	for i := range r.blocks {
		sum.Combine(r.blocks[(r.next+i)%len(r.blocks)])
	}
	sum.Combine(r.Open)
	return sum
}

// Complete returns the latest complete blocks, the oldest first, nil until there are as many as the recent part has.
func (r *Rolling[T]) Complete() []T {
	if len(r.blocks) < recentBlocks {
		return nil
	}
	return append(slices.Clone(r.blocks[r.next:]), r.blocks[:r.next]...)
}

// Each visits every tally that Fields codes, in its order.
func (r *Rolling[T]) Each(visit func(T)) {
	visit(r.total)
	visit(r.Open)
	for _, block := range r.blocks {
		visit(block)
	}
}

// Count takes in that the open block has so many records.
func (r *Rolling[T]) Count(records int64) {
	if records == Block {
		r.close()
	}
}

// Fields codes the tallies, one by one.
func (r *Rolling[T]) Fields(c *codec.Coder, one func(T)) {
	one(r.total)
	one(r.Open)
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
