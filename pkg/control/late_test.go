package control

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// halved is a column of numbers, whose weight is 1, without bins and with two of them, 2 and 3.
func halved(t *testing.T, bins bool) *features.Frozen {
	t.Helper()
	c := features.Column{Name: "x", Kind: features.Binned, Linear: 1, Scale: 1, Low: -1, High: 1,
		Binning: features.Binning{Edges: []float64{0}, Coarse: []int32{0, 1}, Single: []bool{false, false}}}
	size := int32(2)
	if bins {
		c.First, size = 2, 4
	}
	e, err := features.NewFrozen(features.Parts{Size: size, Columns: []features.Column{c}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestRowsOfBeforeLackNoBins: a document tells the mean of rows that came before their bins as if these had been as frequent as among
// those since, however many rows each side has brought since, and after a restart.
func TestRowsOfBeforeLackNoBins(t *testing.T) {
	const window, rows, came = 400, 900, 600
	made := func() *Means {
		return NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: window, Minimum: 30, Forgetting: 20000}, []fairness.Comparison{{Tau: 1}}, weighing{})
	}
	m, random := made(), rand.New(rand.NewPCG(1, 2))
	m.Grow(halved(t, false))
	var all, since, sums, bins [2]float64
	for i := range rows {
		if i == came {
			m.Grow(halved(t, true))
		}
		on, x := 0, random.Float64()*2-1
		if i%3 > 0 {
			on = 1
		}
		row := &features.Row{}
		row.Add(features.Intercept, 1)
		row.Add(1, x)
		keep := linear.Keep(window)
		all[on], since[on], sums[on], bins[on] = all[on]*keep+1, since[on]*keep, sums[on]*keep+1+2*x, bins[on]*keep
		if i >= came {
			bin := int32(2)
			if x >= 0 {
				bin = 3
			}
			row.Add(bin, 1)
			since[on]++
			bins[on] += float64(bin) + 1
		}
		m.Push(&Record{Row: row, Relative: 1, Weight: 1, Sides: []fairness.Side{[]fairness.Side{fairness.Group, fairness.Versus}[on]},
			Margins: &linear.Margins{Average: []float64{0}, Iterate: []float64{0}}})
		if i == came+100 {
			writer := codec.NewWriter(nil)
			m.Fields(writer, 4)
			again, reader, second := made(), codec.NewReader(writer.Bytes()), codec.NewWriter(nil)
			again.Fields(reader, 4)
			if err := reader.End(); err != nil {
				t.Fatal(err)
			}
			if again.Fields(second, 4); !bytes.Equal(writer.Bytes(), second.Bytes()) {
				t.Error("a state that was read is written otherwise")
			}
			m = again
			m.Grow(halved(t, true))
		}
	}
	means, ok := m.Predicted(0)
	for on := range means {
		if want := sums[on]/all[on] + bins[on]/since[on]; !ok || math.Abs(means[on]-want) > 1e-6 {
			t.Errorf("side %d: %v, want %v; without the rows of before %v", on, means[on], want, (sums[on]+bins[on])/all[on])
		}
	}
}

// TestBinsOfAnOlderState: a state that has no bins does not say when they came, so its rows are taken to have them.
func TestBinsOfAnOlderState(t *testing.T) {
	made := func() *Means {
		return NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 400, Minimum: 30, Forgetting: 20000}, []fairness.Comparison{{Tau: 1}}, weighing{})
	}
	old := made()
	row := &features.Row{}
	row.Add(2, 1)
	for _, on := range []fairness.Side{fairness.Group, fairness.Versus} {
		old.Push(&Record{Row: row, Relative: 1, Weight: 1, Sides: []fairness.Side{on}, Margins: &linear.Margins{Average: []float64{0}, Iterate: []float64{0}}})
	}
	writer := codec.NewWriter(nil)
	old.Fields(writer, 4)
	m, reader := made(), codec.NewReader(writer.Bytes())
	m.Fields(reader, 4)
	if err := reader.End(); err != nil {
		t.Fatal(err)
	}
	m.Grow(halved(t, true))
	if means, ok := m.Predicted(0); !ok || math.Abs(means[0]-3) > 1e-9 || math.Abs(means[1]-3) > 1e-9 {
		t.Errorf("means %v", means)
	}
}
