package csspa_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestSettingsAtTheirBounds: the least steps, runs and workers and the whole of the samples are accepted, and what is just beyond a bound is refused.
func TestSettingsAtTheirBounds(t *testing.T) {
	least := csspa.Settings{Start: []float64{0}, Steps: 1000, Runs: 2, Share: 1, Ks: []float64{0.3}, Scales: []float64{1}, Workers: 1}
	r, err := csspa.Solve(target(), tuneSamples()[:200], least)
	if err != nil || r.Steps != 1000 || r.Runs != 2 || r.K != 0.3 || r.Scale != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, change := range map[string]func(s *csspa.Settings){
		"Start is nothing, the problem 1":  func(s *csspa.Settings) { s.Start = []float64{} },
		"Steps is 999":                     func(s *csspa.Settings) { s.Steps = 999 },
		"Runs is 1":                        func(s *csspa.Settings) { s.Runs = 1 },
		"Share is 1.00":                    func(s *csspa.Settings) { s.Share = math.Nextafter(1, 2) },
		"Share is -5e-324":                 func(s *csspa.Settings) { s.Share = -5e-324 },
		"Settings.Ks is []":                func(s *csspa.Settings) { s.Ks = []float64{} },
		"Settings.Ks is [0.3 0]":           func(s *csspa.Settings) { s.Ks = []float64{0.3, 0} },
		"Settings.Ks is [+Inf]":            func(s *csspa.Settings) { s.Ks = []float64{math.Inf(1)} },
		"Settings.Scales [1 0]: all must":  func(s *csspa.Settings) { s.Scales = []float64{1, 0} },
		"Settings.Workers is -1":           func(s *csspa.Settings) { s.Workers = -1 },
		"Start has 2 coordinates, the pro": func(s *csspa.Settings) { s.Start = []float64{1, 2} },
	} {
		s := least
		change(&s)
		name = strings.Replace(name, "Start is nothing", "Settings.Start has 0 coordinates", 1)
		if _, err := csspa.Solve(target(), tuneSamples()[:200], s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

// TestGeometric: candidates from end to end with one ratio, and a panic that names the mistake.
func TestGeometric(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		count     int
		want      string // empty: it panics
	}{
		{1, 4, 2, "[1 4]"}, {1, 4, 3, "[1 2 4]"}, {0, 4, 3, ""}, {-1, 4, 3, ""}, {2, 2, 3, ""}, {4, 2, 3, ""}, {1, 4, 1, ""}, {math.NaN(), 4, 2, ""},
	} {
		func() {
			defer func() {
				if said := recover(); (said != nil) != (c.want == "") || said != nil && !strings.HasPrefix(fmt.Sprint(said), "csspa: Geometric ") {
					t.Errorf("%v: %v", c, said)
				}
			}()
			if got := fmt.Sprint(csspa.Geometric(c.low, c.high, c.count)); got != c.want {
				t.Errorf("%v: %s", c, got)
			}
		}()
	}
}

// TestTuneComparesWhatWasRefused: a candidate whose run refused more samples than another one's counts as diverged, however good its score; of two equal
// ones the first is the best; one sample is enough.
func TestTuneComparesWhatWasRefused(t *testing.T) {
	spoilt := target()
	inner := spoilt.G
	spoilt.G = csspa.Func[pair]{
		In: 1, Len: 1,
		Value: func(dst, x []float64, s pair) {
			if inner.Evaluate(dst, x, s); s.xi == 99 || s.xi == 98 && x[0] > 1 {
				dst[0] = math.NaN()
			}
		},
		Gradient: inner.AddGradient,
	}
	start := func(k float64) (csspa.Method[pair], error) {
		return csspa.NewCSSPA(spoilt, constant(0.25, 0.5, 0), 0, csspa.State{X: []float64{k}, Refused: 7})
	}
	score := func(x []float64) float64 { return -x[0] }
	trials, best, err := csspa.Tune([]float64{3, 0.5, 0.5}, []pair{{99, 1}, {98, 1}, {1, 1}}, start, score)
	if err != nil || best != 1 || trials[0].X != nil || !math.IsInf(trials[0].Score, 1) || trials[1].Score != trials[2].Score || trials[1].X == nil {
		t.Errorf("the best is %d of %+v, %v", best, trials, err)
	}
	if trials, best, err = csspa.Tune([]float64{0.5}, []pair{{1, 1}}, start, score); err != nil || best != 0 || len(trials) != 1 {
		t.Errorf("one candidate and one sample: %d of %+v, %v", best, trials, err)
	}
	if _, _, err = csspa.Tune([]float64{0.5}, nil, start, score); err == nil {
		t.Error("no samples: no error")
	}
	if _, _, err = csspa.Tune([]float64{0.5}, []pair{{99, 1}}, start, score); err == nil {
		t.Error("no sample can be used: no error")
	}
	trials, best, err = csspa.Tune([]float64{0.25, 0.5}, []pair{{1, 1}}, start, func(x []float64) float64 {
		if x[0] < 0.4 {
			return math.NaN()
		}
		return 5
	})
	if err != nil || best != 1 || trials[0].X != nil || !math.IsInf(trials[0].Score, 1) || trials[1].Score != 5 {
		t.Errorf("with a score of NaN, the best is %d of %+v, %v", best, trials, err)
	}
}

// TestTheLargestTheta: σ_0/2 is allowed, and nothing above it.
func TestTheLargestTheta(t *testing.T) {
	c := csspa.Constants{J: 1, Dx: 0.1, Lf: 1, Ll: 1, Sigma0: 1e-3}
	schedule, err := csspa.Theorem2Horizon(c.K2(), 0.75, 0.5, 1e14)
	if err != nil {
		t.Fatal(err)
	}
	needed := c.ThetaNeeded(schedule, 1e14)
	c.Sigma0 = 2 * needed
	if theta, err := c.Theta(schedule, 1e14); err != nil || theta != needed {
		t.Errorf("θ is %v, want %v: %v", theta, needed, err)
	}
	c.Sigma0 = math.Nextafter(2*needed, 0)
	if theta, err := c.Theta(schedule, 1e14); err == nil || theta != 0 || !strings.Contains(err.Error(), "; about 1e+14 steps would do") {
		t.Errorf("θ is %v: %v", theta, err)
	}
	if _, err := c.Theta(csspa.PowerLaw{Alpha0: 1, Beta0: 1, A: 0.4, B: 0.3}, 100); err == nil || strings.Contains(err.Error(), "would do") {
		t.Errorf("no theorem says how many steps would do: %v", err)
	}
}

// TestConstantsWithoutConstraints: what concerns constraints is 0.
func TestConstantsWithoutConstraints(t *testing.T) {
	free := steps()
	free.H, free.L = nil, nil
	points := [][]float64{{0}, {2}, {-1}}
	c, err := csspa.EstimateConstants(free, []pair{{1, 1}}, points)
	if want := (csspa.Constants{Cg: 1, Cf: 4, Lf: 1, Dx: 9}); err != nil || c != want {
		t.Errorf("%+v, want %+v: %v", c, want, err)
	}
	if _, err := csspa.EstimateConstants(free, []pair{{1, 1}}, points[:2]); err != nil {
		t.Error(err)
	}
	if _, err := csspa.EstimateConstants(free, []pair{{1, 1}}, points[:1]); err == nil {
		t.Error("one point says nothing of a Lipschitz constant")
	}
}

// TestInfeasibleInWords names one constraint, two, or several.
func TestInfeasibleInWords(t *testing.T) {
	for _, c := range []struct {
		constraints []int
		want        string
	}{
		{[]int{2}, "csspa: Solve: L_2 cannot be met: its level is at least 0.25"}, {[]int{1, 3}, "csspa: Solve: L_1 and L_3 cannot be met together: the largest of these levels is at least 0.25"},
		{[]int{1, 3, 4}, "csspa: Solve: L_1, L_3 and L_4 cannot be met together"},
	} {
		e := &csspa.InfeasibleError{Constraints: c.constraints, Bound: 0.25, Least: 0.5}
		if got := e.Error(); !strings.HasPrefix(got, c.want) || !strings.Contains(got, "found is 0.5: loosen") {
			t.Errorf("%v: %s", c.constraints, got)
		}
	}
}

// TestTheAverageOfAState: the weighted sum over the weight; before the first step the point itself.
func TestTheAverageOfAState(t *testing.T) {
	for _, c := range []struct{ weight, want float64 }{{0, 2}, {1, 6}, {4, 1.5}} {
		a, err := csspa.NewCSSPA(steps(), constant(0.25, 0.5, 0), 0, csspa.State{X: []float64{2}, Sum: []float64{6}, Weight: c.weight})
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{0}
		if a.Average(x); x[0] != c.want {
			t.Errorf("weight %v: the average is %v, want %v", c.weight, x[0], c.want)
		}
	}
}

// TestSamplesThatAreLeftOut: the warning says how many, and why the first one; if none is left, so does the error. A first sample that is left out does not
// keep the shapes from being checked.
func TestSamplesThatAreLeftOut(t *testing.T) {
	settings := csspa.Settings{Steps: 1000, Runs: 2, Ks: []float64{0.3}, Scales: []float64{1}}
	samples := slices.Concat([]pair{{math.NaN(), 1}}, tuneSamples()[:200], []pair{{1, math.Inf(1)}})
	r, err := csspa.Solve(target(), samples, settings)
	if err != nil || r.Refused != 2 || len(r.Warnings) == 0 || !strings.HasPrefix(r.Warnings[0], "2 of 202 samples are left out; the first: csspa: Problem.G: ") ||
		!strings.Contains(r.Warnings[0], "at sample 0") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := csspa.Solve(target(), samples[:1], settings); err == nil || !strings.Contains(err.Error(), "none of 1 samples; the first: csspa: Problem.G: ") {
		t.Errorf("error is %v", err)
	}
}

// TestSolveWithoutConstraints: the least of ½ (x − 2)² is at 2; each K is tried once, whatever the factors of constraints are, and nothing is violated.
func TestSolveWithoutConstraints(t *testing.T) {
	p := target()
	p.G = csspa.Identity[pair](1)
	p.H, p.L = nil, nil
	tried := map[string]int{}
	r, err := csspa.Solve(p, tuneSamples()[:300], csspa.Settings{Steps: 3000, Ks: []float64{0.1, 0.5, 2}, Scales: []float64{0.5, 2}, Workers: 1,
		Progress: func(stage string, _, total int) { tried[stage] = total }})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.X[0]-2) > 0.05 || len(r.Lambda) != 0 || len(r.Constraints) != 0 || r.Violation != (csspa.Estimate{}) || r.Theta != 0 || r.Scale != 0.5 || r.Gap.Value < 0 {
		t.Errorf("%+v", r)
	}
	if tried["tuning"] != 3 || tried["tuning with θ"] != 0 || tried["runs"] != 4 {
		t.Errorf("tried %v", tried)
	}
}
