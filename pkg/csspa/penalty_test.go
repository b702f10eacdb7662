package csspa_test

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

var byHand = constant(0.25, 0.5, 0)

// free is steps without its constraint.
func free() csspa.Problem[pair] {
	p := steps()
	p.H, p.L = nil, nil
	return p
}

// TestSCGDByHand has no constraint; from x = 4, y = 2: step 1 with ξ = 1: y = 3, x = 4 - 3/4 = 13/4;
// step 2 with ξ = 2: y = 3/2 + 13/4 = 19/4, x = 13/4 - 1/4·2·19/4 = 7/8.
func TestSCGDByHand(t *testing.T) {
	a, err := csspa.NewCSSPA(free(), byHand, 0, csspa.State{X: []float64{4}, Y: []float64{2}})
	if err != nil {
		t.Fatal(err)
	}
	a.Step(pair{xi: 1})
	a.Step(pair{xi: 2})
	requireState(t, a.State(), csspa.State{Steps: 2, X: []float64{0.875}, Y: []float64{4.75}, Sum: []float64{(4 + 3.25) / 4}, Weight: 0.5})
}

// TestCSCGDByHand with γ = 1/2, from x = 4, y = 2, u = 1:
//
//	step 1, ξ = 1, φ = 1/2:  y = 3, u = 1/2 + 1 = 3/2, weight ½(9/4 - 1) = 5/8
//	  x = 4 - 1/4 (3 + 5/8·½·3) = 4 - 1/4·63/16 = 193/64
//	step 2, ξ = 2, φ = 0:    y = 3/2 + 193/64 = 289/64, u = 3/4, weight 0 as l < 0
//	  x = 193/64 - 1/4·2·289/64 = 97/128
func TestCSCGDByHand(t *testing.T) {
	a, err := csspa.NewCSCGD(steps(), byHand, 0.5, csspa.State{X: []float64{4}, Y: []float64{2}, U: []float64{1}})
	if err != nil {
		t.Fatal(err)
	}
	a.Step(pair{1, 0.5})
	requireState(t, a.State(), csspa.State{Steps: 1, X: []float64{193. / 64}, Y: []float64{3}, U: []float64{1.5}, Sum: []float64{1}, Weight: 0.25})
	a.Step(pair{2, 0})
	requireState(t, a.State(), csspa.State{Steps: 2, X: []float64{97. / 128}, Y: []float64{289. / 64}, U: []float64{0.75}, Sum: []float64{1 + 193./256}, Weight: 0.5})
}

// TestCSCGDAByHand: as above; step 1 has nothing to extrapolate. Step 2 with ξ = 2,
// φ = 1 looks at v = 4 + 2 (193/64 - 4) = 65/32: y = 3/2 + 65/32 = 113/32, u = 3/4
// + 65/64 = 113/64, weight ½((113/64)² - 1) = 8673/8192, and the gradients are
// those at x: x = 193/64 - 1/4 (2·113/32 + 8673/8192·1·2·113/64).
func TestCSCGDAByHand(t *testing.T) {
	a, err := csspa.NewCSCGDA(steps(), byHand, 0.5, csspa.State{X: []float64{4}, Y: []float64{2}, U: []float64{1}})
	if err != nil {
		t.Fatal(err)
	}
	a.Step(pair{1, 0.5})
	a.Step(pair{2, 1})
	x := 193./64 - 0.25*(2*113./32+8673./8192*2*113./64)
	requireState(t, a.State(), csspa.State{
		Steps: 2, X: []float64{x}, Y: []float64{113. / 32}, U: []float64{113. / 64},
		Previous: []float64{193. / 64}, Sum: []float64{1 + 193./256}, Weight: 0.5,
	})
}

// TestExtrapolationRemovesLag: for an iterate that moves at constant speed the
// plain tracker ends behind by speed (1/β - 1) and the extrapolated one at x. The
// steps follow g(x) = x with f(y) = -y, so that x moves by α a step.
func TestExtrapolationRemovesLag(t *testing.T) {
	line := csspa.Problem[pair]{
		N: 1,
		G: csspa.Identity[pair](1),
		F: csspa.Func[pair]{
			In: 1, Len: 1,
			Value:    func(dst, y []float64, _ pair) { dst[0] = -y[0] },
			Gradient: func(dst, _, w []float64, _ pair) { dst[0] -= w[0] },
		},
		FixedOuter: true,
	}
	lag := func(start func(csspa.Problem[pair], csspa.PowerLaw, float64, csspa.State) (*csspa.CSCGD[pair], error)) float64 {
		a, err := start(line, byHand, 1, csspa.State{})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			a.Step(pair{})
		}
		state := a.State()
		return state.X[0] - byHand.Alpha0 - state.Y[0] // y follows x_t, the state has x_{t+1}
	}
	if got := lag(csspa.NewCSCGD[pair]); math.Abs(got-0.25) > 1e-12 {
		t.Errorf("CSCGD lags by %v, want α (1/β - 1) = 0.25", got)
	}
	if got := lag(csspa.NewCSCGDA[pair]); math.Abs(got) > 1e-12 {
		t.Errorf("CSCGDA lags by %v, want 0", got)
	}
}

func TestPenaltyStepsDoNotAllocate(t *testing.T) {
	for name, method := range methods(t) {
		if n := testing.AllocsPerRun(100, func() { method.Step(pair{1, 1}) }); n != 0 {
			t.Errorf("%s: a step allocates %v times", name, n)
		}
	}
}

// TestEveryMethodRestores: from a state saved in the middle, every method ends on
// the same bits as without the stop.
func TestEveryMethodRestores(t *testing.T) {
	whole, first, second := methods(t), methods(t), methods(t)
	for name := range whole {
		for i := range 50 {
			s := pair{math.Sin(float64(i)), math.Cos(float64(i))}
			whole[name].Step(s)
			if i < 20 {
				first[name].Step(s)
				continue
			}
			if i == 20 {
				if err := second[name].Restore(first[name].State()); err != nil {
					t.Fatal(err)
				}
			}
			second[name].Step(s)
		}
		requireState(t, second[name].State(), whole[name].State())
	}
}

func methods(t *testing.T) map[string]csspa.Method[pair] {
	t.Helper()
	schedule, err := csspa.Theorem2(1, 0.75, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	start := csspa.State{X: []float64{2}}
	must := func(m csspa.Method[pair], err error) csspa.Method[pair] {
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	saddle, err1 := csspa.NewCSSPA(steps(), schedule, 0.1, start)
	plain, err2 := csspa.NewCSSPA(free(), schedule, 0, start)
	penalty, err3 := csspa.NewCSCGD(steps(), schedule, 3, start)
	accelerated, err4 := csspa.NewCSCGDA(steps(), schedule, 3, start)
	return map[string]csspa.Method[pair]{
		"CSSPA": must(saddle, err1), "CSSPA, no constraints": must(plain, err2), "CSCGD": must(penalty, err3), "CSCGDA": must(accelerated, err4),
	}
}

func TestPenaltyErrors(t *testing.T) {
	random := steps()
	random.FixedOuter = false
	for name, build := range map[string]func() error{
		"random l":       func() error { _, err := csspa.NewCSCGD(random, byHand, 1, csspa.State{}); return err },
		"gamma 0":        func() error { _, err := csspa.NewCSCGD(steps(), byHand, 0, csspa.State{}); return err },
		"gamma NaN":      func() error { _, err := csspa.NewCSCGDA(steps(), byHand, math.NaN(), csspa.State{}); return err },
		"bad schedule":   func() error { _, err := csspa.NewCSCGD(steps(), csspa.PowerLaw{}, 1, csspa.State{}); return err },
		"CSCGD, problem": func() error { _, err := csspa.NewCSCGD(csspa.Problem[pair]{}, byHand, 1, csspa.State{}); return err },
		"a state with λ": func() error {
			_, err := csspa.NewCSCGD(steps(), byHand, 1, csspa.State{Lambda: []float64{1}})
			return err
		},
		"a previous of 2": func() error {
			_, err := csspa.NewCSCGDA(steps(), byHand, 1, csspa.State{Previous: []float64{1, 2}})
			return err
		},
	} {
		if build() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestPenaltyExponents: γ² times the unconstrained rate equals 1/γ.
func TestPenaltyExponents(t *testing.T) {
	for accelerated, rate := range map[bool]float64{false: 1. / 4, true: 2. / 7} {
		a, b, c := csspa.PenaltyExponents(accelerated)
		if math.Abs(rate-2*c-c) > 1e-15 {
			t.Errorf("accelerated %v: γ² T^-%v is not T^-%v", accelerated, rate, c)
		}
		if g := csspa.Exponents(a, b, true); !g.Theorem2 {
			t.Errorf("accelerated %v: the exponents (%v, %v) are outside: %s", accelerated, a, b, g.Reason)
		}
	}
}
