package problems_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/pkg/csspa"
)

func classifier(a problems.Approximation, smoothing float64) problems.FairClassifier {
	return problems.FairClassifier{Features: 3, Approximation: a, Threshold: 1.5, Mu: 0.1, Radius: 5, Floor: 0.05, Smoothing: smoothing}
}

func record(rng *rand.Rand) problems.Record {
	r := problems.Record{X: []float64{rng.NormFloat64(), rng.NormFloat64(), 1}, Label: 1, Group: rng.IntN(3) - 1}
	if rng.IntN(2) == 0 {
		r.Label = -1
	}
	return r
}

func spam() problems.FairSpAM {
	return problems.FairSpAM{Features: 4, Powers: 3, Mu: 0.2, Tau: 0.05, Radius: 5, Smoothing: 0.3}
}

func queues() problems.Queues {
	return problems.Queues{Cost: []float64{1, 2}, Share: []float64{0.5, 0.5}, Delay: 0.5, Limit: 30, Knee: 0.2}
}

func must[S any](t testing.TB, p csspa.Problem[S], err error) csspa.Problem[S] {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func normal(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// TestDerivatives checks every statement against finite differences, outer
// functions also at followed values that no x gives.
func TestDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 300 {
		for a := problems.Approximation1; a <= problems.DefinitionSquared; a++ {
			for _, smoothing := range []float64{0, 0.5} {
				p, err := classifier(a, smoothing).Problem()
				check(t, must(t, p, err), normal(rng, 3), record(rng), rng)
			}
		}
		p, err := spam().Problem()
		check(t, must(t, p, err), normal(rng, 12), problems.SpAMData(rng, 1, 4)[0], rng)

		q, err := queues().Problem()
		check(t, must(t, q, err), []float64{5 * rng.Float64(), 5 * rng.Float64()}, problems.Arrivals{float64(rng.IntN(4)), float64(rng.IntN(4))}, rng)

		portfolio, err := problems.Portfolio{Securities: 3, Power: 2 + rng.IntN(3), Tau: 0.1, OneSided: rng.IntN(2) == 0}.Problem()
		check(t, must(t, portfolio, err), normal(rng, 3), problems.Market{Returns: normal(rng, 3), Index: rng.NormFloat64()}, rng)
	}
}

// check verifies p at x, and its outer functions at a random followed value.
func check[S any](t *testing.T, p csspa.Problem[S], x []float64, s S, rng *rand.Rand) {
	t.Helper()
	if err := p.Verify(x, s, 5e-5); err != nil {
		t.Fatalf("at %v, sample %+v: %v", x, s, err)
	}
	d := p.H.Outputs()
	outer := csspa.Problem[S]{N: d, G: csspa.Identity[S](d), F: total[S]{p.L, d}}
	u := make([]float64, d)
	for i := range u {
		u[i] = rng.Float64()
	}
	if err := outer.Verify(u, s, 2e-4); err != nil {
		t.Fatalf("outer function at %v: %v", u, err)
	}
}

// total is the sum of a function's outputs.
type total[S any] struct {
	csspa.Function[S]
	inputs int
}

func (f total[S]) Inputs() int { return f.inputs }

func (total[S]) Outputs() int { return 1 }

func (f total[S]) Evaluate(dst, x []float64, s S) {
	all := make([]float64, f.Function.Outputs())
	f.Function.Evaluate(all, x, s)
	dst[0] = 0
	for _, v := range all {
		dst[0] += v
	}
}

func (f total[S]) AddGradient(dst, x, weights []float64, s S) {
	all := make([]float64, f.Function.Outputs())
	for j := range all {
		all[j] = weights[0]
	}
	f.Function.AddGradient(dst, x, all, s)
}

// TestRelaxationsAtZero: at w = 0 every margin is 0, so A = B = 1, A' = B' = 0,
// and the relaxations are 1 and 1; 1; 5, less their thresholds.
func TestRelaxationsAtZero(t *testing.T) {
	records := []problems.Record{{X: []float64{1, 2, 3}, Label: 1, Group: 1}, {X: []float64{4, 5, 6}, Label: -1, Group: -1}, {X: []float64{7, 8, 9}, Label: 1}}
	for a, want := range map[problems.Approximation][]float64{
		problems.Approximation1: {1 - 1.5, 1 - 1.5},
		problems.Approximation2: {1 - 2.25},
		problems.Approximation3: {5 - 2.25},
	} {
		p, err := classifier(a, 0).Problem()
		data := csspa.NewFinite(must(t, p, err), records)
		got := make([]float64, len(want))
		data.Constraints(got, make([]float64, 3))
		for j := range want {
			if math.Abs(got[j]-want[j]) > 1e-12 {
				t.Errorf("approximation %d: constraint %d at w = 0 is %v, want %v", a, j+1, got[j], want[j])
			}
		}
		if loss := data.Objective(make([]float64, 3)); math.Abs(loss-math.Ln2) > 1e-15 {
			t.Errorf("the loss at w = 0 is %v, want log 2", loss)
		}
	}
}

// TestFeasibility searches for points below the bounds that math forbids:
// approximation 1 has max(l_1, l_2) + c >= 1, approximation 3 has l + c² >= 4.
func TestFeasibility(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	records := make([]problems.Record, 60)
	for i := range records {
		records[i] = record(rng)
	}
	one, err := classifier(problems.Approximation1, 0).Problem()
	first := csspa.NewFinite(must(t, one, err), records)
	three, err := classifier(problems.Approximation3, 0).Problem()
	third := csspa.NewFinite(must(t, three, err), records)
	levels := make([]float64, 2)
	least1, least3 := math.Inf(1), math.Inf(1)
	for range 2000 {
		w := normal(rng, 3)
		scale := math.Exp(2 * rng.NormFloat64())
		for i := range w {
			w[i] *= scale
		}
		first.Constraints(levels, w)
		least1 = min(least1, max(levels[0], levels[1])+1.5)
		third.Constraints(levels[:1], w)
		least3 = min(least3, levels[0]+2.25)
	}
	if least1 < 1-1e-12 || least3 < 4-1e-12 {
		t.Errorf("least values are %v and %v, which should be impossible below 1 and 4", least1, least3)
	}
}

// TestSmoothing: a smoothed hinge is above the hinge by at most ε/4, so group means too.
func TestSmoothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	sharp, err := classifier(problems.Approximation1, 0).Problem()
	exact := must(t, sharp, err).H
	soft, err := classifier(problems.Approximation1, 0.2).Problem()
	smooth := must(t, soft, err).H
	a, b := make([]float64, 6), make([]float64, 6)
	for range 2000 {
		w, r := normal(rng, 3), record(rng)
		exact.Evaluate(a, w, r)
		smooth.Evaluate(b, w, r)
		for _, i := range []int{1, 4} {
			if d := b[i] - a[i]; d < -1e-15 || d > 0.05+1e-12 {
				t.Fatalf("the smoothed upper hinge differs by %v", d)
			}
		}
		for _, i := range []int{2, 5} {
			if d := a[i] - b[i]; d < -1e-15 || d > 0.05+1e-12 {
				t.Fatalf("the smoothed lower hinge differs by %v", d)
			}
		}
	}
}

// TestSpAMByHand: d = 2, q = 2, w = (1, 2, 3, 4), x = (2, 1): h_1 = 1·2 + 2·4 = 10,
// h_2 = 3 + 4 = 7, p = 17; y = 15, s = 3.
func TestSpAMByHand(t *testing.T) {
	m := problems.FairSpAM{Features: 2, Powers: 2, Mu: 0.5, Tau: 0.25, Radius: 9, Smoothing: 1e-9}
	p, err := m.Problem()
	must(t, p, err)
	w, r := []float64{1, 2, 3, 4}, problems.Measurement{X: []float64{2, 1}, Y: 15, S: 3}
	g, h := make([]float64, 3), make([]float64, 3)
	p.G.Evaluate(g, w, r)
	p.H.Evaluate(h, w, r)
	if g[0] != 4 || g[1] != 100 || g[2] != 49 || h[0] != 51 || h[1] != 3 || h[2] != 17 {
		t.Errorf("g is %v and h %v, want [4 100 49] and [51 3 17]", g, h)
	}
	value, levels := make([]float64, 1), make([]float64, 2)
	p.F.Evaluate(value, g, r)
	if math.Abs(value[0]-(4+0.5*17)) > 1e-8 {
		t.Errorf("f is %v, want 12.5", value[0])
	}
	p.L.Evaluate(levels, []float64{3, 2, 1}, r)
	if levels[0] != 0.75 || levels[1] != -1.25 {
		t.Errorf("l is %v, want [0.75 -1.25]", levels)
	}
}

// TestSpAMData: the sensitive attribute is a linear function of the first feature,
// the same seed gives the same data.
func TestSpAMData(t *testing.T) {
	data := problems.SpAMData(rand.New(rand.NewPCG(1, 1)), 50, 30)
	again := problems.SpAMData(rand.New(rand.NewPCG(1, 1)), 50, 30)
	slope := (data[1].S - data[0].S) / (data[1].X[0] - data[0].X[0])
	for i, r := range data {
		if r.Y != again[i].Y || r.S != again[i].S {
			t.Fatal("the same seed gives other data")
		}
		if len(r.X) != 30 || math.Abs(r.S-data[0].S-slope*(r.X[0]-data[0].X[0])) > 1e-9 {
			t.Fatalf("record %d: s is not linear in x_1", i)
		}
	}
}

// TestQueueOptimum: the closed form is feasible, complementary and stationary.
func TestQueueOptimum(t *testing.T) {
	q := queues()
	rates := []float64{2, 3}
	x, lambda := q.Optimum(rates)
	delay := 0.0
	for i := range x {
		spare := x[i] - rates[i]
		delay += q.Share[i] / spare
		if slope := q.Cost[i] - lambda*q.Share[i]/(spare*spare); math.Abs(slope) > 1e-12 {
			t.Errorf("queue %d: the Lagrangian has slope %v", i, slope)
		}
	}
	if math.Abs(delay-q.Delay) > 1e-12 {
		t.Errorf("the delay is %v, want %v", delay, q.Delay)
	}
}

func TestRiskDifference(t *testing.T) {
	records := []problems.Record{{X: []float64{1}, Group: 1}, {X: []float64{-1}, Group: 1}, {X: []float64{0}, Group: -1}, {X: []float64{5}}}
	got, plus, minus := problems.RiskDifference([]float64{1}, records)
	if got != 0.5 || plus != 2 || minus != 1 {
		t.Errorf("risk difference is %v over %d and %d, want 0.5 over 2 and 1", got, plus, minus)
	}
	if got, _, _ := problems.RiskDifference([]float64{1}, records[:1]); !math.IsNaN(got) {
		t.Errorf("risk difference without s- is %v, want NaN", got)
	}
}

func TestErrors(t *testing.T) {
	c := func(change func(*problems.FairClassifier)) error {
		p := classifier(1, 0)
		change(&p)
		_, err := p.Problem()
		return err
	}
	m := func(change func(*problems.FairSpAM)) error {
		p := spam()
		change(&p)
		_, err := p.Problem()
		return err
	}
	q := func(change func(*problems.Queues)) error {
		p := queues()
		change(&p)
		_, err := p.Problem()
		return err
	}
	f := func(change func(*problems.Portfolio)) error {
		p := problems.Portfolio{Securities: 2, Power: 2, Tau: 0.1}
		change(&p)
		_, err := p.Problem()
		return err
	}
	for field, err := range map[string]error{
		"FairClassifier.Features":      c(func(p *problems.FairClassifier) { p.Features = 0 }),
		"FairClassifier.Approximation": c(func(p *problems.FairClassifier) { p.Approximation = 5 }),
		"FairClassifier.Threshold":     c(func(p *problems.FairClassifier) { p.Threshold = -1 }),
		"FairClassifier.Mu":            c(func(p *problems.FairClassifier) { p.Mu = math.NaN() }),
		"FairClassifier.Radius":        c(func(p *problems.FairClassifier) { p.Radius = 0 }),
		"FairClassifier.Floor":         c(func(p *problems.FairClassifier) { p.Floor = 0 }),
		"FairClassifier.Smoothing":     c(func(p *problems.FairClassifier) { p.Smoothing = -1 }),
		"FairSpAM has":                 m(func(p *problems.FairSpAM) { p.Powers = 0 }),
		"FairSpAM.Mu":                  m(func(p *problems.FairSpAM) { p.Mu = -1 }),
		"FairSpAM.Tau":                 m(func(p *problems.FairSpAM) { p.Tau = 0 }),
		"FairSpAM.Radius":              m(func(p *problems.FairSpAM) { p.Radius = -1 }),
		"FairSpAM.Smoothing":           m(func(p *problems.FairSpAM) { p.Smoothing = 0 }),
		"Queues has":                   q(func(p *problems.Queues) { p.Cost = nil }),
		"queue 0":                      q(func(p *problems.Queues) { p.Share = []float64{0, 1} }),
		"Queues.Delay":                 q(func(p *problems.Queues) { p.Delay = 0 }),
		"Queues.Limit":                 q(func(p *problems.Queues) { p.Limit = 0 }),
		"Queues.Knee":                  q(func(p *problems.Queues) { p.Knee = math.NaN() }),
		"Portfolio.Securities":         f(func(p *problems.Portfolio) { p.Securities = 0 }),
		"Portfolio.Power":              f(func(p *problems.Portfolio) { p.Power = 1 }),
		"Portfolio.Tau":                f(func(p *problems.Portfolio) { p.Tau = 0 }),
	} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: error is %v", field, err)
		}
	}
}
