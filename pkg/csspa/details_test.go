package csspa_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// byPair is the problem of minimising x E ξ + E φ: the sample enters the outer function, too.
func byPair() csspa.Problem[pair] {
	return csspa.Problem[pair]{
		N: 1,
		G: csspa.Func[pair]{In: 1, Len: 1, Value: func(dst, x []float64, p pair) { dst[0] = p.xi * x[0] }, Gradient: func(dst, _, w []float64, p pair) { dst[0] += w[0] * p.xi }},
		F: csspa.Func[pair]{In: 1, Len: 1, Value: func(dst, u []float64, p pair) { dst[0] = u[0] + p.phi }, Gradient: func(dst, _, w []float64, _ pair) { dst[0] += w[0] }},
	}
}

// TestErrorsOfSamplesInBothFunctions: at x = 2 the samples stand for 2, 10 and 9, so the mean 7 has the standard error √(19/3).
func TestErrorsOfSamplesInBothFunctions(t *testing.T) {
	f := csspa.NewFinite(byPair(), []pair{{1, 0}, {3, 4}, {2, 5}})
	if got := f.Objective([]float64{2}); got != 7 {
		t.Errorf("the objective is %v, want 7", got)
	}
	if got, want := f.Errors(nil, []float64{2}), math.Sqrt(19./3); math.Abs(got-want) > 1e-12 {
		t.Errorf("its standard error is %v, want %v", got, want)
	}
}

// TestEqualPointsTellNothingOfASlope: constants are those of the points that differ.
func TestEqualPointsTellNothingOfASlope(t *testing.T) {
	samples := tuneSamples()[:50]
	points := [][]float64{{.5}, {1}}
	want, err := csspa.EstimateConstants(target(), samples, points)
	if err != nil {
		t.Fatal(err)
	}
	got, err := csspa.EstimateConstants(target(), samples, append(points, []float64{.5}, []float64{1}))
	if err != nil || got != want || !(want.Lf > 0) || want.Dx != .25 {
		t.Errorf("%+v, want %+v: %v", got, want, err)
	}
}

// TestFiniteStates: numbers of 1e100 can still be multiplied, larger ones are named.
func TestFiniteStates(t *testing.T) {
	if err := (csspa.State{X: []float64{1e100, -1e100}}).Finite(); err != nil {
		t.Error(err)
	}
	for name, s := range map[string]csspa.State{
		"x[1]": {X: []float64{0, 1.1e100}}, "lambda[0]": {Lambda: []float64{math.NaN()}}, "u[2]": {U: []float64{0, 0, math.Inf(-1)}},
	} {
		if err := s.Finite(); err == nil || !strings.Contains(err.Error(), "csspa: "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOuterFunctionsThatCannotBe: what panics, has no value, or looks at no output of the inner function is told of by its name.
func TestOuterFunctionsThatCannotBe(t *testing.T) {
	for want, value := range map[string]func(dst, u []float64, p pair){
		"Problem.F panics": func(_, u []float64, _ pair) { u[7]++ },
		"Problem.F":        func(dst, _ []float64, _ pair) { dst[0] = math.NaN() },
		"Problem.F does not use output 0 of Problem.G": func(dst, _ []float64, _ pair) { dst[0] = 1 },
	} {
		p := byPair()
		p.F = unsized{value}
		if _, err := csspa.Solve(p, []pair{{1, 0}}, csspa.Settings{Steps: 1000}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// unsized is an outer function that does not say how many inputs it has.
type unsized struct {
	value func(dst, u []float64, p pair)
}

func (unsized) Outputs() int                                  { return 1 }
func (f unsized) Evaluate(dst, u []float64, p pair)           { f.value(dst, u, p) }
func (unsized) AddGradient(dst, _, weights []float64, _ pair) { dst[0] += weights[0] }

// TestMeansAreComputedOnceAtAPoint: what is asked for again at the same point is known.
func TestMeansAreComputedOnceAtAPoint(t *testing.T) {
	calls := 0
	p := byPair()
	inner := p.G.(csspa.Func[pair])
	value := inner.Value
	inner.Value = func(dst, x []float64, s pair) { calls++; value(dst, x, s) }
	p.G = inner
	f := csspa.NewFinite(p, []pair{{1, 0}, {3, 4}})
	for i, c := range []struct {
		x     float64
		calls int
	}{{2, 2}, {2, 2}, {3, 4}, {3, 4}, {2, 6}} {
		if got := f.Objective([]float64{c.x}); got != 2*c.x+2 || calls != c.calls {
			t.Errorf("%d: the objective at %v is %v, after %d values, want %v after %d", i, c.x, got, calls, 2*c.x+2, c.calls)
		}
	}
}

// TestASolutionStaysInItsSet: functions are asked for values in the set alone, whatever the start.
func TestASolutionStaysInItsSet(t *testing.T) {
	outside := 0
	seen := csspa.Variable[float64]{
		Value: func(x []float64, d float64) float64 {
			if x[0] < 0 || x[0] > 1 {
				outside++
			}
			return (x[0] - d) * (x[0] - d)
		},
		AddGradient: func(dst []float64, scale float64, x []float64, d float64) { dst[0] += 2 * scale * (x[0] - d) },
	}
	p := csspa.NewProblem(1, csspa.Mean(seen), csspa.Box{Lower: []float64{0}, Upper: []float64{1}})
	for _, start := range []float64{50, -50, .5} {
		settings := quick
		settings.Start, settings.Workers = []float64{start}, 1
		r, err := csspa.Solve(p, []float64{.25, .35}, settings)
		if err != nil || math.Abs(r.X[0]-.3) > .05 || settings.Start[0] != start {
			t.Errorf("from %v: %v, %v", start, r.X, err)
		}
	}
	if outside > 0 {
		t.Errorf("%d values were asked for outside of the set", outside)
	}
}
