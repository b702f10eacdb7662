package linear

import "testing"

// TestGive: given weights are those of the averages and of the iterates, and the information counts as far as forgetting leaves the records that have the weight.
func TestGive(t *testing.T) {
	m := joined(Settings{Most: 1, Step: 1, Forgetting: 1000}, NewLogistic())
	growTo(m, 3)
	weights := [][]float64{{1, 2, 3}, {-1, 0, 5}}
	m.Give(Given{Records: 4000, MeanWeight: 2, Weights: weights, Information: []float64{400, 8, 0}, Touched: []float64{4000, 900, 0}})
	for j := range 3 {
		if free, other := m.Weight(j, nil), m.Weight(j, []float64{1}); free != weights[0][j] || other != weights[1][j] {
			t.Errorf("weight %d: %v and %v", j, free, other)
		}
		numbers := m.values[j*m.stride:]
		if numbers[modelsAt] != weights[0][j] || numbers[modelsAt+2] != weights[1][j] {
			t.Errorf("iterates of weight %d: %v and %v", j, numbers[modelsAt], numbers[modelsAt+2])
		}
		if want := startCurvature + [3]float64{100, 8, 0}[j]; numbers[curvatureAt] != want {
			t.Errorf("curvature of weight %d: %v, want %v", j, numbers[curvatureAt], want)
		}
	}
	if got := m.Count(2); got != 1 || m.memory.Records != 4001 {
		t.Errorf("a record of the mean weight counts %v, as record %v", got, m.memory.Records)
	}
	if p := m.Penalties(); len(p) != 3 || p[0] != 0 || p[1] != m.constants.StartPrecision {
		t.Errorf("penalties %v", p)
	}
	defer func() {
		if recover() == nil {
			t.Error("weights of one model of two are accepted")
		}
	}()
	m.Give(Given{Weights: weights[:1]})
}
