package csspa_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// A problem in a page: spend as much as possible, F(x) = -E ξ·x, while the
// squared exposure to two risks whose sizes are only seen through noise stays
// within a budget, (E φ_1 x_1)² + (E φ_2 x_2)² <= 1. Squaring a noisy sample
// would overstate the risk; CSSPA follows E φ x and squares that.
func Example() {
	type sample struct{ xi, phi [2]float64 } // one draw of (ξ, φ)

	problem := csspa.Problem[sample]{
		N: 2,
		G: csspa.Func[sample]{ // g(x; ξ) = -ξ·x, the plain expectation of the objective
			In: 2, Len: 1,
			Value: func(dst, x []float64, s sample) { dst[0] = -s.xi[0]*x[0] - s.xi[1]*x[1] },
			Gradient: func(dst, _, weights []float64, s sample) {
				dst[0] -= weights[0] * s.xi[0]
				dst[1] -= weights[0] * s.xi[1]
			},
		},
		F: csspa.Identity[sample](1),
		H: csspa.Func[sample]{ // h(x; φ) = (φ_1 x_1, φ_2 x_2)
			In: 2, Len: 2,
			Value: func(dst, x []float64, s sample) { dst[0], dst[1] = s.phi[0]*x[0], s.phi[1]*x[1] },
			Gradient: func(dst, _, weights []float64, s sample) {
				dst[0] += weights[0] * s.phi[0]
				dst[1] += weights[1] * s.phi[1]
			},
		},
		L: csspa.Func[sample]{ // l(u) = u_1² + u_2² - 1
			In: 2, Len: 1,
			Value: func(dst, u []float64, _ sample) { dst[0] = u[0]*u[0] + u[1]*u[1] - 1 },
			Gradient: func(dst, u, weights []float64, _ sample) {
				dst[0] += weights[0] * 2 * u[0]
				dst[1] += weights[0] * 2 * u[1]
			},
		},
		X: csspa.Box{Lower: []float64{0}, Upper: []float64{2}},
	}
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func() sample {
		return sample{
			xi:  [2]float64{0.6 + 0.2*rng.NormFloat64(), 0.8 + 0.2*rng.NormFloat64()},
			phi: [2]float64{2 * rng.Float64(), 2 * rng.Float64()},
		}
	}
	if err := problem.Verify([]float64{0.5, 1.5}, draw(), 1e-6); err != nil {
		fmt.Println(err)
		return
	}

	const steps = 300_000
	schedule, err := csspa.Theorem2Horizon(0.05, 0.75, 0.5, steps)
	if err != nil {
		fmt.Println(err)
		return
	}
	method, err := csspa.NewCSSPA(problem, schedule, 0, csspa.State{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range steps {
		method.Step(draw())
	}
	answer := make([]float64, 2)
	method.Average(answer)
	fmt.Println(schedule.Guarantee().Reason)
	fmt.Printf("answer (%.2f, %.2f), optimum (0.60, 0.80)\n", answer[0], answer[1])
	// Output:
	// Theorem 2 holds: gap and violation are of order T^-0.25
	// answer (0.60, 0.80), optimum (0.60, 0.80)
}

func ExampleExponents() {
	for _, pair := range [][2]float64{{0.75, 0.5}, {0.9, 0.6}, {0.5, 0.75}} {
		fmt.Printf("a = %v, b = %v: %s\n", pair[0], pair[1], csspa.Exponents(pair[0], pair[1], false).Reason)
	}
	// Output:
	// a = 0.75, b = 0.5: Theorem 2 (order T^-0.25) holds; not Theorem 1: Σ β_t² must be finite, which needs b > 1/2
	// a = 0.9, b = 0.6: Theorems 1 (almost surely, θ = 0) and 2 (order T^-0.1) hold
	// a = 0.5, b = 0.75: no theorem holds: it needs b <= a (α_t must not exceed β_t)
}

// K is tuned on a tenth of the data, as the paper does: one short run for each
// candidate, scored by the objective plus a multiple of the violation.
func ExampleTune() {
	samples := tuneSamples()
	share := samples[:len(samples)/10]
	problem := target() // min ½ (E ξ x - 2)² subject to (E φ x)² <= 1
	start := func(k float64) (csspa.Method[pair], error) {
		schedule, err := csspa.Theorem2Horizon(k, 0.75, 0.5, len(share))
		if err != nil {
			return nil, err
		}
		return csspa.NewCSSPA(problem, schedule, 0, csspa.State{})
	}
	trials, best, err := csspa.Tune(csspa.Geometric(0.01, 10, 4), share, start, csspa.Merit(problem, share, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, trial := range trials {
		chosen := ""
		if i == best {
			chosen = "  <- chosen"
		}
		fmt.Printf("K = %5.2f: score %.2f at x = %.2f%s\n", trial.K, trial.Score, trial.X[0], chosen)
	}
	// Output:
	// K =  0.01: score 1.00 at x = 0.58
	// K =  0.10: score 0.48 at x = 1.01  <- chosen
	// K =  1.00: score 1.19 at x = 0.46
	// K = 10.00: score 1.90 at x = 0.05
}

// The constants of the assumptions, measured on samples at two ends of X, and
// what the theorems make of them: the K is safe and slow, and the θ that promises
// no violation is out of reach at any practical number of steps.
func ExampleConstants() {
	constants, err := csspa.EstimateConstants(target(), tuneSamples(), [][]float64{{0}, {2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("σ_0 = %.2f, K = %.0f (Theorem 1), %.0f (Theorem 2)\n", constants.Sigma0, constants.K1(), constants.K2())
	schedule, err := csspa.Theorem2Horizon(constants.K2(), 0.75, 0.5, 1_000_000)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = constants.Theta(schedule, 1_000_000)
	fmt.Printf("practical θ for λ* = 1/2: %.3f\n", csspa.Bias(schedule, 1_000_000, 0.5))
	fmt.Println("refused:", err != nil)
	// Output:
	// σ_0 = 1.00, K = 29901 (Theorem 1), 3828 (Theorem 2)
	// practical θ for λ* = 1/2: 0.018
	// refused: true
}

// The penalty method that the paper compares with runs behind the same interface.
func ExampleNewCSCGDA() {
	samples := tuneSamples()
	a, b, c := csspa.PenaltyExponents(true)
	schedule := csspa.PowerLaw{Alpha0: 4, Beta0: 1, A: a, B: b, Horizon: len(samples)}
	gamma := 3 * math.Pow(float64(len(samples)), c)
	method, err := csspa.NewCSCGDA(target(), schedule, gamma, csspa.State{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range samples {
		method.Step(s)
	}
	x := make([]float64, 1)
	method.Average(x)
	fmt.Printf("x = %.1f, optimum 1.0\n", x[0])
	// Output:
	// x = 1.0, optimum 1.0
}
