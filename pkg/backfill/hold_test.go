package backfill

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestRecordsThatAreHeldOut: candidates add up what they move a margin by, a margin of 0 is decided negatively, and each side counts its own.
func TestRecordsThatAreHeldOut(t *testing.T) {
	row := features.Row{}
	row.Add(0, 1)
	row.Add(1, 2)
	of := func(weights ...float64) candidate { return candidate{weights: weights} }
	for _, c := range []struct {
		list     []candidate
		positive bool
		margin   float64
		wrong    bool
	}{
		{[]candidate{of(0, 0)}, false, 0, false}, {[]candidate{of(0, 0)}, true, 0, true}, {[]candidate{of(1, .5)}, true, 2, false}, {[]candidate{of(1, .5)}, false, 2, true},
		{[]candidate{of(1, .5), of(-2, 0)}, false, -2, false}, {[]candidate{of(1, .5), of(-2, 0), of(0, 3)}, true, -2 + 4, false}, {[]candidate{of(-1, 0), of(1, 0), of(0, 0)}, true, 2, false},
	} {
		total := newTotal(2, 2, c.list)
		total.hold(c.list, &model.Example{Row: &row, Sides: []fairness.Side{fairness.Versus, fairness.Neither}, Positive: c.positive}, 3)
		h, wrong := &total.held, 0.0
		if c.wrong {
			wrong = 3
		}
		if h.records != 1 || h.weight.value() != 3 || h.wrong.value() != wrong || math.Abs(h.loss.value()-3*lossOf(c.margin, c.positive)) > 1e-6 {
			t.Errorf("%+v: %d records of weight %v, %v of it wrong, a loss of %v", c, h.records, h.weight.value(), h.wrong.value(), h.loss.value())
		}
		positive := 0.0
		if c.margin > 0 {
			positive = 3
		}
		for i := range h.sides {
			for at := range h.sides[i] {
				counted := i == 0 && at == 1
				if s := &h.sides[i][at]; (s.weight.value() == 3) != counted || (s.squared.value() == 9) != counted || counted && s.positive.value() != positive || !counted && s.weight.value() != 0 {
					t.Errorf("%+v: side %d of comparison %d counts %v, %v positive", c, at, i, s.weight.value(), s.positive.value())
				}
			}
		}
	}
}
