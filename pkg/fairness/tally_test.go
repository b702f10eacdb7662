package fairness

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

func TestConfusionRates(t *testing.T) {
	var c Confusion
	add := func(n int, label, decision bool) {
		for range n {
			c.Add(label, decision, 1)
		}
	}
	add(30, true, true)
	add(10, false, true)
	add(20, true, false)
	add(40, false, false)
	for _, m := range []struct {
		name string
		got  Measure
		want float64
	}{
		{"accuracy", c.Accuracy(0.95), 0.7},
		{"base rate", c.BaseRate(0.95), 0.5},
		{"selection rate", c.SelectionRate(0.95), 0.4},
		{"constant accuracy", c.ConstantAccuracy(0.95), 0.5},
	} {
		lo, hi := Wilson(m.want, 100, 0.95)
		if m.got.Value != m.want || m.got.Lo != lo || m.got.Hi != hi || m.got.Records != 100 || m.got.Effective != 100 || m.got.Method != MethodWilson {
			t.Errorf("%s: %+v, want %v (%v to %v)", m.name, m.got, m.want, lo, hi)
		}
	}
	add(60, true, true) // now positive labels are in the majority: 110 of 160
	if got := c.ConstantAccuracy(0.95).Value; got != 110.0/160 {
		t.Errorf("constant accuracy %v, want %v", got, 110.0/160)
	}
	c.Add(true, true, 5)
	if got := c.Accuracy(0.95); got.Method != MethodWilsonKish || !(got.Effective < 161) {
		t.Errorf("accuracy with a heavy record: %+v", got)
	}
}

func TestMeasuresOfNothingAreAbsent(t *testing.T) {
	tally := NewTally(0)
	for _, m := range []Measure{tally.Confusion.Accuracy(0.95), tally.Confusion.BaseRate(0.95), tally.LogLoss(0.95)} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Measure
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !math.IsNaN(back.Value) || !math.IsNaN(back.Lo) || !math.IsNaN(back.Hi) || back.Records != 0 {
			t.Errorf("%s is not absent", text)
		}
	}
	// One record has a mean, but no interval.
	tally.Add(true, true, 0.5, 1, nil)
	if m := tally.LogLoss(0.95); m.Value != 0.5 || !math.IsNaN(m.Lo) {
		t.Errorf("the loss of one record is %+v", m)
	}
}

func TestMeasureJSONRoundTrip(t *testing.T) {
	m := Measure{Value: 0.25, Lo: 0.125, Hi: 0.5, Level: 0.95, Records: 7, Effective: 6.5, Method: MethodWilsonKish}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"value":0.25,"lo":0.125,"hi":0.5,"level":0.95,"n":7,"effective_n":6.5,"method":"wilson-score-on-effective-size"}`; string(text) != want {
		t.Errorf("measure %s, want %s", text, want)
	}
	var back Measure
	if err := json.Unmarshal(text, &back); err != nil || back != m {
		t.Errorf("%+v comes back as %+v, %v", m, back, err)
	}
	if err := json.Unmarshal([]byte(`{"n":"many"}`), &back); err == nil {
		t.Error("a count that is not a number is accepted")
	}
}

func TestLogLossIntervalCoversTheMean(t *testing.T) {
	// Losses that are exponential with mean ½; 400 records a time.
	rng := rand.New(rand.NewPCG(17, 1))
	const replications = 2000
	covered := 0
	for range replications {
		tally := NewTally(0)
		for range 400 {
			tally.Add(true, true, rng.ExpFloat64()/2, 1, nil)
		}
		if m := tally.LogLoss(0.95); m.Lo <= 0.5 && 0.5 <= m.Hi {
			covered++
		}
	}
	if coverage := float64(covered) / replications; coverage < 0.93 || coverage > 0.97 {
		t.Errorf("coverage %.4f", coverage)
	}
}

func TestEstimatesFollowTheComparisons(t *testing.T) {
	g := mustGrouper(t, sexComparison(EqualizedOdds))
	tally, sides := NewTally(2), make([]Side, 2)
	male, female := []Level{g.Level(0, []byte("Male"))}, []Level{g.Level(0, []byte("Female"))}
	for i := range 100 {
		for _, levels := range [][]Level{male, female} {
			positive := i%2 == 0
			g.Sides(sides, levels, positive)
			// Every positive man is chosen, and every fourth of the others.
			decision := i%4 == 1
			if positive && levels[0] == male[0] {
				decision = true
			}
			tally.Add(positive, decision, 0, 1, sides)
		}
	}
	estimates := tally.Estimates(g.Comparisons(), DefaultOptions())
	if len(estimates) != 2 {
		t.Fatalf("%d estimates", len(estimates))
	}
	opportunity, equality := estimates[0], estimates[1]
	if opportunity.Criterion != EqualOpportunity || opportunity.Value != 1 || opportunity.NGroup != 50 || opportunity.Status != Violated {
		t.Errorf("equal opportunity: %+v", opportunity)
	}
	if equality.Criterion != PredictiveEquality || equality.Value != 0 || equality.KVersus != 25 || equality.Status != Inconclusive {
		t.Errorf("predictive equality: %+v", equality)
	}
}
