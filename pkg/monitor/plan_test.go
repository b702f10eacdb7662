package monitor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestAlarmAfter: what the report says of a change before it happens is within a quarter of the median delay that follows, in the
// direction that takes longer.
func TestAlarmAfter(t *testing.T) {
	if testing.Short() {
		t.Skip("many streams are left out with -short")
	}
	const before, streams, difference = 10_000, 101, 0.15
	comparison := fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05,
		Group: []fairness.Term{fairness.Is("sex", "f")}, Versus: []fairness.Term{fairness.Is("sex", "m")}}
	for _, c := range []struct{ base, share float64 }{{0.3, 0.3}, {0.3, 0.1}, {0.1, 0.5}} {
		var longest, said float64
		for _, signed := range []float64{difference, -difference} {
			var delays []float64
			for stream := range streams {
				m := made(t, Config{Grouper: grouper(t, comparison)})
				random := rand.New(rand.NewPCG(uint64(stream), 8))
				levels, rates := []fairness.Level{0}, [2]float64{c.base, c.base}
				next := func() { // one record in five is of neither side
					side := 1
					if random.Float64() < c.share {
						side = 0
					}
					if levels[0] = fairness.Level(2 + side); random.Float64() < 0.2 { // the comparison's values are 2 and 3
						levels[0] = fairness.OtherLevel
					}
					m.Observe(&Decision{Levels: levels, Positive: random.Float64() < rates[side]})
				}
				for range before {
					next()
				}
				r := m.Report()
				said += r.AlarmAfter(&r.Comparisons[0], difference) / (2 * streams)
				rates[1] = max(c.base-signed*c.share, 0)
				rates[0] = rates[1] + signed
				delay := 0.0
				for ; !m.Alarmed(0) && delay < 1e6; delay++ {
					next()
				}
				delays = append(delays, delay)
			}
			slices.Sort(delays)
			longest = max(longest, delays[streams/2])
		}
		if !(math.Abs(math.Log(said/longest)) < math.Log(1.25)) {
			t.Errorf("%+v: %.0f records are said, the median is %.0f", c, said, longest)
		}
	}
}

// TestAlarmAfterIsNotKnown where no alarm would follow, or the rates are not known.
func TestAlarmAfterIsNotKnown(t *testing.T) {
	m := made(t, Config{Grouper: grouper(t, group("sex", "f", fairness.DemographicParity, 0.05), group("sex", "f", fairness.ImpactRatio, 0.8))})
	report := func(i int, difference float64) float64 {
		r := m.Report()
		return r.AlarmAfter(&r.Comparisons[i], difference)
	}
	if after := report(0, 0.1); !math.IsNaN(after) {
		t.Errorf("%v without a record", after)
	}
	w := newWorld(1)
	for range 5000 {
		d := w.next(0.02, 0.02) // a rate that cannot fall by as much
		d.Levels = d.Levels[:1]
		m.Observe(&d)
	}
	if after := report(0, 0.1); !(after > 100 && after < 1e5) {
		t.Errorf("%v records", after)
	}
	for _, difference := range []float64{0.05, 1} {
		if after := report(0, difference); !math.IsNaN(after) {
			t.Errorf("%v records for a difference of %v", after, difference)
		}
	}
	if after := report(1, 0.1); !math.IsNaN(after) {
		t.Errorf("%v records for a ratio", after)
	}
}

// BenchmarkAlarmAfter is what a page costs for each comparison.
func BenchmarkAlarmAfter(b *testing.B) {
	m := made(b, Config{Grouper: grouper(b, group("sex", "f", fairness.DemographicParity, 0.05))})
	w := newWorld(1)
	for range 5000 {
		d := w.next(0.3, 0.3)
		d.Levels = d.Levels[:1]
		m.Observe(&d)
	}
	r := m.Report()
	for b.Loop() {
		r.AlarmAfter(&r.Comparisons[0], 0.1)
	}
}
