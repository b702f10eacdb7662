package reference_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// nearest is min ½‖x - s‖² over x ∈ X: the projection of the samples' mean.
func nearest(n int, set csspa.Projection) csspa.Problem[float64] {
	return csspa.Problem[float64]{
		N: n,
		G: csspa.Func[float64]{
			In: n, Len: 1,
			Value: func(dst, x []float64, s float64) {
				dst[0] = 0
				for i, v := range x {
					d := v - s*float64(i%7)
					dst[0] += d * d / 2
				}
			},
			Gradient: func(dst, x, weights []float64, s float64) {
				for i, v := range x {
					dst[i] += weights[0] * (v - s*float64(i%7))
				}
			},
		},
		F: csspa.Identity[float64](1),
		X: set,
	}
}

// TestActiveSet: with no constraint but X the answer is the projection of the
// mean, for every set and without one; 450 variables take the limited-memory method.
func TestActiveSet(t *testing.T) {
	for name, c := range map[string]struct {
		n   int
		set csspa.Projection
	}{
		"no set":       {3, nil},
		"ball":         {3, csspa.Ball{Radius: 1}},
		"box":          {3, csspa.Box{Lower: []float64{0.5}, Upper: []float64{1}}},
		"orthant":      {3, csspa.Box{Lower: []float64{0}, Upper: []float64{math.Inf(1)}}},
		"simplex":      {5, csspa.Simplex{Total: 2}},
		"large":        {450, csspa.Ball{Radius: 2}},
		"far from set": {3, csspa.Ball{Radius: 1, Center: []float64{100, 100, 100}}},
	} {
		r, err := reference.Solve(fixed(nearest(c.n, c.set)), []float64{0.5, 1.5}, reference.Settings{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := make([]float64, c.n)
		for i := range want {
			want[i] = float64(i % 7)
		}
		if c.set != nil {
			c.set.Project(want)
		}
		for i := range want {
			if math.Abs(r.X[i]-want[i]) > 1e-6 {
				t.Errorf("%s: coordinate %d is %v, want %v (residual %v)", name, i, r.X[i], want[i], r.Residual)
				break
			}
		}
	}
}

// TestInfeasible: a threshold that the theory forbids is reported, not answered.
func TestInfeasible(t *testing.T) {
	at := func(epsilon float64) csspa.Problem[problems.Record] {
		p, err := problems.FairClassifier{Features: 4, Approximation: problems.Approximation1, Threshold: 0.5, Radius: 5, Floor: 0.01, Smoothing: epsilon}.Problem()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	_, err := reference.Solve(at, records()[:100], reference.Settings{Smoothing: []float64{0.1, 0.01}, Rounds: 15})
	if err == nil || !strings.Contains(err.Error(), "feasible") {
		t.Errorf("error is %v", err)
	}
}

// TestToleranceOutOfReach: rounds beyond what rounding allows do not spoil the best
// point that was found.
func TestToleranceOutOfReach(t *testing.T) {
	p, err := problems.FairClassifier{Features: 4, Approximation: problems.Approximation1, Threshold: 1.2, Mu: 0.01, Radius: 5, Floor: 0.01, Smoothing: 0.1}.Problem()
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.ScaleConstraints(200); err != nil {
		t.Fatal(err)
	}
	r, err := reference.Solve(fixed(p), records(), reference.Settings{Tolerance: 1e-18})
	if err != nil {
		t.Fatal(err)
	}
	if r.Residual.Max() > 1e-7 || r.Lambda[0] <= 0 {
		t.Errorf("the residual is %v, the multipliers %v", r.Residual, r.Lambda)
	}
}

// TestSlaterConstant: the auxiliary problem of the queues' delay has its best value
// at the largest service rates, 6: σ_0 = 0.4 - 0.3/(6-1) - 0.7/(6-2) for arrivals (1, 2).
func TestSlaterConstant(t *testing.T) {
	p, err := problems.Queues{Cost: []float64{1, 2}, Share: []float64{0.3, 0.7}, Delay: 0.4, Limit: 6, Knee: 0.1}.Problem()
	if err != nil {
		t.Fatal(err)
	}
	auxiliary, err := csspa.Slater(p, 20)
	if err != nil {
		t.Fatal(err)
	}
	r, err := reference.Solve(fixed(auxiliary), []problems.Arrivals{{1, 2}}, reference.Settings{Starts: [][]float64{{4, 4, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := 0.4 - 0.3/5 - 0.7/4; math.Abs(-r.Objective-want) > 1e-6 {
		t.Errorf("σ_0 is %v, want %v (residual %v)", -r.Objective, want, r.Residual)
	}
}

func TestErrors(t *testing.T) {
	p := nearest(3, nil)
	for name, solve := range map[string]func() error{
		"no samples": func() error { _, err := reference.Solve(fixed(p), nil, reference.Settings{}); return err },
		"bad problem": func() error {
			_, err := reference.Solve(fixed(csspa.Problem[float64]{}), []float64{1}, reference.Settings{})
			return err
		},
		"short start": func() error {
			_, err := reference.Solve(fixed(p), []float64{1}, reference.Settings{Starts: [][]float64{{1}}})
			return err
		},
	} {
		if solve() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDeterministic: the same data and settings give the same bits.
func TestDeterministic(t *testing.T) {
	solve := func() reference.Result {
		r, err := reference.Solve(fixed(nearest(5, csspa.Simplex{Total: 1})), []float64{0.25, 0.5}, reference.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := solve(), solve()
	for i := range a.X {
		if a.X[i] != b.X[i] {
			t.Errorf("two runs give %v and %v", a.X, b.X)
		}
	}
}
