package control

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/features"
)

// Fields codes all that the control has learnt, of rows with indices below size. To read, r must be new, with the
// settings and comparisons of the one that was written.
func (r *Rates) Fields(c *codec.Coder, size int32) {
	c.Section(func() {
		c.Float(&r.records)
		c.Int(&r.untilChoice)
		c.Int(&r.interval)
		c.Float(&r.shift)
		c.Bool(&r.constant)
		for k := range r.constraints {
			c.Float(&r.interpolation[k])
			r.constraints[k].fields(c)
			r.pushes[k].fields(c)
			r.tracked[k].fields(c)
			r.balances[k].fields(c)
			r.windows[k][0].fields(c, size)
			r.windows[k][1].fields(c, size)
		}
		if r.everyone != nil {
			r.everyone.fields(c, size)
		}
	})
}

// Fields codes all that the control has learnt. To read, m must be new, with the settings and comparisons of the one
// that was written.
func (m *Means) Fields(c *codec.Coder, _ int32) {
	c.Section(func() {
		c.Float(&m.records)
		c.Int(&m.untilChoice)
		for k := range m.constraints {
			c.Float(&m.interpolation[k])
			m.constraints[k].fields(c)
		}
	})
}

func (c *constraint) fields(coder *codec.Coder) {
	for _, x := range [...]*float64{&c.sign, &c.multiplier, &c.theta} {
		coder.Float(x)
	}
	coder.Bool(&c.chosen)
	coder.Bool(&c.reachable)
	coder.Int(&c.changes)
	coder.Float(&c.cuts[0])
	coder.Float(&c.cuts[1])
}

func (p *push) fields(c *codec.Coder) {
	for i := range p.tracked {
		for k := range p.tracked[i] {
			c.Float(&p.tracked[i][k])
		}
	}
	for k := range p.published {
		c.Float(&p.published[k])
	}
	p.shares.fields(c)
}

func (u *tracked) fields(c *codec.Coder) {
	for i := range 2 {
		c.Float(&u.frequency[i])
		c.Float(&u.positive[i])
	}
}

func (b *balance) fields(c *codec.Coder) {
	c.Float(&b.away[0])
	c.Float(&b.away[1])
	c.Float(&b.debt[0])
	c.Float(&b.debt[1])
	codec.Index(c, &b.turn, 1<<30)
}

func (s *shares) fields(c *codec.Coder) {
	c.Float(&s[0])
	c.Float(&s[1])
}

func (c *meanConstraint) fields(coder *codec.Coder) {
	coder.Float(&c.theta)
	coder.Float(&c.gap)
	coder.Bool(&c.chosen)
	coder.Bool(&c.reachable)
	c.shares.fields(coder)
	for i := range c.sides {
		s := &c.sides[i]
		for _, x := range [...]*float64{&s.mean, &s.variance, &s.claimed, &s.excess, &s.claims} {
			coder.Float(x)
		}
	}
}

func (w *window) fields(c *codec.Coder, size int32) {
	n := c.Length(len(w.weights), 5+8*w.models)
	c.Check(n <= w.capacity)
	if c.Err() != nil {
		return
	}
	if c.Reading() {
		w.weights, w.positive = make([]float32, n), make([]bool, n)
		w.margins, w.gradients = make([]float32, n*w.models), make([]float32, n*w.models)
		w.rows = make([]features.Row, n)
	}
	for i := range n {
		c.Single(&w.weights[i])
		c.Bool(&w.positive[i])
	}
	for i := range w.margins {
		c.Single(&w.margins[i])
		c.Check(!math.IsInf(float64(w.margins[i]), 0))
	}
	for i := range w.gradients {
		c.Single(&w.gradients[i])
	}
	for i := range w.rows {
		w.rows[i].Fields(c, size)
	}
	codec.Index(c, &w.stale, w.capacity+1)
	codec.Index(c, &w.next, w.capacity)
	codec.Index(c, &w.seen, math.MaxInt)
	codec.Index(c, &w.steady, n+1)
}
