package model

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// entry is what a plain list would keep of a record.
type entry struct {
	margins, gradients []float64
	weight             float64
	decision, positive bool
}

// A window is the newest records of a list.
func TestWindowIsTheNewestRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, models := range []int{0, 2, 4} {
		w := newWindow(300, models)
		var all []entry
		for i := range 1500 {
			e := entry{weight: []float64{1, .5, 3, 0}[random.IntN(4)], decision: random.IntN(3) == 0, positive: random.IntN(2) == 0}
			var row Row
			row.Add(0, 1)
			for k := range models {
				e.margins = append(e.margins, float64(float32(random.NormFloat64())))
				e.gradients = append(e.gradients, float64(float32(random.NormFloat64())))
				row.Add(int32(i%7), float64(k))
			}
			w.push(&row, e.margins, e.gradients, e.weight, e.decision, e.positive)
			if e.weight > 0 {
				all = append(all, e)
			}
			if i%97 == 0 {
				compareWindow(t, w, all)
			}
		}
		compareWindow(t, w, all)
	}
}

func compareWindow(t *testing.T, w *window, all []entry) {
	t.Helper()
	newest := slices.Clone(all[max(0, len(all)-w.capacity):])
	slices.Reverse(newest)
	if w.len() != len(newest) || w.seen != len(all) {
		t.Fatalf("%d records of %d seen; %d of %d were expected", w.len(), w.seen, len(newest), len(all))
	}
	// The youngest models' margins are left out.
	if want := min(len(newest), max(leastSteady, int(matureShare*float64(len(all))))); w.steady != want {
		t.Fatalf("%d of %d records are steady, should be %d", w.steady, len(newest), want)
	}
	decided, weight := 0.0, 0.0
	for age, e := range newest {
		at := w.slot(age)
		if float64(w.weights[at]) != e.weight || w.decided[at] != e.decision || w.positive[at] != e.positive {
			t.Fatalf("the record of age %d is another one", age)
		}
		for k, margin := range e.margins {
			if float64(w.margins[at*w.models+k]) != margin {
				t.Fatalf("margin %d of the record of age %d is another one", k, age)
			}
			if float64(w.gradients[at*w.models+k]) != e.gradients[k] {
				t.Fatalf("gradient %d of the record of age %d is another one", k, age)
			}
		}
		weight += e.weight
		if e.decision {
			decided += e.weight
		}
	}
	if w.models > 0 && len(w.rows) != len(newest) || w.models == 0 && w.rows != nil {
		t.Fatalf("%d rows are kept", len(w.rows))
	}
	if w.count.Records != int64(len(newest)) || w.count.Weight != weight || w.count.PositiveWeight != decided {
		t.Fatalf("the count is %+v; weight %v and decided %v were expected", w.count, weight, decided)
	}
}

// After a cut the part that is read grows again with every record.
func TestWindowGrowsAgainAfterACut(t *testing.T) {
	w := newWindow(1000, 0)
	for range 3000 {
		w.push(&Row{}, nil, nil, 1, true, true)
	}
	w.steady = 256
	for i := range 2000 {
		w.push(&Row{}, nil, nil, 1, true, true)
		if want := min(1000, 257+i); w.steady != want {
			t.Fatalf("%d records after the cut %d are steady, should be %d", i+1, w.steady, want)
		}
	}
}

// Margins are bounded, so that differences of them are finite.
func TestWindowBoundsMargins(t *testing.T) {
	w := newWindow(300, 2)
	w.push(&Row{}, []float64{1e200, -1e200}, []float64{0, 0}, 1, true, true)
	if w.margins[0] != largestMargin || w.margins[1] != -largestMargin {
		t.Errorf("margins %v", w.margins)
	}
}

// A row that is kept is the row, however often its place is used.
func TestRowCopy(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	var kept Row
	for range 300 {
		var row Row
		ones := random.IntN(2) == 0
		for range 1 + random.IntN(90) {
			value := 1.0
			if !ones {
				value = random.Float64()
			}
			row.Add(int32(random.IntN(1000)), value)
		}
		kept.CopyFrom(&row)
		if !slices.Equal(kept.Index, row.Index) || ones != (len(kept.Value) == 0) {
			t.Fatal("the copy has other weights")
		}
		for i := range row.Index {
			if kept.At(i) != row.At(i) {
				t.Fatal("the copy has other values")
			}
		}
	}
}
