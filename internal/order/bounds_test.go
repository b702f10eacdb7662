package order

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
)

// TestCountsAreFadedSums: shares, and the number of records they are worth, are those of sums over the whole sequence, each record weighted by how many
// were looked at after it. Every eleventh record is looked at.
func TestCountsAreFadedSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	o := New(2)
	encoder := features.NewLearning(features.Config{Vocabulary: features.VocabularyConfig{Columns: 10, Levels: 1000, Buckets: 16}})
	r := person{}.record()
	r.Features = nil
	var seen [][2]int
	check := func() {
		for at := range 2 {
			for times, span := range []float64{newest, older} {
				var sums [features.Cells]float64
				total, squares, weight := 0.0, 0.0, 1.0
				for i := len(seen) - 1; i >= 0; i-- {
					sums[seen[i][at]] += weight
					total += weight
					squares += weight * weight
					weight *= (span - 1) / span
				}
				for cell, sum := range sums {
					if got := float64(o.fields[at].counts[times][cell] / o.totals[times]); math.Abs(got-sum/total) > 1e-3 {
						t.Fatalf("after %d, field %d, time %d, cell %d: share %v, want %v", len(seen), at, times, cell, got, sum/total)
					}
				}
				if worth, _ := o.Shares(); times == before && math.Abs(worth/(total*total/squares)-1) > 1e-2 {
					t.Fatalf("after %d: worth %v, want %v", len(seen), worth, total*total/squares)
				}
			}
		}
	}
	for i := 1; i <= 3000*every; i++ {
		levels := []fairness.Level{fairness.Level(random.IntN(3 + i/10_000)), fairness.Level(5 + random.IntN(2))}
		o.Observe(r, levels, &encoder.Frozen)
		if i%every == 0 {
			seen = append(seen, [2]int{int(levels[0]), int(levels[1])})
		}
		if i == every || i == 5*every || i == 2700*every || i == 3000*every { // the weight of the newest passes 2^20 about the 2,660th
			check()
		}
	}
	if o.weights[recent] > largestWeight || o.weights[recent] < 1 {
		t.Errorf("the weight of a record is %v", o.weights[recent])
	}
	if worth, columns := New(0).Shares(); worth != 0 || columns != nil {
		t.Error("of no records there are shares")
	}
}

// TestSharesOfColumns: they are those of the columns alone, without the attributes.
func TestSharesOfColumns(t *testing.T) {
	o := New(1)
	o.seen, o.weights, o.totals = 10, [times]float32{1, 1}, [times]float32{8, 10}
	o.fields = make([]field, 3)
	o.fields[0].counts[before][1], o.fields[1].counts[before][2], o.fields[2].counts[before][3] = 10, 4, 5
	_, columns := o.Shares()
	if len(columns) != 2 || math.Abs(columns[0][2]-.4) > 1e-6 || columns[1][3] != .5 || columns[0][1] != 0 {
		t.Errorf("shares %v", columns)
	}
}

// TestRuns: a run is of records without a gap that have one value.
func TestRuns(t *testing.T) {
	o := New(0)
	for _, step := range []struct{ cell, gap, run int }{{0, 1, 1}, {0, 1, 2}, {0, 2, 1}, {0, 1, 2}, {3, 1, 1}, {3, 1, 2}, {0, 1, 1}} {
		o.seen += int64(step.gap)
		o.count(0, step.cell)
		if f := o.fields[0]; f.run != int64(step.run) || f.at != o.seen || f.last != step.cell {
			t.Errorf("%+v: run %d of cell %d, at %d of %d", step, f.run, f.last, f.at, o.seen)
		}
	}
}

// TestTurn: a cell is up above the one bound and down below the other; those that came and went twice are known.
func TestTurn(t *testing.T) {
	var f field
	for i, step := range []struct {
		above, below    bool
		up, once, twice uint64
	}{
		{false, false, 0, 0, 0}, {false, true, 0, 0, 0}, {true, false, 4, 0, 0}, {true, false, 4, 0, 0}, {false, false, 4, 0, 0}, {false, true, 0, 4, 0},
		{false, true, 0, 4, 0}, {true, false, 4, 4, 0}, {false, true, 0, 4, 4},
	} {
		if f.turn(2, step.above, step.below); f.up != step.up || f.once != step.once || f.twice != step.twice {
			t.Errorf("step %d: up %b, once %b, twice %b, want %+v", i, f.up, f.once, f.twice, step)
		}
	}
}

// TestExcess at its bounds.
func TestExcess(t *testing.T) {
	for _, test := range []struct {
		excess
		up, alone bool
	}{
		{excess{.5, .1, .1}, false, false}, {excess{.5, .1001, .1}, true, false},
		{excess{.5, .4, 1}, false, true}, {excess{.5, .3999, 1}, false, false}, // a fifth of the others is left
		{excess{.95, .05, 1}, false, true}, {excess{.9501, .0499, 1}, false, false},
		{excess{0, 1, 1}, false, true},
	} {
		if test.up != test.excess.up() || test.alone != test.excess.alone() {
			t.Errorf("%+v: up %v, alone %v", test.excess, test.excess.up(), test.excess.alone())
		}
	}
}

// TestDistance: d²/(p + q) of each cell, without what chance makes of it, and without cells that came and went twice.
func TestDistance(t *testing.T) {
	const chance = (1/384. + 1/9216.) / 2
	var all [cells]excess
	all[0], all[3] = excess{.75, -.25, 0}, excess{.25, .25, 0}
	want := .0625/1.25 - .25*chance + .0625/.75 - .75*chance
	for twice, want := range map[uint64]float64{0: want, 1: .0625/.75 - .75*chance, 1 << together: want} {
		f := field{twice: twice}
		if got := f.distance(&all); math.Abs(got-want) > 1e-12 {
			t.Errorf("twice %b: %v, want %v", twice, got, want)
		}
	}
}

// TestOnlyOne: twelve others would have come among the records of the run, of which 1,024 count.
func TestOnlyOne(t *testing.T) {
	var all [cells]excess
	for _, test := range []struct {
		before float64
		run    int64
		at     int64
		twice  uint64
		want   bool
	}{
		// Others were the first 4 of 1,000, which halve the records 7 times: 0.005 of them have to be 2.5 records.
		{1 - .0025, 996, 1000, 0, true}, {1 - .0024, 996, 1000, 0, false}, {1 - .0025, 996, 1000, 1 << 5, false}, {1 - .0025, 1000, 1000, 0, false},
		{1 - .003, 989, 1000, 0, true}, {1 - .003, 988, 1000, 0, false}, // 11 or 12 before the run
		{.5, 24, 9, 0, true}, {.5, 23, 9, 0, false}, {.5, 24, 8, 0, false}, {.5, 24, 9, 1 << 5, false}, {.5, 24, 9, 1 << 4, true},
		{1 - 12./1024, 5000, 9, 0, true}, {1 - 11.9/1024, 5000, 9, 0, false},
	} {
		all[5] = excess{before: test.before}
		o := &Order{seen: max(9, test.at)}
		if got := o.onlyOne(&field{run: test.run, at: test.at, twice: test.twice, last: 5}, &all); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// TestMoved is about a field of which a share of the newest records is news.
func TestMoved(t *testing.T) {
	of := func(seen int64, change func(o *Order)) string {
		o := New(1)
		o.seen, o.weights, o.totals = seen, [times]float32{1, 1}, [times]float32{100, 1000}
		o.fields = make([]field, 2)
		for i := range o.fields {
			f := &o.fields[i]
			f.counts[recent][0], f.counts[recent][1] = 50, 50
			f.counts[before][0], f.counts[before][1] = 500, 500
		}
		change(o)
		attributes, columns := o.Moved()
		return fmt.Sprint(attributes, columns)
	}
	spread := func(field int, a, b, news float32) func(o *Order) {
		return func(o *Order) {
			f := &o.fields[field]
			f.counts[recent][0], f.counts[recent][1], f.counts[recent][2] = a, b, news
		}
	}
	twice := func(bits uint64, change func(o *Order)) func(o *Order) {
		return func(o *Order) { change(o); o.fields[1].twice = bits }
	}
	for name, test := range map[string]struct {
		seen   int64
		change func(o *Order)
		want   string
	}{
		"nothing":                      {least, func(*Order) {}, "[] []"},
		"an attribute":                 {least, spread(0, 39, 39, 22), "[0] []"},
		"a column":                     {least, spread(1, 39, 39, 22), "[] [0]"},
		"too early":                    {least - 1, spread(1, 39, 39, 22), "[] []"},
		"a small share":                {least, spread(1, 49, 49, 2), "[] []"},
		"twice before":                 {least, twice(4|1<<together, spread(1, 39, 39, 22)), "[] []"},
		"together twice, this one not": {least, twice(1<<together, spread(1, 39, 39, 22)), "[] [0]"},
		"unlike together":              {least, spread(1, 42, 42, 16), "[] [0]"},
		"unlike together, twice":       {least, twice(1<<together, spread(1, 42, 42, 16)), "[] []"},
		"nearly alone":                 {least, twice(2|1<<together, spread(1, 91, 9, 0)), "[] [0]"},
		"a run":                        {least, func(o *Order) { f := &o.fields[1]; f.run, f.at, f.last = 24, least, 1 }, "[] [0]"},
		"until lately":                 {least, func(o *Order) { o.fields[1].told = least - lately }, "[] [0]"},
		"until long ago":               {least, func(o *Order) { o.fields[1].told = least - lately - 1 }, "[] []"},
		"records without it":           {least, func(o *Order) { o.fields[1].counts[recent] = [features.Cells]float32{} }, "[] [0]"},
	} {
		if got := of(test.seen, test.change); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestOneCellIsNearlyAll of the records, of enough of them.
func TestOneCellIsNearlyAll(t *testing.T) {
	for count, want := range map[float32]string{9999: "[]", 9999.5: "[1]", 10_000: "[1]"} {
		o := New(1)
		o.seen, o.totals[before], o.fields = least, 10_000, make([]field, 3)
		o.fields[0].counts[before][0] = 10_000
		o.fields[2].counts[before][7] = count
		if got := fmt.Sprint(o.OfOneCell()); got != want {
			t.Errorf("%v of 10,000: %s, want %s", count, got, want)
		}
		o.seen--
		if got := o.OfOneCell(); got != nil {
			t.Errorf("of few records: %v", got)
		}
	}
}

// TestStateAtBounds: a state with counts that cannot be is refused.
func TestStateAtBounds(t *testing.T) {
	for name, test := range map[string]struct {
		change  func(o *Order)
		refused bool
	}{
		"as it is":            {func(*Order) {}, false},
		"no weight":           {func(o *Order) { o.weights[recent] = 0 }, true},
		"no weight of before": {func(o *Order) { o.weights[before] = 0 }, true},
		"no total":            {func(o *Order) { o.totals[before] = 0 }, false},
		"a negative count":    {func(o *Order) { o.fields[1].counts[recent][3] = -1 }, true},
		"the largest count":   {func(o *Order) { o.fields[1].counts[recent][3] = largestCount }, false},
		"a larger count":      {func(o *Order) { o.fields[1].counts[recent][3] = largestCount * 1.01 }, true},
		"all bits":            {func(o *Order) { o.fields[1].twice = 1<<(together+1) - 1 }, false},
		"one bit more":        {func(o *Order) { o.fields[1].twice = 1 << (together + 1) }, true},
		"one bit more up":     {func(o *Order) { o.fields[1].up = 1 << (together + 1) }, true},
		"a run of all":        {func(o *Order) { o.fields[1].run, o.fields[1].at = 9, 9 }, false},
		"a run before all":    {func(o *Order) { o.fields[1].run, o.fields[1].at = 9, 8 }, true},
		"a run yet to come":   {func(o *Order) { o.fields[1].run, o.fields[1].at = 9, 10 }, true},
		"the last cell":       {func(o *Order) { o.fields[1].last, o.fields[2].last = features.Cells-1, 3 }, false},
		"no cell":             {func(o *Order) { o.fields[1].last = features.Cells }, true},
		"told of at the last": {func(o *Order) { o.fields[1].told = 9 }, false},
		"news from now on":    {func(o *Order) { o.fields[1].since = 9 }, false},
		"news yet to come":    {func(o *Order) { o.fields[1].since = 10 }, true},
		"told of yet to come": {func(o *Order) { o.fields[1].told = 10 }, true},
		"a column more":       {func(o *Order) { o.fields = append(o.fields, field{}) }, true},
		"no columns":          {func(o *Order) { o.fields = o.fields[:1] }, false},
		"an attribute less":   {func(o *Order) { o.fields = nil }, true},
	} {
		o := New(1)
		o.records, o.seen, o.fields = 99, 9, make([]field, 3)
		test.change(o)
		w := codec.NewWriter(nil)
		o.Fields(w, 2)
		restored := New(1)
		c := codec.NewReader(w.Bytes())
		restored.Fields(c, 2)
		if err := c.End(); (err != nil) != test.refused {
			t.Errorf("%s: %v", name, err)
		} else if got := fmt.Sprint(restored.fields); err == nil && got != fmt.Sprint(o.fields) {
			t.Errorf("%s: read as %s", name, got)
		}
	}
}

// TestNotes are what came and went in a sequence that moves twice: bits, shares and distances after every so many records.
func TestNotes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	all := people(20)[:30_000]
	for i := range all {
		if phase := i / 6000; phase == 1 || phase == 3 {
			all[i].town = 1 + random.IntN(3)
			all[i].sex = fairness.Level(random.IntN(4))
		}
	}
	var text strings.Builder
	var o *Order
	for _, n := range []int{3000, 7039, 7040, 7400, 9000, 15_000, 21_000, 27_000, 30_000} {
		o, _ = watch(all[:n], nil)
		attributes, columns := o.Moved()
		fmt.Fprintf(&text, "%d records: moved %v %v\n", n, attributes, columns)
		for i := range o.fields {
			f := &o.fields[i]
			fmt.Fprintf(&text, "  %d: up %x, once %x, twice %x, distance %.5f, run %d, since %d, told %d\n", i, f.up, f.once, f.twice, f.distance(o.excesses(f)), f.run, f.since, f.told)
		}
	}
	text.WriteString(goldentest.Print("excess of towns", *o.excesses(&o.fields[3])))
	goldentest.Compare(t, "notes.txt", text.String())
}
