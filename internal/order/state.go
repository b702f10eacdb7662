package order

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/features"
)

// largestCount is beyond every count: a weight, as long as it grows to the next rescaling, times the records that do not fade.
const largestCount = 1 << 40

// Fields codes all that was counted, of records with at most so many columns.
func (o *Order) Fields(c *codec.Coder, columns int) {
	c.Section(func() {
		c.Count(&o.records)
		c.Count(&o.seen)
		for t := range times {
			number(c, &o.weights[t])
			number(c, &o.totals[t])
		}
		c.Check(o.weights[recent] > 0 && o.weights[before] > 0)
		codec.Slice(c, &o.fields, times*features.Cells*4, func(f *field) {
			for t := range times {
				for cell := range f.counts[t] {
					number(c, &f.counts[t][cell])
				}
			}
			for _, bits := range [...]*uint64{&f.up, &f.once, &f.twice} {
				set(c, bits)
			}
		})
		c.Check(len(o.fields) >= o.attributes && len(o.fields) <= o.attributes+columns)
		if c.More() { // a state from before there were runs has none
			for i := range o.fields {
				f := &o.fields[i]
				c.Count(&f.run)
				c.Count(&f.at)
				codec.Index(c, &f.last, features.Cells)
				c.Check(f.run <= f.at && f.at <= o.seen)
			}
		}
		if c.More() { // nor does one from before it was kept when a field had moved
			for i := range o.fields {
				f := &o.fields[i]
				c.Count(&f.since)
				c.Count(&f.told)
				c.Check(f.since <= o.seen && f.told <= o.seen)
			}
		}
		if c.More() { // nor one from before copies were noticed
			o.copies.Fields(c)
		}
	})
}

func number(c *codec.Coder, x *float32) {
	c.Single(x)
	c.Check(*x >= 0 && *x <= largestCount)
}

func set(c *codec.Coder, bits *uint64) {
	c.Uint(bits)
	c.Check(*bits < 1<<(together+1))
}
