package fairness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// near says that two numbers agree to so many parts of the larger.
func near(a, b, share float64) bool {
	return a == b || math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b))
}

// However a stream is cut, the parts combine to the moments that the definitions give, also far from 0.
func TestMomentsCombine(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		centre := []float64{0, 1e9, -1e6}[random.IntN(3)]
		n := random.IntN(40)
		var whole, first, second Moments
		var xs, ws []float64
		cut := random.IntN(n + 1)
		for i := range n {
			x, w := centre+random.NormFloat64(), .1+random.Float64()
			xs, ws = append(xs, x), append(ws, w)
			whole.Add(x, w)
			if i < cut {
				first.Add(x, w)
			} else {
				second.Add(x, w)
			}
		}
		first.Combine(second)
		var weight, sum, squares float64
		for i := range xs {
			weight += ws[i]
			sum += ws[i] * (xs[i] - centre)
		}
		for i := range xs {
			d := xs[i] - centre - sum/weight
			squares += ws[i] * d * d
		}
		for _, m := range []Moments{whole, first} {
			if m.Records != int64(n) || n > 0 && (!near(m.Mean, centre+sum/weight, 1e-13) || !near(m.Weight, weight, 1e-12) || math.Abs(m.Squares-squares) > 1e-5*squares+1e-9) {
				t.Fatalf("%+v and it should be mean %v, squares %v", m, centre+sum/weight, squares)
			}
		}
	}
	if m := (Moments{}); !math.IsNaN(m.Average()) || !math.IsNaN(m.Variance()) || m.Effective() != 0 {
		t.Errorf("without records: %v, %v, %v", m.Average(), m.Variance(), m.Effective())
	}
}

func TestSquaredErrors(t *testing.T) {
	tally := NewRegressionTally(0)
	for _, y := range []float64{1, 2, 3, 4} {
		tally.Add(y, y-.5, 2, 1, nil)
	}
	e := tally.Errors
	if mse := e.MSE(.95); mse.Value != .25 || mse.Lo != .25 || mse.Hi != .25 || mse.Records != 4 || mse.Method != MethodNormal {
		t.Errorf("MSE %+v", mse)
	}
	if constant := e.ConstantMSE(.95); constant.Value != 1.5 || constant.Lo < 0 || !(constant.Hi > 1.5) {
		t.Errorf("of the constant %+v", constant)
	}
	if r := e.RSquared(.95); !near(r.Value, 1-.25/1.5, 1e-12) || !(r.Lo < r.Value && r.Value < r.Hi) || r.Hi > 1 || r.Method != MethodDelta {
		t.Errorf("R² %+v", r)
	}
	if r := (SquaredErrors{}).RSquared(.95); !math.IsNaN(r.Value) || r.Records != 0 {
		t.Errorf("without records R² is %+v", r)
	}
	tally.Reset()
	tally.Add(2, 1, 2, 1, nil)
	if r := tally.Errors.RSquared(.95); !math.IsNaN(r.Value) {
		t.Errorf("where the constant is right R² is %+v", r)
	}
}

// Cut anywhere, errors combine; and at the largest labels nothing overflows.
func TestSquaredErrorsCombine(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	whole, first, second := NewRegressionTally(1), NewRegressionTally(1), NewRegressionTally(1)
	for i := range 500 {
		y := 1e30 * random.NormFloat64() / 5
		p, side, w := y*random.Float64(), []Side{Side(random.IntN(4))}, 1+random.Float64()
		whole.Add(y, p, 1e29, w, side)
		if i < 200 {
			first.Add(y, p, 1e29, w, side)
		} else {
			second.Add(y, p, 1e29, w, side)
		}
	}
	first.Combine(second)
	for name, m := range map[string][2]Measure{
		"MSE": {whole.Errors.MSE(.95), first.Errors.MSE(.95)}, "constant": {whole.Errors.ConstantMSE(.95), first.Errors.ConstantMSE(.95)},
		"R²": {whole.Errors.RSquared(.95), first.Errors.RSquared(.95)},
	} {
		if !near(m[0].Value, m[1].Value, 1e-10) || !near(m[0].Lo, m[1].Lo, 1e-10) || !near(m[0].Hi, m[1].Hi, 1e-10) || !(m[0].Lo < m[0].Value && m[0].Value < m[0].Hi) {
			t.Errorf("%s is %+v, and of the parts %+v", name, m[0], m[1])
		}
	}
	comparison := []Comparison{{Name: "x", Criterion: MeanDifference, Group: []Term{Is("a", "1")}, Rest: true, Tau: 1}}
	a, b := whole.Estimates(comparison, DefaultOptions())[0], first.Estimates(comparison, DefaultOptions())[0]
	if a.NGroup != b.NGroup || !near(a.Value, b.Value, 1e-9) || !near(a.Lo, b.Lo, 1e-9) {
		t.Errorf("%+v and of the parts %+v", a, b)
	}
}

// The delta interval of R² covers: y = x + noise has R² 1/(1+variance of the noise).
func TestRSquaredCoverage(t *testing.T) {
	const replications = 3000
	random := rand.New(rand.NewPCG(7, 1))
	for _, noise := range []float64{.5, 2} {
		truth := 1 / (1 + noise*noise)
		covered := 0
		for range replications {
			var e SquaredErrors
			for range 300 {
				x, n := random.NormFloat64(), noise*random.NormFloat64()
				e.Add(n*n, (x+n)*(x+n), 1)
			}
			if r := e.RSquared(.95); r.Lo <= truth && truth <= r.Hi {
				covered++
			}
		}
		if coverage := float64(covered) / replications; coverage < .935 || coverage > .965 {
			t.Errorf("noise %v: coverage %.4f", noise, coverage)
		}
	}
}
