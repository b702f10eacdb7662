package main

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// moments is all that the fair sparse additive model needs to know of a data set: F and L are functions of
// second moments of the basis φ(x) = (x_1, x_1², ..., x_d^q), of y and of s. Objective, constraints and
// optimum over 20,000 records then cost as much as over one.
type moments struct {
	square      *mat.SymDense // E φ φᵀ, n × n
	cross, mean []float64     // E y φ, E φ
	sensitive   []float64     // E s φ
	y2, s       float64       // E y², E s
}

func momentsOf(m problems.FairSpAM, data []problems.Measurement) moments {
	n := m.Features * m.Powers
	r := moments{
		square: mat.NewSymDense(n, nil), cross: make([]float64, n), mean: make([]float64, n), sensitive: make([]float64, n),
	}
	weight := 1 / float64(len(data))
	basis := mat.NewVecDense(n, nil)
	for _, record := range data {
		for j, x := range record.X {
			power := 1.0
			for k := range m.Powers {
				power *= x
				basis.SetVec(j*m.Powers+k, power)
			}
		}
		r.square.SymRankOne(r.square, weight, basis)
		for i := range n {
			r.cross[i] += weight * record.Y * basis.AtVec(i)
			r.mean[i] += weight * basis.AtVec(i)
			r.sensitive[i] += weight * record.S * basis.AtVec(i)
		}
		r.y2 += weight * record.Y * record.Y
		r.s += weight * record.S
	}
	return r
}

// momentProblem is m over moments: the expectations of its inner functions, and its own outer functions.
func momentProblem(m problems.FairSpAM) (csspa.Problem[moments], error) {
	p, err := m.Problem()
	if err != nil {
		return csspa.Problem[moments]{}, err
	}
	return csspa.Problem[moments]{
		N: p.N, G: meanSquares(m), F: anyRecord(m.Features+1, p.F), H: meanMoments(p.N), L: anyRecord(3, p.L), X: p.X, FixedOuter: true,
	}, nil
}

// meanSquares is E g = [E (y - p)², E h_1², ..., E h_d²].
func meanSquares(m problems.FairSpAM) csspa.Function[moments] {
	n, q := m.Features*m.Powers, m.Powers
	product := mat.NewVecDense(n, nil) // E φ φᵀ w
	slope := make([]float64, q)        // E φ_j h_j
	square := func(r moments, w []float64, j int) float64 {
		value := 0.0
		for a := range q {
			slope[a] = 0
			for b := range q {
				slope[a] += r.square.At(j*q+a, j*q+b) * w[j*q+b]
			}
			value += slope[a] * w[j*q+a]
		}
		return value
	}
	return csspa.Func[moments]{
		In: n, Len: m.Features + 1,
		Value: func(dst, w []float64, r moments) {
			product.MulVec(r.square, mat.NewVecDense(n, w))
			dst[0] = r.y2 - 2*inner(r.cross, w) + inner(product.RawVector().Data, w)
			for j := range m.Features {
				dst[j+1] = square(r, w, j)
			}
		},
		Gradient: func(dst, w, weights []float64, r moments) {
			product.MulVec(r.square, mat.NewVecDense(n, w))
			for i := range dst {
				dst[i] += 2 * weights[0] * (product.AtVec(i) - r.cross[i])
			}
			for j := range m.Features {
				square(r, w, j)
				for a, v := range slope {
					dst[j*q+a] += 2 * weights[j+1] * v
				}
			}
		},
	}
}

// meanMoments is E h = [E s p, E s, E p].
func meanMoments(n int) csspa.Function[moments] {
	return csspa.Func[moments]{
		In: n, Len: 3,
		Value: func(dst, w []float64, r moments) {
			dst[0], dst[1], dst[2] = inner(r.sensitive, w), r.s, inner(r.mean, w)
		},
		Gradient: func(dst, _, weights []float64, r moments) {
			for i := range n {
				dst[i] += weights[0]*r.sensitive[i] + weights[2]*r.mean[i]
			}
		},
	}
}

// anyRecord is an outer function of so many inputs that does not look at its record.
func anyRecord(in int, f csspa.Function[problems.Measurement]) csspa.Function[moments] {
	return csspa.Func[moments]{
		In: in, Len: f.Outputs(),
		Value: func(dst, u []float64, _ moments) { f.Evaluate(dst, u, problems.Measurement{}) },
		Gradient: func(dst, u, weights []float64, _ moments) {
			f.AddGradient(dst, u, weights, problems.Measurement{})
		},
	}
}

func inner(x, z []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(x), Data: x, Inc: 1}, blas64.Vector{N: len(z), Data: z, Inc: 1})
}
