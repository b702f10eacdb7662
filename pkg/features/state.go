package features

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
)

// Fields codes all that the encoder has learnt. To read, l must be new, with the settings of the one that was written.
func (l *Learning) Fields(c *codec.Coder) {
	p := l.Parts()
	size := uint64(p.Size)
	c.Uint(&size)
	if c.Check(size > 0 && size <= math.MaxInt32); c.Err() != nil {
		return
	}
	p.Size = int32(size)
	c.Int(&l.ignored)
	l.columnFields(c, &p)
	codec.Index(c, &p.Shared, int(p.Size))
	codec.Slice(c, &p.Levels, 4, func(level *Level) { level.fields(c) })
	l.tests.fields(c)
	if c.Reading() && c.Err() == nil {
		p.Crosses = nil // they come from the settings
		c.Check(l.assemble(p) == nil)
	}
}

func (l *Learning) columnFields(c *codec.Coder, p *Parts) {
	i := 0
	codec.Slice(c, &p.Columns, 4, func(column *Column) {
		if c.Reading() {
			l.samples, l.trials = append(l.samples, sample{}), append(l.trials, trial{})
		}
		column.fields(c, &l.samples[i], &l.trials[i], p.Size)
		i++
	})
}

func (column *Column) fields(c *codec.Coder, s *sample, t *trial, size int32) {
	codec.Text(c, &column.Name)
	codec.Index(c, &column.Missing, int(size))
	inferred, numeric := column.Kind != Untyped, column.Numeric()
	c.Bool(&inferred)
	if !inferred {
		c.Floats(&s.numbers)
		codec.Index(c, &s.texts, lateSample+1)
		return
	}
	c.Bool(&numeric)
	if !numeric {
		column.Kind = Levelled
		return
	}
	encoding := map[Kind]Encoding{Binned: Bins, Interpolated: PiecewiseLinear, Scaled: Standardized}[column.Kind]
	codec.Text(c, &encoding)
	codec.Index(c, &column.First, int(size))
	switch encoding {
	case PiecewiseLinear:
		column.Kind = Interpolated
		c.Floats(&column.Knots)
	case Standardized:
		column.Kind = Scaled
		c.Float(&column.Mean)
		c.Float(&column.Scale)
	default:
		column.Kind = Binned
		c.Check(encoding == Bins)
		codec.Index(c, &column.FirstCoarse, int(size))
		c.Bool(&column.NumberLevels)
		t.fields(c)
		column.Binning.fields(c)
	}
}

func (b *Binning) fields(c *codec.Coder) {
	c.Floats(&b.Edges)
	for i := range len(b.Edges) + 1 {
		if c.Reading() {
			b.Coarse, b.Single = append(b.Coarse, 0), append(b.Single, false)
		}
		codec.Index(c, &b.Coarse[i], len(b.Edges)+1)
		c.Bool(&b.Single[i])
	}
}

func (t *trial) fields(c *codec.Coder) {
	c.Count(&t.values)
	c.Sum(&t.dispersion)
	c.Bool(&t.trusted)
}

func (level *Level) fields(c *codec.Coder) {
	number := int64(level.Slot.index)
	if level.Slot.cross {
		number = -1 - number
	}
	c.Int(&number)
	if c.Reading() {
		level.Slot = Slot{index: int32(number)}
		if number < 0 {
			level.Slot = Slot{index: int32(-1 - number), cross: true}
		}
	}
	codec.Index(c, &level.Weight, math.MaxInt32)
	c.Uint(&level.Key)
	codec.Text(c, &level.Text)
}

func (t *scoreTests) fields(c *codec.Coder) {
	var used []scoreTest
	for i := range t.slots {
		if t.slots[i].patience > 0 {
			used = append(used, t.slots[i])
		}
	}
	codec.Slice(c, &used, 27, func(s *scoreTest) { s.fields(c) })
	if !c.Reading() {
		return
	}
	for _, s := range used {
		slot := t.slot(s.key)
		c.Check(slot.patience == 0)
		*slot = s
	}
}

func (s *scoreTest) fields(c *codec.Coder) {
	c.Uint(&s.key)
	c.Int(&s.patience)
	c.Count(&s.records)
	c.Within(&s.sum, codec.LargestSum)
	c.Sum(&s.variance)
	c.Sum(&s.largest)
	c.Check(s.patience > 0 && s.patience <= s.records)
}
