package release

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// selective are records of two kinds, of which labels are known of nine tenths and of one tenth. The candidate errs less than the stable version on
// the first kind, and more on the second and on all.
func selective(random *rand.Rand, number int64, wanted []Version, weighed bool) *Record {
	const often, seldom = .9, .1
	first, label := random.IntN(2) == 0, random.IntN(2) == 0
	r := &Record{Number: number, Levels: []fairness.Level{fairness.OtherLevel + fairness.Level(random.IntN(2))}}
	known := seldom
	if first {
		known = often
	}
	if r.Labelled = random.Float64() < known; r.Labelled {
		r.Label = label
	}
	if weighed {
		r.Weight = (often + seldom) / 2 / known
	}
	for _, v := range wanted {
		wrong := map[bool]float64{true: .2, false: .05}[first]
		if v == version(2) {
			wrong = map[bool]float64{true: .1, false: .3}[first]
		}
		positive := label != (random.Float64() < wrong)
		r.Decisions = append(r.Decisions, Decision{Known: true, Positive: positive, Score: map[bool]float64{true: .8, false: .2}[positive]})
	}
	return r
}

func judge(t *testing.T, weighed bool) []Step {
	t.Helper()
	m := machine(t, Config{}, nil)
	if err := m.Command(Command{ID: "1", Action: Promote, Version: version(1), Actor: "a", Reason: "r"}); err != nil {
		t.Fatal(err)
	}
	m.Offer(version(2), sound)
	m.Steps()
	random := rand.New(rand.NewPCG(5, 5))
	for number := range int64(15_000) {
		m.Observe(selective(random, number+1, m.Wanted(), weighed))
	}
	return m.Steps()
}

// TestLabelledRecordsStandForAll: a version that is worse on all records, and better on those that have a label, is rejected, and stable if
// nobody says what these stand for.
func TestLabelledRecordsStandForAll(t *testing.T) {
	wantKinds(t, judge(t, true), Rejected)
	wantKinds(t, judge(t, false), Promoted)
}

// TestSelectiveLabelsDecideNoComparison that needs labels, neither before the state is saved nor after.
func TestSelectiveLabelsDecideNoComparison(t *testing.T) {
	of := func(criterion fairness.Criterion) fairness.Comparison {
		return fairness.Comparison{Name: string(criterion), Criterion: criterion, Tau: .2, Enforce: true, Group: []fairness.Term{fairness.Is("a", "x")}, Rest: true}
	}
	for _, weighed := range []bool{true, false} {
		g, err := fairness.NewGrouper([]fairness.Comparison{of(fairness.DemographicParity), of(fairness.EqualOpportunity)})
		if err != nil {
			t.Fatal(err)
		}
		m := machine(t, Config{MinimumLabels: 50_000, Deadline: 100_000}, g)
		m.Offer(version(2), sound)
		random := rand.New(rand.NewPCG(5, 5))
		for number := range int64(6_000) {
			m.Observe(selective(random, number+1, m.Wanted(), weighed))
		}
		again, err := Restore(Config{MinimumLabels: 50_000, Deadline: 100_000}, g, m.AppendState(nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Machine{m, again} {
			gates := m.Report().Trial.Gates
			parity, opportunity := gates[1], gates[2]
			if parity.Verdict != fairness.Met || (opportunity.Verdict == fairness.Met) == weighed || (opportunity.Reason != "") != weighed {
				t.Errorf("labels are weighed: %v: %+v", weighed, gates)
			}
		}
	}
}

// TestSelectiveLabelsWithdrawNoVersion: labelled records show a difference that all records do not have, which withdraws a version only if nobody says what
// they stand for. What they said before that was known is taken back.
func TestSelectiveLabelsWithdrawNoVersion(t *testing.T) {
	g, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.EqualOpportunity, Tau: .05, Rest: true, Enforce: true,
		Group: []fairness.Term{fairness.Is("sex", "f")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, weighed := range []bool{true, false} {
		m, random := machine(t, Config{RunLength: 5000, AlarmRunLength: 5000}, g), rand.New(rand.NewPCG(5, 6))
		for n := range int64(2) {
			obey(t, m, Command{ID: string(rune('1' + n)), Action: Promote, Version: version(n + 1)})
		}
		m.Steps()
		var steps []Step
		for number := range int64(30_000) {
			woman, rich := random.IntN(2), random.IntN(2) == 0
			known := .4
			if woman == 1 {
				known = map[bool]float64{true: .1, false: .9}[rich]
			}
			r := &Record{Number: number + 1, Levels: []fairness.Level{fairness.OtherLevel + fairness.Level(woman)}, Label: true}
			if r.Labelled = random.Float64() < known; !r.Labelled {
				r.Label = false
			}
			if weighed && number > 2000 {
				r.Weight = .4 / known
			}
			for range m.Wanted() {
				positive := random.Float64() < map[bool]float64{true: .9, false: .5}[rich]
				r.Decisions = append(r.Decisions, Decision{Known: true, Positive: positive, Score: .6})
			}
			m.Observe(r)
			for _, s := range m.Steps() {
				found := s.Kind == Alarm || s.Kind == Violated
				if !found && s.Kind != AlarmEnded && s.Kind != ViolatedEnded || found && number > 3000 {
					steps = append(steps, s)
				}
			}
		}
		report := m.Report()
		if weighed && (len(steps) > 0 || report.Guard.Gates[0].Verdict != fairness.NotEstimable || report.Guard.Gates[0].Reason != selectiveReason || report.Guard.Evidence != 0) {
			t.Errorf("weighed: %+v, %+v", steps, report.Guard)
		}
		if !weighed && len(steps) == 0 {
			t.Error("without weights no step is taken")
		}
	}
}

// TestLabelsOfUnknownWeightDoNotCount once labels stand for different numbers of records.
func TestLabelsOfUnknownWeightDoNotCount(t *testing.T) {
	m := machine(t, Config{}, nil)
	m.Offer(version(2), sound)
	random := rand.New(rand.NewPCG(5, 5))
	for number := range int64(300) {
		r := selective(random, number+1, m.Wanted(), false)
		r.Labelled = true
		switch {
		case number >= 200:
			r.Weight = 0
		case number >= 100:
			r.Weight = .5
		}
		m.Observe(r)
	}
	if n := m.Report().Trial.Labelled; n != 200 {
		t.Errorf("%d labels count", n)
	}
}
