package model

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// The bodies of codec.go, one pair of functions for each part of a learner. What is scratch or derived
// from the configuration is not written.

func (a *adaptive) write(w *writer) {
	w.floats(a.values)
	w.float(a.decay)
	w.float(a.records)
	w.float(a.meanWeight)
	w.float(a.squaredError)
	w.float(a.positives)
	w.int(a.untilChoice)
	w.floats(a.evidence.precisions)
	w.int(a.evidence.records)
	w.float(a.shift)
	w.bool(a.constant)
	if a.everyone != nil {
		a.everyone.write(w)
	}
	w.int(a.interval)
	for k := range a.pressures {
		p := &a.pressures[k]
		for _, x := range [...]float64{p.value, p.orientation, p.reference, p.theta, p.optimism, p.aimed} {
			w.float(x)
		}
		w.bool(p.chosen)
		w.bool(p.reachable)
		w.int(p.changes)
		d := &a.pressed[k]
		for i := range d.tracked {
			for _, u := range d.tracked[i] {
				w.float(u)
			}
		}
		for _, u := range d.published {
			w.float(u)
		}
		w.float(d.shares[0])
		w.float(d.shares[1])
		w.float(d.square)
	}
}

func (a *adaptive) read(r *reader, size int32) {
	a.values = r.floats()
	if len(a.values) != int(size)*a.stride {
		r.fail()
	}
	a.decay, a.records, a.meanWeight = r.float(), r.float(), r.float()
	a.squaredError, a.positives, a.untilChoice = r.float(), r.float(), r.int()
	a.evidence.precisions, a.evidence.records = r.floats(), r.int()
	a.shift, a.constant = r.float(), r.bool()
	if a.everyone != nil {
		a.everyone.read(r, size)
	}
	a.interval = r.int()
	for k := range a.pressures {
		p := &a.pressures[k]
		for _, x := range [...]*float64{&p.value, &p.orientation, &p.reference, &p.theta, &p.optimism, &p.aimed} {
			*x = r.float()
		}
		p.chosen, p.reachable, p.changes = r.bool(), r.bool(), r.int()
		d := &a.pressed[k]
		for i := range d.tracked {
			for j := range d.tracked[i] {
				d.tracked[i][j] = r.float()
			}
		}
		for j := range d.published {
			d.published[j] = r.float()
		}
		d.shares[0], d.shares[1], d.square = r.float(), r.float(), r.float()
	}
}

func (p *paper) write(w *writer) {
	w.floats(p.values)
	w.uint(uint64(p.steps))
	for _, x := range [...]float64{p.scale, p.square, p.objective, p.weightSum, p.scaledSum, p.meanWeight} {
		w.float(x)
	}
	for i := range p.parts {
		for _, u := range p.parts[i].tracked {
			w.float(u)
		}
		for _, lambda := range p.parts[i].multiplier {
			w.float(lambda)
		}
	}
}

func (p *paper) read(r *reader, size int32) {
	p.values = r.floats()
	if len(p.values) != 2*int(size) {
		r.fail()
	}
	p.steps = r.index(math.MaxInt)
	for _, x := range [...]*float64{&p.scale, &p.square, &p.objective, &p.weightSum, &p.scaledSum, &p.meanWeight} {
		*x = r.float()
	}
	for i := range p.parts {
		for j := range p.parts[i].tracked {
			p.parts[i].tracked[j] = r.float()
		}
		for j := range p.parts[i].multiplier {
			p.parts[i].multiplier[j] = r.float()
		}
	}
}

func (w *window) write(out *writer) {
	out.uint(uint64(len(w.weights)))
	for i := range w.weights {
		out.single(w.weights[i])
		out.bool(w.decided[i])
		out.bool(w.positive[i])
	}
	for _, m := range w.margins {
		out.single(m)
	}
	for _, g := range w.gradients {
		out.single(g)
	}
	for i := range w.rows {
		out.coded(func(c *codec.Coder) { w.rows[i].Fields(c, math.MaxInt32) })
	}
	out.uint(uint64(w.stale))
	out.uint(uint64(w.next))
	out.uint(uint64(w.seen))
	out.uint(uint64(w.steady))
	writeCount(out, &w.count)
}

func (w *window) read(r *reader, size int32) {
	n := r.length(6)
	if n > w.capacity || n*w.models > len(r.data)/8 {
		r.fail()
		return
	}
	for range n {
		w.weights = append(w.weights, r.single())
		w.decided = append(w.decided, r.bool())
		w.positive = append(w.positive, r.bool())
	}
	for range n * w.models {
		margin := r.single()
		if math.IsInf(float64(margin), 0) {
			r.fail()
		}
		w.margins = append(w.margins, margin)
	}
	for range n * w.models {
		w.gradients = append(w.gradients, r.single())
	}
	if w.models > 0 {
		for range n {
			var row Row
			r.coded(func(c *codec.Coder) { row.Fields(c, size) })
			w.rows = append(w.rows, row)
		}
	}
	w.stale = r.index(w.capacity + 1)
	w.next = r.index(w.capacity)
	w.seen = r.index(math.MaxInt)
	w.steady = r.index(n + 1)
	readCount(r, &w.count)
}

func (p *rolling[T]) write(w *writer, one func(*writer, T)) {
	one(w, p.total)
	one(w, p.open)
	w.uint(uint64(p.next))
	w.uint(uint64(len(p.blocks)))
	for _, block := range p.blocks {
		one(w, block)
	}
}

func (p *rolling[T]) read(r *reader, one func(*reader, T)) {
	one(r, p.total)
	one(r, p.open)
	p.next = r.index(recentBlocks)
	for range r.index(recentBlocks + 1) {
		block := p.empty()
		one(r, block)
		p.blocks = append(p.blocks, block)
	}
	if p.next > 0 && p.next >= len(p.blocks) {
		r.fail()
	}
}

func writeTally(w *writer, t *fairness.Tally) {
	c := &t.Confusion
	w.int(c.Records)
	for _, x := range [...]float64{c.WeightSquared, c.TruePositive, c.FalsePositive, c.FalseNegative, c.TrueNegative, t.LossSum, t.LossSquared} {
		w.float(x)
	}
	for i := range t.Comparisons {
		p := &t.Comparisons[i]
		writeCount(w, &p.Group)
		writeCount(w, &p.Versus)
		w.int(p.Neither)
		w.int(p.Unknown)
		w.int(p.Excluded)
	}
}

func readTally(r *reader, t *fairness.Tally) {
	c := &t.Confusion
	c.Records = r.count()
	for _, x := range [...]*float64{&c.WeightSquared, &c.TruePositive, &c.FalsePositive, &c.FalseNegative, &c.TrueNegative, &t.LossSum, &t.LossSquared} {
		*x = r.sum()
	}
	for i := range t.Comparisons {
		p := &t.Comparisons[i]
		readCount(r, &p.Group)
		readCount(r, &p.Versus)
		p.Neither, p.Unknown, p.Excluded = r.count(), r.count(), r.count()
	}
}

func writeCount(w *writer, c *fairness.Count) {
	w.int(c.Records)
	w.int(c.Positives)
	w.float(c.Weight)
	w.float(c.WeightSquared)
	w.float(c.PositiveWeight)
}

func readCount(r *reader, c *fairness.Count) {
	c.Records, c.Positives = r.count(), r.count()
	c.Weight, c.WeightSquared, c.PositiveWeight = r.sum(), r.sum(), r.sum()
}
