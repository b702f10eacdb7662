package codec

import (
	"bytes"
	"io"
	"slices"
	"testing"
)

// What is held is coded as it was at the moment of Hold, whatever becomes of the values, byte by byte what a writer wrote then.
func TestHeldFieldsAreThoseOfTheirMoment(t *testing.T) {
	for _, count := range []int{0, 1, copiedFrom - 1, copiedFrom, copiedFrom + 1, 3 * passedAt} {
		s := full()
		s.floats = make([]float64, count)
		levels := make([]item, count, count+1)
		for i := range count {
			s.floats[i], levels[i].name = float64(i), string(rune('a'+i%26))
		}
		fields := func(c *Coder) {
			c.Int(&s.whole)
			c.Section(func() {
				s.fields(c)
				Lasting(c, &levels, 2, func(c *Coder, i *item) {
					Text(c, &i.name)
					c.Bool(&i.truth)
				})
				c.Float(&s.number)
			})
			for i := range count { // more than one piece of numbers that come singly
				x := int64(i)
				c.Int(&x)
			}
			c.Bool(&s.truth)
		}
		w := NewWriter(nil)
		fields(w)

		held := Hold(1<<21, fields)
		for i := range s.floats {
			s.floats[i] = -1
		}
		s.whole, s.number, s.text, s.items[0].name = 1, 2, "others", "changed"
		levels = append(levels, item{"added", true})

		var streamed bytes.Buffer
		if err := Stream(func(int64) io.Writer { return &streamed }, held); err != nil {
			t.Fatal(err)
		}
		again := NewWriter(nil)
		held(again)
		if !bytes.Equal(streamed.Bytes(), w.Bytes()) || !slices.Equal(again.Bytes(), w.Bytes()) {
			t.Errorf("%d numbers: what was held gives other bytes", count)
		}
	}
}

// No more is held than the limit allows. What is copied or shared does not count.
func TestHoldingIsBounded(t *testing.T) {
	numbers := make([]float64, 1<<16)
	singles := make([]float32, 1<<16)
	fields := func(c *Coder) {
		c.Section(func() {
			c.Floats(&numbers)
			for i := range singles {
				c.Single(&singles[i])
			}
		})
		c.Floats(&numbers)
	}
	if Hold(4*len(singles)-1, fields) != nil {
		t.Error("more is held than is allowed")
	}
	if Hold(4*len(singles)+10, fields) == nil {
		t.Error("what may be held is not")
	}
}
