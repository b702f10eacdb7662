package linear

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
)

// joined returns models of which all have joined.
func joined(settings Settings, loss Loss) *Models {
	m := New(settings, loss)
	for range settings.Most {
		m.Join()
	}
	return m
}

// A model that joins is the free one, and a model that leaves takes nothing of the others with it: they are those of models
// that were always alone with it.
func TestModelsJoinAndLeave(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	settings := Settings{Most: 3, Sums: 2, Window: 256, Step: 1, Forgetting: 1000, Sparsity: .01}
	m := New(settings, NewSquared())
	growTo(m, 41)
	m.Loss().Start([]float64{-1, 1, 2, 5})
	m.owners = make([]int32, 41)
	margins := m.NewMargins()
	learn := func(records int) {
		for range records {
			row, label := coins(random, 20)
			m.Margins(margins, &row)
			push := make([]float64, m.count)
			for k := 1; k < len(push); k++ {
				push[k] = float64(k) * .1
				m.Add(2*(k-1)+random.IntN(2), &row, margins, 1)
			}
			m.Step(&row, margins, push, 3*label, m.Count(1))
		}
	}
	m.norms = append(m.norms, make([]float64, 1))
	learn(200)
	row := features.Row{Index: []int32{0, 3, 25}}
	for want := 1; want <= 3; want++ {
		m.Margins(margins, &row)
		free := margins.Average[0]
		if got := m.Join(); got != want {
			t.Fatalf("model %d joined as %d", want, got)
		}
		m.Margins(margins, &row)
		if margins.Average[0] != free || margins.Average[want] != free {
			t.Fatalf("margins %v after model %d joined, free %v", margins.Average, want, free)
		}
		learn(200)
	}
	for models := range 4 { // interpolations of fewer models than there are, too
		interpolation := []float64{.5, -.25, 2}[:models]
		combined, alone := make([]float64, 20), make([]float64, 20)
		m.Weights(combined, alone, 21, interpolation)
		for i := range combined {
			if j := 21 + i; combined[i] != m.Weight(j, interpolation) || alone[i] != m.Weight(j, nil) {
				t.Errorf("weight %d under %d models: %v and %v at once, %v and %v alone", j, models, combined[i], alone[i], m.Weight(j, interpolation), m.Weight(j, nil))
			}
		}
	}
	m.Margins(margins, &row)
	before := slices.Clone(margins.Average)
	means := [2]float64{m.Mean(4, 0), m.Mean(5, 3)}
	m.Leave(2)
	m.Margins(margins, &row)
	if !slices.Equal(margins.Average, []float64{before[0], before[1], before[3]}) {
		t.Errorf("margins %v after model 2 of %v left", margins.Average, before)
	}
	if got := [2]float64{m.Mean(2, 0), m.Mean(3, 2)}; got != means {
		t.Errorf("means %v, and %v before model 2 left", got, means)
	}
	sum := 0.0
	for j := range 41 {
		sum += m.values[j*m.stride+m.sumAt(3)] * (m.values[j*m.stride+modelsAt+4] - m.decay*m.values[j*m.stride+modelsAt+5])
	}
	if mean := sum * m.sums[3].scale / m.sums[3].weight; !near(mean, m.Mean(3, 2)) {
		t.Errorf("the sum of the model that stayed gives it the mean %v, its products %v", mean, m.Mean(3, 2))
	}
	iterate := margins.Iterate[2] - margins.Iterate[0]
	m.Settle(2)
	m.Margins(margins, &row)
	if got := margins.Average[2] - margins.Average[0]; !near(got, iterate) {
		t.Errorf("averages are %v apart after settling, iterates %v", got, iterate)
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
