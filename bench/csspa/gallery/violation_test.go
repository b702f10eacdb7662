package gallery_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// oneDimensional is min ½ (E ξ x - 3)² subject to E φ x - 1 <= 0 on [-2, 4], with ξ and φ in U(0, 2): x* = 1, and
// x - 3 + λ = 0 gives λ(x) = 3 - x, so λ* = 2. The constraint is linear, so the mean of l(u) is the level of x̂ but for
// the lag of u.
func oneDimensional() csspa.Problem[[2]float64] {
	linear := func(k int) csspa.Function[[2]float64] {
		return csspa.Func[[2]float64]{
			In: 1, Len: 1,
			Value:    func(dst, x []float64, s [2]float64) { dst[0] = s[k] * x[0] },
			Gradient: func(dst, _, w []float64, s [2]float64) { dst[0] += w[0] * s[k] },
		}
	}
	return csspa.Problem[[2]float64]{
		N: 1,
		G: linear(0),
		F: csspa.Func[[2]float64]{
			In: 1, Len: 1,
			Value:    func(dst, y []float64, _ [2]float64) { dst[0] = (y[0] - 3) * (y[0] - 3) / 2 },
			Gradient: func(dst, y, w []float64, _ [2]float64) { dst[0] += w[0] * (y[0] - 3) },
		},
		H: linear(1),
		L: csspa.Func[[2]float64]{
			In: 1, Len: 1,
			Value:    func(dst, u []float64, _ [2]float64) { dst[0] = u[0] - 1 },
			Gradient: func(dst, _, w []float64, _ [2]float64) { dst[0] += w[0] },
		},
		X:          csspa.Box{Lower: []float64{-2}, Upper: []float64{4}},
		FixedOuter: true,
	}
}

// TestConstantsOfTheViolation: while no projection acts, the dual step (duau) with θ = 0 telescopes,
//
//	Σ α l(u) = λ_{T+1} - λ_1 + Σ α² δ λ
//
// and with Theorem 2's α = T^-3/4 / 7K, so Σ α = T^1/4 / 7K, and α δ = (4/7) T^-3/4 (1 + 2 T^1/2) = ρ, the level of x̂
// is 7K T^-1/4 (λ - λ_1) + ρ λ, where λ is the multiplier at rest: l = ρ λ there, and λ = 3 - x, so λ = λ*/(1 + ρ).
// As ρ is nearly (8/7) T^-1/4, the violation from λ_1 = 0 is (7K + 8/7) λ* T^-1/4, but for the multiplier's own fall,
// and with δ = 0 it is 7K λ* T^-1/4: the order is the same. From λ_1 = λ* only δ's part is left.
func TestConstantsOfTheViolation(t *testing.T) {
	const lambda, steps, runs = 2.0, 1_000_000, 3
	T := float64(steps)
	root := math.Pow(T, -1./4)
	for _, k := range []float64{.02, .1, .3} {
		for _, c := range []struct {
			name    string
			delta   bool
			initial float64
		}{{"δ", true, 0}, {"δ = 0", false, 0}, {"δ, warm", true, lambda}, {"δ = 0, warm", false, lambda}} {
			schedule, err := csspa.Theorem2Horizon(k, 0.75, 0.5, steps)
			if err != nil {
				t.Fatal(err)
			}
			rho := 4. / 7 * math.Pow(T, -3./4) * (1 + 2*math.Sqrt(T))
			if !c.delta {
				schedule.Regularization, rho = 0, 0
			}
			level := 0.0
			for run := range runs {
				a, err := csspa.NewCSSPA(oneDimensional(), schedule, 0, csspa.State{X: []float64{1}, Y: []float64{1}, U: []float64{1}, Lambda: []float64{c.initial}})
				if err != nil {
					t.Fatal(err)
				}
				rng := rand.New(rand.NewPCG(uint64(run), 21))
				for range steps {
					a.Step([2]float64{2 * rng.Float64(), 2 * rng.Float64()})
				}
				x := make([]float64, 1)
				a.Average(x)
				level += (x[0] - 1) / float64(runs)
			}
			rest := lambda / (1 + rho)
			want := 7*k*root*(rest-c.initial) + rho*rest
			plain := (7*k*(lambda-c.initial) + rho/root*lambda) * root // without the multiplier's fall
			t.Logf("K = %v, %s: level %.4f, predicted %.4f, at first order %.4f", k, c.name, level, want, plain)
			scale := want
			if c.initial > 0 && !c.delta { // nothing is left: next to δ's part
				scale = 8. / 7 * lambda * root
			}
			if math.Abs(level-want) > scale/10 {
				t.Errorf("K = %v, %s: the level is %v, want %v", k, c.name, level, want)
			}
			if c.initial == 0 && math.Abs(level-plain) > plain/10 {
				t.Errorf("K = %v, %s: the level is %v, and %v at first order", k, c.name, level, plain)
			}
		}
	}
}
