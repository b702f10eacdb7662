package surrogate_test

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// A classifier that favours the group: the first constraint of approximation-1
// is violated, and its coefficient asks for a lower margin of the group and a
// higher one of versus.
func Example() {
	r, err := surrogate.New(surrogate.Settings{Name: surrogate.Approximation1, Threshold: 1.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	u := make([]float64, r.InnerSize())
	for range 100 { // tracks the expectation of the inner function
		r.Track(u, 0.1, fairness.Group, 0.5)
		r.Track(u, 0.1, fairness.Versus, -0.5)
	}
	l := make([]float64, r.OuterSize())
	r.Outer(l, u)
	fmt.Printf("constraints: %.2f %.2f\n", l[0], l[1])

	lambda := []float64{1, 0}
	fmt.Printf("dL/dz of a group record:  %+.2f\n", r.Coefficient(u, lambda, fairness.Group, 0.5))
	fmt.Printf("dL/dz of a versus record: %+.2f\n", r.Coefficient(u, lambda, fairness.Versus, -0.5))
	// Output:
	// constraints: 0.50 -1.50
	// dL/dz of a group record:  +2.11
	// dL/dz of a versus record: -1.90
}

// The thresholds printed in the paper cannot be met.
func ExampleCheckThreshold() {
	fmt.Println(surrogate.CheckThreshold(surrogate.Approximation1, 3.2e-4))
	fmt.Println(surrogate.CheckThreshold(surrogate.Approximation2, 0.398))
	fmt.Println(surrogate.CheckThreshold(surrogate.Approximation3, 2.5))
	// Output:
	// threshold c*tau = 0.00032 of approximation-1 cannot be met by any model: use at least 1
	// threshold c*tau = 0.398 of approximation-2 can be met only by reversing the bias: use at least 1
	// <nil>
}

func ExampleNewBoth() {
	for _, name := range surrogate.Names() {
		instances, err := surrogate.NewBoth(surrogate.Settings{Name: name})
		if err != nil {
			fmt.Println(err)
			return
		}
		facts := name.Facts()
		fmt.Printf("%-15s instances %d, values at w = 0: %v, convex: %v\n", name, len(instances), facts.AtZero, facts.Convex)
	}
	// Output:
	// approximation-1 instances 1, values at w = 0: [1 1], convex: true
	// approximation-2 instances 2, values at w = 0: [1], convex: false
	// approximation-3 instances 2, values at w = 0: [5], convex: true
	// mean-margin     instances 1, values at w = 0: [0 0], convex: true
	// sigmoid         instances 1, values at w = 0: [0 0], convex: false
}
