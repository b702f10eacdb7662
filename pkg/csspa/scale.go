package csspa

import (
	"fmt"
	"sync"
)

// ScaleConstraints returns p with every l_j multiplied by factor > 0. The feasible
// set is the same, the multipliers are λ_j / factor. The methods are not the same:
// λ_j moves by α_t l_j, so a constraint that is measured in a small unit (a
// covariance of 0.01, a squared return) is felt late. A factor that brings the
// useful range of l_j to about 1 is a good start; violations are then in the
// scaled unit.
func (p Problem[S]) ScaleConstraints(factor float64) (Problem[S], error) {
	if err := p.Check(); err != nil {
		return Problem[S]{}, err
	}
	if !(factor > 0) {
		return Problem[S]{}, fmt.Errorf("csspa: ScaleConstraints: the factor is %v: it must be positive", factor)
	}
	return p.scaled(factor), nil
}

func (p Problem[S]) scaled(factor float64) Problem[S] {
	if p.L != nil {
		j, l := p.L.Outputs(), p.L
		scratch := sync.Pool{New: func() any { w := make([]float64, j); return &w }} // for concurrent runs
		p.L = Func[S]{
			In:  p.H.Outputs(),
			Len: j,
			Value: func(dst, u []float64, s S) {
				l.Evaluate(dst, u, s)
				for i := range dst {
					dst[i] *= factor
				}
			},
			Gradient: func(dst, u, w []float64, s S) {
				weights, _ := scratch.Get().(*[]float64)
				for i, v := range w {
					(*weights)[i] = factor * v
				}
				l.AddGradient(dst, u, *weights, s)
				scratch.Put(weights)
			},
		}
	}
	return p
}
