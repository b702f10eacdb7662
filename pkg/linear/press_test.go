package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPressMovesConstrainedModelsOnly: each weight of a constrained model moves along the gradient of its push, by its step size, and every
// average stays where it was.
func TestPressMovesConstrainedModelsOnly(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	for _, most := range []int{1, 3} {
		for range 100 {
			const size = 12
			loss := NewSquared()
			m := New(Settings{Most: most, Sums: 2, Window: 256, Step: 1, Regularization: 1e-3, Sparsity: .1, Forgetting: 20000}, loss)
			for range most {
				m.Join()
			}
			growTo(m, size)
			for i := range m.values {
				if i%m.stride >= modelsAt {
					m.values[i] = .2 * random.NormFloat64()
				}
			}
			m.decay, m.meanWeight = .3+.7*random.Float64(), 2
			spread := .5 + 2*random.Float64()
			loss.variance = spread * spread
			row, dense := randomRow(random, size)
			push := make([]float64, m.count)
			for k := 1; k < m.count; k++ {
				push[k] = random.NormFloat64()
			}
			weight := m.Relative(3)
			if weight != 1.5 {
				t.Fatalf("a weight of 3 is %v means", weight)
			}
			before, averages := slices.Clone(m.values), averagesOf(m, size)
			gradients := m.Press(&row, push, weight)
			for k := range m.count {
				if want := weight * push[k]; math.Abs(gradients[k]-want) > 1e-12 {
					t.Fatalf("model %d: the gradient is %v and should be %v", k, gradients[k], want)
				}
				for j := range size {
					at := j*m.stride + modelsAt + 2*k
					want := 0.0
					if i := slices.Index(row.Index, int32(j)); i >= 0 {
						want = -m.steps[i].Size * weight * push[k] * dense[j] * spread
					}
					if got := m.values[at] - before[at]; math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
						t.Fatalf("model %d: weight %d moves by %v and should by %v", k, j, got, want)
					}
				}
			}
			for i, average := range averagesOf(m, size) {
				if math.Abs(average-averages[i]) > 1e-12 {
					t.Fatalf("the average %v became %v", averages[i], average)
				}
			}
		}
	}
}

// averagesOf are those of all weights of all models.
func averagesOf(m *Models, size int) (all []float64) {
	for j := range size {
		for k := range m.count {
			numbers := m.values[j*m.stride+modelsAt+2*k:]
			all = append(all, numbers[0]-m.decay*numbers[1])
		}
	}
	return all
}

// TestPressKeepsSums: products of running sums with the models are those of the moved models.
func TestPressKeepsSums(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	const size = 12
	loss := NewSquared()
	m := joined(Settings{Most: 1, Sums: 2, Window: 256, Step: 1, Forgetting: 20000}, loss)
	growTo(m, size)
	margins := m.NewMargins()
	var rows [][]float64
	for range 300 {
		row, dense := randomRow(random, size)
		m.Margins(margins, &row)
		weight, label := m.Count(1), random.NormFloat64()
		if len(rows) < 40 {
			m.Add(0, &row, margins, 1)
			rows = append(rows, dense)
		}
		m.Step(&row, margins, []float64{0, random.NormFloat64()}, label, weight)
		m.Press(&row, []float64{0, random.NormFloat64()}, m.Relative(1))
	}
	for model := range m.Models() {
		sum, total, fade := 0.0, 0.0, 1.0
		for i := len(rows) - 1; i >= 0; i-- {
			for j, x := range rows[i] {
				numbers := m.values[j*m.stride+modelsAt+2*model:]
				sum += fade * x * (numbers[0] - m.decay*numbers[1])
			}
			total += fade
			fade *= Keep(256)
		}
		if got, want := m.Mean(0, model), sum/total; math.Abs(got-want) > 1e-9 {
			t.Errorf("model %d: the mean is %v and should be %v", model, got, want)
		}
	}
}

// TestPressWithoutAPush: no constraint pushes, or labels have no unit yet, so nothing changes.
func TestPressWithoutAPush(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for name, c := range map[string]struct {
		loss Loss
		push float64
	}{"no push": {NewLogistic(), 0}, "no unit": {NewSquared(), 1}} {
		m := joined(Settings{Most: 1, Step: 1, Forgetting: 20000}, c.loss)
		growTo(m, 12)
		row, _ := randomRow(random, 12)
		before := slices.Clone(m.values)
		m.meanWeight = 1
		m.Press(&row, []float64{0, c.push}, 1)
		m.Nudge(&row, 1, c.push)
		if !slices.Equal(m.values, before) {
			t.Errorf("%s: the numbers changed", name)
		}
	}
}
