package linear

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/features"
)

// A RowSum is the faded mean of the rows' margins, whatever the model is by then, also after it was saved and its scale was folded.
func TestARowSumHoldsTheMeanMarginOfAnyModel(t *testing.T) {
	const window, rows = 20, 6000 // 0.905 to the power of 6000 is below rescaleBelow
	s := NewRowSum(window)
	model := func(j int) float64 { return []float64{.5, -2, 3}[j] }
	if _, ok := s.Mean(model); ok {
		t.Error("a mean of no rows")
	}
	sum, weights := 0.0, 0.0
	for i := range rows {
		row, weight := &features.Row{}, 1+float64(i%3)
		row.Add(0, 1)
		row.Add(int32(1+i%2), float64(i%7))
		sum = sum*Keep(window) + weight*(.5+model(1+i%2)*float64(i%7))
		weights = weights*Keep(window) + weight
		s.Add(row, weight)
		if i == rows/2 {
			writer := codec.NewWriter(nil)
			s.Fields(writer, 3)
			s = NewRowSum(window)
			if s.Fields(codec.NewReader(writer.Bytes()), 3); s.weight == 0 {
				t.Fatal("it forgot")
			}
		}
	}
	if mean, ok := s.Mean(model); !ok || math.Abs(mean-sum/weights) > 1e-9 {
		t.Errorf("%v %v, should be %v", mean, ok, sum/weights)
	}
	s.Lack(1)
	if _, ok := s.Mean(model); ok {
		t.Error("a mean although rows are lacking")
	}
}
