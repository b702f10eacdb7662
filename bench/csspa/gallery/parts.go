package gallery

import (
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// scaled is c(x; s) = (k_1 x_1, ..., k_n x_n) with random k = pick(s), n <= 2.
func scaled(n int, pick func(Draw) [2]float64) csspa.Function[Draw] {
	return csspa.Func[Draw]{
		In: n, Len: n,
		Value: func(dst, x []float64, s Draw) {
			k := pick(s)
			for i, v := range x {
				dst[i] = k[i] * v
			}
		},
		Gradient: func(dst, _, weights []float64, s Draw) {
			k := pick(s)
			for i, w := range weights {
				dst[i] += w * k[i]
			}
		},
	}
}

// dot is c(x; s) = k · x with random k = pick(s), n = 2.
func dot(pick func(Draw) [2]float64) csspa.Function[Draw] {
	return csspa.Func[Draw]{
		In: 2, Len: 1,
		Value: func(dst, x []float64, s Draw) {
			k := pick(s)
			dst[0] = 0
			for i, v := range x {
				dst[0] += k[i] * v
			}
		},
		Gradient: func(dst, _, weights []float64, s Draw) {
			k := pick(s)
			for i := range dst {
				dst[i] += weights[0] * k[i]
			}
		},
	}
}

// scalar is a function of so many inputs with one output, and its partial derivatives in diff.
func scalar(in int, value func(u []float64, s Draw) float64, diff func(u []float64, i int, s Draw) float64) csspa.Function[Draw] {
	return csspa.Func[Draw]{
		In: in, Len: 1,
		Value: func(dst, u []float64, s Draw) { dst[0] = value(u, s) },
		Gradient: func(dst, u, weights []float64, s Draw) {
			for i := range u {
				dst[i] += weights[0] * diff(u, i, s)
			}
		},
	}
}

// squares is f(z) = ½ Σ (z_i - target_i)².
func squares(target ...float64) csspa.Function[Draw] {
	return scalar(
		len(target),
		func(z []float64, _ Draw) float64 { return halfSquares(z, target) },
		func(z []float64, i int, _ Draw) float64 { return z[i] - target[i] },
	)
}

func halfSquares(z, target []float64) float64 {
	sum := 0.0
	for i, v := range z {
		sum += (v - target[i]) * (v - target[i]) / 2
	}
	return sum
}

func xi(s Draw) [2]float64  { return s.Xi }
func phi(s Draw) [2]float64 { return s.Phi }

func uniform(rng *rand.Rand, low, high float64) float64 { return low + (high-low)*rng.Float64() }

func box(low, high float64) csspa.Box {
	return csspa.Box{Lower: []float64{low}, Upper: []float64{high}}
}
