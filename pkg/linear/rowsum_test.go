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
	if parts := s.Part(model, 0, 1) + s.Part(model, 1, 9); math.Abs(parts-sum/weights) > 1e-9 || math.Abs(s.Part(model, 0, 1)-.5) > 1e-9 || math.Abs(s.Total()-weights) > 1e-9 {
		t.Errorf("the parts are %v, of %v rows; should be %v, of %v", parts, s.Total(), sum/weights, weights)
	}
	s.Lack(1)
	if _, ok := s.Mean(model); ok {
		t.Error("a mean although rows are lacking")
	}
}

func TestPower(t *testing.T) {
	for n := range int64(40) {
		if got, want := power(.9, n), math.Pow(.9, float64(n)); math.Abs(got-want) > 1e-15 {
			t.Errorf(".9 to the %d is %v, want %v", n, got, want)
		}
	}
}
