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
	if refreshed > .5+.4*(seen-.5) {
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

// The leverage is that of learning once more without the record: what the difference was foretold to be is, summed over
// records of all ages, what it is. Weights without a record's loss, but with all else of it, stand for it.
func TestLeverageIsThatOfLeavingOneOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	for name, of := range map[string]struct{ rare, records, forgetting, sample int }{
		"equal groups":                     {1, 3000, 20000, 40},
		"a group of 5 %":                   {20, 3000, 20000, 40},
		"a stream much longer than memory": {1, 12000, 1000, 40},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := Config{
				Learner:     DefaultLearner(),
				Record:      record.Config{Label: record.Label{Field: "y", Positive: "1"}},
				Constraints: []Constraint{{Attribute: OneOrMore{"sex"}, Group: OneOrMore{"m"}, Versus: OneOrMore{"f"}, Tau: .05}},
			}
			config.Learner.Forgetting = of.forgetting
			random := rand.New(rand.NewPCG(4, 4))
			var stream []record.Record
			for len(stream) < of.records {
				r := drifting(random, 0, of.records, []string{"sex"})
				r.Weight, r.Attributes[0].Missing = 1, false
				if string(r.Attributes[0].Text) == "m" || random.IntN(of.rare) == 0 {
					stream = append(stream, r)
				}
			}
			learnt := func(without int) *Learner {
				l, err := New(config)
				if err != nil {
					t.Fatal(err)
				}
				for i := range stream {
					r := stream[i]
					if i == without {
						r.Weight = 1e-9
					}
					l.Learn(&r)
				}
				return l
			}
			l := learnt(-1)
			a := l.trainer.(*adaptive)
			for side, sex := range []string{"m", "f"} {
				w, place := l.windows[0][side], -1
				var found, foretold [2]float64 // sums of found·foretold and of foretold²
				for i := range stream {
					if string(stream[i].Attributes[0].Text) != sex {
						continue
					}
					place++
					if place%(w.len()/of.sample) != 0 {
						continue
					}
					without := learnt(i).trainer.(*adaptive)
					without.averages(&w.rows[place])
					a.averages(&w.rows[place])
					leverage := a.leverage(&w.rows[place], w.before(place), a.influence())
					for k := range 2 {
						change := leverage * float64(w.gradients[2*place+k])
						found[k] += change * (without.average[k] - a.average[k])
						foretold[k] += change * change
					}
				}
				for k, model := range []string{"free", "pressed"} {
					slope := found[k] / foretold[k]
					t.Logf("side %s, %s model: %.2f times what was foretold", sex, model, slope)
					if !(slope > .6 && slope < 1.8) {
						t.Errorf("side %s, %s model: leaving a record out changes its margin %.2f times as much as foretold", sex, model, slope)
					}
				}
			}
		})
	}
}
