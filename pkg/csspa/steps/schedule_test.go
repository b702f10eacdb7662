package steps_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa/steps"
)

// TestTheorem2Values: K = 1, a = 3/4, b = 1/2 at t = 16: α = 16^-0.75 / 7 = 1/56,
// β = 1/4, δ = 4 (1 + 4 + √17).
func TestTheorem2Values(t *testing.T) {
	s, err := steps.Theorem2(1, 0.75, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	requireSizes(t, s.At(16), steps.StepSizes{Alpha: 1. / 56, Beta: 0.25, Delta: 4 * (5 + math.Sqrt(17))})
	requireSizes(t, s.At(1), steps.StepSizes{Alpha: 1. / 7, Beta: 1, Delta: 4 * (2 + math.Sqrt2)})

	constant, err := steps.Theorem2Horizon(1, 0.75, 0.5, 16)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []int{1, 7, 16} {
		requireSizes(t, constant.At(step), steps.StepSizes{Alpha: 1. / 56, Beta: 0.25, Delta: 4 * 9})
	}
}

// TestTheorem1Values: K = 2, a = 0.9, b = 0.6 at t = 1: α = 1/8, β = 1, δ = 4 (2 + 2^0.6).
func TestTheorem1Values(t *testing.T) {
	s, err := steps.Theorem1(2, 0.9, 0.6)
	if err != nil {
		t.Fatal(err)
	}
	requireSizes(t, s.At(1), steps.StepSizes{Alpha: 1. / 8, Beta: 1, Delta: 4 * (2 + math.Pow(2, 0.6))})
}

func requireSizes(t *testing.T, got, want steps.StepSizes) {
	t.Helper()
	if math.Abs(got.Alpha-want.Alpha) > 1e-12 || math.Abs(got.Beta-want.Beta) > 1e-12 || math.Abs(got.Delta-want.Delta) > 1e-12*want.Delta {
		t.Errorf("step sizes are %+v, want %+v", got, want)
	}
}

// TestExponents is the paper's map at chosen points; the rates are those of
// ω = O(T^{a-1}) Σ (1/T + α² + β² + α²/β), worked out by hand.
func TestExponents(t *testing.T) {
	for _, c := range []struct {
		a, b           float64
		horizon        bool
		first, second  bool
		rate           float64
		logarithm      bool
		reasonContains string
	}{
		{0.75, 0.5, false, false, true, 0.25, true, "b > 1/2"},
		{0.75, 0.5, true, false, true, 0.25, false, "powers of t"},
		{0.9, 0.6, false, true, true, 0.1, false, "almost surely"},
		{0.8, 0.7, false, false, true, 0.1, false, "2a - b > 1"},
		{0.6, 0.4, false, false, true, 0.2, false, "b > 1/2"},
		{0.5, 0.5, false, false, true, 0, false, "does not shrink"},
		{0.8, 0.4, false, false, true, 0, false, "does not shrink"},
		{0.4, 0.5, false, false, false, 0, false, "b <= a"},
		{0.9, 0.4, false, false, false, 0, false, "a <= 2b"},
		{1, 0.6, false, true, false, 0, false, "not Theorem 2"},
		{0.5, 0, false, false, false, 0, false, "between 0 and 1"},
		{math.NaN(), 0.5, false, false, false, 0, false, "between 0 and 1"},
	} {
		g := steps.Exponents(c.a, c.b, c.horizon)
		if g.Theorem1 != c.first || g.Theorem2 != c.second || math.Abs(g.Rate-c.rate) > 1e-12 || g.Logarithm != c.logarithm || !strings.Contains(g.Reason, c.reasonContains) {
			t.Errorf("Exponents(%v, %v, %v) = %+v, want %+v", c.a, c.b, c.horizon, g, c)
		}
	}
}

// TestBestRate: no allowed pair beats T^-1/4, and only (3/4, 1/2) reaches it.
func TestBestRate(t *testing.T) {
	const n = 200
	for i := 1; i < n; i++ {
		for j := 1; j < n; j++ {
			a, b := float64(i)/n, float64(j)/n
			g := steps.Exponents(a, b, true)
			best := a == 0.75 && b == 0.5
			if g.Rate > 0.25+1e-12 || (g.Rate > 0.25-1e-12) != best {
				t.Fatalf("rate at (%v, %v) is %v", a, b, g.Rate)
			}
			if t1 := steps.Exponents(a, b, false); t1.Theorem1 && !t1.Theorem2 {
				t.Fatalf("(%v, %v) is allowed by Theorem 1 and not by Theorem 2", a, b)
			}
		}
	}
}

// TestLemma checks the inequality of Lemma chLem, on which Theorem 2 rests, in
// units of K: α⁴δ² - α²δ/2 + α² (1 + 1/β_t + 1/β_{t+1}) <= 0 at K = 1. It holds
// for powers of T, and for powers of t from t = 2 on; at t = 1 the print is wrong.
func TestLemma(t *testing.T) {
	lemma := func(s steps.PowerLaw, step int) float64 {
		z := s.At(step)
		square := z.Alpha * z.Alpha
		return square*square*z.Delta*z.Delta - square*z.Delta/2 + square*z.Delta/4
	}
	for _, pair := range [][2]float64{{0.75, 0.5}, {0.9, 0.9}, {0.5, 0.3}, {0.2, 0.1}, {0.99, 0.5}} {
		power, err := steps.Theorem2(1, pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []int{1, 2, 3, 10, 1000, 1e6} {
			constant, err := steps.Theorem2Horizon(1, pair[0], pair[1], step)
			if err != nil {
				t.Fatal(err)
			}
			if v := lemma(constant, 1); v > 0 {
				t.Errorf("horizon %d, %v: the lemma's left side is %v", step, pair, v)
			}
			if v := lemma(power, step); (v > 0) != (step == 1) {
				t.Errorf("t = %d, %v: the lemma's left side is %v", step, pair, v)
			}
		}
	}
}

func TestGuarantee(t *testing.T) {
	first, err := steps.Theorem1(3, 0.9, 0.6)
	if err != nil {
		t.Fatal(err)
	}
	if g := first.Guarantee(); !g.Theorem1 || g.Theorem2 || g.K != 3 {
		t.Errorf("Theorem1(3, .9, .6) guarantees %+v", g)
	}
	second, err := steps.Theorem2(3, 0.75, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if g := second.Guarantee(); g.Theorem1 || !g.Theorem2 || g.K != 3 || !strings.Contains(g.Reason, "T^-0.25 log T") {
		t.Errorf("Theorem2(3, .75, .5) guarantees %+v", g)
	}
	none := second
	none.Alpha0 *= 2
	slow := second
	slow.Beta0 = 0.5
	outside := second
	outside.A = 0.3
	for name, s := range map[string]steps.PowerLaw{"α_0 of another K": none, "β_0 = 1/2": slow, "b > a": outside, "constant": {Alpha0: 0.1, Beta0: 0.1}} {
		if g := s.Guarantee(); g.Theorem1 || g.Theorem2 || g.Reason == "" {
			t.Errorf("%s guarantees %+v", name, g)
		}
	}
}

func TestScheduleErrors(t *testing.T) {
	construct := func(s steps.PowerLaw, err error) error { return err }
	good, err := steps.Theorem2(1, 0.75, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	change := func(f func(s *steps.PowerLaw)) error { s := good; f(&s); return s.Check() }
	for name, err := range map[string]error{
		"theorem 1 at (3/4, 1/2)": construct(steps.Theorem1(1, 0.75, 0.5)),
		"theorem 1, K = 0":        construct(steps.Theorem1(0, 0.9, 0.6)),
		"theorem 2, b > a":        construct(steps.Theorem2(1, 0.5, 0.75)),
		"theorem 2, infinite K":   construct(steps.Theorem2(math.Inf(1), 0.75, 0.5)),
		"horizon 0":               construct(steps.Theorem2Horizon(1, 0.75, 0.5, 0)),
		"alpha":                   change(func(s *steps.PowerLaw) { s.Alpha0 = -1 }),
		"beta":                    change(func(s *steps.PowerLaw) { s.Beta0 = 1.5 }),
		"exponent":                change(func(s *steps.PowerLaw) { s.A = math.NaN() }),
		"regularization":          change(func(s *steps.PowerLaw) { s.Regularization = -1 }),
		"horizon":                 change(func(s *steps.PowerLaw) { s.Horizon = -1 }),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "csspa: ") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}
