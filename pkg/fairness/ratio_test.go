package fairness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The limits were computed with statsmodels 0.14, confint_proportions_2indep(compare="ratio", method="score",
// correction=False), which solves the polynomial of Nam.
func TestKoopmanAgreesWithAnotherSolution(t *testing.T) {
	for _, c := range []struct{ k1, n1, k0, n0, lo, hi float64 }{
		{1, 34, 7, 34, 0.0234875665, 0.8190995312},
		{56, 70, 48, 80, 1.0798215063, 1.6708055780},
		{9, 10, 3, 10, 1.3532371939, 8.4676686767},
		{5, 56, 0, 29, 0.7256888836, math.Inf(1)},
		{0, 10, 3, 20, 0, 2.1792222757},
		{10, 10, 3, 20, 2.7745495528, 19.0953589376},
		{1200, 6530, 450, 3240, 1.1979141503, 1.4624715318},
		{2, 1000, 4, 900, 0.0965749544, 2.0953604496},
		{0, 10, 0, 20, 0, math.Inf(1)},
	} {
		lo, hi := Koopman(c.k1/c.n1, c.n1, c.k0/c.n0, c.n0, 0.95)
		if math.Abs(lo-c.lo) > 5e-9 || hi != c.hi && math.Abs(hi-c.hi) > 5e-8 {
			t.Errorf("(%v/%v) / (%v/%v): %.10f to %.10f, want %.10f to %.10f", c.k1, c.n1, c.k0, c.n0, lo, hi, c.lo, c.hi)
		}
	}
	// Two rates of 1: the limits are Wilson's of the side that is pushed below 1.
	lo, hi := Koopman(1, 10, 1, 20, 0.95)
	l1, _ := Wilson(1, 10, 0.95)
	l0, _ := Wilson(1, 20, 0.95)
	if math.Abs(lo-l1) > 1e-9 || math.Abs(hi-1/l0) > 1e-9 {
		t.Errorf("10/10 over 20/20: %v to %v, want %v to %v", lo, hi, l1, 1/l0)
	}
}

func TestRatioProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	rate := func() float64 {
		switch rng.IntN(6) {
		case 0:
			return 0
		case 1:
			return 1
		}
		return rng.Float64()
	}
	for range 20_000 {
		n1, n0 := math.Exp(12*rng.Float64()), math.Exp(12*rng.Float64())
		r1, r0 := rate(), rate()
		lo, hi := Koopman(r1, n1, r0, n0, 0.95)
		if !(0 <= lo && lo <= hi) || r0 > 0 && !(lo <= r1/r0*(1+1e-12) && r1/r0 <= hi*(1+1e-12)) {
			t.Fatalf("Koopman(%v, %v, %v, %v) = %v to %v", r1, n1, r0, n0, lo, hi)
		}
		// The sides exchanged give the inverse ratio.
		back, forth := Koopman(r0, n0, r1, n1, 0.95)
		if !alike(back, 1/hi) || !alike(forth, 1/lo) {
			t.Fatalf("Koopman(%v, %v, %v, %v) = %v to %v, exchanged %v to %v", r1, n1, r0, n0, lo, hi, back, forth)
		}
		ratio, other := NewRatio(r1, n1, r0, n0, 0.95), NewRatio(r0, n0, r1, n1, 0.95)
		if !(0 <= ratio.Lo && ratio.Lo <= ratio.Value+1e-12 && ratio.Value <= ratio.Hi+1e-12 && ratio.Hi <= 1) {
			t.Fatalf("NewRatio(%v, %v, %v, %v) = %+v", r1, n1, r0, n0, ratio)
		}
		if !alike(ratio.Lo, other.Lo) || !alike(ratio.Hi, other.Hi) || ratio.Value != other.Value {
			t.Fatalf("NewRatio(%v, %v, %v, %v) = %+v, exchanged %+v", r1, n1, r0, n0, ratio, other)
		}
	}
}

func alike(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-6*max(1, math.Abs(a)) }

// The interval covers the true ratio about as often as its level says, at small counts and extreme rates too. The
// probability is exact: it sums over all pairs of counts.
func TestRatioCoverage(t *testing.T) {
	for _, c := range []struct {
		n1, n0 int
		p1, p0 float64
		least  float64
	}{
		{30, 30, 0.5, 0.5, 0.94},
		{30, 30, 0.1, 0.1, 0.94},
		{30, 30, 0.02, 0.05, 0.94},
		{30, 200, 0.9, 0.95, 0.94},
		{50, 200, 0.08, 0.1, 0.94},
		{200, 50, 0.4, 0.5, 0.94},
		{100, 100, 0.99, 0.97, 0.94},
		{300, 300, 0.01, 0.0125, 0.94},
	} {
		truth := min(c.p1, c.p0) / max(c.p1, c.p0)
		directed, folded := 0.0, 0.0
		for k1 := range c.n1 + 1 {
			for k0 := range c.n0 + 1 {
				p := binomialChance(c.n1, k1, c.p1) * binomialChance(c.n0, k0, c.p0)
				if p < 1e-9 {
					continue
				}
				r1, r0 := float64(k1)/float64(c.n1), float64(k0)/float64(c.n0)
				if lo, hi := Koopman(r1, float64(c.n1), r0, float64(c.n0), 0.95); lo <= c.p1/c.p0 && c.p1/c.p0 <= hi {
					directed += p
				}
				if r := NewRatio(r1, float64(c.n1), r0, float64(c.n0), 0.95); r.Lo <= truth && truth <= r.Hi {
					folded += p
				}
			}
		}
		t.Logf("%d and %d records at rates %v and %v: %.4f of the intervals hold the ratio, %.4f the impact ratio", c.n1, c.n0, c.p1, c.p0, directed, folded)
		if directed < c.least || folded < directed-1e-9 {
			t.Errorf("%d and %d records at rates %v and %v: coverage %.4f and %.4f", c.n1, c.n0, c.p1, c.p0, directed, folded)
		}
	}
}

func binomialChance(n, k int, p float64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}
