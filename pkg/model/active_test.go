package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// A comparison has a model only while the free model does not keep it: it enters after the groups begin to differ, and leaves
// some time after they stop. A snapshot of any of these times goes on as if nothing had happened.
func TestAComparisonEntersAndLeaves(t *testing.T) {
	config := Config{Learner: DefaultLearner(), Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}},
		Constraints: []Constraint{
			{Name: "sex", Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .2},
			{Name: "coin", Attribute: OneOrMore{"coin"}, Group: Values("a"), Versus: Values(Rest), Tau: .2},
		}}
	config.Learner.Warmup, config.Learner.Window = 200, 2048
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	const from, to, records = 6000, 14_000, 44_000
	random := rand.New(rand.NewPCG(3, 3))
	models := map[int]int{}
	for i := range records {
		score, sex, coin := random.NormFloat64(), "f", "b"
		if random.IntN(2) == 0 {
			sex = "m"
			if i >= from && i < to {
				score += 1.5
			}
		}
		if random.IntN(3) == 0 {
			coin = "a"
		}
		l.Learn(&record.Record{HasLabel: true, Weight: 1, Positive: score+random.NormFloat64() > 0,
			Attributes: []record.Value{{Text: []byte(sex)}, {Text: []byte(coin)}},
			Features:   fields("score", fmt.Sprintf("%.2f", score), "other", fmt.Sprintf("%.2f", random.NormFloat64()))})
		models[i] = l.method.(*constrained).models.Models()
		if i%3500 == 3499 {
			state := l.AppendState(nil)
			if l, err = Restore(config, state); err != nil {
				t.Fatal(err)
			}
			if again := l.AppendState(nil); string(again) != string(state) {
				t.Fatalf("the state after %d records is another one once restored", i+1)
			}
		}
	}
	for _, want := range []struct{ record, models int }{{from - 1, 1}, {from + 3000, 2}, {to - 1, 2}, {records - 1, 1}} {
		if got := models[want.record]; got != want.models {
			t.Errorf("%d models at record %d, want %d", got, want.record, want.models)
		}
	}
	if e := l.Measurements().Control[0]; e.Multiplier != 0 {
		t.Errorf("a comparison without a model has the multiplier %v", e.Multiplier)
	}
}
