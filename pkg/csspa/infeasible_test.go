package csspa_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// quick are settings for problems whose answer does not matter.
var quick = csspa.Settings{Steps: 3000, Ks: []float64{0.05, 0.5, 5}}

// stock is min E x subject to E max(0, d - x) <= shortage on [0, limit], with the demand d uniform on the 1,000
// midpoints of [0, 1]: what is short is (1-x)²/2, but for the midpoints' rounding of at most 1/8,000,000.
func stock(shortage, limit float64) (csspa.Problem[float64], []float64) {
	var demand []float64
	for i := range 1000 {
		demand = append(demand, (float64(i)+0.5)/1000)
	}
	short := csspa.Variable[float64]{
		Value: func(x []float64, d float64) float64 { return max(0, d-x[0]) },
		AddGradient: func(dst []float64, scale float64, x []float64, d float64) {
			if d > x[0] {
				dst[0] -= scale
			}
		},
	}
	cost := csspa.Linear(func(float64) []float64 { return []float64{1} })
	return csspa.NewProblem(1, csspa.Mean(cost), csspa.Box{Lower: []float64{0}, Upper: []float64{limit}}, csspa.Mean(short).AtMost(shortage)), demand
}

// TestInfeasible: a limit of ½ leaves a shortage of 1/8 at least, which is 0.075 above 0.05. The error names the
// constraint and that level.
func TestInfeasible(t *testing.T) {
	problem, demand := stock(0.05, 0.5)
	_, err := csspa.Solve(problem, demand, quick)
	var e *csspa.InfeasibleError
	if !errors.As(err, &e) {
		t.Fatalf("error is %v", err)
	}
	if !slices.Equal(e.Constraints, []int{1}) || math.Abs(e.Least-0.075) > 1e-6 || math.Abs(e.Bound-0.075) > 1e-3 || math.Abs(e.X[0]-0.5) > 1e-6 {
		t.Errorf("%+v, want L_1 at a level of 0.075 at ½", e)
	}
	if text := err.Error(); !strings.Contains(text, "L_1 cannot be met") || !strings.Contains(text, "0.075") {
		t.Errorf("it says %q", text)
	}
}

// TestInfeasibleTogether: L_2 = x + ½ and L_3 = ½ - x can each be met, but the larger of them is at least ½, at x = 0.
// L_1 = x - 8 is met where they are least, and not named. Alone among others, (E φ x)² + 1 is named alone.
func TestInfeasibleTogether(t *testing.T) {
	x := csspa.Mean(csspa.Linear(func(float64) []float64 { return []float64{1} }))
	box := csspa.Box{Lower: []float64{-5}, Upper: []float64{9}}
	together := csspa.NewProblem(1, x, box, x.AtMost(8), x.AtMost(-0.5), x.AtLeast(0.5))
	alone := csspa.NewProblem(1, x, box, x.AtMost(8), x.Map(func(r float64) float64 { return r*r + 1 }, func(r float64) float64 { return 2 * r }).AtMost(0))
	for _, c := range []struct {
		problem csspa.Problem[float64]
		names   []int
		least   float64
	}{{together, []int{2, 3}, 0.5}, {alone, []int{2}, 1}} {
		_, err := csspa.Solve(c.problem, []float64{1, 2}, quick)
		var e *csspa.InfeasibleError
		if !errors.As(err, &e) {
			t.Errorf("%v: error is %v", c.names, err)
			continue
		}
		if !slices.Equal(e.Constraints, c.names) || e.Bound > e.Least+1e-12 || math.Abs(e.Bound-c.least) > 0.02 || math.Abs(e.Least-c.least) > 0.02 {
			t.Errorf("%v: %v\n%+v, want a level of %v", c.names, err, e, c.least)
		}
	}
}

// TestFeasibleByLittle: margins of 0.001 and of 0, in which no trial ends, are no error.
func TestFeasibleByLittle(t *testing.T) {
	for _, margin := range []float64{0.001, 0} {
		problem, demand := stock(0.125+margin, 0.5)
		r, err := csspa.Solve(problem, demand, quick)
		if err != nil || r.X[0] < 0.4 {
			t.Errorf("margin %v: %v, %v", margin, r, err)
		}
	}
}
