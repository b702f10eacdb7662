package control

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Where labels are coins, margins that are computed again know nothing of their own records' labels. Without
// the correction they know much.
func TestRefreshedMarginsDoNotKnowTheirLabels(t *testing.T) {
	const columns, levels, size = 6, 100, 1 + 6*100
	models := linear.New(linear.Settings{Most: 1, Step: 1, Regularization: 1e-5, Forgetting: 20000}, linear.NewLogistic())
	e, err := features.NewFrozen(features.Parts{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	models.Grow(e)
	r, err := NewRates(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 8192, Minimum: 30, Forgetting: 20000},
		[]fairness.Comparison{{Tau: .05, Enforce: true}}, []surrogate.Name{surrogate.Approximation1}, models)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(4, 4))
	margins := models.NewMargins()
	for range 6000 {
		row := features.Row{Index: []int32{0}}
		for c := range columns {
			row.Index = append(row.Index, int32(1+c*levels+random.IntN(levels)))
		}
		positive := random.IntN(2) == 0
		models.Margins(margins, &row)
		record := Record{Row: &row, Margins: margins, Published: r.Publish(margins.Average), Positive: positive, Weight: 1,
			Relative: models.Count(1), Sides: []fairness.Side{fairness.Side(1 + random.IntN(2))}}
		label := -1.0
		if positive {
			label = 1
		}
		r.Observe(&record, models.Step(&row, margins, r.Push(&record), label, record.Relative))
	}
	m := r.memory
	var row features.Row
	seen := agreement(m, func(i int) float64 {
		models.Margins(margins, m.row(i, &row))
		return margins.Average[0]
	})
	r.refresh(m.used())
	refreshed := agreement(m, func(i int) float64 { return float64(m.at(i)[0]) })
	t.Logf("right on %.3f of the records it has seen, %.3f with their own influence taken out", seen, refreshed)
	if seen < .58 {
		t.Errorf("a model of 600 weights is right on %.3f of its coins: the test looks at nothing", seen)
	}
	if refreshed > .5+.5*(seen-.5) {
		t.Errorf("refreshed margins are right on %.3f of the coins, %.3f without the correction", refreshed, seen)
	}
}

// agreement is the share of records whose margin has the sign of their label.
func agreement(m *memory, margin func(i int) float64) float64 {
	right := 0
	for i := range m.rows {
		if (margin(i) > 0) == m.positive[i] {
			right++
		}
	}
	return float64(right) / float64(len(m.rows))
}
