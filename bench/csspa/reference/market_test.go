package reference_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestMarket: the optimum that TestExternalModule of pkg/csspa compares with. The market and the problem are
// those of pkg/csspa/testdata/external.
func TestMarket(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([][]float64, 20000)
	for i := range rows {
		for k := range 8 {
			rows[i] = append(rows[i], 0.02*float64(k+1)+0.05*float64(k+1)*rng.NormFloat64())
		}
	}
	income := csspa.Linear(func(row []float64) []float64 { return row })
	problem := csspa.NewProblem(9,
		csspa.Mean(income).Times(-1).Plus(csspa.Variance(income).Times(2)),
		csspa.Product{{N: 8, Set: csspa.Simplex{Total: 1}}, {N: 1, Set: csspa.Box{Lower: []float64{-1}, Upper: []float64{1}}}},
		csspa.CVaR(income.Times(-1), 0.95, 8).AtMost(0.1),
	)
	best, err := reference.Solve(func(float64) csspa.Problem[[]float64] { return problem }, rows, reference.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("objective %.6f", best.Objective)
	if want := -0.078815; math.Abs(best.Objective-want) > 1e-5 {
		t.Errorf("the objective is %.6f, and pkg/csspa compares with %v", best.Objective, want)
	}
}
