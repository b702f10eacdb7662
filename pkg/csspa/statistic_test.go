package csspa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// readyStatistics are all ready statistics of three variables and a row of three numbers.
func readyStatistics() map[string]csspa.Statistic[[]float64] {
	row := csspa.Linear(func(r []float64) []float64 { return r[:2] })
	curved := csspa.Variable[[]float64]{
		Value: func(x []float64, r []float64) float64 { return r[0] * x[0] * x[1] },
		AddGradient: func(dst []float64, scale float64, x []float64, r []float64) {
			dst[0] += scale * r[0] * x[1]
			dst[1] += scale * r[0] * x[0]
		},
	}
	positive := func(r []float64) bool { return r[2] > 0 }
	return map[string]csspa.Statistic[[]float64]{
		"mean":             csspa.Mean(row),
		"variance":         csspa.Variance(curved),
		"conditional mean": csspa.ConditionalMean(row, positive, 0.05),
		"ratio":            csspa.Ratio(row, curved, 0.2),
		"CVaR":             csspa.CVaR(row.Times(-1), 0.9, 2),
		"norm":             csspa.Norm(0.1, row, curved),
		"sum":              csspa.Sum(csspa.Mean(row).Times(-1), csspa.Variance(row).Times(3), csspa.Norm(0.2, curved)),
	}
}

// TestStatisticsMeetFiniteDifferences: the derivatives of every ready statistic, as
// an objective and as a constraint, at random points and followed values.
func TestStatisticsMeetFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	for name, s := range readyStatistics() {
		for range 200 {
			p := csspa.NewProblem(3, s, nil, s.AtMost(1), s.AtLeast(-2))
			if err := p.Verify(random(3), random(3), 1e-5); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			u := random(p.F.(csspa.Func[[]float64]).In)
			outer := csspa.Problem[[]float64]{N: len(u), G: csspa.Identity[[]float64](len(u)), F: p.F}
			if err := outer.Verify(u, nil, 1e-4); err != nil {
				t.Fatalf("%s, outer function at %v: %v", name, u, err)
			}
		}
	}
}

// TestStatisticsByHand: rows (1, 0, 1), (3, 0, -1), (5, 0, 1) at x = (2, 1, 4), so that
// the row's variable is 2, 6, 10 and the curved one 2, 6, 10 too. The mean is 6, the
// variance 32/3, the mean where the third number is positive 6, the ratio 1, the norm
// √(36 + 36 + 0.01) - 0.1. The losses are -2, -6, -10, below 4: CVaR is 4.
func TestStatisticsByHand(t *testing.T) {
	rows := [][]float64{{1, 0, 1}, {3, 0, -1}, {5, 0, 1}}
	want := map[string]float64{
		"mean": 6, "variance": 32. / 3, "conditional mean": 6, "ratio": 1, "CVaR": 4,
		"norm": math.Sqrt(72.01) - 0.1, "sum": -6 + 32 + math.Sqrt(36.04) - 0.2,
	}
	for name, s := range readyStatistics() {
		data := csspa.NewFinite(csspa.NewProblem(3, s, nil, s.AtMost(1), s.AtLeast(2)), rows)
		levels := make([]float64, 2)
		x := []float64{2, 1, 4}
		data.Constraints(levels, x)
		if got := data.Objective(x); math.Abs(got-want[name]) > 1e-12 || math.Abs(levels[0]-(got-1)) > 1e-12 || math.Abs(levels[1]-(2-got)) > 1e-12 {
			t.Errorf("%s is %v, its constraints %v, want %v", name, got, levels, want[name])
		}
	}
	// Losses 2, 6, 10 with the threshold 6 and level 0.9: 6 + (10 - 6)/3/0.1.
	loss := csspa.CVaR(csspa.Linear(func(r []float64) []float64 { return r[:1] }), 0.9, 2)
	if got := csspa.NewFinite(csspa.NewProblem(3, loss, nil), rows).Objective([]float64{2, 1, 6}); math.Abs(got-(6+40./3)) > 1e-12 {
		t.Errorf("CVaR is %v", got)
	}
}

func TestCVaRLevel(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a level of 1 is accepted")
		}
	}()
	csspa.CVaR(csspa.Variable[int]{}, 1, 0)
}
