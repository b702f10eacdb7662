package model

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// The part of a state that a regression has in the place of a classifier's: see codec.go.

func (r *regression) write(w *writer) {
	r.model.write(w)
	for _, sides := range r.windows {
		for _, side := range sides {
			w.uint(uint64(side.Next))
			w.uint(uint64(len(side.Items)))
			for _, p := range side.Items {
				w.float(p.value)
				w.float(p.weight)
			}
		}
	}
	r.measured.write(w, writeRegressionTally)
	if r.free != nil {
		r.free.write(w, writeRegressionTally)
	}
}

func (r *regression) read(in *reader, size int32) {
	r.model.read(in, size)
	for _, sides := range r.windows {
		for _, side := range sides {
			side.Next = in.index(side.Capacity)
			n := in.length(16)
			if n > side.Capacity || side.Next > 0 && n < side.Capacity {
				in.fail()
				return
			}
			for range n {
				p := prediction{in.float(), in.float()}
				if !(math.Abs(p.value) <= largestPrediction && p.weight > 0 && p.weight <= record.MaxWeight) {
					in.fail()
				}
				side.Items = append(side.Items, p)
			}
		}
	}
	r.measured.read(in, readRegressionTally)
	if r.free != nil {
		r.free.read(in, readRegressionTally)
	}
}

func (m *regressionModel) write(w *writer) {
	w.floats(m.values)
	for _, x := range m.numbers() {
		w.float(*x)
	}
	for k := range m.sides {
		for side := range m.sides[k] {
			w.float(m.shares[k][side])
			s := &m.sides[k][side]
			for _, x := range s.numbers() {
				w.float(*x)
			}
			for model := range s.iterate {
				w.float(s.iterate[model])
				w.float(s.lag[model])
			}
		}
		p := &m.pressures[k]
		for _, x := range p.numbers() {
			w.float(*x)
		}
		w.bool(p.chosen)
		w.bool(p.reachable)
	}
	w.int(m.untilChoice)
	w.floats(m.evidence.precisions)
	w.int(m.evidence.records)
	w.uint(uint64(len(m.sparsity.norms)))
	for _, norms := range m.sparsity.norms {
		for _, v := range norms {
			w.float(v)
		}
	}
}

func (m *regressionModel) read(r *reader, size int32) {
	m.values = r.floats()
	if len(m.values) != int(size)*m.stride {
		r.fail()
	}
	for _, x := range m.numbers() {
		*x = r.float()
	}
	if !(math.Abs(m.label.centre) <= record.MaxLabel) {
		r.fail()
	}
	for k := range m.sides {
		for side := range m.sides[k] {
			m.shares[k][side] = r.float()
			s := &m.sides[k][side]
			for _, x := range s.numbers() {
				*x = r.float()
			}
			for model := range s.iterate {
				s.iterate[model], s.lag[model] = r.float(), r.float()
			}
		}
		p := &m.pressures[k]
		for _, x := range p.numbers() {
			*x = r.float()
		}
		p.chosen, p.reachable = r.bool(), r.bool()
	}
	m.untilChoice = r.int()
	m.evidence.precisions, m.evidence.records = r.floats(), r.int()
	for _, p := range m.evidence.precisions {
		if !(p > 0 && p <= mostLabelPrecision) {
			r.fail()
		}
	}
	for range r.length(8 * m.models) {
		norms := make([]float64, m.models)
		for k := range norms {
			norms[k] = r.float()
		}
		m.sparsity.norms = append(m.sparsity.norms, norms)
	}
}

// numbers are the single numbers of the state, in the order in which they are written.
func (m *regressionModel) numbers() []*float64 {
	l := &m.label
	return []*float64{&m.decay, &m.records, &m.meanWeight, &m.squaredError, &l.centre, &l.mean, &l.variance, &l.records}
}

func (s *sideMean) numbers() []*float64 {
	return []*float64{&s.scale, &s.weight, &s.squared, &s.shown, &s.variance, &s.claimed, &s.excess, &s.claims}
}

func (p *regressionPressure) numbers() []*float64 {
	return []*float64{&p.value, &p.theta, &p.optimism}
}

func writeRegressionTally(w *writer, t *fairness.RegressionTally) {
	e := &t.Errors
	writeMoments(w, &e.Model)
	writeMoments(w, &e.Constant)
	w.float(e.Joint)
	for i := range t.Comparisons {
		c := &t.Comparisons[i]
		writeMoments(w, &c.Group)
		writeMoments(w, &c.Versus)
		w.int(c.Neither)
		w.int(c.Unknown)
	}
}

func readRegressionTally(r *reader, t *fairness.RegressionTally) {
	e := &t.Errors
	readMoments(r, &e.Model)
	readMoments(r, &e.Constant)
	e.Joint = r.finite()
	for i := range t.Comparisons {
		c := &t.Comparisons[i]
		readMoments(r, &c.Group)
		readMoments(r, &c.Versus)
		c.Neither, c.Unknown = r.count(), r.count()
	}
}

func writeMoments(w *writer, m *fairness.Moments) {
	w.int(m.Records)
	for _, x := range [...]float64{m.Weight, m.WeightSquared, m.Mean, m.Squares} {
		w.float(x)
	}
}

func readMoments(r *reader, m *fairness.Moments) {
	m.Records = r.count()
	m.Weight, m.WeightSquared, m.Mean, m.Squares = r.sum(), r.sum(), r.finite(), r.finite()
	if m.Squares < 0 {
		r.fail()
	}
}
