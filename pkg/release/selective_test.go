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
