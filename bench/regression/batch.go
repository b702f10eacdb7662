package main

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// batch solves, on all learnt records at once and on the columns that a document ends with,
//
//	min Σ (w⋅φ − y)² + ridge |w|²   s.t.  |mean of w⋅φ over the group − over versus| <= bound
//
// From the normal equations A w = b and the difference of the mean rows g the solution is
// w − λ A⁻¹ g, with the λ that brings g⋅w to the bound. The ridge is the one of a few that is best on the
// records held out, to the batch solution's favour.
type batch struct {
	free, direction []float64
	gap             []float64
	centre, ridge   float64
	test            *side
}

// measured is what a solution does on the records held out.
type measured struct{ mse, difference float64 }

var ridges = []float64{1, 10, 100, 1000}

// side is records as rows of the columns of a document.
type side struct {
	rows   []features.Row
	labels []float64
	share  []float64 // 1/n in the group, −1/m in versus, 0 in neither
	size   int       // columns
}

func newSide(scorer *document.Scorer, d dataset, records []*record.Record) *side {
	s := &side{}
	counts := map[string]float64{}
	for _, r := range records {
		counts[string(r.Attributes[0].Text)]++
	}
	for _, r := range records {
		row := scorer.Encode(r)
		s.rows = append(s.rows, features.Row{Index: append([]int32(nil), row.Index...), Value: append([]float32(nil), row.Value...)})
		for _, j := range row.Index {
			s.size = max(s.size, int(j)+1)
		}
		s.labels = append(s.labels, r.Label)
		share := 0.0
		switch string(r.Attributes[0].Text) {
		case d.group:
			share = 1 / counts[d.group]
		case d.versus:
			share = -1 / counts[d.versus]
		}
		s.share = append(s.share, share)
	}
	return s
}

func newBatch(doc *document.Document, d dataset, train, test []*record.Record) (*batch, error) {
	scorer, err := doc.Scorer()
	if err != nil {
		return nil, err
	}
	learnt, b := newSide(scorer, d, train), &batch{test: newSide(scorer, d, test)}
	for _, y := range learnt.labels {
		b.centre += y / float64(len(train))
	}
	size := max(learnt.size, b.test.size)
	products := make([]float64, size*size) // of columns: the upper triangle
	normal, right, gap := mat.NewSymDense(size, products), mat.NewVecDense(size, nil), mat.NewVecDense(size, nil)
	for i, row := range learnt.rows {
		for a, j := range row.Index {
			right.SetVec(int(j), right.AtVec(int(j))+row.At(a)*(learnt.labels[i]-b.centre))
			gap.SetVec(int(j), gap.AtVec(int(j))+row.At(a)*learnt.share[i])
			products := products[int(j)*size : (int(j)+1)*size]
			for c, k := range row.Index {
				if k >= j {
					products[k] += row.At(a) * row.At(c)
				}
			}
		}
	}
	b.gap = gap.RawVector().Data
	best, added := math.Inf(1), 0.0
	for _, ridge := range ridges {
		for j := range size {
			normal.SetSym(j, j, normal.At(j, j)+ridge-added)
		}
		added = ridge
		var factors mat.Cholesky
		if !factors.Factorize(normal) {
			return nil, errors.New("the normal equations are singular")
		}
		var free, direction mat.VecDense
		if err := errors.Join(factors.SolveVecTo(&free, right), factors.SolveVecTo(&direction, gap)); err != nil {
			return nil, err
		}
		if found := b.measure(free.RawVector().Data); found.mse < best {
			best, b.ridge, b.free, b.direction = found.mse, ridge, free.RawVector().Data, direction.RawVector().Data
		}
	}
	return b, nil
}

// at measures the solution for a bound.
func (b *batch) at(bound float64) measured { return b.measure(b.solve(bound)) }

func (b *batch) solve(bound float64) []float64 {
	weights := append([]float64(nil), b.free...)
	if found := dot(b.gap, b.free); math.Abs(found) > bound {
		length := (found - math.Copysign(bound, found)) / dot(b.gap, b.direction)
		for j := range weights {
			weights[j] -= length * b.direction[j]
		}
	}
	return weights
}

func (b *batch) measure(weights []float64) (m measured) {
	for i, row := range b.test.rows {
		p := b.centre
		for a, j := range row.Index {
			p += weights[j] * row.At(a)
		}
		m.mse += (p - b.test.labels[i]) * (p - b.test.labels[i]) / float64(len(b.test.rows))
		m.difference += p * b.test.share[i]
	}
	return m
}

func dot(a, b []float64) (sum float64) {
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}
