package gallery

import (
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// mean: F(x) = E ½‖x - ξ‖² with ξ = c + U(-1, 1)², c = (1, -1/2), and f the
// identity. x* = c and F* = ½·2·Var U(-1, 1) = 1/3.
func mean() Entry {
	c := []float64{1, -0.5}
	return Entry{
		Name: "mean",
		Problem: csspa.Problem[Draw]{
			N: 2,
			G: scalar(
				2,
				func(x []float64, s Draw) float64 { return halfSquares(x, s.Xi[:]) },
				func(x []float64, i int, s Draw) float64 { return x[i] - s.Xi[i] },
			),
			F:          csspa.Identity[Draw](1),
			X:          csspa.Ball{Radius: 3},
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{Xi: [2]float64{c[0] + uniform(rng, -1, 1), c[1] + uniform(rng, -1, 1)}}
		},
		Start:     []float64{-1, 1},
		Optimum:   c,
		Value:     1. / 3,
		Objective: func(x []float64) float64 { return halfSquares(x, c) + 1./3 },
		K:         0.05,
	}
}

// randomSlope: F(x) = ½ (E ξ_1 x_1 - 1)² + ½ (E ξ_2 x_2 - 1)², ξ_1 in U(0, 2),
// ξ_2 in U(0, 4). x* = (1/E ξ_1, 1/E ξ_2) = (1, 1/2), F* = 0. Without following
// the expectation, stochastic gradients end at E ξ / E ξ² = (3/4, 3/8) instead.
func randomSlope() Entry {
	return Entry{
		Name: "random slope",
		Problem: csspa.Problem[Draw]{
			N:          2,
			G:          scaled(2, xi),
			F:          squares(1, 1),
			X:          box(-2, 2),
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{Xi: [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 4)}}
		},
		Start:     []float64{-1, -1},
		Optimum:   []float64{1, 0.5},
		Objective: func(x []float64) float64 { return halfSquares([]float64{x[0], 2 * x[1]}, []float64{1, 1}) },
		K:         0.05,
	}
}

// entropicRisk: F(x) = log E exp(ξ x) with ξ = 1 with probability 0.3, else -1.
// F'(x) = 0 where 0.3 e^x = 0.7 e^-x: x* = ½ log(7/3), F* = log(2 √0.21). Outside
// inner means above 1/10 (below which no mean lies, as E exp(ξ x) >= 2 √0.21), log
// goes on along its tangent.
func entropicRisk() Entry {
	const p, knee = 0.3, 0.1
	return Entry{
		Name: "entropic risk",
		Problem: csspa.Problem[Draw]{
			N: 1,
			G: scalar(
				1,
				func(x []float64, s Draw) float64 { return math.Exp(s.Xi[0] * x[0]) },
				func(x []float64, _ int, s Draw) float64 { return s.Xi[0] * math.Exp(s.Xi[0]*x[0]) },
			),
			F: scalar(
				1,
				func(z []float64, _ Draw) float64 {
					if z[0] > knee {
						return math.Log(z[0])
					}
					return math.Log(knee) + (z[0]-knee)/knee
				},
				func(z []float64, _ int, _ Draw) float64 { return 1 / max(z[0], knee) },
			),
			X:          box(-2, 2),
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			if rng.Float64() < p {
				return Draw{Xi: [2]float64{1}}
			}
			return Draw{Xi: [2]float64{-1}}
		},
		Start:     []float64{-1.5},
		Optimum:   []float64{math.Log(7./3) / 2},
		Value:     math.Log(2 * math.Sqrt(p*(1-p))),
		Objective: func(x []float64) float64 { return math.Log(p*math.Exp(x[0]) + (1-p)*math.Exp(-x[0])) },
		K:         0.05,
	}
}

// rootPenalty is the sparse additive model with one linear basis function:
// F(w) = E (y - w v)² + μ √E (w v)², v in U(-1, 1), y = 2v + noise of variance
// 1/12, μ = 1/2. As E v² = 1/3, F(w) = (w-2)²/3 + 1/12 + μ |w|/√3, so w* is the
// soft threshold 2 - ½ μ √3. The root goes on along its tangent below 1/100,
// well under the optimum's w*²/3.
func rootPenalty() Entry {
	const mu, knee = 0.5, 0.01
	best := 2 - mu*math.Sqrt(3)/2
	objective := func(w []float64) float64 { return (w[0]-2)*(w[0]-2)/3 + 1./12 + mu*math.Abs(w[0])/math.Sqrt(3) }
	return Entry{
		Name: "root penalty",
		Problem: csspa.Problem[Draw]{
			N: 1,
			G: csspa.Func[Draw]{
				In: 1, Len: 2,
				Value: func(dst, w []float64, s Draw) {
					prediction := w[0] * s.Xi[0]
					dst[0] = (s.Xi[1] - prediction) * (s.Xi[1] - prediction)
					dst[1] = prediction * prediction
				},
				Gradient: func(dst, w, weights []float64, s Draw) {
					v, y := s.Xi[0], s.Xi[1]
					dst[0] += weights[0]*2*(w[0]*v-y)*v + weights[1]*2*w[0]*v*v
				},
			},
			F: scalar(
				2,
				func(z []float64, _ Draw) float64 {
					if z[1] > knee {
						return z[0] + mu*math.Sqrt(z[1])
					}
					return z[0] + mu*(math.Sqrt(knee)+(z[1]-knee)/(2*math.Sqrt(knee)))
				},
				func(z []float64, i int, _ Draw) float64 {
					if i == 0 {
						return 1
					}
					return mu / (2 * math.Sqrt(max(z[1], knee)))
				},
			),
			X:          box(-3, 3),
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			v := uniform(rng, -1, 1)
			return Draw{Xi: [2]float64{v, 2*v + uniform(rng, -0.5, 0.5)}}
		},
		Start:     []float64{0.5},
		Optimum:   []float64{best},
		Value:     objective([]float64{best}),
		Objective: objective,
		K:         0.05,
	}
}
