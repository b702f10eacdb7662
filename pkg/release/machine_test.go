package release

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

func TestAGoodVersionBecomesStable(t *testing.T) {
	// The cool-down is longer than the evidence of the second version takes.
	m, w := machine(t, Config{CoolDown: 50_000}, sex(t)), newWorld(1)
	w.by[version(1)], w.by[version(2)] = behaviour{}, behaviour{noise: 0.1}
	m.Offer(version(1), sound)
	first := m.Steps()
	wantKinds(t, first, Frozen)
	if a := m.Aliases(); a.Candidate != version(1) || !a.Stable.IsZero() || !first[0].Moved || first[0].Aliases != a {
		t.Fatalf("aliases %+v, step %+v", a, first[0])
	}
	steps := run(m, w, 60_000)
	wantKinds(t, steps, Promoted)
	if g := gate(t, steps[0].Gates, GateLogLoss); !g.Against.IsZero() || g.Verdict != fairness.Met {
		t.Errorf("the first version is compared with the constant: %+v", g)
	}
	m.Offer(version(2), sound)
	if want := []Version{version(1), version(2)}; !slices.Equal(m.Wanted(), want) {
		t.Fatalf("wanted %v, want %v", m.Wanted(), want)
	}
	m.Steps()
	since := w.number
	steps = run(m, w, 80_000)
	wantKinds(t, steps, Promoted)
	if w.number-since < m.Config().CoolDown {
		t.Errorf("promoted after %d records, within the cool-down", w.number-since)
	}
	for _, g := range steps[0].Gates {
		if g.Verdict != fairness.Met || g.Name != GateIntegrity && !(g.Lo <= g.Value && g.Value <= g.Hi) {
			t.Errorf("%+v", g)
		}
	}
	if g := gate(t, steps[0].Gates, GateError); g.Against != version(1) {
		t.Errorf("%+v", g)
	}
	if a := m.Aliases(); a != (Aliases{Stable: version(2), Previous: version(1)}) {
		t.Errorf("aliases %+v", a)
	}
}

func TestADamagedDocumentIsNoCandidate(t *testing.T) {
	m := machine(t, Config{}, sex(t))
	for _, about := range []Integrity{{Problem: "weight 3 is not finite", GoldenRows: 1, GoldenEqual: 1}, {GoldenRows: 3, GoldenEqual: 2}, {GoldenRows: 1, GoldenEqual: 1, Bytes: 1 << 30}} {
		m.Offer(Version{1, 1, about.Problem + "x"}, about)
		steps := m.Steps()
		if len(steps) != 1 || steps[0].Kind != Rejected || steps[0].Reason == "" || steps[0].Gates[0].Verdict != fairness.Violated {
			t.Errorf("%+v: %+v", about, steps)
		}
		m.tried = nil
	}
	m.Offer(version(1), Integrity{Bytes: 10})
	m.Steps()
	if g := gate(t, m.Report().Trial.Gates, GateIntegrity); g.Verdict != fairness.Inconclusive {
		t.Errorf("without a golden row: %+v", g)
	}
}

func TestNewerVersionsWaitAndTheLatestWins(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	for n := int64(2); n <= 5; n++ {
		m.Offer(version(n), sound)
		m.Offer(version(n), sound) // told twice, for instance after a restart
	}
	m.Offer(version(1), sound)
	steps := m.Steps()
	wantKinds(t, steps, Frozen, Superseded, Superseded)
	if steps[1].Version != version(3) || steps[2].Version != version(4) || m.Report().Waiting != version(5) {
		t.Errorf("%+v", steps)
	}
	if want := []Version{version(1), version(2), version(5)}; !slices.Equal(m.Kept(), want) {
		t.Errorf("kept %v, want %v", m.Kept(), want)
	}
	steps = run(m, w, 60_000)
	wantKinds(t, steps, Promoted, Frozen)
	if r := m.Report().Trial; r.Version != version(5) || r.Observed != 0 || r.Since != w.number {
		t.Errorf("%+v", r)
	}
}

func TestADocumentThatIsGone(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
	m.Offer(version(3), sound)
	m.Offer(version(4), sound)
	m.Steps()
	m.Gone(version(4))
	wantKinds(t, m.Steps(), Gone)
	m.Gone(version(3))
	wantKinds(t, m.Steps(), Gone)
	m.Gone(version(1))
	wantKinds(t, m.Steps(), Gone)
	m.Offer(Version{2, 3, version(3).SHA256}, sound) // the same weights, under the next term
	wantKinds(t, m.Steps(), Frozen)
	m.Gone(version(2))
	m.Gone(version(2))
	m.Gone(version(9))
	wantKinds(t, m.Steps(), Gone, Frozen)
	if a := m.Aliases(); a.Stable != version(2) || !m.Report().Guard.Gone || len(m.Wanted()) != 1 {
		t.Errorf("%+v, wanted %v", a, m.Wanted())
	}
	w.by[Version{2, 3, version(3).SHA256}] = behaviour{}
	delete(w.by, version(2))
	wantKinds(t, run(m, w, 60_000), Promoted)
	if r := m.Report(); r.Guard.Gone || r.Stable.Term != 2 {
		t.Errorf("%+v", r)
	}
}

// Nothing is compared with a stable version whose document is gone. If it had left its limit before, it is marked.
func TestAVersionThatIsGoneIsNotInquiredInto(t *testing.T) {
	for name, c := range map[string]struct {
		shift            float64
		alarms           float64 // the run length
		crossed, inquiry bool    // before it is gone
	}{"an alarm": {0.2, 1000, false, true}, "beyond its limit": {1.5, 1e12, true, false}, "inquired into": {1.5, 1e12, true, true}} {
		m, w := twoStable(t, Config{RunLength: 1000, AlarmRunLength: c.alarms, Limit: 0.3})
		m.Offer(version(3), sound)
		w.both(behaviour{shift: c.shift})
		for m.guard.crossed > 0 != c.crossed || m.guard.inquiry != nil != c.inquiry {
			if m.Observe(w.next(m.Wanted())); w.number > 50_000 {
				t.Fatalf("%s: it does not come to this", name)
			}
		}
		m.Steps()
		m.Gone(version(2))
		m.Steps()
		for range 3 * look {
			m.Observe(w.next(m.Wanted()))
		}
		steps, g := m.Steps(), m.Report().Guard
		if marked := len(steps) == 1 && steps[0].Kind == Marked && strings.Contains(steps[0].Reason, "its weights are no longer on the topic"); marked != c.crossed || g.Marked != c.crossed {
			t.Errorf("%s: %+v, %+v", name, steps, g)
		}
		if g.Inquiry || !slices.Equal(m.Wanted(), []Version{version(3)}) {
			t.Errorf("%s: inquiry %v, wanted %v", name, g.Inquiry, m.Wanted())
		}
	}
}

// A rollback never returns to a version whose document is gone: readers could not follow.
func TestNobodyReturnsToADocumentThatIsGone(t *testing.T) {
	m, _ := withStable(t, Config{}, behaviour{})
	obey(t, m, Command{ID: "2", Action: Promote, Version: version(2)})
	m.Gone(version(2)) // the stable one
	if a := m.Aliases(); a.Stable != version(2) || a.Previous != version(1) {
		t.Fatalf("%+v", a)
	}
	obey(t, m, Command{ID: "3", Action: Promote, Version: version(3)})
	if a := m.Aliases(); a.Previous != version(1) || slices.Contains(m.Kept(), version(2)) {
		t.Errorf("%+v, kept %v", a, m.Kept())
	}
	obey(t, m, Command{ID: "4", Action: Rollback})
	if a := m.Aliases(); a.Stable != version(1) || !a.Previous.IsZero() {
		t.Errorf("%+v", a)
	}
}

// The same weights under another number are not tested again.
func TestTheSameWeightsAreOfferedOnce(t *testing.T) {
	m, _ := withStable(t, Config{}, behaviour{})
	m.Offer(Version{1, 7, version(1).SHA256}, sound)
	m.Offer(version(2), sound)
	m.Offer(Version{1, 8, version(2).SHA256}, sound)
	m.Offer(version(3), sound)
	m.Offer(Version{1, 9, version(3).SHA256}, sound)
	wantKinds(t, m.Steps(), Frozen)
}

func TestAStepAllocatesNothing(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		m, w := withStable(t, Config{CoolDown: 1_000_000_000, Deadline: 1_000_000_000, Regression: regression}, behaviour{})
		m.Offer(version(2), sound)
		m.Steps()
		run(m, w, 3000)
		var records []Record
		for range 3000 {
			r := *w.next(m.Wanted())
			r.Levels, r.Decisions = slices.Clone(r.Levels), slices.Clone(r.Decisions)
			records = append(records, r)
		}
		next := 0
		if n := testing.AllocsPerRun(2000, func() { m.Observe(&records[next]); next++ }); n != 0 {
			t.Errorf("a record allocates %v times", n)
		}
		next = 0
		if n := testing.AllocsPerRun(2000, func() { m.Label(&records[next]); next++ }); n != 0 {
			t.Errorf("a label allocates %v times", n)
		}
	})
}
