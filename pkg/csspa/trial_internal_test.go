package csspa

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

// TestScoresOfTrials: the objective, less its bound where there is one, and what is violated at the weight; the worst level, which is 0 without constraints.
func TestScoresOfTrials(t *testing.T) {
	trials := []outcome{
		{value: 3, bound: 1, levels: []float64{-1, .5}, lambda: []float64{1, 2}},
		{value: 5, bound: 1, levels: []float64{-2, -4}, lambda: []float64{4, 0}},
		{value: 4, bound: math.Inf(-1), levels: []float64{0, -1}, lambda: []float64{0, 0}},
	}
	for i, want := range []float64{2 + 10*.5, 4, 4} {
		if got := trials[i].score(10); got != want {
			t.Errorf("trial %d has the score %v, want %v", i, got, want)
		}
	}
	for i, want := range []float64{.5, -2, 0} {
		if got := trials[i].worst(); got != want {
			t.Errorf("the worst level of trial %d is %v, want %v", i, got, want)
		}
	}
	if (outcome{}).worst() != 0 {
		t.Error("a problem without constraints violates one")
	}
	// Only the second trial has a margin, of 2: its multipliers are at most (5 − 3)/2 = 1 together, less than the 4 that a trial ended with.
	if got := penaltyWeight(trials); got != 2 {
		t.Errorf("the weight of a penalty is %v, want 2", got)
	}
	if got := penaltyWeight(trials[:1]); got != 6 {
		t.Errorf("without a margin the weight is %v, want 6", got)
	}
	if got := largestMargin(trials); got != 2 {
		t.Errorf("the largest margin is %v, want 2", got)
	}
	if best := least(trials, 10); best.value != 5 {
		t.Errorf("the best trial is %+v", best)
	}
	if best := least(trials, 0); best.value != 3 {
		t.Errorf("without a penalty the best trial is %+v", best)
	}
}

// TestRunsThatDiverge: a K that is too small for so few steps gives no point, and the first run without one is named.
func TestRunsThatDiverge(t *testing.T) {
	x := Linear(func(float64) []float64 { return []float64{1} })
	p := NewProblem(1, Mean(x), Box{Lower: []float64{0}, Upper: []float64{1}})
	samples := []float64{0, 0}
	start, err := p.WarmStart([]float64{1}, samples)
	if err != nil {
		t.Fatal(err)
	}
	if o := attempt(p, samples, start, 1e-9, 1, 0, 1000, 1); o.x != nil || o.k != 1e-9 {
		t.Errorf("%+v", o)
	}
	start.Lambda = []float64{1} // of a constraint that is none
	if o := attempt(p, samples, start, 1, 1, 0, 1000, 1); o.x != nil {
		t.Errorf("a run that cannot begin: %+v", o)
	}
	settings := Settings{Runs: 2, Steps: 1000, Workers: 1, Progress: func(string, int, int) {}}
	if _, err := runAll(settings, &Result{}, p, samples, outcome{k: 1e-9, scale: 1, x: []float64{1}}); err == nil || !strings.Contains(err.Error(), "run 1 with K = 1e-09 diverged") {
		t.Error(err)
	}
	runs, err := runAll(settings, &Result{}, p, samples, outcome{k: 1, scale: 1, x: []float64{1}})
	if err != nil || len(runs) != 2 || runs[0].x == nil || !(runs[1].x[0] < 1) {
		t.Errorf("%+v, %v", runs, err)
	}
}

// TestRunsThatLeaveAllNumbers: steps that are too large for a steep objective on a set without bounds give no point, and smaller ones do.
func TestRunsThatLeaveAllNumbers(t *testing.T) {
	steep := Variable[float64]{
		Value:       func(x []float64, _ float64) float64 { return math.Pow(x[0], 4) },
		AddGradient: func(dst []float64, scale float64, x []float64, _ float64) { dst[0] += 4 * scale * math.Pow(x[0], 3) },
	}
	p := NewProblem(1, Mean(steep), nil)
	samples := []float64{0}
	start, err := p.WarmStart([]float64{30}, samples)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[float64]bool{.02: false, 2000: true} {
		o := attempt(p, samples, start, k, 1, 0, 1000, 1)
		if (o.x != nil) != want || want && !(o.value >= 0 && o.value < math.Pow(30, 4)) {
			t.Errorf("K = %v: %+v", k, o)
		}
	}
}

// TestDefaultsOfSettings: as many workers as processors, whose number stays as it is; what is set stays, too.
func TestDefaultsOfSettings(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	s, err := Settings{}.withDefaults(2, 400_000)
	if err != nil || s.Workers != 3 || runtime.GOMAXPROCS(0) != 3 || len(s.Start) != 2 || s.Steps != 400_000 || s.Runs != 4 || s.Share != .1 || len(s.Ks) != 13 || len(s.Scales) != 3 {
		t.Errorf("%+v, %v, on %d processors", s, err, runtime.GOMAXPROCS(0))
	}
	if s, err = (Settings{Workers: 2, Steps: 5000, Runs: 3, Share: .5, Ks: []float64{1}, Scales: []float64{2}, Start: []float64{7}}).withDefaults(1, 10); err != nil || s.Workers != 2 || s.Steps != 5000 || s.Runs != 3 || s.Share != .5 || s.Ks[0] != 1 || s.Scales[0] != 2 || s.Start[0] != 7 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = (Settings{}).withDefaults(1, 10); err != nil || s.Steps != 300_000 {
		t.Errorf("%d steps, %v", s.Steps, err)
	}
}

// TestTheFirstValueThatIsNotFinite is named, whatever comes before it.
func TestTheFirstValueThatIsNotFinite(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{1, -2, math.MaxFloat64}, ""}, {nil, ""}, {[]float64{1, math.NaN(), math.Inf(1)}, "csspa: Problem.F: output 1 is NaN here: look there"}, {[]float64{0, 3, math.Inf(-1)}, "csspa: Problem.F: output 2 is -Inf here: look there"},
	} {
		said := ""
		if err := notFinite("F", "output", c.values, "here", "look there"); err != nil {
			said = err.Error()
		}
		if said != c.want || finite(c.values) != (c.want == "") {
			t.Errorf("%v: %q, want %q", c.values, said, c.want)
		}
	}
}

// TestTheMarginOfNoRun: where no run looks for a point within all constraints, the margin is that of the best trial; what cannot be looked for is an error.
func TestTheMarginOfNoRun(t *testing.T) {
	x := Linear(func(float64) []float64 { return []float64{1} })
	p := NewProblem(1, Mean(x), Box{Lower: []float64{0}, Upper: []float64{1}}, Mean(x).AtMost(.5))
	samples := []float64{0, 0}
	start, err := p.WarmStart([]float64{1}, samples)
	if err != nil {
		t.Fatal(err)
	}
	best := outcome{k: 1e-9, scale: 1, x: []float64{.75}, levels: []float64{.25}}
	if margin, err := slaterMargin(p, samples, start, best, 1000, 1); err != nil || margin != -.25 {
		t.Errorf("a K that is too small: %v, %v", margin, err)
	}
	best.k = .05
	if margin, err := slaterMargin(p, samples, start, best, 20_000, 1); err != nil || !(margin > .2 && margin <= .5) {
		t.Errorf("of a run: %v, %v", margin, err)
	}
	for name, change := range map[string]func(*State, *outcome){
		"a level beyond all numbers": func(_ *State, o *outcome) { o.levels = []float64{math.Inf(1)} },
		"a start of another problem": func(s *State, _ *outcome) { s.X = []float64{1, 1} },
	} {
		from, of := start, best
		change(&from, &of)
		if margin, err := slaterMargin(p, samples, from, of, 1000, 1); err == nil || margin != 0 {
			t.Errorf("%s: %v, %v", name, margin, err)
		}
	}
}
