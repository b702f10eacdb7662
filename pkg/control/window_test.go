package control

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// entry is what a plain list would keep of a record.
type entry struct {
	margins, gradients []float64
	weight             float64
	positive           bool
}

// A window is the newest records of a list.
func TestWindowIsTheNewestRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, models := range []int{1, 2, 4} {
		m := newMemory()
		for range models - 1 {
			m.join()
		}
		w := newWindow(300, m)
		var all []entry
		for i := range 1500 {
			e := entry{weight: []float64{1, .5, 3, 0}[random.IntN(4)], positive: random.IntN(2) == 0}
			var row features.Row
			row.Add(0, 1)
			for k := range models {
				e.margins = append(e.margins, float64(float32(random.NormFloat64())))
				e.gradients = append(e.gradients, float64(float32(random.NormFloat64())))
				row.Add(int32(i%7), float64(k))
			}
			keep(w, &Record{Row: &row, Margins: &linear.Margins{Average: e.margins}, Positive: e.positive, Weight: e.weight}, e.gradients)
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
	for age, e := range newest {
		at, weight := w.slot(age)
		if weight != e.weight || w.memory.positive[at] != e.positive {
			t.Fatalf("the record of age %d is another one", age)
		}
		for k, margin := range e.margins {
			if float64(w.memory.at(at)[k]) != margin {
				t.Fatalf("margin %d of the record of age %d is another one", k, age)
			}
			if float64(w.memory.gradients[at*w.memory.models+k]) != e.gradients[k] {
				t.Fatalf("gradient %d of the record of age %d is another one", k, age)
			}
		}
	}
	if used := w.memory.used(); used != len(newest) {
		t.Fatalf("%d records are kept", used)
	}
}

// A cut keeps the newest records, and gives the slots of the others back. The part that is read then grows again with every record.
func TestWindowGrowsAgainAfterACut(t *testing.T) {
	for _, before := range []int{700, 1000, 3141} { // the ring is not full, full, and somewhere within
		w := newWindow(1000, newMemory())
		for i := range before {
			keep(w, recordOf([]float64{1}, 1+float64(i), true), []float64{0})
		}
		w.drop(256)
		if used := w.memory.used(); w.len() != 256 || w.steady != 256 || used != 256 || !w.memory.consistent() {
			t.Fatalf("%d records, %d steady and %d slots after the cut", w.len(), w.steady, used)
		}
		for i := range 2000 {
			keep(w, recordOf([]float64{1}, 1+float64(before+i), true), []float64{0})
			if want := min(1000, 257+i); w.steady != want || w.len() != want {
				t.Fatalf("%d records after the cut %d of %d are steady, should be %d", i+1, w.steady, w.len(), want)
			}
			for _, age := range []int{0, w.len() / 2, w.len() - 1} {
				if _, weight := w.slot(age); weight != 1+float64(before+i-age) {
					t.Fatalf("the record of age %d is another one", age)
				}
			}
		}
	}
}

// Margins are bounded, so that differences of them are finite.
func TestWindowBoundsMargins(t *testing.T) {
	m := newMemory()
	m.join()
	m.add(recordOf([]float64{1e200, -1e200}, 1, true), []float64{0, 0}, 1)
	if m.margins[0] != largestMargin || m.margins[1] != -largestMargin {
		t.Errorf("margins %v", m.margins)
	}
}

// The slots of a window ascend, except where the ring wraps, so a reader goes through memory in order even where a group is rare. Records of
// no side and those dropped after a change leave slots that other sides take; most slots still ascend then.
func TestSlotsOfAWindowAscend(t *testing.T) {
	const window = 2100
	for _, world := range []struct {
		share, missing float64
		drop           bool
		most           int // slots below the one that came before
	}{{share: .5, most: 1}, {share: .3, most: 1}, {share: .06, most: 1}, {share: .3, missing: .1, most: window / 6}, {share: .3, drop: true, most: window / 6}} {
		random := rand.New(rand.NewPCG(5, 5))
		s := stream{tau: []float64{.05}, criteria: make([]fairness.Criterion, 1), relaxations: []surrogate.Name{surrogate.Approximation1}, window: window}
		r, _ := s.rates(t)
		for i := range 100000 {
			record := recordOf([]float64{1}, 1, true)
			switch {
			case random.Float64() < world.missing:
				record.Sides = []fairness.Side{fairness.Unknown}
			case random.Float64() < world.share:
				record.Sides = []fairness.Side{fairness.Group}
			default:
				record.Sides = []fairness.Side{fairness.Versus}
			}
			r.remember(record, []float64{0})
			if world.drop && i == 40000 {
				r.windows[0][1].drop(500)
			}
		}
		if !r.memory.consistent() {
			t.Fatal("slots are lost")
		}
		for i, w := range r.windows[0] {
			below := 0
			for age := range w.len() - 1 {
				newer, _ := w.slot(age)
				if older, _ := w.slot(age + 1); newer < older {
					below++
				}
			}
			if w.len() != window || below > world.most {
				t.Errorf("%+v, side %d: %d of %d slots are below the one that came before", world, i, below, w.len())
			}
		}
	}
}

// TestUnsteadyOfTwoChanges: two changes in the same direction make a stream unsteady for 40,000 records after the older one. A single change does
// not, nor one that is taken back, unless both are beyond doubt; three do, whatever their directions.
func TestUnsteadyOfTwoChanges(t *testing.T) {
	for name, test := range map[string]struct {
		changes []change
		until   float64 // when it stops to be unsteady, 0 if it never is
	}{
		"one":                     {[]change{{1000, 9}}, 0},
		"two, up":                 {[]change{{1000, 3.1}, {3000, 3.2}}, 41_000},
		"two, down":               {[]change{{1000, -3.1}, {3000, -3.2}}, 41_000},
		"up, and back":            {[]change{{1000, 4.4}, {3000, -9}}, 0},
		"down, and back":          {[]change{{1000, -9}, {3000, 4.4}}, 0},
		"surely up, and back":     {[]change{{1000, 4.6}, {3000, -4.6}}, 41_000},
		"two, direction unknown":  {[]change{{1000, 0}, {3000, -3.1}}, 41_000},
		"three, up":               {[]change{{1000, 3.1}, {3000, 3.1}, {9000, 3.1}}, 43_000},
		"three, to and fro":       {[]change{{1000, 3.1}, {3000, -3.1}, {9000, 3.1}}, 41_000},
		"two of long ago, and up": {[]change{{1000, 3.1}, {3000, 3.1}, {50_000, 3.1}}, 0},
	} {
		var c cuts
		for _, change := range test.changes {
			c.add(change.records, change.by)
		}
		last := test.changes[len(test.changes)-1].records
		if got := c.unsteady(last, 1); got != (test.until > 0) {
			t.Errorf("%s: unsteady %t at once", name, got)
		}
		if test.until > 0 && (!c.unsteady(test.until-1, 1) || c.unsteady(test.until, 1)) {
			t.Errorf("%s: unsteady %t and %t around %v", name, c.unsteady(test.until-1, 1), c.unsteady(test.until, 1), test.until)
		}
		if test.until == 0 && c.unsteady(last, 16) || len(test.changes) == 2 && math.Abs(test.changes[0].by) == 4.6 && c.unsteady(last, 16) {
			t.Errorf("%s: unsteady as one of 16 comparisons", name)
		}
	}
}

// TestAChangeThatGoesOnIsSaidSooner: for 40,000 records after a change, fewer standard errors pass for a difference that moves on the same way.
func TestAChangeThatGoesOnIsSaidSooner(t *testing.T) {
	var c cuts
	if c.moving(10, .1) != movingSigma {
		t.Error("without a change")
	}
	for _, by := range []float64{.1, -.1} {
		if c.add(1000, by); c.moving(1000, by) != movingAgain || c.moving(40_999, by) != movingAgain || c.moving(41_000, by) != movingSigma {
			t.Errorf("after a change by %v", by)
		}
		if c.moving(1000, -by) != movingSigma {
			t.Errorf("back after a change by %v", by)
		}
	}
}

// TestApartAtItsBounds: a side is apart once half of the other's steady records have come since, and chance does not explain it.
func TestApartAtItsBounds(t *testing.T) {
	made := func(first, second []float64) [2]*window {
		m := newMemory()
		sides := [2]*window{newWindow(10, m), newWindow(10, m)}
		for i, came := range [2][]float64{first, second} {
			for _, at := range came {
				slot := m.add(recordOf([]float64{0}, 1, true), []float64{0}, at)
				sides[i].push(slot, 1)
			}
		}
		return sides
	}
	others := []float64{96, 97, 98, 99, 100}
	for _, test := range []struct {
		first, second []float64
		share         float64
		want          [2]float64
	}{
		{[]float64{20}, others, longAbsence / 80, [2]float64{80, 0}}, {[]float64{20}, others, longAbsence / 81., [2]float64{}},
		{[]float64{97}, others, 1000, [2]float64{3, 0}}, {[]float64{98}, others, 1000, [2]float64{}}, // the one in the middle came then
		{nil, others, 1000, [2]float64{}}, {[]float64{20}, nil, 1000, [2]float64{}},
	} {
		if got := apart(made(test.first, test.second), shares{test.share, 0}, 100); got != test.want {
			t.Errorf("%v and %v, share %v: away %v, want %v", test.first, test.second, test.share, got, test.want)
		}
	}
}
