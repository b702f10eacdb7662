package csspa_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestSamplesThatAreRefused: a value or a derivative of any function that is not finite leaves the state as it was, is
// counted, and is named, by every method; the run then goes on as if the sample had not been there.
func TestSamplesThatAreRefused(t *testing.T) {
	nan := math.NaN()
	// bad makes the function that it is given not finite for the pair that starts with 99.
	bad := func(c csspa.Function[pair], derivative bool) csspa.Function[pair] {
		spoil := func(dst []float64, s pair) {
			if s.xi == 99 {
				dst[0] = nan
			}
		}
		return csspa.Func[pair]{
			In: 1, Len: 1,
			Value: func(dst, x []float64, s pair) {
				c.Evaluate(dst, x, s)
				if !derivative {
					spoil(dst, s)
				}
			},
			Gradient: func(dst, x, w []float64, s pair) {
				c.AddGradient(dst, x, w, s)
				if derivative {
					spoil(dst, s)
				}
			},
		}
	}
	for name, change := range map[string]func(p *csspa.Problem[pair]){
		"Problem.G: output 0 is NaN at step 4":                  func(p *csspa.Problem[pair]) { p.G = bad(p.G, false) },
		"Problem.G: the derivative in input 0 is NaN at step 4": func(p *csspa.Problem[pair]) { p.G = bad(p.G, true) },
		"Problem.F: the derivative in input 0 is NaN at step 4": func(p *csspa.Problem[pair]) { p.F = bad(p.F, true) },
		"Problem.H: output 0 is NaN at step 4":                  func(p *csspa.Problem[pair]) { p.H = bad(p.H, false) },
		"Problem.H: the derivative in input 0 is NaN at step 4": func(p *csspa.Problem[pair]) { p.H = bad(p.H, true) },
		"Problem.L: output 0 is NaN at step 4":                  func(p *csspa.Problem[pair]) { p.L = bad(p.L, false) },
		"Problem.L: the derivative in input 0 is NaN at step 4": func(p *csspa.Problem[pair]) { p.L = bad(p.L, true) },
	} {
		p := steps()
		change(&p)
		build := func() map[string]csspa.Method[pair] {
			start := csspa.State{X: []float64{2}, Y: []float64{1}, U: []float64{2}, Lambda: []float64{1}}
			saddle, err := csspa.NewCSSPA(p, constant(0.125, 0.5, 0), 0, start)
			if err != nil {
				t.Fatal(err)
			}
			start.Lambda = nil
			penalty, err := csspa.NewCSCGDA(p, constant(0.125, 0.5, 0), 0.5, start)
			if err != nil {
				t.Fatal(err)
			}
			return map[string]csspa.Method[pair]{"CSSPA": saddle, "CSCGDA": penalty}
		}
		clean, spoilt := build(), build()
		for method, a := range spoilt {
			for i := range 6 {
				s := pair{1 + float64(i)/8, 1}
				clean[method].Step(s)
				a.Step(s)
				if i == 2 {
					a.Step(pair{99, 1})
					a.Step(pair{99, 1})
				}
			}
			count, first := a.Refused()
			if count != 2 || first == nil || !strings.Contains(first.Error(), name) {
				t.Errorf("%s, %s: %d samples are refused: %v", name, method, count, first)
			}
			state := a.State()
			if state.Refused != 2 || state.Finite() != nil {
				t.Errorf("%s, %s: the state is %+v", name, method, state)
			}
			state.Refused = 0
			requireState(t, state, clean[method].State())
		}
	}
}

// TestStepsBeyondTheHorizon are refused: the step sizes are for so many steps.
func TestStepsBeyondTheHorizon(t *testing.T) {
	schedule, err := csspa.Theorem2Horizon(0.5, 0.75, 0.5, 10)
	if err != nil {
		t.Fatal(err)
	}
	a, err := csspa.NewCSSPA(steps(), schedule, 0, csspa.State{X: []float64{2}})
	if err != nil {
		t.Fatal(err)
	}
	for range 13 {
		a.Step(pair{1, 1})
	}
	count, first := a.Refused()
	if state := a.State(); state.Steps != 10 || count != 3 || first == nil || !strings.Contains(first.Error(), "for 10 steps") {
		t.Errorf("after %d steps %d samples are refused: %v", state.Steps, count, first)
	}
	if err := a.Restore(a.State()); err != nil {
		t.Fatal(err)
	}
	if count, first := a.Refused(); count != 3 || first != nil {
		t.Errorf("restored, it says %d samples and %v", count, first)
	}
}

// TestStepSizesOutOfRange: what Algorithm 1 cannot use is refused with the condition that fails.
func TestStepSizesOutOfRange(t *testing.T) {
	for want, s := range map[string]csspa.PowerLaw{
		"needs α_t < 1":           {Alpha0: 1, Beta0: 1, A: 0.75, B: 0.5},
		"turns the sign":          {Alpha0: 1 / (7 * 0.27), Beta0: 1, A: 0.75, B: 0.5, Regularization: 4 * 0.27},
		"grows without bound":     {Alpha0: 0.01, Beta0: 1, A: 0.2, B: 0.5, Regularization: 0.1},
		"PowerLaw.Beta0 is 2":     {Alpha0: 0.1, Beta0: 2},
		"first step size α_1 is ": {Alpha0: 100, Beta0: 1, A: 0.75, B: 0.5, Horizon: 100},
	} {
		if _, err := csspa.NewCSSPA(steps(), s, 0, csspa.State{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v", want, err)
		}
	}
	for _, k := range []float64{0.28, 1, 100} {
		s, err := csspa.Theorem2(k, 0.75, 0.5)
		if err == nil {
			err = s.CheckSaddle()
		}
		if err != nil {
			t.Errorf("K = %v: %v", k, err)
		}
	}
}

// TestAverageWantsItsLength: a slice of another length is a mistake of the caller.
func TestAverageWantsItsLength(t *testing.T) {
	a, err := csspa.NewCSSPA(steps(), constant(0.25, 0.5, 0), 0, csspa.State{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if reason, _ := recover().(string); !strings.HasPrefix(reason, "csspa: Average") {
			t.Errorf("it panics with %q", reason)
		}
	}()
	a.Average(nil)
}

// TestStepSizesOneByOne: a method's sizes, computed each from the one before it, are those of At, to the last bit; also
// after a state from the middle. With α_t in the output's weight and x fixed, the weight is their sum.
func TestStepSizesOneByOne(t *testing.T) {
	for _, pair2 := range [][2]float64{{0.75, 0.5}, {0.6, 0.5}, {0.9, 0.6}} {
		s, err := csspa.Theorem2(1, pair2[0], pair2[1])
		if err != nil {
			t.Fatal(err)
		}
		a, err := csspa.NewCSSPA(steps(), s, 0, csspa.State{X: []float64{1}})
		if err != nil {
			t.Fatal(err)
		}
		y, weight := 0.0, 0.0
		for step := 1; step <= 50; step++ {
			if step == 20 {
				if err := a.Restore(a.State()); err != nil {
					t.Fatal(err)
				}
			}
			size := s.At(step)
			weight += size.Alpha
			y = float64((1-size.Beta)*y) + float64(size.Beta*a.Iterate()[0])
			a.Step(pair{1, 1})
			if state := a.State(); state.Weight != weight || state.Y[0] != y {
				t.Fatalf("step %d: weight %v and y %v, want %v and %v", step, state.Weight, state.Y[0], weight, y)
			}
			if want := math.Pow(float64(step), -pair2[0]) / 7; math.Abs(size.Alpha-want) > 1e-15*want*4 {
				t.Errorf("α_%d is %v, want %v", step, size.Alpha, want)
			}
		}
	}
}
