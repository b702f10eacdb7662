package csspa_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

func tuneSamples() []pair {
	rng := rand.New(rand.NewPCG(8, 9))
	samples := make([]pair, 2000)
	for i := range samples {
		samples[i] = pair{2 * rng.Float64(), 2 * rng.Float64()}
	}
	return samples
}

// target is steps with the objective ½ (y - 2)², whose constrained optimum is x = 1.
func target() csspa.Problem[pair] {
	p := steps()
	p.F = csspa.Func[pair]{
		In: 1, Len: 1,
		Value:    func(dst, y []float64, _ pair) { dst[0] = (y[0] - 2) * (y[0] - 2) / 2 },
		Gradient: func(dst, y, w []float64, _ pair) { dst[0] += w[0] * (y[0] - 2) },
	}
	return p
}

func TestTune(t *testing.T) {
	samples := tuneSamples()
	start := func(k float64) (csspa.Method[pair], error) {
		schedule, err := csspa.Theorem2Horizon(k, 0.75, 0.5, len(samples))
		if err != nil {
			return nil, err
		}
		return csspa.NewCSSPA(target(), schedule, 0, csspa.State{X: []float64{-5}})
	}
	candidates := csspa.Geometric(0.001, 10, 9)
	trials, best, err := csspa.Tune(candidates, samples, start, csspa.Merit(target(), samples, 2))
	if err != nil {
		t.Fatal(err)
	}
	if len(trials) != 9 {
		t.Fatalf("%d trials, want 9", len(trials))
	}
	for i, trial := range trials {
		if trial.K != candidates[i] || trial.Score < trials[best].Score {
			t.Errorf("trial %d is %+v, the best %+v", i, trial, trials[best])
		}
	}
	if x := trials[best].X[0]; best == 0 || best == 8 || math.Abs(x-1) > 0.25 {
		t.Errorf("the best K is %v with x = %v, want one in the middle with x near 1", trials[best].K, x)
	}
}

// TestTuneCountsDivergence: without a set X a step that is far too large
// overflows; such a run is never chosen, and if all do so there is an error.
func TestTuneCountsDivergence(t *testing.T) {
	free := target()
	free.X = nil
	samples := tuneSamples()
	start := func(k float64) (csspa.Method[pair], error) {
		return csspa.NewCSSPA(free, csspa.PowerLaw{Alpha0: k, Beta0: 0.5}, 0, csspa.State{X: []float64{5}})
	}
	score := csspa.Merit(free, samples, 2)
	trials, best, err := csspa.Tune([]float64{0.999, 0.01}, samples, start, score)
	if err != nil || best != 1 || !math.IsInf(trials[0].Score, 1) || trials[0].X != nil {
		t.Errorf("trials are %+v, best %d, error %v", trials, best, err)
	}
	if _, _, err := csspa.Tune([]float64{0.999}, samples, start, score); err == nil {
		t.Error("every candidate diverges: no error")
	}
}

func TestTuneErrors(t *testing.T) {
	broken := errors.New("broken")
	fails := func(float64) (csspa.Method[pair], error) { return nil, broken }
	if _, _, err := csspa.Tune([]float64{1}, tuneSamples(), fails, nil); !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
	if _, _, err := csspa.Tune(nil, tuneSamples(), fails, nil); err == nil {
		t.Error("no candidates: no error")
	}
}

// TestMerit: F + 3 max(0, L) at ξ = φ = 1: x = 2 gives 2 + 3·3, x = 1/2 gives 1/8.
func TestMerit(t *testing.T) {
	score := csspa.Merit(steps(), []pair{{1, 1}}, 3)
	if a, b := score([]float64{2}), score([]float64{0.5}); a != 11 || b != 0.125 {
		t.Errorf("scores are %v and %v, want 11 and 1/8", a, b)
	}
}

// TestSlater: min max_j over the box of E φ² x² - 1 style constraints is at x = 0,
// so σ_0 = 1; CSSPA finds it on the stated auxiliary problem.
func TestSlater(t *testing.T) {
	auxiliary, err := csspa.Slater(target(), 50)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(10, 11))
	for range 50 {
		x := []float64{4 * rng.NormFloat64(), 4 * rng.NormFloat64()}
		if err := auxiliary.Verify(x, pair{rng.Float64(), rng.Float64()}, 1e-6); err != nil {
			t.Fatal(err)
		}
	}
	const draws = 100000
	schedule, err := csspa.Theorem2Horizon(0.03, 0.75, 0.5, draws)
	if err != nil {
		t.Fatal(err)
	}
	method, err := csspa.NewCSSPA(auxiliary, schedule, 0, csspa.State{X: []float64{1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for range draws {
		method.Step(pair{2 * rng.Float64(), 2 * rng.Float64()})
	}
	answer := make([]float64, 2)
	method.Average(answer)
	if sigma := -answer[1]; math.Abs(sigma-1) > 0.15 {
		t.Errorf("σ_0 is %v at x = %v, want 1 at 0", sigma, answer[0])
	}

	far := []float64{99, -99}
	auxiliary.X.Project(far)
	if far[0] != 10 || far[1] != -50 {
		t.Errorf("projection is %v, want (10, -50)", far)
	}
	for name, build := range map[string]func() error{
		"no constraints": func() error { p := steps(); p.H, p.L = nil, nil; _, err := csspa.Slater(p, 1); return err },
		"bad problem":    func() error { _, err := csspa.Slater(csspa.Problem[pair]{}, 1); return err },
		"bound 0":        func() error { _, err := csspa.Slater(steps(), 0); return err },
	} {
		if build() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
