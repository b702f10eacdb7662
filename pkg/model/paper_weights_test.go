package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// weightedPaper learns the samples with their weights, several times over, each time in an order of its own. It returns
// the learner, and the multiplier that pushes the difference down less the one that pushes it up, as a mean over the
// second half of the passes.
func weightedPaper(t *testing.T, config PaperConfig, threshold float64, samples []*sample, weights []float64, passes int) (p *paper, multiplier float64) {
	t.Helper()
	learner := DefaultLearner()
	learner.Mode, learner.Paper, learner.Regularization = Paper, config, 1e-3
	p, err := paperOf(learner, []Constraint{{Relaxation: surrogate.Approximation1, Threshold: threshold}})
	if err != nil {
		t.Fatal(err)
	}
	growTo(p, paperSize)
	random := rand.New(rand.NewPCG(3, 3))
	for pass := range passes {
		for _, i := range random.Perm(len(samples)) {
			s := samples[i]
			learnSample(p, s, weights[i])
			if pass >= passes/2 {
				multiplier += (p.parts[0].multiplier[0] - p.parts[0].multiplier[1]) / float64((passes-passes/2)*len(samples))
			}
		}
	}
	return p, multiplier
}

// TestPaperWeightedObjectiveIsThatOfRepetition: what mode paper follows with weights, relative to their mean, has the
// values, the gradients and the constraints of the problem over the records repeated that often, to 1e-9.
func TestPaperWeightedObjectiveIsThatOfRepetition(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var samples, repeated []*sample
	var weights []float64
	total := 0.0
	for range 60 {
		s := randomSample(random, 1)
		weight := 1 + float64(random.IntN(4))
		samples, weights, total = append(samples, s), append(weights, weight), total+weight
		for range int(weight) {
			repeated = append(repeated, s)
		}
	}
	for _, name := range surrogate.Names() {
		config := DefaultLearner()
		config.Mode, config.Regularization = Paper, .01
		d := newDensePaper(t, config, []Constraint{{Relaxation: name, Threshold: 2}})
		whole := csspa.NewFinite(d.problem, repeated)
		x := make([]float64, paperSize)
		for j := range x {
			x[j] = random.NormFloat64() / 3
		}
		// One step of beta 1/n a record, in place of t^-b, turns what is followed into a mean over the records.
		p, err := paperOf(config, []Constraint{{Relaxation: name, Threshold: 2}})
		if err != nil {
			t.Fatal(err)
		}
		mean := total / float64(len(samples))
		for k := range p.parts {
			part := &p.parts[k]
			for i, s := range samples {
				part.relaxation.TrackWeighted(part.tracked[:], 1/float64(i+1), weights[i]/mean, s.sides[0], s.margin(x))
			}
		}
		want := make([]float64, d.problem.Constraints())
		whole.Constraints(want, x)
		gradient, expected := make([]float64, paperSize), make([]float64, paperSize)
		multipliers := make([]float64, len(want))
		j := 0
		for k := range p.parts {
			part := &p.parts[k]
			outer := make([]float64, surrogate.MaxOuter)
			part.relaxation.Outer(outer, part.tracked[:])
			for i := range part.relaxation.OuterSize() {
				if math.Abs(outer[i]-want[j]) > 1e-9 {
					t.Errorf("%s: constraint %d is %v, of the repeated records %v", name, j, outer[i], want[j])
				}
				part.multiplier[i] = random.Float64()
				multipliers[j] = part.multiplier[i]
				j++
			}
			for i, s := range samples {
				c := weights[i] / total * part.relaxation.Coefficient(part.tracked[:], part.multiplier[:], s.sides[0], s.margin(x))
				for f, v := range s.features {
					gradient[f] += c * v
				}
			}
		}
		whole.AddConstraintGradient(expected, x, multipliers)
		for f := range gradient {
			if math.Abs(gradient[f]-expected[f]) > 1e-9 {
				t.Errorf("%s: derivative %d is %v, of the repeated records %v", name, f, gradient[f], expected[f])
			}
		}
	}
}

// TestPaperEqualWeightsAreNone: where every record has the same weight, mode paper learns what it learns without.
func TestPaperEqualWeightsAreNone(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	samples, ones, threes := make([]*sample, 300), make([]float64, 300), make([]float64, 300)
	for i := range samples {
		samples[i], ones[i], threes[i] = randomSample(random, 1), 1, 3
	}
	config := DefaultLearner().Paper
	plain, _ := weightedPaper(t, config, 1.5, samples, ones, 2)
	equal, _ := weightedPaper(t, config, 1.5, samples, threes, 2)
	for j := range plain.values {
		if math.Abs(plain.values[j]-equal.values[j]) > 1e-9 {
			t.Fatalf("value %d is %v without weights, %v with equal ones", j, plain.values[j], equal.values[j])
		}
	}
}

// TestPaperWeightsSetTheMultiplier: two kinds of records of each group, of which one says that the group is favoured
// and the other that it is not. Weights decide which prevails. The multiplier has
// the sign that the weighted difference asks for, and the limit that repetition has.
func TestPaperWeightsSetTheMultiplier(t *testing.T) {
	if testing.Short() {
		t.Skip("learns a hundred thousand records twice")
	}
	random := rand.New(rand.NewPCG(8, 8))
	var samples, repeated []*sample
	var weights, ones []float64
	for range 1000 {
		s := &sample{features: make([]float64, paperSize)}
		add := func(index int, value float64) {
			s.row.Add(int32(index), value)
			s.features[index] += value
		}
		member, favoured := random.IntN(2) == 0, random.IntN(2) == 0
		side, sign := fairness.Versus, -1.
		if member {
			side, sign = fairness.Group, 1
		}
		weight := 1.0
		if !favoured {
			sign = -sign
		} else {
			weight = 9 // of ten records that count, nine favour the group
		}
		add(0, 1)
		add(1, sign)
		s.positive, s.sides = random.Float64() < .5+.45*sign, []fairness.Side{side}
		samples, weights = append(samples, s), append(weights, weight)
		for range int(weight) {
			repeated, ones = append(repeated, s), append(ones, 1)
		}
	}
	config := DefaultLearner().Paper
	config.A, config.K = .75, .2
	config.Horizon = 25 * len(repeated)
	_, byWeight := weightedPaper(t, config, 1.1, samples, weights, config.Horizon/len(samples))
	_, byRepetition := weightedPaper(t, config, 1.1, repeated, ones, 25)
	t.Logf("net multiplier %.4f by weights, %.4f by repetition", byWeight, byRepetition)
	if !(byWeight > .01 && byRepetition > .01) || math.Abs(byWeight-byRepetition) > .05*byRepetition {
		t.Errorf("the net multiplier is %v by weights, %v by repetition", byWeight, byRepetition)
	}
}
