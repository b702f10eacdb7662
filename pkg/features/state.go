package features

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
)

// Fields codes all that the encoder has learnt. To read, l must be new, with the settings of the one that was written.
func (l *Learning) Fields(s *codec.Coder) {
	s.Section(func() {
		p := l.Parts()
		codec.Index(s, &p.Size, math.MaxInt32)
		s.Count(&l.ignored)
		i := 0
		codec.Slice(s, &p.Columns, 8, func(c *Column) {
			if s.Reading() {
				l.samples, l.trials = append(l.samples, sample{}), append(l.trials, trial{})
				l.proofs = append(l.proofs, evidence{})
			}
			s.Section(func() {
				c.fields(s, p.Size)
				l.samples[i].fields(s)
				l.trials[i].fields(s)
				if c.Kind == Binned {
					l.proofs[i].fields(s)
					s.Check(len(l.proofs[i].bins) == 0 || len(l.proofs[i].bins) == int(c.Binning.count()))
				}
				if s.More() {
					s.Count(&l.samples[i].first)
					s.Bool(&l.samples[i].nulls)
				}
			})
			i++
		})
		codec.Index(s, &p.Shared, math.MaxInt32)
		codec.Lasting(s, &p.Levels, 5, func(s *codec.Coder, level *Level) { level.fields(s) })
		l.tests.fields(s)
		if s.More() {
			codec.Slice(s, &l.refused, 1, func(name *string) { codec.Text(s, name) })
		}
		if s.More() {
			codec.Slice(s, &l.left, 1, func(name *string) { codec.Text(s, name) })
		}
		if s.More() {
			s.Count(&l.records)
		}
		if s.Reading() && s.Err() == nil {
			p.Crosses = nil // they come from the settings
			s.Check(p.Size > Intercept && l.assemble(p) == nil)
		}
	})
}

// rooted stands for the kind of a Binned column with square roots: programs that do not know them refuse it.
const rooted = int(Scaled) + 1

func (c *Column) fields(s *codec.Coder, size int32) {
	codec.Text(s, &c.Name)
	kind := int(c.Kind)
	if c.SquareRoots > 0 {
		kind = rooted
	}
	codec.Index(s, &kind, rooted+1)
	if kind == rooted {
		kind = int(Binned)
		codec.Index(s, &c.SquareRoots, MostSquareRoots+1)
		s.Check(c.SquareRoots > 0)
	}
	c.Kind = Kind(kind)
	codec.Index(s, &c.Missing, int(size))
	if !c.Numeric() {
		return
	}
	codec.Index(s, &c.First, int(size))
	switch c.Kind {
	case Binned:
		codec.Index(s, &c.FirstCoarse, int(size))
		if codec.Index(s, &c.Linear, int(size)); c.Linear != 0 {
			for _, x := range [...]*float64{&c.Mean, &c.Scale, &c.Low, &c.High} {
				s.Finite(x)
			}
		}
		s.Bool(&c.NumberLevels)
		c.Binning.fields(s)
	case Interpolated:
		s.Ascending(&c.Knots)
	case Scaled:
		s.Finite(&c.Mean)
		s.Finite(&c.Scale)
	}
}

func (b *Binning) fields(s *codec.Coder) {
	s.Ascending(&b.Edges)
	codec.Slice(s, &b.Coarse, 1, func(coarse *int32) { codec.Index(s, coarse, len(b.Edges)+1) })
	codec.Slice(s, &b.Single, 1, func(single *bool) { s.Bool(single) })
}

func (o *sample) fields(s *codec.Coder) {
	s.Floats(&o.numbers)
	for _, x := range o.numbers {
		s.Check(math.Abs(x) <= largestNumber)
	}
	codec.Index(s, &o.texts, lateSample+1)
}

func (t *trial) fields(s *codec.Coder) {
	s.Count(&t.values)
	s.Sum(&t.dispersion)
	s.Bool(&t.trusted)
}

func (level *Level) fields(s *codec.Coder) {
	s.Bool(&level.Slot.cross)
	codec.Index(s, &level.Slot.index, math.MaxInt32)
	codec.Index(s, &level.Weight, math.MaxInt32)
	s.Uint(&level.Key)
	codec.Text(s, &level.Text)
}

// fields codes the tests that are under way, in the order of the table.
func (t *scoreTests) fields(s *codec.Coder) {
	var used []scoreTest
	for i := range t.slots {
		if t.slots[i].patience > 0 {
			used = append(used, t.slots[i])
		}
	}
	codec.Slice(s, &used, 27, func(test *scoreTest) { test.fields(s) })
	if !s.Reading() {
		return
	}
	for _, test := range used {
		slot := t.slot(test.key)
		s.Check(slot.patience == 0)
		*slot = test
	}
}

func (t *scoreTest) fields(s *codec.Coder) {
	s.Uint(&t.key)
	s.Int(&t.patience)
	s.Count(&t.records)
	s.Within(&t.sum, codec.LargestSum)
	s.Sum(&t.variance)
	s.Sum(&t.largest)
	s.Check(t.patience > 0 && t.patience <= t.records)
}

// fields codes the evidence on a column.
func (e *evidence) fields(s *codec.Coder) {
	codec.Slice(s, &e.bins, 24, func(b *binEvidence) {
		s.Within(&b.residual, codec.LargestSum)
		s.Sum(&b.variance)
		s.Within(&b.moment, codec.LargestSum)
	})
	s.Count(&e.records)
	s.Count(&e.next)
	s.Sum(&e.squares)
	s.Sum(&e.total)
}
