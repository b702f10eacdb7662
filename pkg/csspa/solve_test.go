package csspa_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// disc minimises -(x_1 + x_2)/2 subject to (E φ_1 x_1)² + (E φ_2 x_2)² <= 1 with φ uniform on [0, 2]²: a binding
// constraint that is composed. E φ = (1, 1), so x* = (1, 1)/√2, F* = -1/√2, and λ* = 1/(2√2) from -½ + λ 2 x_1 = 0.
func disc() csspa.Problem[pair] {
	return csspa.Problem[pair]{
		N: 2,
		G: csspa.Identity[pair](2),
		F: csspa.Func[pair]{
			In: 2, Len: 1,
			Value:    func(dst, z []float64, _ pair) { dst[0] = -(z[0] + z[1]) / 2 },
			Gradient: func(dst, _, w []float64, _ pair) { dst[0] -= w[0] / 2; dst[1] -= w[0] / 2 },
		},
		H: csspa.Func[pair]{
			In: 2, Len: 2,
			Value:    func(dst, x []float64, p pair) { dst[0], dst[1] = p.xi*x[0], p.phi*x[1] },
			Gradient: func(dst, _, w []float64, p pair) { dst[0] += w[0] * p.xi; dst[1] += w[1] * p.phi },
		},
		L: csspa.Func[pair]{
			In: 2, Len: 1,
			Value:    func(dst, u []float64, _ pair) { dst[0] = u[0]*u[0] + u[1]*u[1] - 1 },
			Gradient: func(dst, u, w []float64, _ pair) { dst[0] += 2 * w[0] * u[0]; dst[1] += 2 * w[0] * u[1] },
		},
		X:          csspa.Ball{Radius: 2},
		FixedOuter: true,
	}
}

// TestSolveFindsAKnownOptimum: over draws of which 20,000 stand for the expectation, the answer is near the known optimum, and
// the bound on the gap holds. bench/csspa/gallery has ten such problems.
func TestSolveFindsAKnownOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSolveDoesNotDependOnWorkers has the goroutines")
	}
	rng := rand.New(rand.NewPCG(3, 3))
	samples := make([]pair, 20000)
	for i := range samples {
		samples[i] = pair{2 * rng.Float64(), 2 * rng.Float64()}
	}
	r, err := csspa.Solve(disc(), samples, csspa.Settings{Start: []float64{-1, 0.5}, Steps: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	objective, level := -(r.X[0]+r.X[1])/2, r.X[0]*r.X[0]+r.X[1]*r.X[1]-1
	if math.Abs(objective+math.Sqrt2/2) > 0.03 || level > 0.05 {
		t.Errorf("F is %v and L %v at %v, want -1/√2 and at most 0", objective, level, r.X)
	}
	if gap := r.Objective.Value + math.Sqrt2/2; gap > r.Gap.Value+4*(r.Gap.Error+r.Objective.Error) {
		t.Errorf("the gap is %v, and said to be at most %v", gap, r.Gap)
	}
	if lambda := r.Lambda[0]; math.Abs(lambda-math.Sqrt2/4) > 0.1 {
		t.Errorf("λ is %v, want 1/(2√2)", lambda)
	}
}

// TestSolveDoesNotDependOnWorkers: the same bits from one run at a time and from
// three, and progress that reaches the end.
func TestSolveDoesNotDependOnWorkers(t *testing.T) {
	samples := tuneSamples()
	var results [2]csspa.Result
	for i, workers := range []int{1, 3} {
		last := map[string][2]int{}
		settings := csspa.Settings{Steps: 4000, Workers: workers, Ks: []float64{0.05, 0.2}, Progress: func(stage string, done, total int) { last[stage] = [2]int{done, total} }}
		var err error
		if results[i], err = csspa.Solve(target(), samples, settings); err != nil {
			t.Fatal(err)
		}
		if last["tuning"] != [2]int{6, 6} || last["tuning with θ"] != [2]int{6, 6} || last["runs"] != [2]int{4, 4} {
			t.Errorf("progress ends at %v", last)
		}
	}
	if !reflect.DeepEqual(results[0], results[1]) {
		t.Errorf("one worker finds\n%v, three\n%v", results[0], results[1])
	}
	if x := results[0].X[0]; math.Abs(x-1) > 0.1 || math.Abs(results[0].Lambda[0]-0.5) > 0.2 {
		t.Errorf("x = %v and λ = %v, want 1 and 1/2", x, results[0].Lambda)
	}
}

func TestSolveSettings(t *testing.T) {
	samples := tuneSamples()
	for want, s := range map[string]csspa.Settings{
		"Settings.Start":   {Start: []float64{1, 2}},
		"Settings.Steps":   {Steps: 10},
		"Settings.Runs":    {Runs: 1},
		"Settings.Share":   {Share: 2},
		"Settings.Ks":      {Ks: []float64{-1}},
		"Settings.Scales":  {Scales: []float64{math.NaN()}},
		"Settings.Workers": {Workers: -1},
		"every K diverged": {Steps: 2000, Ks: []float64{1e-9}},
	} {
		if _, err := csspa.Solve(target(), samples, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v", want, err)
		}
	}
	if _, err := csspa.Solve(target(), nil, csspa.Settings{}); err == nil {
		t.Error("no samples: no error")
	}
}

// TestSolveWarns: of a problem that may be infeasible, which nothing can prove as its set is not bounded; of a set
// that is not bounded; of a problem that only its boundary meets; and of a K at the end of the range.
func TestSolveWarns(t *testing.T) {
	impossible := square(1)
	impossible.X = nil
	unbounded := target()
	unbounded.X = nil
	for want, p := range map[string]csspa.Problem[pair]{
		"may be infeasible": impossible, "or a looser bound": impossible, "not bounded": unbounded,
		"no point was found with all constraints below 0": square(0), "is the smallest that was tried": target(),
	} {
		r, err := csspa.Solve(p, tuneSamples(), csspa.Settings{Steps: 3000, Ks: []float64{0.5, 5}})
		if err != nil || !strings.Contains(strings.Join(r.Warnings, "\n"), want) {
			t.Errorf("%s: %v, %v", want, r.Warnings, err)
		}
	}
}

// square is target with the constraint (E φ x)² + level <= 0.
func square(level float64) csspa.Problem[pair] {
	p := target()
	p.L = csspa.Func[pair]{
		In: 1, Len: 1,
		Value:    func(dst, u []float64, _ pair) { dst[0] = u[0]*u[0] + level },
		Gradient: func(dst, u, w []float64, _ pair) { dst[0] += 2 * w[0] * u[0] },
	}
	return p
}

// TestErrorsAreThoseOfTheSamples: over 400 data sets of 500 draws, the spread of
// F(x) and L(x) is what Errors says of one, to a tenth.
func TestErrorsAreThoseOfTheSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	x := []float64{0.8}
	var sums, squares, said [2]float64
	const sets = 400
	for range sets {
		samples := make([]pair, 500)
		for i := range samples {
			samples[i] = pair{2 * rng.Float64(), 2 * rng.Float64()}
		}
		data := csspa.NewFinite(target(), samples)
		level, levelError := make([]float64, 1), make([]float64, 1)
		data.Constraints(level, x)
		objectiveError := data.Errors(levelError, x)
		for i, v := range []float64{data.Objective(x), level[0]} {
			sums[i] += v / sets
			squares[i] += v * v / sets
		}
		said[0] += objectiveError / sets
		said[1] += levelError[0] / sets
	}
	for i := range said {
		if spread := math.Sqrt(squares[i] - sums[i]*sums[i]); math.Abs(spread/said[i]-1) > 0.1 {
			t.Errorf("number %d has a spread of %v, and its error is said to be %v", i, spread, said[i])
		}
	}
}
