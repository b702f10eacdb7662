package model

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestEachRefinementActs learns a stream with a change, bursts of one group and a tau that little keeps, without each of
// the refinements: what could be left out without any effect would not be one.
func TestEachRefinementActs(t *testing.T) {
	t.Parallel()
	learn := func(columns int, without ...string) (weights string) {
		config := Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Learner: DefaultLearner(), Constraints: []Constraint{
			{Name: "sex", Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .02}}}
		if columns == 1 {
			config.Learner.Columns = map[string]features.ColumnConfig{"score": {Type: features.Numeric, Encoding: features.PiecewiseLinear}}
		}
		config, err := config.Without(without...)
		if err != nil {
			t.Fatal(err)
		}
		l, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		const records = 12_000
		random := rand.New(rand.NewPCG(1, 2))
		for i := range records {
			r := drifting(random, i, records/2, []string{"sex"})
			if i%2000 < 300 {
				for string(r.Attributes[0].Text) != "m" || r.Attributes[0].Missing {
					r = drifting(random, i, records/2, []string{"sex"})
				}
			}
			r.Features = r.Features[:columns]
			l.Learn(&r)
			if i%2900 == 2899 { // the end alone may be soon after an exact step
				d, err := l.Document()
				if err != nil {
					t.Fatal(err)
				}
				weights += d.WeightsSHA256
			}
		}
		return weights
	}
	// With one column, no direction lowers the difference and keeps what the column says: a threshold has to.
	all, one := learn(4), learn(1)
	for _, name := range refine.Names {
		if learn(4, string(name)) == all && learn(1, string(name)) == one {
			t.Errorf("without %s the weights are the same", name)
		}
	}
}
