package csspa_test

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestSolveOnANewProblem: the stock with a shortage of at most 1/20 is 1 - √(1/10), and from 1 = λ (1-x) the multiplier
// is √10.
func TestSolveOnANewProblem(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSolveDoesNotDependOnWorkers has the goroutines")
	}
	problem, demand := stock(0.05, 1)
	r, err := csspa.Solve(problem, demand, csspa.Settings{Steps: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	best := 1 - math.Sqrt(0.1)
	if gap := r.Objective.Value - best; math.Abs(gap) > 0.02 || gap > r.Gap.Value+1e-6 || r.Constraints[0].Value > 0.002 {
		t.Errorf("the stock is %v, want %v:\n%v", r.X, best, r)
	}
	if math.Abs(r.Lambda[0]-math.Sqrt(10)) > 0.3 {
		t.Errorf("the multiplier is %v, want √10", r.Lambda[0])
	}
}

// TestSolveWithAnOuterFunctionOfOnesOwn maximises x_1 + 2 x_2 under a bound of 1 on the entropic risk log E exp(s·x),
// s having independent coordinates of -1 with probability 2/3 and 2 with 1/3. Nine samples hold that distribution
// exactly, and the risk is φ(x_1) + φ(x_2) with φ(v) = log((2 e^-v + e^2v)/3). So at the optimum λ φ'(x_i) = i, and
// bisection on λ finds it.
func TestSolveWithAnOuterFunctionOfOnesOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSolveDoesNotDependOnWorkers has the goroutines")
	}
	var samples [][]float64
	for _, a := range []float64{-1, -1, 2} {
		for _, b := range []float64{-1, -1, 2} {
			samples = append(samples, []float64{a, b})
		}
	}
	phi := func(v float64) float64 { return math.Log((2*math.Exp(-v) + math.Exp(2*v)) / 3) }
	slope := func(v float64) float64 {
		return 2 * (math.Exp(2*v) - math.Exp(-v)) / (2*math.Exp(-v) + math.Exp(2*v))
	}
	bisect := func(low, high float64, above func(float64) bool) float64 {
		for range 100 {
			if middle := (low + high) / 2; above(middle) {
				high = middle
			} else {
				low = middle
			}
		}
		return low
	}
	at := func(lambda float64) (x [2]float64) {
		for i := range x {
			x[i] = bisect(0, 9, func(v float64) bool { return lambda*slope(v) > float64(i+1) })
		}
		return x
	}
	lambda := bisect(1.01, 100, func(l float64) bool { x := at(l); return phi(x[0])+phi(x[1]) < 1 })
	best := at(lambda)

	// E exp(s·x) is at least 1, as E s = 0: below ½ the logarithm goes on along its tangent.
	const knee = 0.5
	exponential := csspa.Variable[[]float64]{
		Value: func(x, s []float64) float64 { return math.Exp(s[0]*x[0] + s[1]*x[1]) },
		AddGradient: func(dst []float64, scale float64, x, s []float64) {
			e := math.Exp(s[0]*x[0] + s[1]*x[1])
			dst[0] += scale * e * s[0]
			dst[1] += scale * e * s[1]
		},
	}
	risk := csspa.Mean(exponential).Map(
		func(r float64) float64 { return math.Log(max(r, knee)) + min(0, r-knee)/knee },
		func(r float64) float64 { return 1 / max(r, knee) },
	)
	gain := csspa.Mean(csspa.Linear(func([]float64) []float64 { return []float64{-1, -2} }))
	problem := csspa.NewProblem(2, gain, csspa.Box{Lower: []float64{-1}, Upper: []float64{1.5}}, risk.AtMost(1))
	if err := problem.Verify([]float64{0.3, 0.7}, samples[2], 1e-6); err != nil {
		t.Fatal(err)
	}
	r, err := csspa.Solve(problem, samples, csspa.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	want := -best[0] - 2*best[1]
	if gap := r.Objective.Value - want; math.Abs(gap) > 0.02 || gap > r.Gap.Value+1e-6 || r.Constraints[0].Value > 0.005 {
		t.Errorf("at %v the gain is %v, want %v at %v:\n%v", r.X, -r.Objective.Value, -want, best, r)
	}
	if math.Abs(r.Lambda[0]-lambda) > 0.1*lambda {
		t.Errorf("the multiplier is %v, want %v", r.Lambda[0], lambda)
	}
}

// TestMapNeedsItsSlope: a function without its derivative is a mistake of the caller, and a wrong one is found.
func TestMapNeedsItsSlope(t *testing.T) {
	x := csspa.Mean(csspa.Linear(func(float64) []float64 { return []float64{1} }))
	wrong := csspa.NewProblem(1, x.Map(math.Exp, math.Sin), nil)
	if err := wrong.Verify([]float64{1}, 0, 1e-6); err == nil {
		t.Error("a wrong slope is not found")
	}
	defer func() {
		if recover() == nil {
			t.Error("a function without its slope is accepted")
		}
	}()
	x.Map(math.Exp, nil)
}
