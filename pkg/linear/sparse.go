package linear

import (
	"math"

	"github.com/fairstream/fairstream/pkg/features"
)

// The penalty that makes an additive model sparse (Ravikumar, Lafferty, Liu and Wasserman, JRSS B 71, 2009,
// pp. 1009–1030; the mu of the paper's fairspam): with h_c the part of the margin that column c adds,
//
//	mu Σ_c √( E h_c² )
//
// in units of the labels' spread. It is a composition of a root with an expectation, so as in Algorithm 1
// the expectation is followed, v_c, and the gradient in h_c is mu h_c/√(v_c + ε²); the step is implicit in h_c. A
// column that says nothing about the label shrinks to the size of ε; it can come back when that changes, and
// so is never exactly 0. A cross is a column of its own.

// penaltySmoothing is ε.
const penaltySmoothing = .02

// penalize computes the gradient of the penalty in the weights of each non-zero of the row, less its x. A
// column's non-zeros are next to each other.
func (m *Models) penalize(row *features.Row, at *Margins, unit float64) {
	m.penalties = m.penalties[:0]
	if m.settings.Sparsity == 0 {
		return
	}
	for start := 0; start < len(row.Index); {
		owner := m.owners[row.Index[start]]
		end := start + 1
		for end < len(row.Index) && m.owners[row.Index[end]] == owner {
			end++
		}
		for k := range at.Iterate {
			m.moved[k] = 0
			if owner != features.NoOwner {
				m.moved[k] = m.shrink(row, start, end, k, unit, &m.norms[owner][k])
			}
		}
		for range end - start {
			m.penalties = append(m.penalties, m.moved...)
		}
		start = end
	}
}

// shrink is the gradient of the penalty in h, the part of the margin of model k that some non-zeros of a
// row add; v follows its square.
func (m *Models) shrink(row *features.Row, start, end, k int, unit float64, v *float64) float64 {
	h, length := 0.0, 0.0
	for i := start; i < end; i++ {
		x := row.At(i)
		h += float64(m.values[int(row.Index[i])*m.stride+modelsAt+2*k] * x)
		length += float64(m.steps[i].Size * float64(x*x))
	}
	h = bounded(h/unit, largestDeviation)
	*v += float64((float64(h*h) - *v) * m.memory.fade())
	slope := m.settings.Sparsity / math.Sqrt(*v+penaltySmoothing*penaltySmoothing)
	return slope * h / (1 + float64(length*slope))
}
