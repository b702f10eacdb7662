package linear

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/features"
)

// rescaleBelow is where a scale, or the decay of the averages, is folded into the numbers, before it underflows.
const rescaleBelow = 1e-150

// sum is a sum of rows, the newest weighing most:
//
//	S = Σ γ^age ω φ,  N = Σ γ^age ω,  with γ = 1 − 2/(window+1)
//
// whose effective size is that of a window of equal weights. A linear model's mean margin on these rows
// is w⋅S/N: exact for the weights of this moment, however old the rows, without keeping any of them.
//
// S itself is spread over the weights (see Models); here are its products with the models, which
// change with each step by what that step touches. Rounding errors fade like everything else.
type sum struct {
	keep    float64 // γ
	scale   float64 // S_j = scale · (the number stored with weight j)
	weight  float64 // N
	squared float64 // Σ (γ^age ω)²
	// iterate and lag are, for each model, w⋅S and r⋅S: see Models for r.
	iterate, lag []float64
}

// Keep is the factor by which what came before fades with each row of a sum over a window.
func Keep(window int) float64 { return 1 - 2/(float64(window)+1) }

func newSum(window, models int) sum {
	return sum{keep: Keep(window), scale: 1, iterate: make([]float64, models), lag: make([]float64, models)}
}

// fade makes room for a row of this weight and of these margins. The caller adds weight/scale times the row to the
// stored numbers.
func (s *sum) fade(weight float64, at *Margins) {
	s.scale *= s.keep
	s.weight = float64(s.weight*s.keep) + weight
	s.squared = float64(s.squared*float64(s.keep*s.keep)) + float64(weight*weight)
	for k := range s.iterate {
		s.iterate[k] = float64(s.iterate[k]*s.keep) + float64(weight*at.Iterate[k])
		s.lag[k] = float64(s.lag[k]*s.keep) + float64(weight*at.lag[k])
	}
}

// RowSum is a sum of rows that fades in the same way, and stands by itself: it is multiplied with a model only when somebody asks.
type RowSum struct {
	keep    float64 // by which what came before fades with each row
	scale   float64 // the sum of the j-th number of the rows is scale · values[j]
	weight  float64 // of the rows, faded alike
	values  []float64
	lacking int64 // rows that have yet to come, after a state from before there were such sums
}

// NewRowSum returns the sum of no rows, which will fade as over so many.
func NewRowSum(window int) RowSum { return RowSum{keep: Keep(window), scale: 1} }

// Add adds a row.
func (s *RowSum) Add(row *features.Row, weight float64) {
	s.lacking = max(0, s.lacking-1)
	s.weight = float64(s.weight*s.keep) + weight
	if s.scale *= s.keep; s.scale < rescaleBelow {
		for j := range s.values {
			s.values[j] *= s.scale
		}
		s.scale = 1
	}
	share := weight / s.scale
	for i, j := range row.Index {
		for int(j) >= len(s.values) {
			s.values = append(s.values, 0)
		}
		s.values[j] += float64(share * row.At(i))
	}
}

// Mean is the mean of the products of the rows with a model, none (false) while there are too few rows.
func (s *RowSum) Mean(weight func(j int) float64) (mean float64, ok bool) {
	if s.weight <= 0 || s.lacking > 0 {
		return 0, false
	}
	for j, value := range s.values {
		if value != 0 {
			mean += float64(value * weight(j))
		}
	}
	return mean * s.scale / s.weight, true
}

// Lack says that the rows before were not added: a window of others has to come before Mean is known.
func (s *RowSum) Lack(window int) { s.lacking = int64(window) }

// Fields codes the sum.
func (s *RowSum) Fields(c *codec.Coder, size int32) {
	c.Sum(&s.weight)
	c.Float(&s.scale)
	c.Check(s.scale > 0 && s.scale <= 1)
	c.Floats(&s.values)
	c.Check(len(s.values) <= int(size))
	c.Count(&s.lacking)
}
