package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/features"
)

// TestMarginsOfKeptRows: the margins and influences of a row that is kept are those of the row, for narrow indices and wide ones, for weights whose parts
// are kept and beyond them, for weights that came after the influence was prepared, and for one model, two and three.
func TestMarginsOfKeptRows(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 7))
	const size = 70_000
	for models := 1; models <= 3; models++ {
		m := New(Settings{Most: 2, Sums: 1, Window: 50, Step: 1, Forgetting: 500}, NewLogistic())
		growTo(m, size-100)
		first := m.NewMargins() // of the free model alone
		for range models - 1 {
			m.Join()
		}
		for i := range m.values {
			m.values[i] += random.Float64()
		}
		var influence Influence
		m.memory.Records = 300
		m.Influence(&influence, .2, .1)
		growTo(m, size)
		var into features.Row
		var slab features.Slab
		for _, c := range []struct{ from, to int32 }{{1, 40}, {1, 5000}, {4000, 4200}, {4096, 9000}, {1, size}, {65_000, size}, {size - 100, size}} {
			for _, count := range []int{0, 1, 2, 7, 40} {
				var row features.Row
				row.Add(0, 1)
				for range count {
					row.Add(c.from+random.Int32N(c.to-c.from), []float64{1, .5, -2}[random.IntN(3)])
				}
				if count%2 == 0 {
					row.Value = nil
				}
				var kept features.Packed
				kept.Pack(&row, &slab)
				for _, before := range []float64{1, .5, 1e-6} {
					want, got := m.NewMargins(), first
					m.Margins(want, &row)
					free, constrained := influence.Of(&row, before)
					gotFree, gotConstrained := influence.Margins(got, kept, &into, before)
					if !near(free, gotFree) || !near(constrained, gotConstrained) || !slices.EqualFunc(want.Iterate, got.Iterate, near) || !slices.EqualFunc(want.Average, got.Average, near) {
						t.Fatalf("%d models, %d weights of %v: margins %v and influences %v %v, want %v, %v %v", models, count, c, got, gotFree, gotConstrained, want, free, constrained)
					}
				}
			}
		}
	}
}

// TestNoScaleUnderflows: what multiplies stored numbers is folded into them before it underflows, in averages, running sums and sums of rows, and so means
// stay known through any number of records.
func TestNoScaleUnderflows(t *testing.T) {
	m := joined(Settings{Most: 1, Sums: 1, Window: 3, Step: 1, Forgetting: 40}, NewLogistic())
	growTo(m, 3)
	rows := NewRowSum(3)
	margins, row := m.NewMargins(), features.Row{}
	row.Add(0, 1)
	row.Add(2, .5)
	for i := range 20_000 {
		m.Margins(margins, &row)
		m.Add(0, &row, margins, 1)
		rows.Add(&row, 1)
		m.Step(&row, margins, []float64{0, .1}, float64(i%2), m.Count(1))
		if m.decay < rescaleBelow || m.sums[0].scale < rescaleBelow || rows.scale < rescaleBelow {
			t.Fatalf("after %d records scales are %v, %v and %v", i+1, m.decay, m.sums[0].scale, rows.scale)
		}
	}
	m.Margins(margins, &row)
	for model := range 2 {
		if mean, margin := m.Mean(0, model), margins.Average[model]; !near(mean, margin) {
			t.Errorf("model %d: the mean margin of one row alone is %v, its margin %v", model, mean, margin)
		}
	}
	if mean, ok := rows.Mean(func(j int) float64 { return m.Weight(j, nil) }); !ok || !near(mean, margins.Average[0]) {
		t.Errorf("the mean margin of one row alone is %v, its margin %v", mean, margins.Average[0])
	}
	if effective := m.Effective(0); math.Abs(effective-3) > 1e-9 {
		t.Errorf("%v records are in a window of 3", effective)
	}
}

// TestWeightsOfRecords are relative to the mean weight, bounded, and 0 before any record has a weight.
func TestWeightsOfRecords(t *testing.T) {
	m := New(Settings{Step: 1, Forgetting: 100}, NewLogistic())
	if got := m.Relative(3); got != 0 {
		t.Errorf("before the first record a weight counts %v", got)
	}
	if got := m.Count(0); got != 0 || m.memory.Records != 1 {
		t.Errorf("a record without weight counts %v as record %v", got, m.memory.Records)
	}
	m = New(Settings{Step: 1, Forgetting: 100}, NewLogistic())
	if got := m.Count(2); got != 1 {
		t.Errorf("the first record counts %v", got)
	}
	for weight, want := range map[float64]float64{2: 1, 1: .5, 0: 0, 2 * largestWeight: largestWeight, 3 * largestWeight: largestWeight} {
		if got := m.Relative(weight); got != want {
			t.Errorf("a weight of %v beside a mean of 2 counts %v, want %v", weight, got, want)
		}
	}
}

// TestDamagedSumsOfRows: a sum is read if it can be of rows over the weights that there are.
func TestDamagedSumsOfRows(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(s *RowSum)
		taken  bool
	}{
		"sound":             {func(*RowSum) {}, true},
		"all weights":       {func(s *RowSum) { s.values = append(s.values, 1) }, true},
		"a weight too many": {func(s *RowSum) { s.values = append(s.values, 1, 1) }, false},
		"a whole scale":     {func(s *RowSum) { s.scale = 1 }, true},
		"a larger scale":    {func(s *RowSum) { s.scale = math.Nextafter(1, 2) }, false},
		"no scale":          {func(s *RowSum) { s.scale = 0 }, false},
	} {
		s := NewRowSum(9)
		var row features.Row
		row.Add(1, 3)
		s.Add(&row, 1)
		test.damage(&s)
		w := codec.NewWriter(nil)
		s.Fields(w, 3)
		r := codec.NewReader(w.Bytes())
		read := NewRowSum(9)
		if read.Fields(r, 3); (r.End() == nil) != test.taken {
			t.Errorf("%s: it is read with %v", name, r.End())
		}
	}
}

// TestLackingRows: a mean is not known until as many rows have come as are lacking, from a state too.
func TestLackingRows(t *testing.T) {
	s := NewRowSum(9)
	s.Lack(3)
	var row features.Row
	row.Add(0, 1)
	for i, want := range []bool{false, false, true, true} {
		s.Add(&row, 1)
		w := codec.NewWriter(nil)
		s.Fields(w, 1)
		read, r := NewRowSum(9), codec.NewReader(w.Bytes())
		if read.Fields(r, 1); r.End() != nil {
			t.Fatal(r.End())
		}
		for from, sum := range map[string]*RowSum{"": &s, " from a state": &read} {
			if mean, ok := sum.Mean(func(int) float64 { return 5 }); ok != want || ok && !near(mean, 5) {
				t.Errorf("after %d rows the mean%s is %v, %v", i+1, from, mean, ok)
			}
		}
	}
}
