package control

import (
	"math"
	"slices"

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
		codec.Index(c, &r.family.measured, len(r.constraints)+2)
		codec.Index(c, &r.family.sharing, len(r.constraints)+2)
		r.activeFields(c)
		r.memory.fields(c, size, len(r.active)+1)
		for k := range r.constraints {
			r.constraints[k].fields(c)
			r.pushes[k].fields(c)
			r.tracked[k].fields(c)
			r.balances[k].fields(c)
			r.windows[k][0].fields(c)
			r.windows[k][1].fields(c)
		}
		if r.everyone != nil {
			r.everyone.fields(c)
		}
		for _, sides := range r.beside {
			sides[0].fields(c)
			sides[1].fields(c)
		}
		c.Check(r.memory.consistent())
		if c.More() {
			r.partedFields(c)
		}
		if c.More() {
			for k := range r.pushes {
				r.pushes[k].firmness.fields(c)
			}
		}
		if c.More() {
			for k := range r.constraints {
				r.constraints[k].changeFields(c)
			}
		}
	})
}

// partedFields codes what there is once a record came without its label.
func (r *Rates) partedFields(c *codec.Coder) {
	parted, m := r.memory.order != nil, r.memory
	c.Bool(&parted)
	if !parted || c.Err() != nil {
		return
	}
	if c.Reading() {
		m.part()
	}
	c.Int(&m.last)
	for i := range m.order {
		c.Int(&m.order[i])
		c.Sum(&m.learnt[i])
	}
	for k := range r.constraints {
		missed := &r.constraints[k].missed
		c.Float(missed)
		c.Check(*missed >= 0 && *missed <= r.records)
		r.constraints[k].thin(r.records)
	}
}

// activeFields codes which constraints have a model.
func (r *Rates) activeFields(c *codec.Coder) {
	n := c.Length(len(r.active), 9)
	c.Check(n <= len(r.constraints))
	if c.Err() != nil {
		return
	}
	r.active, r.interpolation = r.active[:n], r.interpolation[:n]
	for at := range r.active {
		codec.Index(c, &r.active[at], len(r.constraints))
		c.Float(&r.interpolation[at])
		c.Check(!slices.Contains(r.active[:at], r.active[at]))
		if c.Err() == nil {
			r.constraints[r.active[at]].model = at + 1
		}
	}
}

// Fields codes all that the control has learnt. To read, m must be new, with the settings and comparisons of the one
// that was written.
func (m *Means) Fields(c *codec.Coder, size int32) {
	c.Section(func() {
		c.Float(&m.records)
		c.Int(&m.untilChoice)
		for k := range m.constraints {
			c.Float(&m.interpolation[k])
			m.constraints[k].fields(c)
		}
		for k := range m.beside {
			for side := range m.beside[k] {
				if s := &m.beside[k][side]; c.More() {
					s.Fields(c, size)
				} else {
					s.Lack(m.settings.Window)
				}
			}
		}
		m.late.Fields(c, size)
	})
}

func (c *constraint) fields(coder *codec.Coder) {
	c.shares.fields(coder)
	for _, x := range [...]*float64{&c.sign, &c.multiplier, &c.theta, &c.difference, &c.noise, &c.chance, &c.error, &c.looked, &c.needed} {
		coder.Float(x)
	}
	coder.Bool(&c.chosen)
	coder.Bool(&c.reachable)
	coder.Bool(&c.pressing)
	coder.Bool(&c.several)
	coder.Int(&c.changes)
	coder.Float(&c.cuts[0].records)
	coder.Float(&c.cuts[1].records)
}

// changeFields codes what a state from before these were kept does not have.
func (c *constraint) changeFields(coder *codec.Coder) {
	coder.Float(&c.cuts[2].records)
	for i := range c.cuts {
		coder.Float(&c.cuts[i].by)
	}
}

func (p *push) fields(c *codec.Coder) {
	c.Float(&p.records)
	for i := range p.tracked {
		for k := range p.tracked[i] {
			c.Float(&p.tracked[i][k])
		}
	}
	for k := range p.published {
		c.Float(&p.published[k])
	}
}

func (f *firmness) fields(c *codec.Coder) {
	for _, x := range [...]*float64{&f.records, &f.loss, &f.push, &f.square} {
		c.Float(x)
	}
	c.Check(!(f.records < 0 || f.loss < 0 || f.square < 0)) // not a number once weights have diverged
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

func (m *memory) fields(c *codec.Coder, size int32, models int) {
	n := c.Length(len(m.rows), 9+8*models)
	if c.Err() != nil {
		return
	}
	if c.Reading() {
		m.models = models
		m.positive, m.came = make([]bool, n), make([]float64, n)
		m.margins, m.gradients = make([]float32, n*models), make([]float32, n*models)
		m.rows, m.holders = make([]features.Packed, n), make([]int32, n)
	}
	for i := range n {
		c.Bool(&m.positive[i])
		c.Float(&m.came[i])
	}
	for i := range m.margins {
		c.Single(&m.margins[i])
		c.Check(!math.IsInf(float64(m.margins[i]), 0))
	}
	for i := range m.gradients {
		c.Single(&m.gradients[i])
	}
	var row features.Row
	for i := range m.rows {
		m.row(i, &row).Fields(c, size)
		if c.Reading() {
			m.rows[i].Pack(&row, &m.slab)
		}
	}
	codec.Slice(c, &m.vacant, 1, func(slot *int32) { codec.Index(c, slot, n) })
	codec.Index(c, &m.stale, n+1)
}

// consistent says whether the vacant slots are those that no window holds, each once.
func (m *memory) consistent() bool {
	free := 0
	for _, holders := range m.holders {
		if holders == 0 {
			free++
		}
	}
	seen := make(map[int32]bool, len(m.vacant))
	for _, slot := range m.vacant {
		if int(slot) >= len(m.holders) || m.holders[slot] != 0 {
			return false
		}
		seen[slot] = true
	}
	return len(seen) == len(m.vacant) && free == len(m.vacant)
}

func (w *window) fields(c *codec.Coder) {
	n := c.Length(len(w.slots), 5)
	c.Check(n <= w.capacity)
	if c.Err() != nil {
		return
	}
	if c.Reading() {
		w.slots, w.weights = make([]int32, n), make([]float32, n)
	}
	last := int64(0)
	for i := range w.slots { // as differences, which compress well
		difference := int64(w.slots[i]) - last
		c.Int(&difference)
		if last += difference; last < 0 || last >= int64(len(w.memory.holders)) {
			c.Check(false)
			return
		}
		if c.Reading() {
			w.slots[i] = int32(last)
			w.memory.holders[last]++
		}
		c.Single(&w.weights[i])
	}
	codec.Index(c, &w.next, w.capacity)
	c.Check(w.next == 0 || n == w.capacity)
	codec.Index(c, &w.seen, math.MaxInt)
	codec.Index(c, &w.steady, n+1)
	if c.Reading() {
		w.countOthers()
	}
}
