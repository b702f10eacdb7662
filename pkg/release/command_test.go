package release

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	m.Offer(version(2), sound)
	m.Steps()
	for i, c := range []struct {
		action  Action
		version Version
		problem string // what the error contains; empty without
		want    []StepKind
		stable  int64
	}{
		{Rollback, Version{}, "no earlier version", nil, 1},
		{Promote, version(1), "stable already", nil, 1},
		{Resume, Version{}, "not paused", nil, 1},
		{Unpin, Version{}, "no version is pinned", nil, 1},
		{Promote, Version{Term: 1, Version: 5}, "no hash", nil, 1},
		{Pause, Version{}, "", []StepKind{Paused}, 1},
		{Pause, Version{}, "paused already", nil, 1},
		{Promote, Version{}, "", []StepKind{Promoted}, 2},
		{Promote, Version{}, "no candidate", nil, 2},
		{Resume, Version{}, "", []StepKind{Resumed}, 2},
		{Pin, version(3), "", []StepKind{Pinned}, 3},
		{Pin, Version{}, "pinned already", nil, 3},
		{Unpin, Version{}, "", []StepKind{Unpinned}, 3},
		{Rollback, version(3), "stable already", nil, 3},
		{Rollback, Version{}, "", []StepKind{RolledBack}, 2},
		{Promote, version(3), "was withdrawn", nil, 2},
		{Rollback, version(3), "was withdrawn", nil, 2},
		{Pin, version(3), "was withdrawn", nil, 2},
		{Rollback, version(1), "", []StepKind{RolledBack}, 1},
		{"jump", Version{}, "is no action", nil, 1},
	} {
		err := m.Command(Command{ID: fmt.Sprint(i), Action: c.action, Version: c.version, Actor: "ada", Reason: "because"})
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Fatalf("%d %s: %v, not %q", i, c.action, err, c.problem)
		}
		steps := m.Steps()
		if got := kinds(steps); !slices.Equal(got, c.want) || m.Aliases().Stable != version(c.stable) {
			t.Fatalf("%d %s: %v, stable %v", i, c.action, got, m.Aliases().Stable)
		}
		for _, s := range steps {
			if s.Actor != "ada" || s.Command != fmt.Sprint(i) || s.Reason != "because" {
				t.Errorf("%+v", s)
			}
		}
	}
	if m.Report().Guard.Version != version(1) || len(m.Wanted()) != 1 {
		t.Errorf("%+v", m.Wanted())
	}
	run(m, w, 100)
}

// A command is carried out once, also by a machine that was restored in between.
func TestACommandIsCarriedOutOnce(t *testing.T) {
	m, _ := withStable(t, Config{}, behaviour{})
	good, bad := Command{ID: "1", Action: Pause, Actor: "a", Reason: "b"}, Command{ID: "2", Action: Unpin, Actor: "a", Reason: "b"}
	if m.Command(good) != nil || m.Command(bad) == nil {
		t.Fatal("the first time")
	}
	wantKinds(t, m.Steps(), Paused)
	m, err := Restore(Config{}, sex(t), m.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Command(good); err != nil || m.HasSteps() {
		t.Errorf("again: %v", err)
	}
	if err := m.Command(bad); err == nil || !strings.Contains(err.Error(), "no version is pinned") {
		t.Errorf("again: %v", err)
	}
	if handled, problem := m.Handled("2"); !handled || problem == nil {
		t.Error("the answer is forgotten")
	}
	if handled, _ := m.Handled("3"); handled {
		t.Error("it never came")
	}
}

func TestCommandsAreBounded(t *testing.T) {
	m := machine(t, Config{}, nil)
	for _, c := range []Command{
		{ID: "", Action: Pause, Actor: "a", Reason: "b"},
		{ID: strings.Repeat("x", 201), Action: Pause, Actor: "a", Reason: "b"},
		{ID: "1", Action: Pause, Reason: "b"},
		{ID: "1", Action: Pause, Actor: "a"},
		{ID: "1", Action: Pause, Actor: "a", Reason: strings.Repeat("x", 2001)},
		{ID: "1", Action: Promote, Actor: "a", Reason: "b", Version: Version{1, 1, strings.Repeat("x", 129)}},
	} {
		if m.Command(c) == nil || m.HasSteps() || len(m.answers) > 0 {
			t.Errorf("%+v", c)
		}
	}
	for i := range 2 * mostAnswers {
		_ = m.Command(Command{ID: fmt.Sprint(i), Action: Resume, Actor: "a", Reason: "b"})
	}
	if len(m.answers) != mostAnswers {
		t.Errorf("%d answers", len(m.answers))
	}
}

// A paused machine promotes nothing, and still withdraws; a pinned one does neither.
func TestPausedAndPinned(t *testing.T) {
	for _, action := range []Action{Pause, Pin} {
		m, w := withStable(t, Config{RunLength: 10_000}, behaviour{})
		obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
		obey(t, m, Command{ID: "third", Action: action})
		m.Offer(version(3), sound)
		m.Steps()
		if steps := run(m, w, 30_000); steps != nil {
			t.Fatalf("%s: %v", action, kinds(steps))
		}
		if all := verdict(m.Report().Trial.Gates); all != "met" {
			t.Errorf("%s: the gates are %s", action, all)
		}
		w.by[version(2)] = behaviour{shift: 1.2}
		var all []Step
		for range 20_000 {
			m.Observe(w.next(m.Wanted()))
			all = append(all, m.Steps()...)
		}
		withdrawn, marked := slices.Contains(kinds(all), Withdrawn), slices.Contains(kinds(all), Marked)
		if withdrawn != (action == Pause) || marked != (action == Pin) {
			t.Errorf("%s: %v", action, kinds(all))
		}
	}
}

// After a pause, all gates must still be met.
func TestAResumedMachinePromotesOnEvidence(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	obey(t, m, Command{ID: "1", Action: Pause})
	m.Offer(version(2), sound)
	m.Steps()
	run(m, w, 30_000)
	obey(t, m, Command{ID: "2", Action: Resume})
	wantKinds(t, m.Steps(), Resumed)
	steps := run(m, w, 2*look)
	wantKinds(t, steps, Promoted)
	if steps[0].Actor != "" || steps[0].Command != "" {
		t.Errorf("%+v", steps[0])
	}
}

// A version that a person returns to is not tested against itself, be it the candidate or the one that waits.
func TestWhatAPersonReturnsToIsTestedNoMore(t *testing.T) {
	for _, to := range []int64{2, 3} {
		m, w := withStable(t, Config{}, behaviour{})
		m.Offer(version(2), sound)
		m.Offer(version(3), sound)
		obey(t, m, Command{ID: "back", Action: Rollback, Version: version(to)})
		if a := m.Aliases(); a.Stable != version(to) || a.Candidate != version(5-to) {
			t.Fatalf("back to %d: %+v", to, a)
		}
		if r := m.Report(); !r.Waiting.IsZero() || len(r.Barred) != 1 {
			t.Errorf("back to %d: waiting %v, barred %q", to, r.Waiting, r.Barred)
		}
		m.Steps()
		for _, s := range run(m, w, 40_000) {
			if s.From == s.To && s.Kind == Promoted {
				t.Errorf("back to %d: %+v", to, s)
			}
		}
	}
}

// The same weights may stand under two numbers. Barred weights never become stable again, under neither.
func TestBarredWeightsUnderAnotherNumber(t *testing.T) {
	again := Version{Term: 2, Version: 2, SHA256: version(2).SHA256}
	m, _ := withStable(t, Config{}, behaviour{})
	obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
	for _, action := range []Action{Promote, Rollback, Pin} {
		err := m.Command(Command{ID: "again " + string(action), Action: action, Version: again, Actor: "ada", Reason: "a test"})
		if err == nil || !strings.Contains(err.Error(), "has the weights of the stable version") || m.Aliases().Stable != version(2) {
			t.Errorf("%s: %v", action, err)
		}
	}
	obey(t, m, Command{ID: "third", Action: Promote, Version: version(3)})
	obey(t, m, Command{ID: "again", Action: Promote, Version: again})
	obey(t, m, Command{ID: "back", Action: Rollback})
	if a := m.Aliases(); a.Stable != version(3) || a.Previous != version(1) {
		t.Errorf("%+v", a) // version 2 has the barred weights
	}
}
