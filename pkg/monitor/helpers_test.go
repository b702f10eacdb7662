package monitor

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// world makes decisions about people of two attributes.
type world struct {
	random *rand.Rand
	levels []fairness.Level
	n      int64
}

func newWorld(seed uint64) *world {
	return &world{random: rand.New(rand.NewPCG(seed, 15)), levels: make([]fairness.Level, 2)}
}

// group is a comparison of a value with the rest.
func group(attribute, value string, criterion fairness.Criterion, tau float64) fairness.Comparison {
	return fairness.Comparison{Name: value, Criterion: criterion, Tau: tau, Rest: true,
		Group: []fairness.Term{fairness.Is(attribute, value)}}
}

func grouper(t testing.TB, comparisons ...fairness.Comparison) *fairness.Grouper {
	t.Helper()
	g, err := fairness.NewGrouper(comparisons)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// bySexAndRace are comparisons of all kinds: by two attributes, by their intersection, and by criteria given the label.
func bySexAndRace(t testing.TB) *fairness.Grouper {
	both := fairness.Comparison{Name: "both", Criterion: fairness.DemographicParity, Tau: 0.1, Rest: true,
		Group: []fairness.Term{fairness.Is("sex", "f"), fairness.Is("race", "b")}}
	return grouper(t, group("sex", "f", fairness.DemographicParity, 0.05), group("race", "b", fairness.EqualizedOdds, 0.05), both)
}

func made(t testing.TB, c Config) *Monitor {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// next is a decision: of the first attribute's group decided positively with one rate, of the others with another.
func (w *world) next(rate, others float64) Decision {
	w.n++
	for i := range w.levels {
		w.levels[i] = fairness.Level(w.random.IntN(3))
	}
	p := others
	if w.levels[0] == 2 {
		p = rate
	}
	positive := w.random.Float64() < p
	score := 0.9*w.random.Float64() + 0.05
	return Decision{Levels: w.levels, Positive: positive, Score: score, Labelled: true, Label: w.random.Float64() < score,
		Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(w.n) * 30 * time.Second)}
}

// wide is a monitor of 50 groups, each against the rest.
func wide(t testing.TB) *Monitor {
	var all []fairness.Comparison
	for i := range 50 {
		all = append(all, group("region", fmt.Sprint(i), fairness.DemographicParity, 0.05))
	}
	return made(t, Config{Grouper: grouper(t, all...)})
}
