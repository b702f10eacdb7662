package linear

import "github.com/fairstream/fairstream/internal/codec"

// Fields codes all that the models have learnt of so many weights. To read, m must be new, with the settings of the one
// that was written.
func (m *Models) Fields(c *codec.Coder, size int32) {
	c.Section(func() {
		count := m.count
		codec.Index(c, &count, m.settings.Most+2)
		c.Check(count >= m.count)
		for c.Err() == nil && m.count < count {
			m.Join()
		}
		c.Floats(&m.values)
		c.Check(len(m.values) == int(size)*m.stride)
		c.Within(&m.decay, 1)
		c.Check(m.decay > 0)
		c.Sum(&m.memory.Records)
		c.Sum(&m.meanWeight)
		c.Float(&m.squaredError)
		c.Check(!(m.squaredError < 0)) // not a number once weights have diverged
		c.Within(&m.bounded, 1)
		c.Check(m.bounded >= 0)
		m.loss.Fields(c)
		for i := range m.sums {
			m.sums[i].fields(c)
		}
		m.prior.fields(c, m.constants.MostPrecision)
		codec.Slice(c, &m.norms, 8*m.count, func(norms *[]float64) {
			if c.Reading() {
				*norms = make([]float64, m.count)
			}
			for k := range *norms {
				c.Float(&(*norms)[k])
			}
		})
		if c.More() { // a state from before predictions chose the prior of columns with few levels has none
			m.prior.shared.fields(c, m.constants.MostPrecision)
		}
	})
}

func (s *sum) fields(c *codec.Coder) {
	c.Float(&s.scale)
	c.Float(&s.weight)
	c.Float(&s.squared)
	for k := range s.iterate {
		c.Float(&s.iterate[k])
		c.Float(&s.lag[k])
	}
}

func (p *prior) fields(c *codec.Coder, most float64) {
	c.Floats(&p.precisions)
	for _, precision := range p.precisions {
		c.Check(precision > 0 && precision <= most)
	}
	c.Int(&p.records)
}

func (s *shared) fields(c *codec.Coder, most float64) {
	c.Within(&s.precision, most)
	c.Float(&s.told)
	c.Float(&s.squared)
	c.Check(s.precision >= 0 && !(s.squared < 0))
}
