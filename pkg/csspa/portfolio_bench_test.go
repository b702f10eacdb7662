package csspa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// returns are one period's returns of the eight assets of the portfolio.
type returns [8]float64

// portfolio is a mean-variance portfolio whose conditional value at risk is bounded,
// written by hand: x are the shares, and the ninth variable is the threshold t of
//
//	min -E r·x + 2 Var r·x   subject to   t + E max(0, -r·x - t) / 0.05 <= 0.1
func portfolio(set csspa.Projection) csspa.Problem[*returns] {
	dot := func(x []float64, r *returns) float64 {
		sum := 0.0
		for i, v := range r {
			sum += x[i] * v
		}
		return sum
	}
	add := func(dst []float64, scale float64, r *returns) {
		for i, v := range r {
			dst[i] += scale * v
		}
	}
	return csspa.Problem[*returns]{
		N: 9,
		G: csspa.Func[*returns]{
			In: 9, Len: 2,
			Value: func(dst, x []float64, r *returns) {
				v := dot(x, r)
				dst[0], dst[1] = v, v*v
			},
			Gradient: func(dst, x, w []float64, r *returns) { add(dst, w[0]+2*w[1]*dot(x, r), r) },
		},
		F: csspa.Func[*returns]{
			In: 2, Len: 1,
			Value:    func(dst, y []float64, _ *returns) { dst[0] = -y[0] + 2*(y[1]-y[0]*y[0]) },
			Gradient: func(dst, y, w []float64, _ *returns) { dst[0] += w[0] * (-1 - 4*y[0]); dst[1] += 2 * w[0] },
		},
		H: csspa.Func[*returns]{
			In: 9, Len: 1,
			Value: func(dst, x []float64, r *returns) { dst[0] = x[8] + max(0, -dot(x, r)-x[8])/0.05 },
			Gradient: func(dst, x, w []float64, r *returns) {
				dst[8] += w[0]
				if -dot(x, r) > x[8] {
					add(dst, -w[0]/0.05, r)
					dst[8] -= w[0] / 0.05
				}
			},
		},
		L: csspa.Func[*returns]{
			In: 1, Len: 1,
			Value:    func(dst, u []float64, _ *returns) { dst[0] = u[0] - 0.1 },
			Gradient: func(dst, _, w []float64, _ *returns) { dst[0] += w[0] },
		},
		X: set, FixedOuter: true,
	}
}

// BenchmarkPortfolio is a step on the portfolio; divide 1e9 by it for steps a second.
func BenchmarkPortfolio(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	market := make([]returns, 1024)
	for i := range market {
		for k := range market[i] {
			market[i][k] = 0.02*float64(k+1) + 0.05*float64(k+1)*rng.NormFloat64()
		}
	}
	horizon, err := csspa.Theorem2Horizon(0.01, 0.75, 0.5, 1<<40)
	if err != nil {
		b.Fatal(err)
	}
	powers, err := csspa.Theorem2(0.5, 0.75, 0.5)
	if err != nil {
		b.Fatal(err)
	}
	for name, schedule := range map[string]csspa.PowerLaw{"powers of T": horizon, "powers of t": powers} {
		b.Run(name, func(b *testing.B) {
			method, err := csspa.NewCSSPA(portfolio(csspa.Box{Lower: []float64{0}, Upper: []float64{1}}), schedule, 0, csspa.State{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				method.Step(&market[i%len(market)])
			}
		})
	}
}
