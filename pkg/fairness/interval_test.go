package fairness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Expected limits below are published to four decimals and were recomputed to
// six by another route than the closed form: Wilson's limits as the roots of
// n(p̂−q)² = z² q(1−q), found by bisection, with z from a bisection of erf.

func TestWilsonPublishedValues(t *testing.T) {
	// Newcombe, Statistics in Medicine 17 (1998), pp. 857–872, table I, method 3.
	for _, c := range []struct{ k, n, lo, hi float64 }{
		{81, 263, 0.255289, 0.366210}, // 0.2553 to 0.3662
		{15, 148, 0.062386, 0.160487}, // 0.0624 to 0.1605
		{0, 20, 0, 0.161125},          // 0.0000 to 0.1611
		{1, 29, 0.006113, 0.171755},   // 0.0061 to 0.1718
	} {
		lo, hi := Wilson(c.k/c.n, c.n, 0.95)
		if math.Abs(lo-c.lo) > 5e-7 || math.Abs(hi-c.hi) > 5e-7 {
			t.Errorf("%v of %v: %.6f to %.6f, want %.6f to %.6f", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}

func TestNewcombePublishedValues(t *testing.T) {
	// Newcombe, Statistics in Medicine 17 (1998), pp. 873–890, table II, method 10.
	for _, c := range []struct{ k1, n1, k0, n0, lo, hi float64 }{
		{56, 70, 48, 80, 0.052431, 0.333873}, // (a) 0.0524 to 0.3339
		{9, 10, 3, 10, 0.170523, 0.809018},   // (b) 0.1705 to 0.8090
		{6, 7, 2, 7, 0.058228, 0.806250},     // (c) 0.0582 to 0.8062
		{5, 56, 0, 29, -0.038137, 0.192560},  // (d) −0.0381 to 0.1926
		{0, 10, 0, 20, -0.161125, 0.277533},  // (e) −0.1611 to 0.2775
		{0, 10, 0, 10, -0.277533, 0.277533},  // (f) −0.2775 to 0.2775
		{10, 10, 0, 20, 0.679086, 1},         // (g) 0.6791 to 1.0000
		{10, 10, 0, 10, 0.607509, 1},         // (h) 0.6075 to 1.0000
	} {
		lo, hi := Newcombe(c.k1/c.n1, c.n1, c.k0/c.n0, c.n0, 0.95)
		if math.Abs(lo-c.lo) > 5e-7 || math.Abs(hi-c.hi) > 5e-7 {
			t.Errorf("%v/%v − %v/%v: %.6f to %.6f, want %.6f to %.6f", c.k1, c.n1, c.k0, c.n0, lo, hi, c.lo, c.hi)
		}
	}
}

func TestNormalQuantile(t *testing.T) {
	// Tabulated to ten digits.
	for level, want := range map[float64]float64{0.90: 1.6448536270, 0.95: 1.9599639845, 0.99: 2.5758293035} {
		if got := twoSided(level); math.Abs(got-want) > 5e-11 {
			t.Errorf("quantile at %v is %.10f, want %.10f", level, got, want)
		}
	}
}

func TestIntervalProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 50_000 {
		// Effective sizes need not be whole.
		n1, n0 := math.Exp(12*rng.Float64()), math.Exp(12*rng.Float64())
		p1, p0 := rng.Float64(), rng.Float64()
		if rng.IntN(4) == 0 {
			p1 = float64(rng.IntN(2))
		}
		lo, hi := Wilson(p1, n1, 0.95)
		if !(0 <= lo && lo <= p1 && p1 <= hi && hi <= 1) {
			t.Fatalf("Wilson(%v, %v) = %v to %v", p1, n1, lo, hi)
		}
		// The limits solve the score equation, unless they are at an end.
		for _, q := range []float64{lo, hi} {
			z := math.Abs(p1-q) / math.Sqrt(q*(1-q)/n1)
			if q > 1e-9 && q < 1-1e-9 && math.Abs(z-twoSided(0.95)) > 1e-4 {
				t.Fatalf("Wilson(%v, %v): the limit %v has a score of %v", p1, n1, q, z)
			}
		}
		dlo, dhi := Newcombe(p1, n1, p0, n0, 0.95)
		d := p1 - p0
		if !(-1 <= dlo && dlo <= d && d <= dhi && dhi <= 1) {
			t.Fatalf("Newcombe(%v, %v, %v, %v) = %v to %v", p1, n1, p0, n0, dlo, dhi)
		}
		// Exchanging the groups mirrors it; more records and a lower level
		// make it narrower.
		if mlo, mhi := Newcombe(p0, n0, p1, n1, 0.95); math.Abs(mlo+dhi) > 1e-15 || math.Abs(mhi+dlo) > 1e-15 {
			t.Fatalf("Newcombe mirrored: %v to %v, against %v to %v", mlo, mhi, dlo, dhi)
		}
		if lo, hi := Newcombe(p1, 2*n1, p0, 2*n0, 0.95); hi-lo > dhi-dlo {
			t.Fatalf("twice the records widen %v to %v", dhi-dlo, hi-lo)
		}
		if lo, hi := Newcombe(p1, n1, p0, n0, 0.9); hi-lo > dhi-dlo {
			t.Fatalf("a level of .9 widens %v to %v", dhi-dlo, hi-lo)
		}
	}
}

// binomial draws the number of successes among n records of rate p.
func binomial(rng *rand.Rand, n int, p float64) (k int) {
	for range n {
		if rng.Float64() < p {
			k++
		}
	}
	return k
}

// TestNewcombeCoverage simulates the level from the default minimum of 30 records
// on, extreme rates included. With 4,000 replications a coverage of 0.95 has a
// standard error of 0.0034: a cell may fall to 0.94, the mean may not fall below 0.95.
func TestNewcombeCoverage(t *testing.T) {
	const replications = 4000
	rng := rand.New(rand.NewPCG(13, 1))
	var sum, least float64 = 0, 1
	var cells float64
	for _, sizes := range [][2]int{{30, 30}, {30, 300}, {100, 100}, {100, 1000}} {
		for _, rates := range [][2]float64{{0.02, 0.02}, {0.05, 0.1}, {0.1, 0.3}, {0.5, 0.5}, {0.3, 0.35}, {0.9, 0.8}, {0.25, 0.05}} {
			covered := 0
			for range replications {
				k1, k0 := binomial(rng, sizes[0], rates[0]), binomial(rng, sizes[1], rates[1])
				n1, n0 := float64(sizes[0]), float64(sizes[1])
				lo, hi := Newcombe(float64(k1)/n1, n1, float64(k0)/n0, n0, 0.95)
				if d := rates[0] - rates[1]; lo <= d && d <= hi {
					covered++
				}
			}
			coverage := float64(covered) / replications
			if coverage < 0.94 {
				t.Errorf("sizes %v, rates %v: coverage %.4f", sizes, rates, coverage)
			}
			sum, least, cells = sum+coverage, min(least, coverage), cells+1
		}
	}
	if mean := sum / cells; mean < 0.95 || mean > 0.97 {
		t.Errorf("the mean coverage is %.4f", mean)
	}
	t.Logf("mean coverage %.4f, least %.4f over %v cells", sum/cells, least, cells)
}

// TestWeightedCoverage: with unequal weights the interval on effective sizes
// keeps its level, and that on the numbers of records would not.
func TestWeightedCoverage(t *testing.T) {
	const replications, n = 3000, 200
	rng := rand.New(rand.NewPCG(14, 1))
	comparison := sexComparison(DemographicParity)
	rates := map[Side]float64{Group: 0.3, Versus: 0.2}
	covered, naive := 0, 0
	for range replications {
		var counts PairCounts
		for range n {
			for _, side := range []Side{Group, Versus} {
				weight := 1.0
				if rng.IntN(5) == 0 {
					weight = 12 // one record in five stands for twelve
				}
				counts.Add(side, rng.Float64() < rates[side], weight)
			}
		}
		e := comparison.Estimate(counts, DefaultOptions())
		if e.Lo <= 0.1 && 0.1 <= e.Hi {
			covered++
		}
		if lo, hi := Newcombe(e.RateGroup, n, e.RateVersus, n, 0.95); lo <= 0.1 && 0.1 <= hi {
			naive++
		}
	}
	if coverage := float64(covered) / replications; coverage < 0.935 {
		t.Errorf("coverage %.4f on effective sizes", coverage)
	}
	if coverage := float64(naive) / replications; coverage > 0.85 {
		t.Errorf("coverage %.4f on numbers of records: the weights of this test make no difference", coverage)
	}
}

func TestIntervalsRefuseWhatTheyCannotMean(t *testing.T) {
	for name, call := range map[string]func(){
		"no records":    func() { Wilson(0.5, 0, 0.95) },
		"rate above 1":  func() { Wilson(1.1, 10, 0.95) },
		"rate NaN":      func() { Wilson(math.NaN(), 10, 0.95) },
		"level 1":       func() { Wilson(0.5, 10, 1) },
		"level 0":       func() { Newcombe(0.5, 10, 0.5, 10, 0) },
		"empty versus":  func() { Newcombe(0.5, 10, 0.5, 0, 0.95) },
		"minimum of 0":  func() { sexComparison(DemographicParity).Estimate(PairCounts{}, Options{Level: 0.95}) },
		"estimate at 1": func() { sexComparison(DemographicParity).Estimate(PairCounts{}, Options{Level: 1, MinimumRecords: 30}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
