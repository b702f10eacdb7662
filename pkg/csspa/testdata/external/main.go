// Command portfolio is what a user of pkg/csspa writes: shares of eight assets with
// the best mean less twice the variance, whose conditional value at risk is bounded.
package main

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/csspa"
)

func main() {
	rng := rand.New(rand.NewPCG(1, 1))
	market := make([][]float64, 20000) // returns of the assets, a row each period
	for i := range market {
		for k := range 8 {
			market[i] = append(market[i], 0.02*float64(k+1)+0.05*float64(k+1)*rng.NormFloat64())
		}
	}
	income := csspa.Linear(func(row []float64) []float64 { return row })
	problem := csspa.NewProblem(9, // eight shares, and the threshold of CVaR
		csspa.Mean(income).Times(-1).Plus(csspa.Variance(income).Times(2)),
		csspa.Product{{N: 8, Set: csspa.Simplex{Total: 1}}, {N: 1, Set: csspa.Box{Lower: []float64{-1}, Upper: []float64{1}}}},
		csspa.CVaR(income.Times(-1), 0.95, 8).AtMost(0.1),
	)
	result, err := csspa.Solve(problem, market, csspa.Settings{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(result)
}
