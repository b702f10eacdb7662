package gallery

import (
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// halfSpace: F(x) = ½‖x - (1, 1)‖² subject to E φ · x - 1 <= 0, φ in U(0, 2)².
// The projection on the half-space x_1 + x_2 <= 1: x* = (½, ½), F* = ¼, λ* = ½.
// Both outer functions are affine, so nothing here is truly compositional.
func halfSpace() Entry {
	ones := []float64{1, 1}
	return Entry{
		Name: "half-space",
		Problem: csspa.Problem[Draw]{
			N: 2,
			G: csspa.Identity[Draw](2),
			F: squares(1, 1),
			H: dot(phi),
			L: scalar(
				1,
				func(u []float64, _ Draw) float64 { return u[0] - 1 },
				func([]float64, int, Draw) float64 { return 1 },
			),
			X:          csspa.Ball{Radius: 2},
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{Phi: [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 2)}}
		},
		Start:       []float64{-1, 0},
		Optimum:     []float64{0.5, 0.5},
		Value:       0.25,
		Multipliers: []float64{0.5},
		Objective:   func(x []float64) float64 { return halfSquares(x, ones) },
		Constraints: func(dst, x []float64) { dst[0] = x[0] + x[1] - 1 },
		K:           0.05,
	}
}

// disc is a binding compositional constraint: F(x) = -(x_1 + x_2)/2 subject
// to (E φ_1 x_1)² + (E φ_2 x_2)² - 1 <= 0 with φ in U(0, 2)², so that L(x) =
// ‖x‖² - 1. x* = (1, 1)/√2, F* = -1/√2, and from -½ + λ 2 x_1 = 0, λ* = 1/(2√2).
// Taking samples of l(h(x; φ)) instead would give E φ² ‖x‖² = 4/3 ‖x‖² <= 1.
func disc() Entry {
	return Entry{
		Name: "disc",
		Problem: csspa.Problem[Draw]{
			N: 2,
			G: csspa.Identity[Draw](2),
			F: scalar(
				2,
				func(z []float64, _ Draw) float64 { return -(z[0] + z[1]) / 2 },
				func([]float64, int, Draw) float64 { return -0.5 },
			),
			H: scaled(2, phi),
			L: scalar(
				2,
				func(u []float64, _ Draw) float64 { return u[0]*u[0] + u[1]*u[1] - 1 },
				func(u []float64, i int, _ Draw) float64 { return 2 * u[i] },
			),
			X:          csspa.Ball{Radius: 2},
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{Phi: [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 2)}}
		},
		Start:       []float64{-1, 0.5},
		Optimum:     []float64{math.Sqrt2 / 2, math.Sqrt2 / 2},
		Value:       -math.Sqrt2 / 2,
		Multipliers: []float64{math.Sqrt2 / 4},
		Objective:   func(x []float64) float64 { return -(x[0] + x[1]) / 2 },
		Constraints: func(dst, x []float64) { dst[0] = x[0]*x[0] + x[1]*x[1] - 1 },
		K:           0.1,
	}
}

// norm is a compositional constraint that the answers approach from outside:
// F(x) = ½‖x - (√2, √2)‖² subject to √((E φ_1 x_1)² + (E φ_2 x_2)² + 0.01) - √1.01
// <= 0 with φ in U(0, 2)², so that ‖x‖ <= 1. x* = (1, 1)/√2, F* = ½, and from
// -1/√2 + λ x_1/√1.01 = 0, λ* = √1.01. As the objective is curved and the
// constraint nearly linear along its rays, the violation shows the theorem's T^-1/4.
func norm() Entry {
	const soft = 0.01
	target := []float64{math.Sqrt2, math.Sqrt2}
	length := func(u []float64) float64 { return math.Sqrt(u[0]*u[0] + u[1]*u[1] + soft) }
	return Entry{
		Name: "norm",
		Problem: csspa.Problem[Draw]{
			N: 2,
			G: csspa.Identity[Draw](2),
			F: squares(target...),
			H: scaled(2, phi),
			L: scalar(
				2,
				func(u []float64, _ Draw) float64 { return length(u) - math.Sqrt(1+soft) },
				func(u []float64, i int, _ Draw) float64 { return u[i] / length(u) },
			),
			X:          csspa.Ball{Radius: 2},
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{Phi: [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 2)}}
		},
		Start:       []float64{-1, 0.5},
		Optimum:     []float64{math.Sqrt2 / 2, math.Sqrt2 / 2},
		Value:       0.5,
		Multipliers: []float64{math.Sqrt(1 + soft)},
		Objective:   func(x []float64) float64 { return halfSquares(x, target) },
		Constraints: func(dst, x []float64) { dst[0] = length(x) - math.Sqrt(1+soft) },
		K:           0.03,
	}
}

// hinge has a kink in the inner function, as the fair classifier's relaxations
// have: F(x) = -x subject to 64 (E max(0, x - φ))² - 1 <= 0 on [0, 1], φ in
// U(0, 1). E max(0, x - φ) = x²/2 there, so L(x) = 16x⁴ - 1: x* = ½, F* = -½, and
// from -1 + λ 64 x³ = 0, λ* = 1/8.
func hinge() Entry {
	return Entry{
		Name: "hinge",
		Problem: csspa.Problem[Draw]{
			N: 1,
			G: csspa.Identity[Draw](1),
			F: scalar(
				1,
				func(z []float64, _ Draw) float64 { return -z[0] },
				func([]float64, int, Draw) float64 { return -1 },
			),
			H: scalar(
				1,
				func(x []float64, s Draw) float64 { return max(0, x[0]-s.Phi[0]) },
				func(x []float64, _ int, s Draw) float64 {
					if x[0] > s.Phi[0] {
						return 1
					}
					return 0
				},
			),
			L: scalar(
				1,
				func(u []float64, _ Draw) float64 { return 64*u[0]*u[0] - 1 },
				func(u []float64, _ int, _ Draw) float64 { return 128 * u[0] },
			),
			X:          box(0, 1),
			FixedOuter: true,
		},
		Sample:      func(rng *rand.Rand) Draw { return Draw{Phi: [2]float64{rng.Float64()}} },
		Start:       []float64{0},
		Optimum:     []float64{0.5},
		Value:       -0.5,
		Multipliers: []float64{1. / 8},
		Objective:   func(x []float64) float64 { return -x[0] },
		Constraints: func(dst, x []float64) { dst[0] = 16*x[0]*x[0]*x[0]*x[0] - 1 },
		K:           0.2,
	}
}

// semideviation has a random outer function, as the risk-averse portfolio has:
// F(x) = ½‖x - (1, 1)‖² subject to 24 E_ψ [(E φ · x - ψ)_+]² - 1 <= 0 on [0, 1]²,
// φ in U(0, 1)², ψ in U(0, 1). With m = (x_1 + x_2)/2 in [0, 1], E (m - ψ)_+² =
// m³/3, so L(x) = 8m³ - 1: m* = ½, x* = (½, ½), F* = ¼, and from
// -½ + λ 24m²·½ = 0, λ* = 1/6.
func semideviation() Entry {
	ones := []float64{1, 1}
	return Entry{
		Name: "semideviation",
		Problem: csspa.Problem[Draw]{
			N: 2,
			G: csspa.Identity[Draw](2),
			F: squares(1, 1),
			H: dot(phi),
			L: scalar(
				1,
				func(u []float64, s Draw) float64 {
					excess := max(0, u[0]-s.Psi)
					return 24*excess*excess - 1
				},
				func(u []float64, _ int, s Draw) float64 { return 48 * max(0, u[0]-s.Psi) },
			),
			X: box(0, 1),
		},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{Phi: [2]float64{rng.Float64(), rng.Float64()}, Psi: rng.Float64()}
		},
		Start:       []float64{0, 0.2},
		Optimum:     []float64{0.5, 0.5},
		Value:       0.25,
		Multipliers: []float64{1. / 6},
		Objective:   func(x []float64) float64 { return halfSquares(x, ones) },
		Constraints: func(dst, x []float64) {
			m := (x[0] + x[1]) / 2
			dst[0] = 8*m*m*m - 1
		},
		K: 0.2,
	}
}

// oneOfTwo composes on both sides and has one binding and one slack constraint,
// stacked: F(x) = ½ (E ξ_1 x_1 - 2)² + ½ (E ξ_2 x_2 - 2)² with ξ in U(0, 2)²,
// subject to 2 (E φ_1 x_1)² - 2 <= 0 with φ_1 in U(0, 2), and E φ_2 (x_1 + x_2) - 8
// <= 0 with φ_2 in U(0, 2). x* = (1, 2), F* = ½, and from (x_1 - 2) + λ_1 4 x_1 =
// 0, λ* = (¼, 0).
func oneOfTwo() Entry {
	target := []float64{2, 2}
	h, l := csspa.Stack(
		csspa.Constraint[Draw]{
			H: scalar(
				2,
				func(x []float64, s Draw) float64 { return s.Phi[0] * x[0] },
				func(_ []float64, i int, s Draw) float64 { return s.Phi[0] * float64(1-i) },
			),
			L: scalar(
				1,
				func(u []float64, _ Draw) float64 { return 2*u[0]*u[0] - 2 },
				func(u []float64, _ int, _ Draw) float64 { return 4 * u[0] },
			),
		},
		csspa.Constraint[Draw]{
			H: dot(func(s Draw) [2]float64 { return [2]float64{s.Phi[1], s.Phi[1]} }),
			L: scalar(
				1,
				func(u []float64, _ Draw) float64 { return u[0] - 8 },
				func([]float64, int, Draw) float64 { return 1 },
			),
		},
	)
	return Entry{
		Name:    "one of two",
		Problem: csspa.Problem[Draw]{N: 2, G: scaled(2, xi), F: squares(2, 2), H: h, L: l, X: box(-4, 4), FixedOuter: true},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{
				Xi:  [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 2)},
				Phi: [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 2)},
			}
		},
		Start:       []float64{0, 0},
		Optimum:     []float64{1, 2},
		Value:       0.5,
		Multipliers: []float64{0.25, 0},
		Objective:   func(x []float64) float64 { return halfSquares(x, target) },
		Constraints: func(dst, x []float64) { dst[0], dst[1] = 2*x[0]*x[0]-2, x[0]+x[1]-8 },
		K:           0.15,
	}
}

// Plain has no composition: F(x) = E ½‖x - ξ‖² subject to E φ · x - 1 <= 0, with the
// identity outside, ξ in (1, 1) + U(-1, 1)² and φ in U(0, 2)². x* = (½, ½), F* = ¼ +
// 1/3, λ* = ½. It is not among All: it is where the rates of saddle point methods for
// plain expectations can be compared.
func Plain() Entry {
	ones := []float64{1, 1}
	return Entry{
		Name: "plain expectations",
		Problem: csspa.Problem[Draw]{
			N: 2,
			G: scalar(
				2,
				func(x []float64, s Draw) float64 { return halfSquares(x, s.Xi[:]) },
				func(x []float64, i int, s Draw) float64 { return x[i] - s.Xi[i] },
			),
			F: csspa.Identity[Draw](1),
			H: csspa.Func[Draw]{
				In: 2, Len: 1,
				Value: func(dst, x []float64, s Draw) { dst[0] = s.Phi[0]*x[0] + s.Phi[1]*x[1] - 1 },
				Gradient: func(dst, _, weights []float64, s Draw) {
					dst[0] += weights[0] * s.Phi[0]
					dst[1] += weights[0] * s.Phi[1]
				},
			},
			L:          csspa.Identity[Draw](1),
			X:          csspa.Ball{Radius: 2},
			FixedOuter: true,
		},
		Sample: func(rng *rand.Rand) Draw {
			return Draw{
				Xi:  [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 2)},
				Phi: [2]float64{uniform(rng, 0, 2), uniform(rng, 0, 2)},
			}
		},
		Start:       []float64{-1, 0},
		Optimum:     []float64{0.5, 0.5},
		Value:       0.25 + 1./3,
		Multipliers: []float64{0.5},
		Objective:   func(x []float64) float64 { return halfSquares(x, ones) + 1./3 },
		Constraints: func(dst, x []float64) { dst[0] = x[0] + x[1] - 1 },
		K:           0.05,
	}
}
