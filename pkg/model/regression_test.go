package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// objective is what a step of one record lowers: weight (½ r² + push r), r the residual in units of the
// spread.
func objective(m *regressionModel, k int, dense []float64, target, spread, weight float64) float64 {
	p := 0.0
	for j, x := range dense {
		p += m.values[j*m.stride+modelsAt+2*k] * x
	}
	r := (p - target) / spread
	return weight * (r*r/2 + m.push[k]*r)
}

// A step is implicit: each weight moves by its step size times the derivative, by finite differences, of the
// objective at the weights it moves to.
func TestRegressionStepFollowsTheGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 8))
	for range 200 {
		const size = 12
		config := DefaultLearner()
		config.Regularization = 0
		m := newRegressionModel(config, []int{0}, []fairness.Comparison{{Tau: 1}})
		m.grow(size)
		for i := range m.values {
			switch i % m.stride {
			case curvatureAt:
			case precisionAt:
				m.values[i] = 0
			default:
				m.values[i] = .2 * random.NormFloat64() // no residual is bounded
			}
		}
		row, dense := randomRow(random, size)
		target, spread, weight := .5*random.NormFloat64(), .5+2*random.Float64(), .1+3*random.Float64()
		m.predict(&row)
		m.push[1] = random.NormFloat64()
		before := slices.Clone(m.values)
		m.descend(&row, target, spread, weight)
		for k := range m.models {
			for i, j := range row.Index {
				at := int(j)*m.stride + modelsAt + 2*k
				const h = 1e-5
				here := m.values[at]
				m.values[at] = here + h
				up := objective(m, k, dense, target, spread, weight)
				m.values[at] = here - h
				down := objective(m, k, dense, target, spread, weight)
				m.values[at] = here
				want := -m.steps[i] * spread * spread * (up - down) / (2 * h)
				if got := here - before[at]; math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					t.Fatalf("model %d: weight %d moves by %v and should by %v", k, j, got, want)
				}
			}
		}
	}
}

// The push, over all records, is the gradient of the difference of the means, whatever the shares: adding it
// up over the records is a multiple of the difference of the mean rows.
func TestPushIsTheGradientOfTheDifference(t *testing.T) {
	for _, share := range []float64{.5, .1, .01} {
		random := rand.New(rand.NewPCG(4, 4))
		config := DefaultLearner()
		config.Forgetting = 1 << 40
		m := newRegressionModel(config, []int{0}, []fairness.Comparison{{Tau: 1}})
		const size, records = 6, 20000
		m.grow(size)
		m.shares[0] = [2]float64{share, 1 - share}
		m.records = 1e12 // shares stand still
		var sum, difference [size]float64
		var counts [2]float64
		var means [2][size]float64
		for range records {
			row, dense := randomRow(random, size)
			side := fairness.Versus
			if random.Float64() < share {
				side = fairness.Group
			}
			m.predict(&row)
			m.place(0, side, &row, 0, 1)
			at := int(side) - 1
			counts[at]++
			for j, x := range dense {
				sum[j] += m.push[1] * x / records
				means[at][j] += x
			}
		}
		// Shares of the sample, for the sample's gradient.
		factor := pressing / max(math.Sqrt(1/share+1/(1-share)), 1/share/largestPush)
		for j := range difference {
			want := factor * (means[0][j]/share - means[1][j]/(1-share)) / records
			if math.Abs(sum[j]-want) > 1e-9 {
				t.Errorf("share %v: coordinate %d is pushed by %v and should be by %v", share, j, sum[j], want)
			}
		}
	}
}

// The gradient of the penalty is its derivative, by finite differences, at the part of the prediction that the
// step moves to, with the followed expectation held.
func TestPenaltyFollowsTheGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	for range 100 {
		config := DefaultLearner()
		config.Sparsity = random.Float64() / 10
		m := newRegressionModel(config, nil, nil)
		const size = 6
		m.grow(size)
		row := Row{Index: []int32{1, 3, 4}, Value: []float64{1, random.NormFloat64(), 1}}
		m.steps = []float64{random.Float64(), random.Float64(), random.Float64()}
		h, length := 0.0, 0.0
		for i, j := range row.Index {
			m.values[int(j)*m.stride+modelsAt] = random.NormFloat64() / 3
			h += m.values[int(j)*m.stride+modelsAt] * row.At(i)
			length += m.steps[i] * row.At(i) * row.At(i)
		}
		v := random.Float64() / 10
		got := m.shrink(&row, 0, 3, 0, 1, 0, &v)
		moved := h - length*got
		// mu √(v + d(h²) + ε²) changes by the chain rule with h² around the moved h.
		penalty := func(h float64) float64 {
			return config.Sparsity * h * h / (2 * math.Sqrt(v+penaltySmoothing*penaltySmoothing))
		}
		const step = 1e-5
		if want := (penalty(moved+step) - penalty(moved-step)) / (2 * step); math.Abs(got-want) > 1e-8 {
			t.Fatalf("the gradient is %v and should be %v", got, want)
		}
	}
}

// A step touches the weights of its row and no others, however many there are.
func TestRegressionStepTouchesItsRow(t *testing.T) {
	const size = 5000
	random := rand.New(rand.NewPCG(9, 9))
	m := newRegressionModel(DefaultLearner(), []int{0}, []fairness.Comparison{{Tau: 1}})
	m.grow(size)
	m.label.start([]float64{-1, 0, 1})
	for range 200 {
		row, dense := randomRow(random, size)
		before := slices.Clone(m.values)
		published, _ := m.predict(&row)
		m.learn(&row, random.NormFloat64(), published, 1, []fairness.Side{fairness.Side(1 + random.IntN(2))})
		for j := range size {
			changed := !slices.Equal(before[j*m.stride:(j+1)*m.stride], m.values[j*m.stride:(j+1)*m.stride])
			if changed != (dense[j] != 0) {
				t.Fatalf("weight %d: changed is %v", j, changed)
			}
		}
	}
}
