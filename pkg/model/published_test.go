package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// What is measured of a record is what the document of that moment would decide, shifts of the margin included; and the
// current estimates are of these decisions.
func TestWhatIsMeasuredIsWhatIsPublished(t *testing.T) {
	config := Config{Learner: DefaultLearner(), Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}},
		Constraints: []Constraint{{Name: "sex", Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .02}}}
	config.Learner.Warmup, config.Learner.Window = 200, 4096
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	// The groups differ by the label and in nothing else, so that only a threshold helps.
	random := rand.New(rand.NewPCG(6, 6))
	var counts [2]fairness.Count
	shifted := 0
	for range 5000 {
		positive := random.IntN(2) == 0
		sex, mean := "f", 0.0
		if positive {
			mean = 1
		}
		if random.Float64() < .2+.6*mean {
			sex = "m"
		}
		r := record.Record{HasLabel: true, Weight: 1, Positive: positive, Attributes: []record.Value{{Text: []byte(sex)}},
			Features: fields("x", []string{"a", "b", "c", "d"}[min(3, int(4*(.3*mean+.7*random.Float64())))])}
		if l.Ready() {
			published, decision := l.Margin(&r), l.Decide(&r).Positive
			side := 0
			if sex == "f" {
				side = 1
			}
			counts[side].Add(decision, 1)
			l.encoder.Frozen.Encode(&l.example.row, &r)
			if got := l.method.forecast(&l.example.row).published; math.Abs(got-published) > 1e-9 {
				t.Fatalf("the margin measured is %v, the one published %v", got, published)
			}
			if l.method.(*constrained).keeper.Shift() != 0 {
				shifted++
			}
		}
		l.Learn(&r)
	}
	if shifted < 500 {
		t.Errorf("only %d records were decided with a shift", shifted)
	}
	// Decisions before learning are those of the recent report; the current estimate is of the weights published now.
	if e := l.Measurements().Recent.Constraints[0]; math.Abs(e.RateGroup-counts[0].Rate()) > .02 || math.Abs(e.RateVersus-counts[1].Rate()) > .02 {
		t.Errorf("the recent rates are %v and %v, those of the decisions %v and %v", e.RateGroup, e.RateVersus, counts[0].Rate(), counts[1].Rate())
	}
}
