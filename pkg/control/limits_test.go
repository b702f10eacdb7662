package control

import (
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestWiden: each record's first value is repeated behind its last, and dropping one gives back what was, whichever it is.
func TestWiden(t *testing.T) {
	for models := 1; models <= 4; models++ {
		for records := range 4 {
			var values, want []float32
			for i := range records * models {
				values = append(values, float32(10+i))
				if want = append(want, float32(10+i)); i%models == models-1 {
					want = append(want, float32(10+i-models+1))
				}
			}
			wide := widen(slices.Clone(values), models)
			if !slices.Equal(wide, want) {
				t.Errorf("%v of %d models become %v, want %v", values, models, wide, want)
			}
			for model := range models + 1 {
				want := slices.Clone(wide)
				for i := records - 1; i >= 0; i-- {
					want = slices.Delete(want, i*(models+1)+model, i*(models+1)+model+1)
				}
				if got := narrow(slices.Clone(wide), models+1, model); !slices.Equal(got, want) {
					t.Errorf("without model %d, %v become %v, want %v", model, wide, got, want)
				}
			}
		}
	}
}

// TestAComparisonLeavesAfter8192Records that it needed no model for, and no earlier.
func TestAComparisonLeavesAfter8192Records(t *testing.T) {
	for records, want := range map[float64]int{1: 2, 1000 + leaveAfter: 2, 1001 + leaveAfter: 1, 2000 + leaveAfter: 1, 2001 + leaveAfter: 0} {
		r := comparisonsOf(t, 2)
		for k := range r.constraints {
			r.windows[k][0].steady, r.windows[k][1].steady = 0, 0 // there is nothing to rehearse
			r.enter(k)
			r.constraints[k].needed = float64(1000 * (2 - k))
		}
		r.records = records
		if r.retire(); len(r.active) != want {
			t.Errorf("after %v records %d comparisons have a model, want %d", records, len(r.active), want)
		}
	}
}

// TestMultipliersFollowTheNeed: beyond an interpolation weight of 1, or out of reach, they grow by a tenth, up to 1.5; below a quarter
// they fall by a tenth, down to .3.
func TestMultipliersFollowTheNeed(t *testing.T) {
	for _, test := range []struct {
		interpolation, from float64
		reachable           bool
		want                float64
	}{
		{1, 1, true, 1}, {1.01, 1, true, 1.1}, {1.01, 1.45, true, 1.5}, {.25, 1, true, 1}, {.24, 1, true, .9}, {.24, .31, true, .3},
		{.5, 1, false, 1.1}, {.1, 1, false, 1.1}, {-1, 1, true, .9},
	} {
		c := constraint{multiplier: test.from, reachable: test.reachable}
		if c.adjust(test.interpolation); c.multiplier != test.want {
			t.Errorf("%+v: the multiplier is %v", test, c.multiplier)
		}
	}
}

// TestHowManyRecordsAreRefreshed before a choice: at least 2 for each record learnt and constrained model, up to 16 while there are
// few, a quarter of that without a constrained model, and one at least.
func TestHowManyRecordsAreRefreshed(t *testing.T) {
	for _, test := range []struct {
		models, used int
		interval     int64
		want         int
	}{
		{2, 100, 64, 16 * 64}, {2, 4096, 64, 16 * 64}, {2, 8192, 64, 8 * 64}, {2, 100_000, 2048, 2 * 2048}, {1, 100_000, 2048, 2048 / 2},
		{4, 100_000, 10, 60}, {3, 16_384, 10, 40}, {1, 0, 64, 4 * 64}, {1, 1 << 17, 1, 1}, {2, 0, 0, 1},
	} {
		m := &memory{models: test.models}
		m.rows = slices.Grow(m.rows, test.used+3)[:test.used+3]
		m.vacant = make([]int32, 3)
		if got := m.refreshShare(test.interval); got != test.want {
			t.Errorf("%+v: %d records", test, got)
		}
	}
}

// TestHowManyRecordsAreBetweenChoices: an eighth of those that are remembered, from 64 to 2,048; where labels are missing only so many as bring
// as many labels, but at least a 32nd of those that are remembered.
func TestHowManyRecordsAreBetweenChoices(t *testing.T) {
	for _, test := range []struct {
		remembered int
		proportion float64
		want       int64
	}{
		{0, 1, 64}, {512, 1, 64}, {1000, 1, 125}, {100_000, 1, 2048}, {20_000, .5, 1024}, {20_000, .1, 625}, {1000, .6, 75}, {1000, .1, 64},
		{100_000, 1e-6, 3125},
	} {
		if got := interval(test.remembered, test.proportion); got != test.want {
			t.Errorf("%+v: %d records", test, got)
		}
	}
}

// TestMeasured: all of a side's first 256 records, then the newest three quarters, as far as the window holds them.
func TestMeasured(t *testing.T) {
	for _, test := range [][3]int{{0, 1000, 0}, {255, 1000, 255}, {256, 1000, 256}, {300, 1000, 256}, {341, 1000, 256}, {342, 1000, 256}, {343, 1000, 257}, {1000, 1000, 750},
		{1334, 1000, 1000}, {1333, 1000, 999}, {5000, 1000, 1000}, {300, 100, 100}} {
		if got := Measured(test[0], test[1]); got != test[2] {
			t.Errorf("%d of %d records are measured in a window of %d, want %d", got, test[0], test[1], test[2])
		}
	}
}

// TestTheCollapseIsOfTheShiftedDecisions: records of margins from −2 to 2 are all decided negatively behind a shift of −3.
func TestTheCollapseIsOfTheShiftedDecisions(t *testing.T) {
	r := comparisonsOf(t, 1)
	for i := range 1000 {
		margin := float64(i%5 - 2)
		keep(r.everyone, recordOf([]float64{margin}, 1, margin > 0), []float64{0})
	}
	before := r.Collapse()
	if r.shift = -3; r.Collapse() == before {
		t.Errorf("the state is %v with and without a shift", before)
	}
}

// TestAnUnknownRelaxationIsRefused.
func TestAnUnknownRelaxationIsRefused(t *testing.T) {
	settings := Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 100, Minimum: 30, Forgetting: 1000}
	models := linear.New(linear.Settings{Most: 1, Step: 1, Forgetting: 1000}, linear.NewLogistic())
	if _, err := NewRates(settings, []fairness.Comparison{{Tau: .1, Enforce: true}}, []surrogate.Name{"linear"}, models); err == nil {
		t.Error("a relaxation that does not exist is taken")
	}
}

// TestAMarginOfZeroIsNegative: in the error rates of the free and of the published model.
func TestAMarginOfZeroIsNegative(t *testing.T) {
	m := newMemory()
	m.join()
	w := newWindow(10, m)
	for range 3 {
		keep(w, recordOf([]float64{0, 1}, 1, false), []float64{0, 0})
	}
	keep(w, recordOf([]float64{1, -1}, 1, true), []float64{0, 0})
	if free, published, constant := errorRates(w, []float64{0}); free != 0 || published != 0 || constant != .25 {
		t.Errorf("the error rates are %v, %v and %v", free, published, constant)
	}
	if free, published, _ := errorRates(w, []float64{.5}); free != 0 || published != 1 {
		t.Errorf("half of the way, the error rates are %v and %v", free, published)
	}
}

// TestMeansNeedTheMinimum of effective records on both sides, and no more.
func TestMeansNeedTheMinimum(t *testing.T) {
	for minimum, want := range map[int]bool{999: true, 1000: true, 1001: false} {
		m := NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 1000, Minimum: minimum, Forgetting: 20000},
			[]fairness.Comparison{{Tau: .1, Enforce: true}}, fixedSums{[2][2]float64{{2, 1}, {0, 0}}})
		m.constraints[0].shares = shares{.5, .5}
		if m.choose(); m.constraints[0].chosen != want || (m.interpolation[0] != 0) != want {
			t.Errorf("of 1,000 records, %d are needed: chosen %t", minimum, m.constraints[0].chosen)
		}
	}
}

// TestLabelsAreMissing: of a twentieth of the records or more, and only of a criterion that needs them.
func TestLabelsAreMissing(t *testing.T) {
	for _, test := range []struct {
		labelled        bool
		missed, records float64
		want            bool
	}{{true, 0, 0, false}, {true, 0, 100, false}, {true, 4, 100, false}, {true, 5, 100, true}, {true, 100, 100, true}, {false, 50, 100, false}, {true, 1, 10_000, false}} {
		c := constraint{labelled: test.labelled, missed: test.missed}
		if c.thin(test.records); c.sparse != test.want {
			t.Errorf("%+v: %v", test, c.sparse)
		}
	}
}
