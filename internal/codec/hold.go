package codec

import (
	"slices"

	"github.com/fairstream/fairstream/internal/halves"
)

// Hold takes what fields codes at this moment, and returns what codes it later, for another goroutine while the values go on to change: long lists
// of numbers are copied, lists of Lasting items are shared, and all else is written at once.
//
// The bytes are those that fields would have written at the moment of Hold. It returns nil if more than limit bytes would have to be written.
func Hold(limit int, fields func(c *Coder)) (later func(c *Coder)) {
	c := &Coder{hold: &hold{left: limit}}
	fields(c)
	later = c.hold.end(c)
	if c.hold.left < 0 {
		return nil
	}
	return later
}

// copiedFrom is how many numbers are copied rather than written: fewer are written as fast.
const copiedFrom = 1024

// copyOf copies many numbers, half of them on another processor if one is free: whoever owns them waits.
func copyOf(x []float64) (now [2][]float64) {
	middle := len(x) / 2
	parts := [...][]float64{x[:middle], x[middle:]}
	halves.New(func(half int) { now[half] = slices.Clone(parts[half]) }).Run(len(x))
	return now
}

// hold is what a Coder has held so far, in its order.
type hold struct {
	items []func(c *Coder)
	left  int // bytes that may still be written; below 0, nothing is kept any more
}

// cut holds what the Coder has written since the last cut.
func (h *hold) cut(c *Coder) {
	written := c.data
	if h.left -= len(written); h.left < 0 {
		c.data, h.items = written[:0], nil
		return
	}
	h.items = append(h.items, func(c *Coder) { c.pass(written) })
	c.data = written[len(written):]
}

// full ends a piece, so that no piece is copied as it grows.
func (h *hold) full(c *Coder) {
	h.cut(c)
	if cap(c.data) < passedAt {
		c.data = make([]byte, 0, 2*passedAt)
	}
}

// later holds fields, which may read only what does not change any more.
func (h *hold) later(c *Coder, fields func(c *Coder)) {
	h.cut(c)
	h.items = append(h.items, fields)
}

// section is Coder.Section.
func (h *hold) section(c *Coder, fields func()) {
	h.cut(c)
	outer := h.items
	h.items = nil
	fields()
	within := h.end(c)
	h.items = append(outer, func(c *Coder) { c.Section(func() { within(c) }) })
}

// end returns what codes all that is held.
func (h *hold) end(c *Coder) func(c *Coder) {
	h.cut(c)
	items := h.items
	return func(c *Coder) {
		for _, item := range items {
			item(c)
		}
	}
}

// pass writes bytes that were written before.
func (c *Coder) pass(written []byte) {
	for piece := range slices.Chunk(written, passedAt) {
		c.data = append(c.data, piece...)
		c.wrote()
	}
}

// Lasting is Slice of a list that only grows, at its end: an item that is in it does not change.
func Lasting[T any](c *Coder, items *[]T, least int, item func(c *Coder, one *T)) {
	if c.hold != nil {
		now := slices.Clip(*items)
		c.hold.later(c, func(c *Coder) { Lasting(c, &now, least, item) })
		return
	}
	Slice(c, items, least, func(one *T) { item(c, one) })
}
