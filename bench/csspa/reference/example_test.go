package reference_test

import (
	"fmt"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// The exact optimum of a queue design on observed arrivals, and its closed form
// for their means, (2, 5).
func ExampleSolve() {
	design := problems.Queues{Cost: []float64{1, 2}, Share: []float64{0.5, 0.5}, Delay: 0.5, Limit: 20, Knee: 0.1}
	p, err := design.Problem()
	if err != nil {
		fmt.Println(err)
		return
	}
	arrivals := []problems.Arrivals{{1, 4}, {3, 6}, {2, 5}}
	smooth := func(float64) csspa.Problem[problems.Arrivals] { return p }
	r, err := reference.Solve(smooth, arrivals, reference.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	rates, lambda := design.Optimum([]float64{2, 5})
	fmt.Printf("solver      (%.4f, %.4f), multiplier %.4f\n", r.X[0], r.X[1], r.Lambda[0])
	fmt.Printf("closed form (%.4f, %.4f), multiplier %.4f\n", rates[0], rates[1], lambda)
	fmt.Println("residual below 1e-6:", r.Residual.Max() < 1e-6)
	// Output:
	// solver      (4.4142, 6.7071), multiplier 11.6569
	// closed form (4.4142, 6.7071), multiplier 11.6569
	// residual below 1e-6: true
}
