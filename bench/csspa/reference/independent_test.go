package reference_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// independent returns the optimum that cvxpy finds, from testdata/optima.csv, which
// testdata/independent.py wrote; `make reference` lets it find them again.
func independent(t *testing.T, problem, bound string) float64 {
	t.Helper()
	file, err := os.Open("testdata/optima.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(file).ReadAll()
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row[0] != problem || row[1] != bound {
			continue
		}
		objective, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		return objective
	}
	t.Fatalf("testdata/optima.csv has no %s with bound %s", problem, bound)
	return 0
}

// generator is the one of testdata/independent.py, bit for bit.
type generator uint64

func (g *generator) uniform() float64 {
	*g = *g*6364136223846793005 + 1442695040888963407
	return float64(*g>>11) / (1 << 53)
}

func records() []problems.Record {
	rng := generator(1)
	sign := func(probability float64) float64 {
		if rng.uniform() < probability {
			return 1
		}
		return -1
	}
	rows := make([]problems.Record, 400)
	for i := range rows {
		a, b, c := 2*rng.uniform()-1, 2*rng.uniform()-1, 2*rng.uniform()-1
		group := sign(0.5 + 0.3*a)
		rows[i] = problems.Record{X: []float64{a, b, c, 1}, Group: int(group), Label: sign(0.5 + 0.4*a - 0.2*b)}
	}
	return rows
}

// narrowing is a sequence of smoothing widths whose last one changes nothing that
// the tests can see.
var narrowing = []float64{0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5}

// TestClassifier: objectives within 1e-4 of cvxpy's, for all three relaxations and
// without a constraint. Approximation 2 is not convex: it starts from several points.
func TestClassifier(t *testing.T) {
	samples := records()
	for _, c := range []struct {
		approximation problems.Approximation
		threshold     float64
		name, bound   string // of the independent solver's row
	}{
		{problems.Approximation1, 100, "classifier 0", "100"},
		{problems.Approximation1, 1.2, "classifier 1", "1.2"},
		{problems.Approximation2, 1.05, "classifier 2", "1.05"},
		{problems.Approximation3, 2.2, "classifier 3", "2.2"},
	} {
		objective := independent(t, c.name, c.bound)
		at := func(epsilon float64) csspa.Problem[problems.Record] {
			p, err := problems.FairClassifier{
				Features: 4, Approximation: c.approximation, Threshold: c.threshold,
				Mu: 0.01, Radius: 5, Floor: 0.01, Smoothing: epsilon,
			}.Problem()
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		starts := [][]float64{{0, 0, 0, 0}}
		if c.approximation == problems.Approximation2 {
			starts = append(starts, []float64{2, 0, 0, 0}, []float64{-2, 0, 0, 0}, []float64{0, -1, 1, 0})
		}
		r, err := reference.Solve(at, samples, reference.Settings{Starts: starts, Smoothing: narrowing})
		if err != nil {
			t.Fatalf("approximation %d: %v", c.approximation, err)
		}
		t.Logf("approximation %d, threshold %v: F %.9f (cvxpy %.9f), violation %.1e, residual %.1e, lambda %.4v, starts %v",
			c.approximation, c.threshold, r.Objective, objective, r.Violation(), r.Residual, r.Lambda, r.Objectives)
		requireOptimum(t, r, objective, 1e-4)
		if r.Residual.Max() > 1e-6 {
			t.Errorf("approximation %d: residual %v at width %v", c.approximation, r.Residual, r.Smoothing)
		}
		if binding := r.Lambda[0] > 1e-3; binding != (c.threshold < 100) {
			t.Errorf("approximation %d: multipliers are %v", c.approximation, r.Lambda)
		}
	}
}

func requireOptimum(t *testing.T, r reference.Result, objective, tolerance float64) {
	t.Helper()
	if math.Abs(r.Objective-objective) > tolerance {
		t.Errorf("F is %.9f, the independent solver's %.9f", r.Objective, objective)
	}
	if v := r.Violation(); v > tolerance {
		t.Errorf("the violation is %v", v)
	}
}

// TestSmoothProblems: objectives within 1e-6 of cvxpy's, residuals below 1e-6.
func TestSmoothProblems(t *testing.T) {
	for _, tau := range []float64{1, 0.01} {
		rng := generator(2)
		samples := make([]problems.Measurement, 300)
		for i := range samples {
			x := make([]float64, 6)
			for j := range x {
				x[j] = rng.uniform()
			}
			noise := x[5] - 0.5
			samples[i] = problems.Measurement{X: x[:5], Y: x[0]*x[0]*x[0] + x[1]*x[1] - 0.5*x[2] + noise, S: 0.8*x[0] + 0.1}
		}
		p, err := problems.FairSpAM{Features: 5, Powers: 3, Mu: 0.05, Tau: tau, Radius: 5, Smoothing: 0.01}.Problem()
		requireSmooth(t, "spam", p, err, samples, independent(t, "spam", fmt.Sprint(tau)))
	}

	rng := generator(3)
	market := make([]problems.Market, 300)
	for i := range market {
		market[i] = problems.Market{
			Returns: []float64{0.1*rng.uniform() - 0.03, 0.3*rng.uniform() - 0.1, 0.4*rng.uniform() - 0.12},
			Index:   0.1*rng.uniform() - 0.02,
		}
	}
	portfolio, err := problems.Portfolio{Securities: 3, Power: 2, Tau: 0.03, OneSided: true}.Problem()
	if err != nil {
		t.Fatal(err)
	}
	portfolio, err = portfolio.ScaleConstraints(1 / (0.03 * 0.03))
	requireSmooth(t, "portfolio", portfolio, err, market, independent(t, "portfolio", "0.03"))

	rng = generator(4)
	arrivals := make([]problems.Arrivals, 300)
	for i := range arrivals {
		arrivals[i] = problems.Arrivals{4 * rng.uniform(), 6 * rng.uniform()}
	}
	queues, err := problems.Queues{Cost: []float64{1, 2}, Share: []float64{0.3, 0.7}, Delay: 0.4, Limit: 6, Knee: 0.1}.Problem()
	requireSmooth(t, "queues", queues, err, arrivals, independent(t, "queues", "0.4"))
}

func requireSmooth[S any](t *testing.T, name string, p csspa.Problem[S], err error, samples []S, objective float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	r, err := reference.Solve(fixed(p), samples, reference.Settings{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Logf("%s: F %.9f (cvxpy %.9f), x %.5v, violation %.1e, residual %.1e, lambda %.4v", name, r.Objective, objective, r.X, r.Violation(), r.Residual, r.Lambda)
	requireOptimum(t, r, objective, 1e-6)
	if r.Residual.Max() > 1e-6 {
		t.Errorf("%s: the residual is %v", name, r.Residual)
	}
}
