package csspa

import (
	"fmt"
	"math"
)

// Slater returns the auxiliary problem that finds the Slater constant σ_0 of p:
//
//	min_{x ∈ X, |r| <= bound} r   subject to   L_j(x) - r <= 0,  j = 1, ..., J
//
// in the n+1 variables (x, r). Its optimal value is min_x max_j L_j(x) = -σ_0: if
// it is negative, p is strictly feasible by σ_0, and any θ <= σ_0/2 may be used;
// if it is positive, p is infeasible. Being of the same form, it can be solved by
// CSSPA on a share of the samples (the paper suggests 5 to 10 %) or exactly on a
// data set by bench/csspa/reference.
func Slater[S any](p Problem[S], bound float64) (Problem[S], error) {
	if err := p.Check(); err != nil {
		return Problem[S]{}, err
	}
	if p.Constraints() == 0 {
		return Problem[S]{}, fmt.Errorf("csspa: Slater: the problem has no constraints")
	}
	if !(bound > 0) || math.IsInf(bound, 1) {
		return Problem[S]{}, fmt.Errorf("csspa: Slater: the bound is %v: it must be positive and finite, above every |L_j|", bound)
	}
	n, d := p.N, p.H.Outputs()
	return Problem[S]{
		N: n + 1,
		G: Func[S]{
			In: n + 1, Len: 1,
			Value:    func(dst, x []float64, _ S) { dst[0] = x[n] },
			Gradient: func(dst, _, weights []float64, _ S) { dst[n] += weights[0] },
		},
		F: Identity[S](1),
		H: Func[S]{ // (h(x), r)
			In: n + 1, Len: d + 1,
			Value: func(dst, x []float64, s S) {
				p.H.Evaluate(dst[:d], x[:n], s)
				dst[d] = x[n]
			},
			Gradient: func(dst, x, weights []float64, s S) {
				p.H.AddGradient(dst[:n], x[:n], weights[:d], s)
				dst[n] += weights[d]
			},
		},
		L: Func[S]{ // l_j(u) - r
			In: d + 1, Len: p.Constraints(),
			Value: func(dst, u []float64, s S) {
				p.L.Evaluate(dst, u[:d], s)
				for j := range dst {
					dst[j] -= u[d]
				}
			},
			Gradient: func(dst, u, weights []float64, s S) {
				p.L.AddGradient(dst[:d], u[:d], weights, s)
				for _, w := range weights {
					dst[d] -= w
				}
			},
		},
		X:          Product{{n, p.X}, {1, Box{[]float64{-bound}, []float64{bound}}}},
		FixedOuter: p.FixedOuter,
	}, nil
}
