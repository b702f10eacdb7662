package release

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

func TestABadVersionIsRejectedByItsGate(t *testing.T) {
	for name, bad := range map[GateName]behaviour{GateComparison: {shift: 1}, GateLogLoss: {noise: 2}, GateError: {base: 1.5}} {
		m, w := withStable(t, Config{}, behaviour{})
		w.by[version(2)] = bad
		m.Offer(version(2), sound)
		m.Steps()
		steps := run(m, w, 60_000)
		wantKinds(t, steps, Rejected)
		if g := gate(t, steps[0].Gates, name); g.Verdict != fairness.Violated {
			t.Errorf("%s: %+v", name, steps[0].Gates)
		}
		m.Offer(version(2), sound)
		if again := m.Steps(); len(again) != 1 || again[0].Kind != Rejected || !strings.Contains(again[0].Reason, "rejected before") {
			t.Errorf("%s: its hash may be tried again: %+v", name, again)
		}
	}
}

// Without a label losses are inconclusive, and with the deadline in labels the candidate waits; it is never promoted, and rejected in the end.
func TestNoLabelIsNoPass(t *testing.T) {
	m, w := withStable(t, Config{Deadline: 2000, Patience: 30_000}, behaviour{})
	m.Offer(version(2), sound)
	m.Steps()
	for range 29_900 {
		r := w.next(m.Wanted())
		r.Labelled = false
		m.Observe(r)
	}
	if m.HasSteps() {
		t.Fatalf("%+v", m.Steps())
	}
	r := m.Report().Trial
	if parity, loss := gate(t, r.Gates, GateComparison), gate(t, r.Gates, GateLogLoss); parity.Verdict != fairness.Met || loss.Verdict != fairness.Inconclusive ||
		loss.Reason != "no label has come" || r.Labelled != 0 || r.Observed != 29_900 {
		t.Errorf("%+v", r)
	}
	for range 200 {
		r := w.next(m.Wanted())
		r.Labelled = false
		m.Observe(r)
	}
	steps := m.Steps()
	wantKinds(t, steps, Rejected)
	if !strings.Contains(steps[0].Reason, "too few labels came: 0 of") {
		t.Error(steps[0].Reason)
	}
}

// Labels of records from before the freeze are no evidence.
func TestLateLabelsCountForVersionsFrozenBefore(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	var late []Record
	for n := range 2000 {
		if n == 1000 {
			m.Offer(version(2), sound)
			m.Steps()
		}
		r := w.next(m.Wanted())
		r.Labelled = false
		m.Observe(r)
		late = append(late, Record{Number: r.Number, Levels: slices.Clone(r.Levels), Labelled: true, Label: r.Label})
	}
	for _, r := range late {
		r.Decisions = []Decision{{Known: true, Score: 0.2}, {Known: true, Score: 0.2}}
		m.Label(&r)
	}
	if r := m.Report().Trial; r.Observed != 1000 || r.Labelled != 1000 {
		t.Errorf("%+v", r)
	}
}

func TestTheDeadlineRejects(t *testing.T) {
	m, w := withStable(t, Config{Deadline: 3000, Limit: 0.0501}, behaviour{})
	w.by[version(2)] = behaviour{shift: 0.25}
	m.Offer(version(2), sound)
	m.Offer(version(3), sound)
	m.Steps()
	steps := run(m, w, 60_000)
	wantKinds(t, steps, Rejected, Frozen)
	if !strings.Contains(steps[0].Reason, "deadline") || w.number > 3100 {
		t.Errorf("after %d records: %s", w.number, steps[0].Reason)
	}
}

// A side that is too small is named; it blocks until the deadline if the comparison is enforced, unless small groups are waived, and the
// learner's own measurement does not contradict.
func TestASideThatIsTooSmall(t *testing.T) {
	for _, c := range []struct {
		name     string
		config   Config
		measured []Measured
		enforce  bool
		want     StepKind
	}{
		{name: "enforced", enforce: true, want: Rejected},
		{name: "only measured", want: Promoted},
		{name: "only measured, but to decide", config: Config{Measured: true}, want: Rejected},
		{name: "waived", config: Config{SmallGroups: Waive}, enforce: true, want: Promoted},
		{name: "waived, but measured outside", config: Config{SmallGroups: Waive}, enforce: true, measured: []Measured{{1, 0.3, 0.2, 0.4}}, want: Rejected},
	} {
		c.config.Deadline = 20_000
		rare := fairness.Comparison{Name: "rare", Criterion: fairness.DemographicParity, Tau: 0.05, Rest: true, Enforce: c.enforce,
			Group: []fairness.Term{fairness.Is("village", "x")}}
		m, w := machine(t, c.config, sex(t, rare)), newWorld(3)
		w.by[version(1)] = behaviour{}
		about := sound
		about.Measured = c.measured
		m.Offer(version(1), about)
		m.Steps()
		var steps []Step
		for n := 0; n < 25_000 && steps == nil; n++ {
			r := w.next(m.Wanted())
			r.Levels = append(r.Levels, fairness.OtherLevel)
			if n%1000 == 0 {
				r.Levels[1]++
			}
			m.Observe(r)
			steps = m.Steps()
		}
		if len(steps) == 0 || steps[0].Kind != c.want {
			t.Errorf("%s: %+v", c.name, steps)
			continue
		}
		if g := steps[0].Gates[2]; g.Verdict != fairness.NotEstimable || !strings.HasPrefix(g.Reason, "x has ") || g.Decides != (c.want == Rejected) {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
}

// A rare value that a comparison of each value found blocks no release.
func TestARareValueOfEach(t *testing.T) {
	g := sex(t, fairness.Comparison{Name: "village", Criterion: fairness.DemographicParity, Tau: 0.05, Rest: true, Each: true, Enforce: true,
		Group: []fairness.Term{{Attribute: "village"}}})
	m, w := machine(t, Config{}, g), newWorld(3)
	w.by[version(1)] = behaviour{}
	m.Offer(version(1), sound)
	m.Steps()
	var steps []Step
	for n := 0; n < 60_000 && steps == nil; n++ {
		r := w.next(m.Wanted())
		value := []string{"a", "b"}[n%2]
		if n%5000 == 0 {
			value = "misspelt"
		}
		r.Levels = append(r.Levels, g.Level(1, []byte(value)))
		m.Observe(r)
		steps = m.Steps()
	}
	wantKinds(t, steps, Promoted)
	decided, waived := 0, 0
	for _, gate := range steps[0].Gates {
		switch {
		case gate.Comparison == "village" && gate.Decides:
			decided++
		case gate.Comparison == "village" && strings.HasPrefix(gate.Reason, "misspelt has "):
			waived++
		}
	}
	if decided != 2 || waived != 1 {
		t.Errorf("%+v", steps[0].Gates)
	}
}

func TestTooManyUnknown(t *testing.T) {
	m, w := withStable(t, Config{MostUnknown: 0.2}, behaviour{})
	m.Offer(version(2), sound)
	m.Steps()
	for n := range 20_000 {
		r := w.next(m.Wanted())
		if n%4 == 0 {
			r.Levels[0] = fairness.MissingLevel
		}
		m.Observe(r)
	}
	if m.HasSteps() {
		t.Fatalf("%+v", m.Steps())
	}
	if g := gate(t, m.Report().Trial.Gates, GateComparison); g.Verdict != fairness.Inconclusive || !strings.Contains(g.Reason, "lack the attribute") {
		t.Errorf("%+v", g)
	}
}

// Ten versions that each lose a little against the one before them do not add up: the best of them stays the measure.
func TestSmallLossesDoNotAddUp(t *testing.T) {
	m, w := withStable(t, Config{Anchors: 10, CoolDown: 1}, behaviour{})
	promoted := 0
	for n := int64(2); n <= 9; n++ {
		w.by[version(n)] = behaviour{noise: 0.15 * float64(n-1)}
		m.Offer(version(n), sound)
		m.Steps()
		for range 60_000 {
			m.Observe(w.next(m.Wanted()))
			if steps := m.Steps(); len(steps) > 0 {
				if steps[0].Kind == Promoted {
					promoted++
				}
				break
			}
		}
	}
	if loss := m.line[len(m.line)-1].loss; promoted == 0 || promoted > 5 || loss > 0.006 {
		t.Errorf("%d of 8 promoted, each a little worse; the loss is %v in the end", promoted, loss)
	}
}

// Of a regression, integrity, mean differences and the squared error decide.
func TestRegression(t *testing.T) {
	g, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.MeanDifference, Tau: 2, Rest: true, Enforce: true,
		Group: []fairness.Term{fairness.Is("sex", "f")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name              string
		worse, difference float64
		share             float64
		want              StepKind
		gate              GateName // that is not met
	}{
		{"equal", 0, 1, 0.3, Promoted, ""},
		{"worse", 2, 1, 0.3, Rejected, GateSquaredError},
		{"outside the limit", 0, -4, 0.3, Rejected, GateComparison},
		{"near the limit", 0, 2.8, 0.3, Rejected, GateComparison},
		{"no group", 0, 0, 0, Rejected, GateComparison},
		{"one mean is not a number", math.NaN(), 0, 0.3, Rejected, GateComparison},
	} {
		m := machine(t, Config{Regression: true, Deadline: 30_000}, g)
		w := newWorld(5)
		obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
		m.Offer(version(2), sound)
		m.Steps()
		var steps []Step
		for n := int64(1); n <= 31_000 && steps == nil; n++ {
			x, off, in := 10*w.random.NormFloat64(), w.random.NormFloat64(), 0.0
			r := Record{Number: n, Levels: []fairness.Level{fairness.OtherLevel}, Labelled: true, Target: x + 3*w.random.NormFloat64()}
			if w.random.Float64() < c.share {
				r.Levels[0], in = fairness.OtherLevel+1, c.difference
				r.Target += in
			}
			for _, v := range m.Wanted() {
				d := Decision{Known: true, Score: x + 0.3*off}
				if v == version(2) {
					d.Score += in + c.worse*w.random.NormFloat64()
				}
				r.Decisions = append(r.Decisions, d)
			}
			m.Observe(&r)
			if n == 20_000 {
				if again, err := Restore(m.Config(), g, m.AppendState(nil)); err != nil {
					t.Fatal(err)
				} else if !m.HasSteps() {
					m = again
				}
			}
			steps = m.Steps()
		}
		if len(steps) == 0 || steps[0].Kind != c.want {
			t.Errorf("%s: %+v", c.name, steps)
			continue
		}
		if c.gate != "" && gate(t, steps[0].Gates, c.gate).Verdict == fairness.Met {
			t.Errorf("%s: %+v", c.name, steps[0].Gates)
		}
	}
}

// What a candidate could not decide is no evidence.
func TestUndecidedRecordsAreNoEvidence(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	delete(w.by, version(2))
	m.Offer(version(2), sound)
	m.Steps()
	run(m, w, 5000)
	if r := m.Report().Trial; r.Undecided != 5000 || r.Labelled != 0 || gate(t, r.Gates, GateComparison).Verdict != fairness.NotEstimable {
		t.Errorf("%+v", r)
	}
}

// The records that a report says are needed are about those that it takes.
func TestNeededIsAboutWhatItTakes(t *testing.T) {
	m, w := withStable(t, Config{CoolDown: 1}, behaviour{})
	w.by[version(2)] = behaviour{shift: 0.15, noise: 0.1}
	m.Offer(version(2), sound)
	m.Steps()
	for range 5000 {
		m.Observe(w.next(m.Wanted()))
	}
	needed := m.Report().Trial.Needed
	for _, g := range m.Report().Trial.Gates {
		if g.Verdict == fairness.Inconclusive && !(g.Needed > 0) {
			t.Errorf("%+v", g)
		}
	}
	took := float64(0)
	for ; took < 100_000 && !m.HasSteps(); took++ {
		m.Observe(w.next(m.Wanted()))
	}
	if !(needed > took/4 && needed < 4*took) {
		t.Errorf("it said %v, and took %v", needed, took)
	}
}

// The reason of a rejection names the gates, so that a list of steps explains itself.
func TestARejectionNamesItsGates(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	w.by[version(2)] = behaviour{shift: -3}
	m.Offer(version(2), sound)
	m.Steps()
	steps := run(m, w, 40_000)
	if len(steps) == 0 || steps[0].Kind != Rejected || steps[0].Reason != "it failed a test: the error of the scores (log loss) compared with version 1/1" {
		t.Errorf("%+v", steps)
	}
	gates := []Gate{{Name: GateIntegrity, Decides: true, Verdict: fairness.Met}, {Name: GateComparison, Comparison: "age", Decides: true, Verdict: fairness.NotEstimable},
		{Name: GateComparison, Comparison: "age", Decides: true, Verdict: fairness.Inconclusive}, {Name: GateComparison, Comparison: "town", Verdict: fairness.Violated},
		{Name: GateLogLoss, Decides: true, Verdict: fairness.Violated, Against: version(1)}, {Name: GateError, Decides: true, Verdict: fairness.Inconclusive}}
	if got, want := open(gates, ""), "age, the error of the scores (log loss) compared with version 1/1, the share of wrong decisions compared with the same decision for everyone"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range 7 {
		gates = append(gates, Gate{Name: GateComparison, Comparison: string(rune('a' + i)), Decides: true, Verdict: fairness.Violated})
	}
	if got, want := open(gates, fairness.Violated), "the error of the scores (log loss) compared with version 1/1, a, b, c, d, and 3 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A version that a person chose without evidence is a measure of losses, until its difference is known to be beyond the limit.
func TestAChosenVersionIsAnAnchor(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	m.Offer(version(2), sound)
	for range 200 {
		m.Observe(w.next(m.Wanted()))
	}
	if against := gate(t, m.Report().Trial.Gates, GateLogLoss).Against; against != version(1) {
		t.Errorf("compared with %v", against)
	}
}

// TestTheDeadlineIsReached: a candidate is rejected at the first look at which as many records have a label as the deadline says, or as many came as the patience, which
// need no label. A machine looks at every 64th record.
func TestTheDeadlineIsReached(t *testing.T) {
	for _, labelled := range []bool{true, false} {
		for extra := range look + 1 {
			limit := int64(1000 + extra)
			c := Config{Deadline: limit, Limit: .0501, MinimumLabels: 1000}
			if !labelled {
				c.Deadline, c.Patience = 1000, 100_000+int64(extra)
				limit = c.Patience
				if extra%16 > 0 {
					continue
				}
			}
			m, w := withStable(t, c, behaviour{})
			if labelled {
				w.by[version(2)] = behaviour{shift: .25}
			}
			m.Offer(version(2), sound)
			m.Steps()
			var steps []Step
			for range limit + look {
				r := w.next(m.Wanted())
				r.Labelled = labelled
				if m.Observe(r); m.HasSteps() {
					steps = m.Steps()
					break
				}
			}
			wantKinds(t, steps, Rejected)
			if want := (limit + look - 1) / look * look; w.number != want {
				t.Errorf("a limit of %d: rejected after %d records, want %d: %s", limit, w.number, want, steps[0].Reason)
			}
		}
	}
}
