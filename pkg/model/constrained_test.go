package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// drifting makes records of a world whose bias turns half-way, with weights, missing attributes, levels that
// are rare, and numbers between knots.
func drifting(random *rand.Rand, i, half int, attributes []string) record.Record {
	sex, race := "m", "a"
	score := random.NormFloat64()
	bias := 1.0
	if i >= half {
		bias = -1
	}
	if random.IntN(2) == 0 {
		sex, score = "f", score-bias
	}
	if random.IntN(3) == 0 {
		race, score = "b", score-.5
	}
	var values []record.Value
	for _, name := range attributes {
		text := map[string]string{"sex": sex, "race": race}[name]
		values = append(values, record.Value{Text: []byte(text), Missing: random.IntN(20) == 0})
	}
	return record.Record{HasLabel: true, Weight: .2 + 2*random.Float64(), Positive: score+random.NormFloat64() > -.3,
		Attributes: values,
		Features: fields("score", fmt.Sprintf("%.1f", score), "other", fmt.Sprintf("%.1f", score+3*random.NormFloat64()),
			"kind", fmt.Sprint("k", random.IntN(1+random.IntN(12))), "sign", fmt.Sprint(sex == "m" == (random.IntN(5) > 0)))}
}

// The adaptive learner is what its comments say, one- and two-sided relaxations, weights, changes and all.
func TestRatesAreWhatTheirCommentsSay(t *testing.T) {
	if testing.Short() {
		t.Skip("an oracle that takes long")
	}
	one := Constraint{Name: "sex", Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .05}
	race := Constraint{Name: "race", Attribute: OneOrMore{"race"}, Group: Values("b"), Versus: Values(Rest), Tau: .08, Criterion: fairness.EqualOpportunity}
	measured := race
	measured.Name, measured.Enforce = "measured", new(bool)
	with := func(c Constraint, name surrogate.Name, criterion fairness.Criterion) Constraint {
		c.Relaxation, c.Criterion = name, criterion
		return c
	}
	var seen happened
	t.Run("of", func(t *testing.T) {
		for name, constraints := range map[string][]Constraint{
			"0 constraints":   {{Name: "race", Attribute: OneOrMore{"sex", "race"}, Group: Values("m", "a"), Versus: Values("f", "b"), Tau: .1, Enforce: new(bool)}},
			"approximation-1": {measured, with(one, surrogate.Approximation1, fairness.DemographicParity)},
			"approximation-2": {with(one, surrogate.Approximation2, fairness.DemographicParity), measured},
			"approximation-3": {with(one, surrogate.Approximation3, fairness.PredictiveEquality), measured},
			"mean-margin":     {with(one, surrogate.MeanMargin, fairness.EqualOpportunity), measured},
			"sigmoid":         {with(one, surrogate.Sigmoid, fairness.DemographicParity), measured},
			"3 constraints":   {with(one, surrogate.Approximation2, fairness.EqualizedOdds), with(race, surrogate.Sigmoid, fairness.DemographicParity)},
			"3, of all kinds": {with(race, surrogate.Approximation3, fairness.EqualOpportunity), with(one, surrogate.Approximation1, fairness.DemographicParity), Constraint{
				Name: "both", Attribute: OneOrMore{"race", "sex"}, Group: Values("a", "m"), Versus: Values("b", "f"), Tau: .1, Relaxation: surrogate.MeanMargin}},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				holdToOracle(t, constraints, &seen)
			})
		}
	})
	if seen.changes.Load() < 3 || seen.turned.Load() < 1000 || seen.shifted.Load() < 1000 || seen.unshifted.Load() < 1000 {
		t.Errorf("the test looks at little: %d changes, %d records with the bias turned, %d with a shift, %d without",
			seen.changes.Load(), seen.turned.Load(), seen.shifted.Load(), seen.unshifted.Load())
	}
}

// happened counts what the test went through: cuts of windows, and records.
type happened struct{ changes, turned, shifted, unshifted atomic.Int64 }

func holdToOracle(t *testing.T, constraints []Constraint, seen *happened) {
	config := Config{Learner: DefaultLearner(), Constraints: constraints}
	config.Record.Label = record.Label{Field: "y", Positive: "1"}
	config.Learner.Warmup, config.Learner.Window, config.Learner.Forgetting, config.Learner.Regularization = 1, 620, 1000, 1e-3
	config.Learner.Columns = map[string]features.ColumnConfig{"other": {Type: features.Numeric, Encoding: features.PiecewiseLinear}}
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	fast := l.method.(*constrained)
	comparisons := l.about.comparisons
	var enforced []int
	for i, c := range comparisons {
		if c.Enforce {
			enforced = append(enforced, i)
		}
	}
	const size, half, records = 500, 1300, 4800
	slow := newDenseAdaptive(l.config.Learner, size, enforced, comparisons, l.config.perComparison())
	random := rand.New(rand.NewPCG(11, uint64(len(constraints))))
	same := func(i int, what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) {
			t.Fatalf("record %d: %s is %v and should be %v", i, what, got, want)
		}
	}
	for i := range records {
		r := drifting(random, i, half, l.grouper.Attributes())
		l.Learn(&r)
		x := make([]float64, size)
		for k, j := range l.example.row.Index {
			x[j] += l.example.row.At(k)
		}
		same(i, "the margin", fast.record.Published, slow.learn(x, l.example.row.Index, r.Positive, r.Weight, l.example.sides))
		same(i, "the shift", fast.keeper.Shift(), slow.shift)
		if (i+1)%adaptRecords == 0 {
			slow.adapt(&l.encoder.Frozen)
		}
		for k, got := range fast.keeper.Reports(comparisons) {
			want := &slow.pressures[k]
			value := 0.0
			if at := slices.Index(slow.active, k); at >= 0 {
				value = fast.keeper.Interpolation()[at]
			}
			same(i, "an interpolation weight", value, want.value)
			same(i, "the models", float64(fast.models.Models()), float64(len(slow.active)+1))
			same(i, "a multiplier", got.Multiplier, want.orientation*want.value*want.reference)
			same(i, "the target", got.Target, want.target())
			same(i, "the number of changes", float64(got.Changes), float64(want.changes))
		}
		if fast.keeper.Shift() != 0 {
			seen.shifted.Add(1)
		} else {
			seen.unshifted.Add(1)
		}
		for k := range slow.pressures {
			if slow.pressures[k].orientation < 0 {
				seen.turned.Add(1)
			}
		}
	}
	published := make([]float64, l.encoder.Size())
	fill(published, fast.weight)
	for j := range published {
		w := slow.averages[0][j]
		for at, k := range slow.active {
			w += slow.pressures[k].value * (slow.averages[at+1][j] - slow.averages[0][j])
		}
		if j == 0 {
			w += slow.shift
		}
		same(records, fmt.Sprint("published weight ", j), published[j], w)
	}
	for k := range slow.pressures {
		seen.changes.Add(slow.pressures[k].changes)
	}
}
