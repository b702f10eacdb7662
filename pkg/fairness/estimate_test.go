package fairness

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// counted builds counts of n records a side, k of them decided positively, each
// of the given weight.
func counted(k1, n1, k0, n0 int, weight float64) (p PairCounts) {
	for i := range n1 {
		p.Add(Group, i < k1, weight)
	}
	for i := range n0 {
		p.Add(Versus, i < k0, weight)
	}
	return p
}

// An end of the interval exactly at −tau or tau is within the bound.
func TestVerdictBoundaries(t *testing.T) {
	const tau = 0.25 // exact in binary, as are all ends below
	above, below := math.Nextafter(tau, 1), math.Nextafter(tau, 0)
	nan := math.NaN()
	for _, c := range []struct {
		lo, hi float64
		want   Status
	}{
		{-tau, tau, Met},
		{-below, below, Met},
		{tau, tau, Met},
		{-tau, -tau, Met},
		{0, above, Inconclusive},
		{-above, 0, Inconclusive},
		{-above, above, Inconclusive},
		{tau, above, Inconclusive},
		{-above, -tau, Inconclusive},
		{tau, 1, Inconclusive},
		{-1, -tau, Inconclusive},
		{above, 1, Violated},
		{above, above, Violated},
		{-1, -above, Violated},
		{nan, nan, Inconclusive},
		{nan, below, Inconclusive},
	} {
		if got := verdict(c.lo, c.hi, tau); got != c.want {
			t.Errorf("[%v, %v] against %v: %s, want %s", c.lo, c.hi, tau, got, c.want)
		}
	}
}

// A value beyond tau may be inconclusive, and so may one within: the interval alone decides.
func TestEstimateStatus(t *testing.T) {
	for _, c := range []struct {
		name           string
		k1, n1, k0, n0 int
		tau            float64
		status         Status
	}{
		{"the interval within tau", 2000, 10_000, 2010, 10_000, 0.05, Met},
		{"a value within tau", 42, 100, 40, 100, 0.05, Inconclusive},
		{"a value of exactly tau", 50, 100, 25, 100, 0.25, Inconclusive},
		{"a value beyond tau", 46, 100, 40, 100, 0.05, Inconclusive},
		{"the interval beyond tau", 60, 100, 20, 100, 0.05, Violated},
		{"the other way", 20, 100, 60, 100, 0.05, Violated},
		{"a side too small", 29, 29, 0, 100, 0.05, NotEstimable},
		{"both just large enough", 30, 30, 0, 30, 0.05, Violated},
		{"nothing", 0, 0, 0, 0, 0.05, NotEstimable},
	} {
		comparison := sexComparison(DemographicParity)
		comparison.Tau = c.tau
		e := comparison.Estimate(counted(c.k1, c.n1, c.k0, c.n0, 1), DefaultOptions())
		if e.Status != c.status {
			t.Errorf("%s: %s (%.4f, %.4f to %.4f), want %s", c.name, e.Status, e.Value, e.Lo, e.Hi, c.status)
		}
		if absent := c.status == NotEstimable; math.IsNaN(e.Value) != absent || math.IsNaN(e.Lo) != absent || math.IsNaN(e.Hi) != absent || (e.Reason != "") != absent {
			t.Errorf("%s: value %v, %v to %v, reason %q", c.name, e.Value, e.Lo, e.Hi, e.Reason)
		}
		if e.NGroup != int64(c.n1) || e.KGroup != int64(c.k1) || e.NVersus != int64(c.n0) || e.KVersus != int64(c.k0) {
			t.Errorf("%s: counts %+v", c.name, e)
		}
	}
}

func TestEstimateSaysWhatIsMissing(t *testing.T) {
	comparison := sexComparison(EqualOpportunity)
	e := comparison.Estimate(counted(10, 50, 3, 12, 1), DefaultOptions())
	if want := "Female has 12 records with a positive label and needs 30"; e.Reason != want {
		t.Errorf("reason %q, want %q", e.Reason, want)
	}
	for criterion, want := range map[Criterion]string{
		DemographicParity:  "Female has 1 record and needs 30",
		PredictiveEquality: "Female has 1 record with a negative label and needs 30",
	} {
		if e := sexComparison(criterion).Estimate(counted(10, 50, 1, 1, 1), DefaultOptions()); e.Reason != want {
			t.Errorf("reason %q, want %q", e.Reason, want)
		}
	}
	counts := counted(10, 50, 10, 50, 1)
	counts.Add(Group, true, 40) // one record outweighs the others
	e = comparison.Estimate(counts, DefaultOptions())
	if !strings.HasPrefix(e.Reason, "Male has 4.909 effective records") { // 90²/1650
		t.Errorf("reason %q", e.Reason)
	}
	// A lower minimum estimates it.
	if e := comparison.Estimate(counted(10, 50, 3, 12, 1), Options{Level: 0.95, MinimumRecords: 12}); e.Status == NotEstimable {
		t.Errorf("status %s with a minimum of 12", e.Status)
	}
}

func TestEqualWeightsChangeNothing(t *testing.T) {
	comparison := sexComparison(DemographicParity)
	plain := comparison.Estimate(counted(13, 30, 5, 40, 1), DefaultOptions())
	tenth := comparison.Estimate(counted(13, 30, 5, 40, 0.1), DefaultOptions())
	if tenth.Method != MethodNewcombe || tenth.Status != plain.Status {
		t.Errorf("weights of .1: method %s, status %s", tenth.Method, tenth.Status)
	}
	if math.Abs(tenth.Value-plain.Value) > 1e-12 || math.Abs(tenth.Lo-plain.Lo) > 1e-12 || math.Abs(tenth.Hi-plain.Hi) > 1e-12 {
		t.Errorf("weights of .1 give %v (%v to %v), weights of 1 %v (%v to %v)", tenth.Value, tenth.Lo, tenth.Hi, plain.Value, plain.Lo, plain.Hi)
	}
	mixed := counted(13, 30, 5, 40, 1)
	mixed.Add(Group, true, 3)
	if e := comparison.Estimate(mixed, DefaultOptions()); e.Method != MethodNewcombeKish || !(e.EffectiveGroup < 31) {
		t.Errorf("unequal weights: method %s, effective size %v of %d", e.Method, e.EffectiveGroup, e.NGroup)
	}
}

func TestEstimateRowIsTheContract(t *testing.T) {
	comparison := sexComparison(DemographicParity)
	counts := counted(1200, 6530, 450, 3240, 1)
	counts.Unknown, counts.Neither = 7, 2
	text, err := json.Marshal(comparison.Estimate(counts, DefaultOptions()))
	if err != nil {
		t.Fatal(err)
	}
	// The row of the contract comes first, in its order.
	const prefix = `{"name":"sex","criterion":"demographic-parity","group":"Male","versus":"Female","tau":0.05,"enforced":true,"value":0.0448`
	if !strings.HasPrefix(string(text), prefix) {
		t.Errorf("row %s", text)
	}
	var row map[string]any
	if err := json.Unmarshal(text, &row); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"level": 0.95, "n_group": 6530.0, "n_versus": 3240.0, "status": "inconclusive", "k_group": 1200.0, "k_versus": 450.0,
		"n_unknown": 7.0, "n_neither": 2.0, "method": "newcombe-hybrid-score",
	} {
		if !reflect.DeepEqual(row[key], want) {
			t.Errorf("%s is %v, want %v", key, row[key], want)
		}
	}

	text, err = json.Marshal(comparison.Estimate(counted(1, 5, 0, 0, 1), DefaultOptions()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"value":null,"lo":null,"hi":null`, `"rate_group":0.2,"rate_versus":null`, `"status":"not_estimable"`, `"reason":"Male has 5 records`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("row %s does not contain %s", text, want)
		}
	}
}

// sameEstimate compares with NaN equal to NaN.
func sameEstimate(a, b Estimate) bool {
	text := func(e Estimate) string { s, _ := json.Marshal(e); return string(s) }
	return text(a) == text(b) && math.IsNaN(a.Value) == math.IsNaN(b.Value)
}

func TestEstimateJSONRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	comparison := sexComparison(EqualOpportunity)
	for range 200 {
		n1, n0 := rng.IntN(100), rng.IntN(100)
		e := comparison.Estimate(counted(rng.IntN(n1+1), n1, rng.IntN(n0+1), n0, 1+rng.Float64()), DefaultOptions())
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back Estimate
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !sameEstimate(e, back) {
			t.Fatalf("%+v comes back as %+v", e, back)
		}
	}
	var bare Estimate
	if err := json.Unmarshal([]byte(`{"name":"sex"}`), &bare); err != nil || !math.IsNaN(bare.Value) || !math.IsNaN(bare.RateVersus) {
		t.Errorf("absent numbers read as %+v, %v", bare, err)
	}
	if err := json.Unmarshal([]byte(`{"value":"much"}`), &bare); err == nil {
		t.Error("a value that is not a number is accepted")
	}
}
