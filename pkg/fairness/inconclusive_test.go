package fairness

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// estimated is the estimate of two rates on so many records of either side.
func estimated(group, versus float64, n, m int64, tau float64, o Options) Estimate {
	side := func(rate float64, n int64) Count {
		x := float64(n)
		return Count{Records: n, Weight: x, WeightSquared: x, PositiveWeight: rate * x, Positives: int64(math.Round(rate * x))}
	}
	c := Comparison{Name: "sex", Criterion: DemographicParity, Tau: tau, Group: []Term{Is("sex", "f")}, Versus: []Term{Is("sex", "m")}}
	return c.Estimate(PairCounts{Group: side(group, n), Versus: side(versus, m)}, o)
}

// TestSoManyMoreRecordsDecide: with the records that an inconclusive estimate asks for, at the same rates, the verdict is
// clear; with a twentieth less it is not.
func TestSoManyMoreRecordsDecide(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	inconclusive := 0
	for range 3000 {
		o := DefaultOptions()
		o.Inflation = 1 + random.Float64()
		p, q, tau := random.Float64(), random.Float64(), .01+.2*random.Float64()
		n, m := 30+random.Int64N(5000), 30+random.Int64N(5000)
		e := estimated(p, q, n, m, tau, o)
		if e.Status != Inconclusive {
			if e.MoreGroup != 0 || e.MoreVersus != 0 || e.Need() != "" {
				t.Fatalf("%s asks for %d and %d more records: %q", e.Status, e.MoreGroup, e.MoreVersus, e.Need())
			}
			continue
		}
		if e.MoreGroup == 0 && e.MoreVersus == 0 {
			if math.Abs(math.Abs(p-q)-tau) > 1e-3 {
				t.Fatalf("rates %v and %v, tau %v: no number of records decides", p, q, tau)
			}
			continue
		}
		inconclusive++
		if then := estimated(p, q, n+e.MoreGroup, m+e.MoreVersus, tau, o); then.Status == Inconclusive {
			t.Fatalf("rates %v and %v, tau %v, %d and %d records: %d and %d more leave it inconclusive", p, q, tau, n, m, e.MoreGroup, e.MoreVersus)
		}
		less := func(n, more int64) int64 { return n + max(0, more-(n+more)/20) }
		if then := estimated(p, q, less(n, e.MoreGroup), less(m, e.MoreVersus), tau, o); then.Status != Inconclusive {
			t.Fatalf("rates %v and %v, tau %v, %d and %d records: fewer than %d and %d decide", p, q, tau, n, m, e.MoreGroup, e.MoreVersus)
		}
		if n < m && e.MoreGroup == 0 || m < n && e.MoreVersus == 0 {
			t.Fatalf("%d and %d records: more of the larger side only, %d and %d", n, m, e.MoreGroup, e.MoreVersus)
		}
	}
	if inconclusive < 300 {
		t.Errorf("only %d of 3,000 estimates were inconclusive", inconclusive)
	}
}

// TestWeightedRecordsAreNeededInFull: of records whose weights differ, more are needed than effective ones.
func TestWeightedRecordsAreNeededInFull(t *testing.T) {
	c := Comparison{Name: "sex", Criterion: DemographicParity, Tau: .05, Group: []Term{Is("sex", "f")}, Versus: []Term{Is("sex", "m")}}
	counts := func(times int) (p PairCounts) {
		for i := range 200 * times {
			weight := 1.0
			if i%2 == 0 {
				weight = 5
			}
			p.Group.Add(i%10 < 3, weight)
			p.Versus.Add(i%10 < 3, 1)
		}
		return p
	}
	before := c.Estimate(counts(1), DefaultOptions())
	times := int(1 + math.Ceil(float64(before.MoreGroup)/200))
	if after := c.Estimate(counts(times), DefaultOptions()); before.Status != Inconclusive || after.Status == Inconclusive {
		t.Errorf("%s, and with %d and %d more records %s", before.Status, before.MoreGroup, before.MoreVersus, after.Status)
	}
	if after := c.Estimate(counts(times*2/3), DefaultOptions()); after.Status != Inconclusive {
		t.Errorf("two thirds of the records give %s", after.Status)
	}
}

func TestNeedOfMeans(t *testing.T) {
	c := Comparison{Name: "sex", Criterion: MeanDifference, Tau: 1, Group: []Term{Is("sex", "f")}, Versus: []Term{Is("sex", "m")}}
	counts := func(n, m int64) MeanCounts {
		x, y := float64(n), float64(m)
		return MeanCounts{Group: Moments{Records: n, Weight: x, WeightSquared: x, Mean: .5, Squares: 9 * x},
			Versus: Moments{Records: m, Weight: y, WeightSquared: y, Mean: 0, Squares: 4 * y}}
	}
	e := c.EstimateMeans(counts(50, 400), DefaultOptions())
	then := c.EstimateMeans(counts(50+e.MoreGroup, 400+e.MoreVersus), DefaultOptions())
	if e.Status != Inconclusive || e.MoreGroup == 0 || e.MoreVersus != 0 || then.Status != Met {
		t.Errorf("%s, %d and %d more: %s", e.Status, e.MoreGroup, e.MoreVersus, then.Status)
	}
	if words := e.Need(); !strings.Contains(words, "more records of f would decide") {
		t.Error(words)
	}
}

func TestNeedNamesTheRecords(t *testing.T) {
	for _, test := range []struct {
		e    Estimate
		want string
	}{
		{Estimate{Status: Inconclusive, Criterion: EqualOpportunity, Group: "f", Versus: "m", MoreGroup: 1449, MoreVersus: 7},
			"about 1,400 more records of f with a positive label and about 7 more records of m with a positive label would decide, if the difference stays"},
		{Estimate{Status: Inconclusive, Criterion: DemographicParity, Group: "f", Versus: "m", MoreVersus: 25_500},
			"about 26,000 more records of m would decide, if the difference stays"},
		{Estimate{Status: Inconclusive, Criterion: DemographicParity, Group: "f", Versus: "m"}, "the difference is so near tau that no number of records decides"},
		{Estimate{Status: Met, Criterion: DemographicParity}, ""},
	} {
		if got := test.e.Need(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
