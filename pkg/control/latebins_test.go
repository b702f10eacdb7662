package control

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// growing are sums whose weight grows. Every weight of a bin adds 2.
type growing struct {
	weighing
	total *float64
}

func (g growing) Total(int) float64                                 { return *g.total }
func (g growing) Part(_ int, _ []float64, from, to int) (x float64) { return 2 * float64(to-from) }

// TestPredictionsHaveWhatOlderRowsLack: rows that came before the bins of a column count as if their numbers had been in these bins as often as those since, whether
// a comparison is enforced or only measured.
func TestPredictionsHaveWhatOlderRowsLack(t *testing.T) {
	const window, older, newer, others = 100, 50, 20, 5
	total := 0.0
	m := NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: window, Minimum: 1 << 20, Forgetting: 20000},
		[]fairness.Comparison{{Tau: 1, Enforce: true}, {Tau: 1}, {Tau: 1}}, growing{weighing{fixedSums{[2][2]float64{{2, 1}, {-1, 0}}}}, &total})
	encoder := func(size, first int32) *features.Frozen {
		e, err := features.NewFrozen(features.Parts{Size: size, Columns: []features.Column{{Name: "a", Kind: features.Binned, First: first,
			Binning: features.Binning{Edges: []float64{0}, Coarse: []int32{0, 0}, Single: []bool{false, false}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	push := func(side fairness.Side, indices ...int32) {
		row := &features.Row{}
		for _, j := range indices {
			row.Add(j, 1)
		}
		m.Push(&Record{Row: row, Relative: 1, Weight: 1, Sides: []fairness.Side{side, side, side},
			Margins: &linear.Margins{Average: []float64{0, 0}, Iterate: []float64{0, 0}}})
	}
	m.Grow(encoder(1, 0))
	for comparison := range 3 {
		if _, ok := m.Predicted(comparison); ok {
			t.Errorf("comparison %d: means without a row", comparison)
		}
	}
	total = 1000
	for range older {
		push(fairness.Group, 0)
		push(fairness.Versus, 0)
	}
	m.Grow(encoder(3, 1))
	for range newer {
		push(fairness.Group, 0, 2)
	}
	for range others {
		push(fairness.Versus, 0, 2)
	}
	total = 1300
	before, beforeOthers := 1000*math.Pow(linear.Keep(window), newer), 1000*math.Pow(linear.Keep(window), others)
	for comparison, want := range [][2]float64{
		{2 + 4*before/(1300-before), -1 + 4*beforeOthers/(1300-beforeOthers)}, // of the sums' two bins, which add 2 each
		{1 + 3, 1 + 3}, // the weights 1 and 3 of the intercept and the bin
		{1 + 3, 1 + 3},
	} {
		if means, ok := m.Predicted(comparison); !ok || math.Abs(means[0]-want[0]) > 1e-5 || math.Abs(means[1]-want[1]) > 1e-5 {
			t.Errorf("comparison %d: %v %t, want %v", comparison, means, ok, want)
		}
	}
}
