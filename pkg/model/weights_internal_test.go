package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// unsound is a method with one weight that is NaN.
type unsound struct {
	method
	at int
}

func (u unsound) weights(published, free []float64, from int) (learnt bool) {
	learnt = u.method.weights(published, free, from)
	if from <= u.at && u.at < from+len(published) {
		published[u.at-from] = math.NaN()
	}
	return learnt
}

// TestAllWeightsAreThoseOfOne: what is published of a weight is what a margin takes of it, on one processor and on two, in each mode and task. Weights that are no
// numbers are found wherever they stand.
func TestAllWeightsAreThoseOfOne(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, mode := range []Mode{Adaptive, Unconstrained, Paper} {
		config := Config{Learner: DefaultLearner(), Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}},
			Constraints: []Constraint{{Name: "sex", Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .02}}}
		config.Learner.Mode, config.Learner.Warmup = mode, 50
		if mode == Paper {
			config.Constraints[0].Threshold = 2
		}
		l, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(3, 28))
		for range 5000 {
			sex := random.IntN(2)
			r := record.Record{HasLabel: true, Positive: random.Float64() < .3+.4*float64(sex), Weight: 1,
				Features: fields("town", fmt.Sprint("town ", random.IntN(5000)), "of", fmt.Sprint("of ", sex)), Attributes: []record.Value{{Text: []byte{"mf"[sex]}}}}
			l.Learn(&r)
		}
		size := int(l.encoder.Size())
		if size < 2*weighedAtOnce {
			t.Fatalf("%s: only %d weights", mode, size)
		}
		want, alone := make([]float64, size), []float64(nil)
		fill(want, l.method.weight)
		if m, ok := l.method.(*constrained); ok {
			alone = make([]float64, size)
			fill(alone, func(j int) float64 { return m.models.Weight(j, nil) })
			alone[features.Intercept] += m.scale.Centre()
		}
		for _, processors := range []int{1, 2} {
			runtime.GOMAXPROCS(processors)
			if published, free, finite := l.weights(); !slices.Equal(published, want) || !slices.Equal(free, alone) || !finite {
				t.Errorf("%s on %d processors: other weights at once than one by one (all numbers: %v)", mode, processors, finite)
			}
			sound := l.method
			for _, at := range []int{0, size/2 - 1, size / 2, size - 1} {
				l.method = unsound{sound, at}
				if _, _, finite := l.weights(); finite {
					t.Errorf("%s on %d processors: weight %d of %d is NaN, and is published all the same", mode, processors, at, size)
				}
			}
			l.method = sound
		}
	}
	for _, at := range []int{0, 1500, 2999} {
		weights := make([]float64, 3000)
		if !areFinite(weights) {
			t.Error("weights of 0 are not finite")
		}
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if weights[at] = x; areFinite(weights) {
				t.Errorf("%v at %d is a number", x, at)
			}
		}
	}
}
