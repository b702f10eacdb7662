package fairness

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// event is one record as the counters see it.
type event struct {
	label, decision bool
	loss, weight    float64
	sides           []Side
}

func randomEvents(rng *rand.Rand, n, comparisons int) []event {
	events := make([]event, n)
	for i := range events {
		events[i] = event{
			label: rng.IntN(3) == 0, decision: rng.IntN(2) == 0,
			// Sums of multiples of 1/64 below 2⁴⁰ are exact: Add, Revert and
			// Combine must then agree to the bit.
			loss:   float64(rng.IntN(256)) / 64,
			weight: float64(1 + rng.IntN(8)),
			sides:  make([]Side, comparisons),
		}
		for j := range events[i].sides {
			events[i].sides[j] = Side(rng.IntN(int(Excluded) + 1))
		}
	}
	return events
}

func tallyOf(events []event, comparisons int) *Tally {
	t := NewTally(comparisons)
	for _, e := range events {
		t.Add(e.label, e.decision, e.loss, e.weight, e.sides)
	}
	return t
}

func equalTallies(a, b *Tally) bool {
	if a.Confusion != b.Confusion || a.LossSum != b.LossSum || a.LossSquared != b.LossSquared {
		return false
	}
	for i := range a.Comparisons {
		if !reflect.DeepEqual(a.Comparisons[i], b.Comparisons[i]) {
			return false
		}
	}
	return len(a.Comparisons) == len(b.Comparisons)
}

func TestTallyAddCombineReset(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	for range 200 {
		const comparisons = 3
		events := randomEvents(rng, 1+rng.IntN(60), comparisons)
		cut := rng.IntN(len(events) + 1)
		whole, tail := tallyOf(events, comparisons), tallyOf(events[cut:], comparisons)

		combined := tallyOf(events[:cut], comparisons)
		combined.Combine(tail)
		if !equalTallies(combined, whole) {
			t.Fatalf("two parts combine to %+v, the whole is %+v", combined, whole)
		}
		whole.Reset()
		if !equalTallies(whole, NewTally(comparisons)) {
			t.Fatalf("reset leaves %+v", whole)
		}
	}
}

func TestPairCountsPutEverySideInItsPlace(t *testing.T) {
	var p PairCounts
	for side := Neither; side <= Excluded; side++ {
		p.Add(side, true, 2)
	}
	one := Count{Records: 1, Positives: 1, Weight: 2, WeightSquared: 4, PositiveWeight: 2, PositiveSquared: 4}
	if want := (PairCounts{Group: one, Versus: one, Neither: 1, Unknown: 1, Excluded: 1}); !reflect.DeepEqual(p, want) {
		t.Errorf("counts %+v, want %+v", p, want)
	}
}

func TestEffectiveSize(t *testing.T) {
	fill := func(weights ...float64) (c Count) {
		for _, w := range weights {
			c.Add(false, w)
		}
		return c
	}
	for _, c := range []struct {
		count Count
		want  float64
	}{
		{Count{}, 0},
		{fill(1, 1, 1, 1), 4},
		{fill(0.25, 0.25), 2},
		{fill(1, 3), 1.6}, // 4²/10
		{fill(1, 1, 1, 1, 4), 3.2},
	} {
		if got := c.count.Effective(); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("effective size of %+v is %v, want %v", c.count, got, c.want)
		}
	}
	// Scaling all weights changes nothing.
	if a, b := fill(1, 2, 5).Effective(), fill(0.1, 0.2, 0.5).Effective(); math.Abs(a-b) > 1e-12 {
		t.Errorf("effective sizes %v and %v", a, b)
	}
}

// TestIntervalsKnowWhichDecisionsWeighMore: where negative decisions have the large weights, the rate varies more than Kish's size says. The
// intervals of 2,000 samples contain the true rates as often as their level says; with Kish's size they do not.
func TestIntervalsKnowWhichDecisionsWeighMore(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	const samples, records, share = 2000, 3000, .05
	options, c := Options{Level: .95, MinimumRecords: 1}, Comparison{Name: "c", Group: []Term{Is("a", "1")}, Rest: true, Tau: .05, Criterion: EqualOpportunity}
	covered, kish := 0, 0
	for range samples {
		var counts PairCounts
		for i := range records {
			side, rate := Group, .6
			if i%2 == 0 {
				side, rate = Versus, .5
			}
			switch decision := random.Float64() < rate; {
			case decision:
				counts.Add(side, true, 1)
			case random.Float64() < share:
				counts.Add(side, false, 1/share)
			}
		}
		e := c.Estimate(counts, options)
		covered += bit(e.Lo <= .1 && .1 <= e.Hi)
		lo, hi := Newcombe(e.RateGroup, e.EffectiveGroup, e.RateVersus, e.EffectiveVersus, .95)
		kish += bit(lo <= .1 && .1 <= hi)
		if e.EffectiveGroup != counts.Group.Effective() {
			t.Fatal("the effective size that is published is not Kish's")
		}
	}
	t.Logf("%.3f of the intervals contain the difference, %.3f of those with Kish's size", float64(covered)/samples, float64(kish)/samples)
	if share := float64(covered) / samples; share < .935 || share > .97 {
		t.Errorf("%.3f of the intervals contain the difference", share)
	}
	if share := float64(kish) / samples; share > .93 {
		t.Errorf("%.3f of those with Kish's size do: the test shows nothing", share)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestStandardError(t *testing.T) {
	pair := func(k1, n1, k0, n0 int) (p PairCounts) {
		for i := range n1 {
			p.Add(Group, i < k1, 1)
		}
		for i := range n0 {
			p.Add(Versus, i < k0, 1)
		}
		return p
	}
	for _, c := range []struct {
		counts PairCounts
		want   float64
	}{
		{PairCounts{}, 0.5},                             // 2 · (1/4)/2 = 1/4
		{pair(1, 2, 1, 2), math.Sqrt(0.125)},            // 2 · (1/4)/4
		{pair(0, 8, 0, 8), math.Sqrt(2 * 0.1 * 0.09)},   // p̃ = 1/10, n+2 = 10
		{pair(4, 8, 0, 0), math.Sqrt(0.25/10 + 0.25/2)}, // one side empty
	} {
		if got := c.counts.StandardError(); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("standard error of %+v is %v, want %v", c.counts, got, c.want)
		}
	}
	// It tends to the plain standard error, and falls with the records.
	large := pair(3000, 10_000, 2000, 10_000)
	if got, want := large.StandardError(), math.Sqrt(0.3*0.7/10_000+0.2*0.8/10_000); math.Abs(got/want-1) > 1e-3 {
		t.Errorf("standard error %v, plain %v", got, want)
	}
}

func TestDifferenceOfAnEmptySideIsNaN(t *testing.T) {
	var p PairCounts
	p.Add(Group, true, 1)
	if d := p.Difference(); !math.IsNaN(d) {
		t.Errorf("difference %v, want NaN", d)
	}
	p.Add(Versus, false, 1)
	if d := p.Difference(); d != 1 {
		t.Errorf("difference %v, want 1", d)
	}
}

func TestCountingDoesNotAllocate(t *testing.T) {
	tally, sides := NewTally(3), []Side{Group, Versus, Unknown}
	if n := testing.AllocsPerRun(100, func() {
		tally.Add(true, false, 0.7, 1.5, sides)
		tally.Reset()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	var p PairCounts
	var sum float64
	if n := testing.AllocsPerRun(100, func() {
		p.Add(Group, true, 1)
		p.Add(Versus, false, 1)
		sum += p.Difference() + p.StandardError()
	}); n != 0 {
		t.Errorf("%v allocations for counts", n)
	}
}

func TestTalliesOfOtherComparisonsAreRefused(t *testing.T) {
	for name, call := range map[string]func(){
		"add":       func() { NewTally(1).Add(true, true, 0, 1, nil) },
		"combine":   func() { NewTally(1).Combine(NewTally(2)) },
		"estimates": func() { NewTally(1).Estimates(nil, DefaultOptions()) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
