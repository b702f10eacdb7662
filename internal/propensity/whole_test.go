package propensity

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
)

// TestTheWholeOfTheFactors compares with a file by how much labelled records are weighed on the way: where labels depend on the record, where few are known
// or few are missing, and where a record is known without being learnt.
func TestTheWholeOfTheFactors(t *testing.T) {
	for name, probability := range map[string]float64{"some": 0.4, "nearly all": 0.98, "few": 0.03} {
		var of strings.Builder
		var m Model
		e, random := frozen(t), rand.New(rand.NewPCG(12, 3))
		for i := range 900 {
			r := draw(random, func(x float64, positive, group bool) float64 {
				if group && positive {
					return probability / 2
				}
				return probability
			})
			if i%50 == 7 {
				m.Known()
			} else {
				m.Learn(&r.Record, e, random.Float64() < r.probability)
			}
			if i%90 == 60 {
				factor, bounded := m.Factor(&r.Record, e)
				of.WriteString(goldentest.Print(fmt.Sprintf("after %d", i+1), []any{factor, bounded, m.Given(0.5), m.Given(0.01), m.Given(1), m.share, m.known, m.lack}))
			}
		}
		goldentest.Compare(t, strings.ReplaceAll(name, " ", "-")+".txt", of.String())
	}
}

// TestTheWholeOfManyFactors compares with a file how labelled records are weighed once there are enough of both kinds, where labels depend on a feature, the decision and
// the group.
func TestTheWholeOfManyFactors(t *testing.T) {
	var of strings.Builder
	var m Model
	e, random := frozen(t), rand.New(rand.NewPCG(12, 4))
	for i := range 2500 {
		r := draw(random, func(x float64, positive, group bool) float64 {
			if positive != group {
				return 0.8
			}
			return 0.3 + 0.2*min(1, max(-1, x))
		})
		if i%100 == 99 {
			factor, bounded := m.Factor(&r.Record, e)
			of.WriteString(goldentest.Print(fmt.Sprintf("after %d", i), []any{factor, bounded, m.offset(&r.Record), m.known, m.lack}))
		}
		m.Learn(&r.Record, e, random.Float64() < r.probability)
	}
	goldentest.Compare(t, "many.txt", of.String())
}
