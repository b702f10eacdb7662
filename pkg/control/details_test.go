package control

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// held is a control that has learnt the records of learnt while it was held.
func held(t *testing.T) (*Rates, *linear.Models) {
	t.Helper()
	s := &stream{records: 400, window: 90, tau: []float64{.0503, .3}, criteria: []fairness.Criterion{"", ""}, measured: true,
		relaxations: []surrogate.Name{surrogate.Approximation1, surrogate.Approximation2}, share: .5, bias: constantly(1.5), missing: never, burst: never, learnable: true}
	r, models := s.rates(t)
	random := rand.New(rand.NewPCG(51, 1))
	r.Hold()
	for i := range s.records {
		learn(models, s.draw(random, i, 3), r.Publish, r.Push, r.Observe)
	}
	return r, models
}

// TestNothingIsChosenWhileAControlIsHeld: between Hold and Choose no comparison gets a model. Choose looks at once, and at margins that are all computed again.
func TestNothingIsChosenWhileAControlIsHeld(t *testing.T) {
	r, models := held(t)
	if len(r.active) != 0 || r.untilChoice != shortestInterval || r.constraints[0].looked != 0 {
		t.Errorf("while it is held: %d have a model, the next choice is in %d records", len(r.active), r.untilChoice)
	}
	before := slices.Clone(r.memory.margins)
	r.Choose()
	if !slices.Equal(r.active, []int{1}) || models.Models() != 2 || r.held || r.constraints[0].looked != 400 || r.constraints[1].looked != 400 || r.untilChoice < shortestInterval {
		t.Errorf("then %v have a model of %d, and the next choice is in %d records", r.active, models.Models(), r.untilChoice)
	}
	for slot, free := range before {
		if r.memory.holders[slot] > 0 && r.memory.at(slot)[0] == free {
			t.Fatalf("the margin in slot %d is that of the model when its record came", slot)
		}
	}
}

// TestAControlWithoutConstraints measures, and chooses nothing: no records are kept but for the comparisons that are measured.
func TestAControlWithoutConstraints(t *testing.T) {
	s := &stream{records: 100, window: 40, measured: true, share: .5, bias: constantly(1), missing: func(i int) bool { return i >= 60 }, burst: never, learnable: true}
	r, models := s.rates(t)
	random := rand.New(rand.NewPCG(52, 1))
	for i := range s.records {
		if learn(models, s.draw(random, i, 1), r.Publish, r.Push, r.Observe); i == 59 && r.memory.used() != r.beside[0][0].len()+r.beside[0][1].len() {
			t.Errorf("%d records are kept, of %d and %d in windows", r.memory.used(), r.beside[0][0].len(), r.beside[0][1].len())
		}
	}
	before := r.memory.used()
	learn(models, s.draw(random, 99, 1), r.Publish, r.Push, r.Observe)
	if r.memory.used() != before || !r.memory.consistent() {
		t.Errorf("a record of an unknown group is kept")
	}
	r.Hold()
	r.Choose()
	if r.held || r.untilChoice != shortestInterval || r.Shift() != 0 || r.Collapse() != fairness.CollapseNotEstimable || r.Constant() {
		t.Errorf("the next choice is in %d records, decisions are %v", r.untilChoice, r.Collapse())
	}
	group, versus, inflation, ok := r.Counts(0)
	if !ok || group.Records != int64(r.beside[0][0].steady) || versus.Records != int64(r.beside[0][1].steady) || !(inflation >= Inflation) {
		t.Errorf("%d and %d records are counted", group.Records, versus.Records)
	}
}

// TestGivenWeightsWaitForRecords: a model that was given counts in full as long as a side has too few records to choose from.
func TestGivenWeightsWaitForRecords(t *testing.T) {
	s := &stream{window: 90, tau: []float64{.0503}, criteria: []fairness.Criterion{""}, relaxations: []surrogate.Name{surrogate.Approximation1}}
	r, _ := s.rates(t)
	r.Give(1000, [][2]float64{{.3, .7}}, []Given{{Comparison: 0, Multiplier: -.5, Rates: [2]float64{.2, .25}}})
	for range r.settings.Minimum {
		record := recordOf([]float64{1, -1}, 1, true)
		record.Sides = []fairness.Side{fairness.Group}
		r.remember(record, []float64{0, 0})
	}
	r.choose()
	if c := &r.constraints[0]; !slices.Equal(r.interpolation, []float64{1}) || c.multiplier != .5 || c.sign != -1 || c.looked != 0 {
		t.Errorf("chosen without a record of the other side: %v, at the multiplier %v", r.interpolation, c.multiplier)
	}
}

// TestLeavingMovesLaterModelsUp: of two comparisons with a model the first one leaves, and the second keeps its weight and its margins.
func TestLeavingMovesLaterModelsUp(t *testing.T) {
	s := &stream{window: 90, tau: []float64{.0503, .0503}, criteria: []fairness.Criterion{"", ""}, relaxations: []surrogate.Name{surrogate.Approximation1, surrogate.Approximation1}}
	r, models := s.rates(t)
	r.enter(0)
	r.enter(1)
	record := recordOf([]float64{1, 2, 3}, 1, true)
	record.Sides = []fairness.Side{fairness.Group, fairness.Versus}
	r.remember(record, []float64{.1, .2, .3})
	r.interpolation = []float64{.25, .75}
	r.constraints[0].pressing = true
	r.leave(0)
	if !slices.Equal(r.active, []int{1}) || !slices.Equal(r.interpolation, []float64{.75}) || models.Models() != 2 || r.memory.models != 2 {
		t.Errorf("%v have a model at %v, %d and %d models", r.active, r.interpolation, models.Models(), r.memory.models)
	}
	if !slices.Equal(r.memory.at(0), []float32{1, 3}) || !slices.Equal(r.memory.gradients, []float32{.1, .3}) || r.constraints[0].model != 0 || r.constraints[0].pressing || r.constraints[1].model != 1 {
		t.Errorf("margins %v and gradients %v are left, of the models %d and %d", r.memory.at(0), r.memory.gradients, r.constraints[0].model, r.constraints[1].model)
	}
}

// TestMeansBeforeTheyAreKnown: a comparison of means with too few records keeps the unconstrained model, and predicts nothing until both sides have come.
func TestMeansBeforeTheyAreKnown(t *testing.T) {
	settings := Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 1000, Minimum: 1001, Forgetting: 20000}
	of := []fairness.Comparison{{Tau: .1, Enforce: true}}
	m := NewMeans(settings, of, fixedSums{[2][2]float64{{2, 1}, {0, 0}}})
	m.interpolation[0] = .5
	if m.choose(); m.interpolation[0] != 0 || m.constraints[0].chosen || m.Shift() != 0 || m.Constant() {
		t.Errorf("with too few records the weight is %v", m.interpolation[0])
	}
	m.settings.Minimum = 1000
	m.constraints[0].shares = shares{.5, .5}
	if m.choose(); !(m.interpolation[0] > 1) || !m.constraints[0].chosen || !m.constraints[0].reachable {
		t.Errorf("with enough of them it is %v", m.interpolation[0])
	}
	if m.interpolation[0] = 1; m.expected(0) != 1 {
		t.Errorf("all of the constrained model has the difference %v", m.expected(0))
	}
	plain := &lists{window: 1000, rows: [][]listed{}, models: 0}
	m = NewMeans(settings, of, plain)
	for _, c := range []struct {
		side fairness.Side
		want bool
	}{{fairness.Group, false}, {fairness.Versus, true}} {
		if _, ok := m.Predicted(0); ok {
			t.Errorf("predicted before a record of %v", c.side)
		}
		m.Push(&Record{Row: &features.Row{}, Relative: 1, Weight: 1, Sides: []fairness.Side{c.side}, Margins: &linear.Margins{Average: []float64{1, 1}, Iterate: []float64{1, 1}}})
		if means, ok := m.Predicted(0); ok != c.want || ok && means != [2]float64{1, 1} {
			t.Errorf("after one of %v: %v, %t", c.side, means, ok)
		}
	}
}

// TestAStateOfMeansHasWhatIsMeasured: rows of comparisons that are measured only are saved, and a state of before they were says that they lack.
func TestAStateOfMeansHasWhatIsMeasured(t *testing.T) {
	made := func(comparisons int) *Means {
		all := []fairness.Comparison{{Tau: .1, Enforce: true}, {Tau: .1}}
		return NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 50, Minimum: 30, Forgetting: 20000}, all[:comparisons], weighing{})
	}
	pushed := func(m *Means, sides ...fairness.Side) {
		row := &features.Row{}
		row.Add(2, 1)
		m.Push(&Record{Row: row, Relative: 1, Weight: 1, Sides: sides, Margins: &linear.Margins{Average: []float64{0, 0}, Iterate: []float64{0, 0}}})
	}
	both, one := made(2), made(1)
	for range 60 {
		pushed(both, fairness.Group, fairness.Group)
		pushed(both, fairness.Group, fairness.Versus)
		pushed(one, fairness.Group)
	}
	for name, of := range map[string]*Means{"": both, "an older one": one} {
		writer := codec.NewWriter(nil)
		of.Fields(writer, 3)
		again := made(2)
		reader := codec.NewReader(writer.Bytes())
		again.Fields(reader, 3)
		if err := reader.End(); err != nil {
			t.Fatal(err)
		}
		if means, ok := again.Predicted(1); ok != (of == both) || ok && math.Abs(means[0]-3)+math.Abs(means[1]-3) > 1e-9 {
			t.Errorf("%s: means %v, %t", name, means, ok)
		}
		if !reflect.DeepEqual(again.constraints, of.constraints) || again.records != of.records || again.untilChoice != of.untilChoice {
			t.Errorf("%s: %+v is read from %+v", name, again.constraints, of.constraints)
		}
		for range 51 { // a window of rows
			pushed(again, fairness.Group, fairness.Group)
			pushed(again, fairness.Group, fairness.Versus)
		}
		if _, ok := again.Predicted(1); !ok {
			t.Errorf("%s: no mean after a window of others", name)
		}
	}
}

// TestEveryNumberOfAStateIsReadAsItWasWritten: each into its own place.
func TestEveryNumberOfAStateIsReadAsItWasWritten(t *testing.T) {
	s, r := learnt(t)
	next := 0.0
	number := func() float64 { next++; return next / 1024 }
	for k := range r.constraints {
		c := &r.constraints[k]
		c.cuts = cuts{{number(), number()}, {number(), number()}, {number(), number()}}
		r.balances[k] = balance{away: [2]float64{number(), number()}, debt: [2]float64{number(), number()}, turn: 7 + k}
		r.tracked[k] = tracked{frequency: [2]float64{number(), number()}, positive: [2]float64{number(), number()}}
		p := &r.pushes[k]
		p.records, p.firmness = number(), firmness{number(), number(), number(), number()}
		for _, values := range [...]*[surrogate.MaxInner]float64{&p.tracked[0], &p.tracked[1], &p.published} {
			for i := range values {
				values[i] = number()
			}
		}
	}
	r.shift, r.constant, r.family = number(), true, family{2, 1}
	again, err := read(t, s, written(r, streamColumns), streamColumns)
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v is read, %+v was written", what, got, want)
		}
	}
	for k := range r.constraints {
		got, want := again.constraints[k], r.constraints[k]
		got.half, got.error, want.half, want.error = 0, 0, 0, 0
		same("a constraint", got, want)
		same("its push", again.pushes[k].tracked, r.pushes[k].tracked)
		same("what is published", again.pushes[k].published, r.pushes[k].published)
		same("its firmness", again.pushes[k].firmness, r.pushes[k].firmness)
		same("records of its push", again.pushes[k].records, r.pushes[k].records)
		for side := range 2 {
			got, want := again.windows[k][side], r.windows[k][side]
			same("a window", []any{got.slots, got.weights, got.next, got.seen, got.steady, got.others}, []any{want.slots, want.weights, want.next, want.seen, want.steady, want.others})
		}
	}
	same("balances", again.balances, r.balances)
	same("tracked decisions", again.tracked, r.tracked)
	same("the rest", []any{again.records, again.untilChoice, again.interval, again.shift, again.constant, again.family, again.active, again.interpolation},
		[]any{r.records, r.untilChoice, r.interval, r.shift, r.constant, r.family, r.active, r.interpolation})
	same("memory", []any{again.memory.margins, again.memory.gradients, again.memory.positive, again.memory.came, again.memory.vacant, again.memory.stale, again.memory.holders},
		[]any{r.memory.margins, r.memory.gradients, r.memory.positive, r.memory.came, r.memory.vacant, r.memory.stale, r.memory.holders})
	r.memory.margins[3] = float32(math.Inf(-1))
	if _, err := read(t, s, written(r, streamColumns), streamColumns); err == nil {
		t.Error("a margin below all numbers is read")
	}
}

// TestTheOrderOfRecordsNeverFalls: a record without a number stands behind those with one.
func TestTheOrderOfRecordsNeverFalls(t *testing.T) {
	m := newMemory()
	m.part()
	for _, number := range []int64{5, 0, 9, 0} {
		record := recordOf([]float64{1}, 1, true)
		record.Brings, record.Number = Itself, number
		m.add(record, []float64{0}, 1)
	}
	if want := []int64{10, 11, 18, 19}; !slices.Equal(m.order, want) {
		t.Errorf("%v, want %v", m.order, want)
	}
}

// TestVacantSlotsAreNotRefreshed: only records that a window holds are counted and computed again.
func TestVacantSlotsAreNotRefreshed(t *testing.T) {
	m := newMemory()
	m.rows, m.holders = make([]features.Packed, 5), []int32{1, 0, 2, 0, 1}
	for _, c := range []struct{ from, count, want int }{{0, 0, 0}, {0, 1, 1}, {0, 2, 3}, {0, 3, 5}, {1, 1, 3}, {3, 1, 5}, {4, 2, 1}, {5, 1, 1}, {3, 3, 3}} {
		if got := m.behind(c.from, c.count); got != c.want {
			t.Errorf("behind %d records from slot %d on is slot %d, want %d", c.count, c.from, got, c.want)
		}
	}
	_, r := learnt(t)
	m = r.memory
	for i := range m.margins {
		m.margins[i] = 99
	}
	l := r.prepare(&r.lanes[0])
	m.refresh(len(m.rows)-3, m.used(), l, r.records)
	for slot, holders := range m.holders {
		if fresh := m.at(slot)[0] != 99; fresh != (holders > 0) {
			t.Fatalf("slot %d, which %d windows hold, is computed again: %t", slot, holders, fresh)
		}
	}
}

// TestOnlyWhatIsNotPressedSharesTheDoubtByItsSlack: a comparison that its model keeps, at an interpolation weight, is not clear by itself, nor is one before a choice.
func TestOnlyWhatIsNotPressedSharesTheDoubtByItsSlack(t *testing.T) {
	for _, c := range []struct {
		model         int
		interpolation float64
		chosen        bool
		want          int // how many slacks count
	}{{0, 0, true, 2}, {1, 0, true, 2}, {1, .5, true, 1}, {1, -.5, true, 1}, {0, 0, false, 1}} {
		r := comparisonsOf(t, 2)
		for k := range r.constraints {
			of := &r.constraints[k]
			of.error, of.tau, of.chosen = 1, 9, true
		}
		r.constraints[0].model, r.constraints[0].chosen = c.model, c.chosen
		if c.model > 0 {
			r.active, r.interpolation = append(r.active, 0), append(r.interpolation, c.interpolation)
		}
		if r.share(); len(r.slacks) != c.want {
			t.Errorf("%+v: %d slacks count", c, len(r.slacks))
		}
	}
}

// TestLengthsThatAreCompared: those below half of a side, and that half, unless it has too few records.
func TestLengthsThatAreCompared(t *testing.T) {
	var c curve
	for half, want := range map[int][]int{0: {}, 255: {}, 256: {256}, 257: {256, 257}, 512: {256, 512}, 4096: {256, 512, 1024, 2048, 4096}, 9000: {256, 512, 1024, 2048, 4096, 9000}} {
		if c.divide(half); !slices.Equal(c.lengths, want) {
			t.Errorf("half a side of %d: %v, want %v", half, c.lengths, want)
		}
	}
}

// TestRecordsOfLongAgo: a margin owes to a record of the first hundredth of the stream what it owes to one at its end; a place that is NaN counts as that end, too.
func TestRecordsOfLongAgo(t *testing.T) {
	_, r := learnt(t)
	l, m := r.prepare(&r.lanes[0]), r.memory
	slot := int(r.windows[0][0].slots[0])
	owed := func(came float64) [2]float64 {
		m.came[slot] = came
		free, constrained := m.learntMarginsOf(slot, l, 10_000)
		return [2]float64{free, constrained}
	}
	first := owed(10_000*earliest + .5)
	for _, came := range []float64{1, 50, 0, -5, math.NaN()} {
		if got := owed(came); got != first {
			t.Errorf("after %v records: %v, want %v", came, got, first)
		}
	}
	if later := owed(5000); later == first || math.IsNaN(later[0]) {
		t.Errorf("in the middle: %v, as among the first", later)
	}
}

// TestWhenAnIdleComparisonIsLookedAt: after an eighth of the records of its windows, or at each choice once more than what it bears was seen.
func TestWhenAnIdleComparisonIsLookedAt(t *testing.T) {
	for _, c := range []struct {
		need  float64
		since float64 // records since the last look, in eighths of the windows
		want  bool
	}{{.9, 0, false}, {.9, .99, false}, {.9, 1, true}, {1.5, 0, true}, {-1.5, 0, true}, {.99, 0, false}} {
		_, r := learnt(t)
		k := 1 - r.active[0]
		of := &r.constraints[k]
		if of.model > 0 || !r.measurable(k) {
			t.Fatal("the other comparison is not idle")
		}
		due := float64(r.windows[k][0].steady+r.windows[k][1].steady) / rereadPerRecord
		of.looked = r.records - c.since*due
		of.difference = 1
		of.difference = c.need / of.need() // in what it bears
		before := of.difference
		if r.review(); (of.looked == r.records) != (c.want || c.since == 0) || (of.difference != before) != c.want {
			t.Errorf("%+v: looked at %v of %v records, a difference of %v", c, of.looked, r.records, of.difference)
		}
	}
}

// TestABiasThatTurns: the sign is followed once the difference of the unconstrained model is beyond chance, and pushing on makes it worse if the difference grows
// towards the constrained model.
func TestABiasThatTurns(t *testing.T) {
	for name, c := range map[string]struct {
		free, ahead float64 // the difference without a model, and a quarter of the way on
		records     float64 // of each side
		sign        float64 // before
		want        float64
		worse       bool
	}{
		"turned, and worse":  {.3, .4, 1000, -1, 1, true},
		"turned, and better": {.3, .2, 1000, -1, 1, false},
		"turned, and alike":  {.3, .3, 1000, -1, 1, false},
		"as before":          {.3, .4, 1000, 1, 1, false},
		"to the other side":  {-.3, -.4, 1000, 1, -1, true},
		"by chance":          {.1, .4, 100, -1, -1, false}, // a standard error of .07
		"hardly by chance":   {.25, .4, 100, -1, 1, true},
	} {
		var v curve
		for i := range v.difference {
			v.difference[i] = 9 * c.free // what is elsewhere does not matter
		}
		v.difference[origin], v.difference[origin+cells/4] = c.free, c.ahead
		total := [2]sums{{weight: c.records, squared: c.records, free: c.records * (.5 + c.free/2)}, {weight: c.records, squared: c.records, free: c.records * (.5 - c.free/2)}}
		k := constraint{tau: .05, sign: c.sign}
		if worse := k.orient(&v, total); worse != c.worse || k.sign != c.want {
			t.Errorf("%s: worse %t, the sign is %v", name, worse, k.sign)
		}
	}
}

// TestACurveCountsWhatTheUnconstrainedModelDecides, weighed and not, beside what is decided at the interpolation weight.
func TestACurveCountsWhatTheUnconstrainedModelDecides(t *testing.T) {
	for _, weight := range []float64{1, 2} {
		m := newMemory()
		m.join()
		sides := [2]*window{newWindow(10, m), newWindow(10, m)}
		for i := range 8 { // of the free model, three of eight are positive; at 1, five are
			margins := []float64{-1, -1}
			if i < 3 {
				margins[0] = 1
			}
			if i < 5 {
				margins[1] = 1
			}
			for _, w := range sides {
				keep(w, recordOf(margins, weight, true), []float64{0, 0})
			}
		}
		var v curve
		for at, want := range map[float64]float64{0: 3, 1: 5} {
			total := v.read(0, []float64{at}, sides)
			for side, s := range total {
				if s.free != 3*weight || s.positive != want*weight || s.weight != 8*weight || s.squared != 8*weight*weight {
					t.Errorf("weights of %v, side %d at %v: %+v", weight, side, at, s)
				}
			}
		}
	}
}
