package linear

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/features"
)

// earned is an encoder of 8 weights whose only column has bins 1 to 3 from first on, and coarse ones 4 and 5 from coarse on; 0 stands for those that have not come.
func earned(t *testing.T, size, first, coarse int32) *features.Frozen {
	t.Helper()
	e, err := features.NewFrozen(features.Parts{Size: size, Columns: []features.Column{{Name: "a", Kind: features.Binned, First: first, FirstCoarse: coarse,
		Binning: features.Binning{Edges: []float64{0, 1}, Coarse: []int32{0, 0, 1}, Single: []bool{false, false, false}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// saved is what is read from what late writes.
func saved(t *testing.T, late *Late, window int) *Late {
	t.Helper()
	w := codec.NewWriter(nil)
	late.Fields(w, 8)
	again, r := NewLate(2, window), codec.NewReader(w.Bytes())
	if again.Fields(r, 8); r.Err() != nil || r.End() != nil {
		t.Fatal(r.Err(), r.End())
	}
	return &again
}

// TestLateBinsAreMissedAsOftenAsOlderRowsCount: by what they add, times the weight of the older rows over that of the others, also after the state was saved.
func TestLateBinsAreMissedAsOftenAsOlderRowsCount(t *testing.T) {
	const window = 20
	first := NewLate(2, window)
	l := &first
	totals := [2]float64{10, 20}
	total := func(sum int) float64 { return totals[sum] }
	l.Grow(earned(t, 1, 0, 0), total)
	l.Count(0) // without bins, rows are not counted
	l.Grow(earned(t, 4, 1, 0), total)
	if missed := l.Missed(0, 10, func(int, int) float64 { return 1 }); missed != 0 {
		t.Errorf("without a row since: %v", missed)
	}
	for range 4 {
		l.Count(0)
	}
	l.Count(1)
	totals = [2]float64{12, 19.5}
	l = saved(t, l, window)
	l.Grow(earned(t, 4, 1, 0), total) // those that are known do not come again
	l.Grow(earned(t, 6, 1, 4), total)
	for range 2 {
		l.Count(1)
	}
	l = saved(t, l, window)
	part := func(from, to int) float64 {
		if from == 1 && to == 4 {
			return .5
		}
		if from == 4 && to == 6 {
			return -.25
		}
		t.Errorf("bins from %d to %d", from, to)
		return 0
	}
	keep := Keep(window)
	lacking := func(before float64, rows int, now float64) float64 {
		before *= math.Pow(keep, float64(rows))
		return before / (now - before)
	}
	for sum, want := range []float64{
		.5 * lacking(10, 4, 12.5), // the coarse ones: no row since
		.5*lacking(20, 3, 19) - .25*lacking(19.5, 2, 19),
	} {
		now := []float64{12.5, 19}[sum]
		if sum == 0 {
			want -= .25 * lacking(12, 0, now)
		}
		if got := l.Missed(sum, now, part); math.Abs(got-want) > 1e-12 {
			t.Errorf("sum %d lacks %v, want %v", sum, got, want)
		}
	}
}

// TestBinsOfAnOldStateAreOld: a state that lists none is silent about when they came.
func TestBinsOfAnOldStateAreOld(t *testing.T) {
	w := codec.NewWriter(nil)
	none := NewLate(2, 20)
	if none.Fields(w, 8); len(w.Bytes()) != 0 {
		t.Errorf("no bins take %d bytes", len(w.Bytes()))
	}
	l := saved(t, &none, 20)
	five := func(int) float64 { return 5 }
	l.Grow(earned(t, 4, 1, 0), five)
	l.Count(0)
	if missed := l.Missed(0, 5.7, func(int, int) float64 { return 1 }); missed != 0 {
		t.Errorf("bins that were there lack %v", missed)
	}
	l.Grow(earned(t, 6, 1, 4), five)
	l.Count(0)
	if missed := l.Missed(0, 5.7, func(int, int) float64 { return 1 }); missed == 0 {
		t.Error("bins that came since lack nothing")
	}
}

func TestDamagedStatesOfLateBins(t *testing.T) {
	good := Late{sums: 2, rows: []int64{3, 4}, bins: []lateBins{{from: 1, to: 4, before: []float64{1, 2}, rows: []int64{3, 0}}}}
	for name, change := range map[string]func(*Late){
		"good":             func(*Late) {},
		"the intercept":    func(l *Late) { l.bins[0].from = 0 },
		"none":             func(l *Late) { l.bins[0].to = 1 },
		"beyond the end":   func(l *Late) { l.bins[0].to = 9 },
		"rows not yet had": func(l *Late) { l.bins[0].rows = []int64{3, 5} },
	} {
		l := good
		l.bins = []lateBins{good.bins[0]}
		change(&l)
		w := codec.NewWriter(nil)
		l.Fields(w, 10)
		r, again := codec.NewReader(w.Bytes()), NewLate(2, 20)
		if again.Fields(r, 8); (r.Err() == nil) != (name == "good") {
			t.Errorf("%s: %v", name, r.Err())
		}
	}
}
