package fairness

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Student's sleep data, as in the help page of R's t.test, which gives
// t.test(extra ~ group, data = sleep): (-3.3654832, 0.2054832), df = 17.776.
func TestWelchAgreesWithR(t *testing.T) {
	var one, two Moments
	for _, x := range []float64{.7, -1.6, -.2, -1.2, -.1, 3.4, 3.7, .8, 0, 2} {
		one.Add(x, 1)
	}
	for _, x := range []float64{1.9, .8, 1.1, .1, -.1, 4.4, 5.5, 1.6, 4.6, 3.4} {
		two.Add(x, 1)
	}
	lo, hi := Welch(one.Mean, one.Variance(), one.Effective(), two.Mean, two.Variance(), two.Effective(), .95)
	if math.Abs(lo+3.3654832) > 1e-6 || math.Abs(hi-.2054832) > 1e-6 {
		t.Errorf("(%.7f, %.7f) and R has (-3.3654832, 0.2054832)", lo, hi)
	}
}

func TestWelchAtTheEnds(t *testing.T) {
	if lo, hi := Welch(3, 0, 40, 1, 0, 50, .95); lo != 2 || hi != 2 {
		t.Errorf("without any spread the interval is (%v, %v)", lo, hi)
	}
	for _, scale := range []float64{1e-150, 1, 1e30} {
		lo, hi := Welch(scale, scale*scale, 40, 0, 4*scale*scale, 60, .9)
		wide, _ := Welch(scale, scale*scale, 40, 0, 4*scale*scale, 60, .99)
		if !(wide < lo && lo < scale && scale < hi && hi < 3*scale) {
			t.Errorf("at scale %v the interval is (%v, %v)", scale, lo, hi)
		}
	}
	for _, bad := range []func(){
		func() { Welch(0, 1, 1, 0, 1, 50, .95) },
		func() { Welch(0, math.NaN(), 50, 0, 1, 50, .95) },
		func() { Welch(0, 1, 50, 0, 1, 50, 1) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "fairness: ") {
					t.Errorf("panicked with %q", text)
				}
			}()
			bad()
		}()
	}
}

// The interval covers the true difference as often as it says: of normal, skewed
// and discrete predictions, in groups of unequal size and spread, with and without
// weights. With 4,000 replications a coverage of 0.95 has a standard error of 0.0034.
func TestWelchCoverage(t *testing.T) {
	const replications = 4000
	random := rand.New(rand.NewPCG(5, 6))
	draws := map[string]struct {
		draw  func() float64 // mean 1
		least float64
	}{
		"normal":    {func() float64 { return 1 + random.NormFloat64() }, .94},
		"two bins":  {func() float64 { return float64(random.IntN(2) * 2) }, .94},
		"lognormal": {func() float64 { return math.Exp(random.NormFloat64()*.5 - .125) }, .93},
	}
	comparison := Comparison{Name: "x", Criterion: MeanDifference, Group: []Term{Is("a", "1")}, Rest: true, Tau: 1}
	for name, c := range draws {
		for _, weighted := range []bool{false, true} {
			covered, sum := 0, 0.0
			for range replications {
				var counts MeanCounts
				for i := range 240 {
					side, scale := Group, 3.0
					if i%6 > 0 {
						side, scale = Versus, 1
					}
					weight := 1.0
					if weighted {
						weight = .5 + random.Float64()
					}
					counts.Add(side, scale*c.draw(), weight)
				}
				e := comparison.EstimateMeans(counts, DefaultOptions())
				if e.Lo <= 2 && 2 <= e.Hi {
					covered++
				}
				sum += e.Value
			}
			if coverage := float64(covered) / replications; coverage < c.least || coverage > .965 {
				t.Errorf("%s, weighted %v: coverage %.4f", name, weighted, coverage)
			}
			if mean := sum / replications; math.Abs(mean-2) > .05 {
				t.Errorf("%s: the mean estimate is %v", name, mean)
			}
		}
	}
}

func TestEstimateMeans(t *testing.T) {
	fill := func(group, versus int, weight float64) (counts MeanCounts) {
		for i := range group {
			counts.Add(Group, 100+float64(i%3), weight*float64(1+i%2))
		}
		for i := range versus {
			counts.Add(Versus, 98+float64(i%3), weight*float64(1+i%2))
		}
		counts.Add(Neither, 7, 1)
		counts.Add(Unknown, 7, 1)
		return counts
	}
	comparison := func(tau float64) Comparison {
		return Comparison{Name: "sex", Criterion: MeanDifference, Group: []Term{Is("sex", "f")}, Versus: []Term{Is("sex", "m")}, Tau: tau, Enforce: true}
	}
	for name, c := range map[string]struct {
		counts MeanCounts
		tau    float64
		status Status
	}{
		"within":        {fill(600, 300, 1), 3, Met},
		"just within":   {fill(600, 300, 1), 2.01, Inconclusive},
		"beyond":        {fill(600, 300, 1), 1, Violated},
		"weights":       {fill(600, 300, .1), 3, Met},
		"few":           {fill(600, 20, 1), 3, NotEstimable},
		"few effective": {fill(600, 31, 1), 3, NotEstimable},
		"none":          {MeanCounts{}, 3, NotEstimable},
	} {
		e := comparison(c.tau).EstimateMeans(c.counts, DefaultOptions())
		if e.Status != c.status || math.IsNaN(e.Value) != (c.status == NotEstimable) || (e.Reason == "") == (c.status == NotEstimable) {
			t.Errorf("%s: %+v", name, e)
		}
		if c.status != NotEstimable && (math.Abs(e.Value-2) > 1e-9 || !(e.Lo < 2 && e.Hi > 2) || e.Method != MethodWelchKish || e.NNeither != 1 || e.NUnknown != 1) {
			t.Errorf("%s: %+v", name, e)
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var again Estimate
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(again)
		if err != nil || string(second) != string(text) {
			t.Errorf("%s: %s becomes %s, %v", name, text, second, err)
		}
		if strings.Contains(string(text), "rate_group") || !strings.Contains(string(text), `"mean_group"`) {
			t.Errorf("%s has the keys of rates: %s", name, text)
		}
	}
}

// TestMeansOfTwoRecords have an interval if two are enough, and those of one never have.
func TestMeansOfTwoRecords(t *testing.T) {
	c := Comparison{Name: "mean", Criterion: MeanDifference, Tau: 1, Group: []Term{Is("sex", "f")}, Rest: true}
	for records, want := range map[int]bool{1: false, 2: true} {
		var counts MeanCounts
		for i := range records {
			counts.Add(Group, float64(i), 1)
			counts.Add(Versus, float64(2*i), 1)
		}
		for _, minimum := range []float64{1, 2} {
			if e := c.EstimateMeans(counts, Options{Level: .95, MinimumRecords: minimum}); (e.Status != NotEstimable) != want || want != (e.Reason == "") {
				t.Errorf("%d records, %v needed: %+v", records, minimum, e)
			}
		}
	}
}
