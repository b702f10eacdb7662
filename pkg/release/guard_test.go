package release

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// While the stable version is violated, it is no measure of loss: a fair candidate that loses more is compared with the constant.
func TestAFairVersionReplacesAnUnfairOne(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		m, w := withStable(t, Config{Regression: regression}, behaviour{shift: 1.5})
		w.by[version(2)] = behaviour{noise: 0.7}
		m.Offer(version(2), sound)
		m.Steps()
		var all []Step
		for n := 0; n < 40_000 && m.Aliases().Stable != version(2); n++ {
			m.Observe(w.next(m.Wanted()))
			all = append(all, m.Steps()...)
		}
		i := slices.IndexFunc(all, func(s Step) bool { return s.Kind == Promoted })
		if i < 0 {
			t.Fatalf("%v", kinds(all))
		}
		loss := GateLogLoss
		if regression {
			loss = GateSquaredError
		}
		if g := gate(t, all[i].Gates, loss); !g.Against.IsZero() {
			t.Errorf("%+v", g)
		}
		if !slices.Contains(kinds(all), Alarm) {
			t.Errorf("no alarm: %v", kinds(all))
		}
		if a := m.line.anchor(); a.version != version(2) {
			t.Errorf("the anchor is %v, with the loss of the unfair version", a.version)
		}
	})
}

func TestAStableVersionThatDriftsIsWithdrawn(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		m, w := withStable(t, Config{RunLength: 10_000, AlarmRunLength: 5000, Regression: regression}, behaviour{})
		w.by[version(2)] = behaviour{}
		obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
		m.Offer(version(3), sound)
		m.Steps()
		for range 3000 {
			m.Observe(w.next(m.Wanted()))
		}
		if m.HasSteps() {
			t.Fatalf("%+v", m.Steps())
		}
		w.by[version(2)] = behaviour{shift: 1.2}
		var all []Step
		for n := 0; n < 20_000 && m.Aliases().Stable == version(2); n++ {
			m.Observe(w.next(m.Wanted()))
			all = append(all, m.Steps()...)
		}
		wantKinds(t, all, Alarm, Withdrawn, Frozen)
		s := all[1]
		if s.Version != version(2) || s.From != version(2) || s.To != version(1) || !strings.Contains(s.Reason, "sex is beyond its tolerance, and version 1/1 is better") {
			t.Errorf("%+v", s)
		}
		if a := m.Aliases(); a != (Aliases{Stable: version(1), Candidate: version(3)}) {
			t.Errorf("aliases %+v", a)
		}
		m.Offer(version(2), sound)
		if steps := m.Steps(); len(steps) != 1 || !strings.Contains(steps[0].Reason, "withdrawn") {
			t.Errorf("%+v", steps)
		}
		if err := m.Command(Command{ID: "x", Action: Promote, Version: version(2), Actor: "a", Reason: "b"}); err == nil || m.Report().Barred[0] != version(2).SHA256 {
			t.Errorf("a withdrawn hash was promoted: %v", err)
		}
	})
}

// Without an earlier version, or with one that is no better, the stable version stays and is marked; later it is within the limit again.
func TestAStableVersionWithoutABetterOneIsMarked(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		for _, earlier := range []bool{false, true} {
			m, w := withStable(t, Config{RunLength: 10_000, AlarmRunLength: 5000, Regression: regression}, behaviour{})
			stable := version(1)
			if earlier {
				w.by[version(2)] = behaviour{}
				stable = version(2)
				obey(t, m, Command{ID: "second", Action: Promote, Version: stable})
				m.Steps()
			}
			w.by[version(1)], w.by[stable] = behaviour{shift: 1.2}, behaviour{shift: 1.2}
			var all []Step
			for range 20_000 {
				m.Observe(w.next(m.Wanted()))
				all = append(all, m.Steps()...)
			}
			all = unjudged(all)
			wantKinds(t, all, Alarm, Marked)
			if r := m.Report(); !r.Guard.Marked || r.Guard.Outside != "sex" || r.Stable != stable || strings.Contains(all[1].Reason, "there is no earlier version") == earlier {
				t.Errorf("%+v, %s", r.Guard, all[1].Reason)
			}
			w.by[version(1)], w.by[stable] = behaviour{}, behaviour{}
			all = nil
			for range 60_000 {
				m.Observe(w.next(m.Wanted()))
				all = append(all, m.Steps()...)
			}
			if !slices.Contains(kinds(all), Cleared) {
				t.Errorf("earlier %v: %v, %+v", earlier, kinds(all), m.Report().Guard)
			}
		}
	})
}

// What a marked version is compared with changes without a step: at the first inquiry, at its end and at the next one. A caller that looks at WantedChanges
// follows.
func TestAMarkedVersionIsInquiredIntoAgain(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		m, w := withStable(t, Config{RunLength: 10_000, AlarmRunLength: 5000, Regression: regression}, behaviour{})
		obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
		m.Steps()
		w.by[version(1)], w.by[version(2)] = behaviour{shift: 1.2}, behaviour{shift: 1.2}
		var k known
		holds(t, m, &k)
		for range 60_000 {
			m.Observe(w.next(k.list))
			holds(t, m, &k)
		}
		wantKinds(t, unjudged(m.Steps()), Alarm, Marked)
		if k.silent < 4 {
			t.Errorf("%d changes without a step", k.silent)
		}
	})
}

// A verdict beyond the limit is a step, once when it comes and once when it goes, with its groups and its interval. Verdicts within the limit and those
// that are not known yet are none.
func TestAVerdictBeyondItsBoundIsAStep(t *testing.T) {
	m, w := withStable(t, Config{Limit: 0.9}, behaviour{}) // so that nothing is withdrawn or marked
	verdicts := func(records int) (all []Step) {
		for range records {
			m.Observe(w.next(m.Wanted()))
			all = append(all, m.Steps()...)
		}
		return slices.DeleteFunc(all, func(s Step) bool { return s.Kind != Violated && s.Kind != ViolatedEnded })
	}
	wantKinds(t, verdicts(5000))
	w.by[version(1)] = behaviour{shift: 1.2}
	all := verdicts(10_000)
	wantKinds(t, all, Violated)
	if s := all[0]; s.Version != version(1) || s.From != s.To || s.Moved || len(s.Gates) != 1 || s.Gates[0].Bound >= s.Gates[0].Limit ||
		!regexp.MustCompile(`^sex, between [\w ]+ and [\w ]+; the difference is from [+−]0\.\d{3,6} to [+−]0\.\d{3,6}$`).MatchString(s.Reason) ||
		strings.Contains(s.Reason, "0.050 ") { // an end that is told as the bound itself
		t.Errorf("%+v", s)
	}
	w.by[version(1)] = behaviour{}
	wantKinds(t, verdicts(60_000), ViolatedEnded)
}

// An alarm about means ends when the recent records are within tau again, and not before.
func TestAnAlarmAboutMeansEnds(t *testing.T) {
	m, w := withStable(t, Config{Regression: true, AlarmRunLength: 5000}, behaviour{shift: 0.25}) // between tau and the limit
	wantKinds(t, run(m, w, 100_000), Alarm)
	if r := m.Report(); !r.Guard.Alarm || !r.Guard.Inquiry {
		t.Errorf("%+v", r.Guard)
	}
	if steps := run(m, w, 12_000); len(steps) > 0 {
		t.Errorf("%+v", steps)
	}
	w.by[version(1)] = behaviour{}
	wantKinds(t, run(m, w, 25_000), AlarmEnded)
	if m.Report().Guard.Alarm {
		t.Error("the alarm is still raised")
	}
}
