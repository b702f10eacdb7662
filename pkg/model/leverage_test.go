package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Where labels are coins, margins that are computed anew know nothing of their own records' labels. Without
// the correction they know much.
func TestRefreshedMarginsDoNotKnowTheirLabels(t *testing.T) {
	config := Config{
		Learner:     DefaultLearner(),
		Record:      record.Config{Label: record.Label{Field: "y", Positive: "1"}},
		Constraints: []Constraint{{Attribute: OneOrMore{"g"}, Group: OneOrMore{"a"}, Versus: OneOrMore{"b"}, Tau: .05}},
	}
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(4, 4))
	for range 6000 {
		r := record.Record{HasLabel: true, Positive: random.IntN(2) == 0, Weight: 1,
			Attributes: []record.Value{{Text: []byte("ab")[random.IntN(2):][:1]}}}
		for c := range 6 {
			level := fmt.Appendf(nil, "l%d", random.IntN(100))
			r.Features = append(r.Features, record.Field{Name: fmt.Sprint("c", c), ID: record.NoName, Text: level, Hash: record.Hash(level)})
		}
		l.Learn(&r)
	}
	a := l.trainer.(*adaptive)
	w := l.windows[0][fairness.Group]
	seen, refreshed := agreement(w, func(i int) float64 {
		a.averages(&w.rows[i])
		return a.average[0]
	}), 0.0
	w.refresh(a, w.len())
	refreshed = agreement(w, func(i int) float64 { return float64(w.margins[i*w.models]) })
	t.Logf("right on %.3f of the records it has seen, %.3f with their own influence taken out", seen, refreshed)
	if seen < .58 {
		t.Errorf("a model of 600 weights is right on %.3f of its coins: the test looks at nothing", seen)
	}
	// Half of it, where no two weights stand for the same, and decisions rather than margins are looked at.
	if refreshed > .5+.75*(seen-.5) {
		t.Errorf("refreshed margins are right on %.3f of the coins, %.3f without the correction", refreshed, seen)
	}
}

// agreement is the share of records whose margin has the sign of their label.
func agreement(w *window, margin func(i int) float64) float64 {
	right := 0
	for i := range w.rows {
		if (margin(i) > 0) == w.positive[i] {
			right++
		}
	}
	return float64(right) / float64(len(w.rows))
}
