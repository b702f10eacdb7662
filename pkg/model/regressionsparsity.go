package model

import (
	"math"

	"github.com/fairstream/fairstream/pkg/features"
)

// The penalty that makes an additive model sparse (Ravikumar, Lafferty, Liu and Wasserman, JRSS B 71, 2009,
// pp. 1009–1030; the mu of the paper's fairspam): with h_c the part of the prediction that column c adds,
//
//	mu Σ_c √( E h_c² )
//
// in units of the labels' spread. It is a composition of a root with an expectation, so as in Algorithm 1
// the expectation is followed, v_c, and the gradient in h_c is mu h_c/√(v_c + ε²); the step is implicit in h_c. A
// column that says nothing about the label shrinks to the size of ε; it can come back when that changes, and
// so is never exactly 0. A cross is a column of its own.

// penaltySmoothing is ε.
const penaltySmoothing = .02

// sparsity is the state of the penalty; its zero value has none.
type sparsity struct {
	mu     float64
	owners []int32     // of each weight: its column, features.NoOwner for the intercept and shared weights
	norms  [][]float64 // by owner, per model: v_c over the records that have the column

	gradients []float64 // scratch: per non-zero of the row and model, in units of the spread
}

// grow finds the owners of new weights.
func (s *sparsity) grow(e *features.Frozen, models int) {
	if s.mu == 0 || len(s.owners) == int(e.Size()) {
		return
	}
	s.owners = e.Owners(s.owners)
	for _, owner := range s.owners {
		for int(owner) >= len(s.norms) {
			s.norms = append(s.norms, make([]float64, models))
		}
	}
}

// penalize computes the gradient of the penalty in the weights of each non-zero of the row, less its x. A
// column's non-zeros are next to each other.
func (m *regressionModel) penalize(row *Row, spread float64) {
	s := &m.sparsity
	s.gradients = s.gradients[:0]
	if s.mu == 0 {
		return
	}
	fade := max(1/m.records, 1/m.forgetting)
	for start := 0; start < len(row.Index); {
		owner := s.owners[row.Index[start]]
		end := start + 1
		for end < len(row.Index) && s.owners[row.Index[end]] == owner {
			end++
		}
		for k := range m.models {
			m.moved[k] = 0
			if owner != features.NoOwner {
				m.moved[k] = m.shrink(row, start, end, k, spread, fade, &s.norms[owner][k])
			}
		}
		for range end - start {
			s.gradients = append(s.gradients, m.moved...)
		}
		start = end
	}
}

// shrink is the gradient of the penalty in h, the part of the prediction of model k that some non-zeros of a
// row add; v follows its square.
func (m *regressionModel) shrink(row *Row, start, end, k int, spread, fade float64, v *float64) float64 {
	h, length := 0.0, 0.0
	for i := start; i < end; i++ {
		x := row.At(i)
		h += float64(m.values[int(row.Index[i])*m.stride+modelsAt+2*k] * x)
		length += float64(m.steps[i] * float64(x*x))
	}
	h = min(largestDeviation, max(-largestDeviation, h/spread))
	*v += float64((float64(h*h) - *v) * fade)
	slope := m.sparsity.mu / math.Sqrt(*v+penaltySmoothing*penaltySmoothing)
	return slope * h / (1 + float64(length*slope))
}
