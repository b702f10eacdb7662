package release

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// kinds are those of steps.
func kinds(steps []Step) (all []StepKind) {
	for _, s := range steps {
		all = append(all, s.Kind)
	}
	return all
}

func wantKinds(t *testing.T, steps []Step, want ...StepKind) {
	t.Helper()
	if got := kinds(steps); !slices.Equal(got, want) {
		t.Fatalf("steps %v, want %v\n%+v", got, want, steps)
	}
}

// gate is the gate of a name in a list.
func gate(t *testing.T, gates []Gate, name GateName) Gate {
	t.Helper()
	i := slices.IndexFunc(gates, func(g Gate) bool { return g.Name == name })
	if i < 0 {
		t.Fatalf("no gate %s in %+v", name, gates)
	}
	return gates[i]
}

// withStable is a machine with a stable version and a world that knows the versions 1 to 9.
func withStable(t *testing.T, c Config, stable behaviour) (*Machine, *world) {
	t.Helper()
	m, w := machine(t, c, sex(t)), newWorld(7)
	for n := range int64(9) {
		w.by[version(n+1)] = behaviour{noise: 0.1}
	}
	w.by[version(1)] = stable
	obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
	m.Steps()
	return m, w
}

func obey(t *testing.T, m *Machine, c Command) {
	t.Helper()
	c.Actor, c.Reason = "ada", "a test"
	if err := m.Command(c); err != nil {
		t.Fatal(err)
	}
}

func TestAGoodVersionBecomesStable(t *testing.T) {
	m, w := machine(t, Config{}, sex(t)), newWorld(1)
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
	steps = run(m, w, 60_000)
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
	if !strings.Contains(steps[0].Reason, "labels did not come: 0 of") {
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
	if g := gate(t, m.Report().Trial.Gates, GateComparison); g.Verdict != fairness.Inconclusive || !strings.Contains(g.Reason, "most_unknown") {
		t.Errorf("%+v", g)
	}
}

// While the stable version is violated, it is no measure of loss: a fair candidate that loses more is compared with the constant.
func TestAFairVersionReplacesAnUnfairOne(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{shift: 1.5})
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
	if g := gate(t, all[i].Gates, GateLogLoss); !g.Against.IsZero() {
		t.Errorf("%+v", g)
	}
	if !slices.Contains(kinds(all), Alarm) {
		t.Errorf("no alarm: %v", kinds(all))
	}
	if a := m.line.anchor(); a.version != version(2) {
		t.Errorf("the anchor is %v, with the loss of the unfair version", a.version)
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

func TestAStableVersionThatDriftsIsWithdrawn(t *testing.T) {
	m, w := withStable(t, Config{RunLength: 10_000}, behaviour{})
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
	if s.Version != version(2) || s.From != version(2) || s.To != version(1) || !strings.Contains(s.Reason, "sex is outside its limit, and version 1/1 is better") {
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
}

// Without an earlier version, or with one that is no better, the stable version stays and is marked; later it is within the limit again.
func TestAStableVersionWithoutABetterOneIsMarked(t *testing.T) {
	for _, earlier := range []bool{false, true} {
		m, w := withStable(t, Config{RunLength: 10_000}, behaviour{})
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
		wantKinds(t, all, Alarm, Marked)
		if r := m.Report(); !r.Guard.Marked || r.Stable != stable || strings.Contains(all[1].Reason, "there is no earlier version") == earlier {
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
}

// A regression has no monitors: integrity, the learner's own measurement and the squared error decide.
func TestRegression(t *testing.T) {
	g, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.MeanDifference, Tau: 2, Rest: true, Enforce: true,
		Group: []fairness.Term{fairness.Is("sex", "f")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		worse    float64
		measured []Measured
		want     StepKind
	}{
		{"equal", 0, []Measured{{0, 1, 0.5, 1.5}}, Promoted},
		{"worse", 2, []Measured{{0, 1, 0.5, 1.5}}, Rejected},
		{"outside the limit", 0, []Measured{{0, 4, 3, 5}}, Rejected},
		{"not measured", 0, nil, Rejected},
	} {
		m := machine(t, Config{Regression: true, Deadline: 30_000}, g)
		w := newWorld(5)
		about := sound
		about.Measured = c.measured
		obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
		m.Offer(version(2), about)
		m.Steps()
		var steps []Step
		for n := int64(1); n <= 31_000 && steps == nil; n++ {
			x, off := 10*w.random.NormFloat64(), w.random.NormFloat64()
			r := Record{Number: n, Levels: []fairness.Level{fairness.OtherLevel}, Labelled: true, Target: x + 3*w.random.NormFloat64()}
			for _, v := range m.Wanted() {
				d := Decision{Known: true, Score: x + 0.3*off}
				if v == version(2) {
					d.Score += c.worse * w.random.NormFloat64()
				}
				r.Decisions = append(r.Decisions, d)
			}
			m.Observe(&r)
			steps = m.Steps()
		}
		if len(steps) == 0 || steps[0].Kind != c.want {
			t.Errorf("%s: %+v", c.name, steps)
		}
	}
}

func TestADocumentThatIsGone(t *testing.T) {
	m, _ := withStable(t, Config{}, behaviour{})
	obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
	m.Offer(version(3), sound)
	m.Offer(version(4), sound)
	m.Steps()
	m.Gone(version(4))
	wantKinds(t, m.Steps(), Gone)
	m.Gone(version(3))
	wantKinds(t, m.Steps(), Rejected)
	m.Gone(version(1))
	wantKinds(t, m.Steps(), Gone)
	m.Gone(version(2))
	m.Gone(version(2))
	m.Gone(version(9))
	wantKinds(t, m.Steps(), Gone)
	if a := m.Aliases(); a != (Aliases{Stable: version(2)}) || !m.Report().Guard.Gone {
		t.Errorf("%+v", a)
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

func TestAStepAllocatesNothing(t *testing.T) {
	m, w := withStable(t, Config{CoolDown: 1_000_000_000, Deadline: 1_000_000_000}, behaviour{})
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
}

func TestAMachineIsMadeOfValidSettings(t *testing.T) {
	if _, err := New(Config{Limit: 0.03}, sex(t)); err == nil || !strings.Contains(err.Error(), "release.limit: 0.03 is below 0.05, the tau of sex") {
		t.Error(err)
	}
	if problems := (Config{}).Validate(); len(problems) < 8 || problems[0].Path != "release.delta" {
		t.Errorf("%v", problems)
	}
	if problems := Default().Validate(); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	bad := Default()
	bad.Limit, bad.Delta, bad.Confidence, bad.Share, bad.MostUnknown, bad.SmallGroups, bad.Anchors, bad.Patience = -1, math.NaN(), 1, 2, 0, "x", 1, 1
	if problems := bad.Validate(); len(problems) != 8 {
		t.Errorf("%v", problems)
	}
	for _, c := range []struct {
		about fairness.Comparison
		limit float64
		want  float64
	}{
		{fairness.Comparison{Criterion: fairness.DemographicParity, Tau: 0.05}, 0, 0.07},
		{fairness.Comparison{Criterion: fairness.DemographicParity, Tau: 0.05}, 0.09, 0.09},
		{fairness.Comparison{Criterion: fairness.DemographicParity, Tau: 0.99}, 0, 0.995},
		{fairness.Comparison{Criterion: fairness.ImpactRatio, Tau: 0.8}, 0.09, 0.78},
		{fairness.Comparison{Criterion: fairness.ImpactRatio, Tau: 0.01}, 0, 0.005},
		{fairness.Comparison{Criterion: fairness.MeanDifference, Tau: 10}, 0, 14},
	} {
		if got, err := (Config{Limit: c.limit}).bound(c.about); err != nil || math.Abs(got.Tau-c.want) > 1e-12 {
			t.Errorf("%+v: %v, %v", c, got.Tau, err)
		}
	}
}

func TestASampleIsAShareAndGrows(t *testing.T) {
	counts := map[float64]int{}
	for n := range 20_000 {
		place := []byte{byte(n), byte(n >> 8), 7}
		last := false
		for _, share := range []float64{0.01, 0.1, 0.5, 1} {
			in := Sampled(share, place)
			if last && !in {
				t.Fatalf("a larger sample lacks %v", place)
			}
			if last = in; in {
				counts[share]++
			}
		}
	}
	for share, n := range counts {
		if expected := share * 20_000; math.Abs(float64(n)-expected) > 4*math.Sqrt(expected) {
			t.Errorf("share %v: %d records", share, n)
		}
	}
}
