package release

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// twoStable is a machine whose stable version is 2, and 1 the one before. Both decide alike.
func twoStable(t *testing.T, c Config) (*Machine, *world) {
	t.Helper()
	m, w := withStable(t, c, behaviour{})
	w.by[version(2)] = behaviour{}
	obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
	m.Steps()
	return m, w
}

// both makes the stable version and the one before decide alike, in another way.
func (w *world) both(b behaviour) { w.by[version(1)], w.by[version(2)] = b, b }

// An earlier version has 10,000 records to turn out to be better, and 5,000 of them after the stable one left its limit.
func TestAMarkComesAfterTheWait(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		for name, gentle := range map[string]int{"beyond the limit at once": 0, "long beyond tau, and then beyond the limit": inquiryWait - 1000} {
			m, w := twoStable(t, Config{RunLength: 10_000, AlarmRunLength: 5000, Limit: 0.2, Regression: regression})
			w.both(behaviour{shift: 0.25}) // between tau and the limit
			if gentle == 0 {
				w.both(behaviour{shift: 1.5})
			}
			var begun, crossed int64 // records before
			for len(m.Steps()) == 0 || begun == 0 {
				m.Observe(w.next(m.Wanted()))
				if m.guard.inquiry != nil {
					begun = w.number
				}
				if w.number > 100_000 {
					t.Fatalf("%s: no alarm", name)
				}
			}
			for range gentle {
				m.Observe(w.next(m.Wanted()))
			}
			if m.guard.marked || gentle > 0 && m.guard.crossed > 0 {
				t.Fatalf("%s: marked %v, crossed %d", name, m.guard.marked, m.guard.crossed)
			}
			w.both(behaviour{shift: 1.5})
			m.Steps()
			for !m.guard.marked && w.number < begun+60_000 {
				if m.guard.crossed > 0 {
					crossed = m.guard.crossed
				}
				m.Observe(w.next(m.Wanted()))
			}
			least := max(begun+inquiryWait, crossed+inquiryWait/2)
			if !m.guard.marked || w.number < least || w.number > least+2*look {
				t.Errorf("%s: inquired into since %d, beyond the limit since %d, marked %v at %d", name, begun, crossed, m.guard.marked, w.number)
			}
		}
	})
}

// While a test says again that a marked version is beyond its limit, it is not cleared, whatever all records since the mark say.
func TestAMarkedVersionThatIsBeyondItsLimitAgainIsNotCleared(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		m, w := twoStable(t, Config{RunLength: 1000, AlarmRunLength: 5000, Limit: 0.15, Regression: regression})
		w.both(behaviour{shift: 1.5})
		for !m.guard.marked || m.guard.crossed == 0 {
			m.Observe(w.next(m.Wanted()))
			if w.number > 100_000 {
				t.Fatal("not marked, or not beyond the limit again")
			}
		}
		w.both(behaviour{})
		m.Steps()
		within := 0
		for g := m.guard; m.guard == g; { // until it is marked again
			if m.Observe(w.next(m.Wanted())); m.guard.crossed > 0 && m.guard.insideLimit() {
				within++
			}
			if steps := m.Steps(); len(steps) > 0 {
				t.Fatalf("%+v", steps)
			}
		}
		if within < 1000 || !m.guard.marked {
			t.Errorf("marked %v, and within the limit for %d records", m.guard.marked, within)
		}
		wantKinds(t, run(m, w, 60_000), Cleared)
	})
}

// All comparisons count together: with two, each test of withdrawal needs twice the evidence.
func TestTheRunLengthIsThatOfAllComparisons(t *testing.T) {
	again := fairness.Comparison{Name: "again", Criterion: fairness.DemographicParity, Tau: 0.05, Rest: true, Enforce: true, Group: []fairness.Term{fairness.Is("sex", "f")}}
	var crossed []int64
	var evidence []float64
	for _, g := range []*fairness.Grouper{sex(t), sex(t, again)} {
		m, w := machine(t, Config{RunLength: 1e6}, g), newWorld(7)
		w.by[version(1)] = behaviour{shift: 0.8}
		obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
		for range 100 {
			m.Observe(w.next(m.Wanted()))
		}
		evidence = append(evidence, m.Report().Guard.Evidence)
		for m.guard.crossed == 0 && !m.guard.marked && w.number < 100_000 {
			m.Observe(w.next(m.Wanted()))
		}
		crossed = append(crossed, w.number)
	}
	if evidence[0] != 2*evidence[1] || !(evidence[0] > 0) || crossed[0] >= crossed[1] || crossed[1] == 100_000 {
		t.Errorf("evidence %v, beyond the limit at the records %v", evidence, crossed)
	}
}

// A label counts for the stable version if its record came after that one was stable, and for an inquiry if it came after that began.
func TestALabelAtTheBorder(t *testing.T) {
	errors := fairness.Comparison{Name: "errors", Criterion: fairness.PredictiveEquality, Tau: 0.1, Rest: true, Group: []fairness.Term{fairness.Is("sex", "f")}}
	m, w := machine(t, Config{}, sex(t, errors)), newWorld(1)
	w.by[version(1)], w.by[version(2)] = behaviour{}, behaviour{}
	obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
	next := func() *Record {
		r := w.next(m.Wanted())
		r.Labelled, r.Label = false, false
		return r
	}
	for range 10 {
		m.Observe(next())
	}
	obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
	for range 5 {
		m.Observe(next())
	}
	m.inquire()
	for range 5 {
		m.Observe(next())
	}
	for number := int64(1); number <= 20; number++ {
		r := Record{Number: number, Levels: []fairness.Level{fairness.OtherLevel}, Labelled: true, Decisions: make([]Decision, len(m.Wanted()))}
		for i := range r.Decisions {
			r.Decisions[i].Known = true
		}
		m.Label(&r)
	}
	seen, compared := m.guard.monitor.Seen(1), m.guard.inquiry.earlier[0].by[1].(*rateContrast)
	if n := seen.Group.Records + seen.Versus.Records; n != 10 {
		t.Errorf("%d labels count for a version that saw 10 records", n)
	}
	if n := compared[0].records + compared[1].records; n != 5 {
		t.Errorf("%d labels count for an inquiry of 5 records", n)
	}
}

// An interval meets a limit if all of it does: a ratio by its lower end, a difference by both.
func TestAMeasuredIntervalMeetsItsLimitAsAWhole(t *testing.T) {
	for _, c := range []struct {
		criterion fairness.Criterion
		lo, hi    float64
		want      fairness.Status
	}{
		{fairness.ImpactRatio, 0.5, 0.85, fairness.Inconclusive},
		{fairness.ImpactRatio, 0.82, 0.9, fairness.Met},
		{fairness.ImpactRatio, 0.5, 0.6, fairness.Violated},
		{fairness.DemographicParity, -0.01, 0.9, fairness.Inconclusive},
		{fairness.DemographicParity, -0.9, 0.01, fairness.Inconclusive},
		{fairness.DemographicParity, -0.01, 0.01, fairness.Met},
		{fairness.DemographicParity, 0.85, 0.9, fairness.Violated},
		{fairness.DemographicParity, -0.9, -0.85, fairness.Violated},
	} {
		within := fairness.Comparison{Name: "within regions", Criterion: c.criterion, Tau: 0.8, Rest: true, Enforce: true, Group: []fairness.Term{fairness.Is("sex", "f")}, Strata: "region"}
		m := machine(t, Config{}, sex(t, within))
		about := sound
		about.Measured = []Measured{{Comparison: 1, Value: (c.lo + c.hi) / 2, Lo: c.lo, Hi: c.hi}}
		m.Offer(version(1), about)
		if g := m.Report().Trial.Gates[2]; g.Comparison != "within regions" || g.Verdict != c.want {
			t.Errorf("%s from %v to %v: %+v", c.criterion, c.lo, c.hi, g)
		}
	}
}
