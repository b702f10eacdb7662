package fairness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSelectionTellsDependenceFromChance: labels that depend on nothing are called selective in less than 1 of 200 looks, and those that
// depend on one thing are found by it.
func TestSelectionTellsDependenceFromChance(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	draw := func(known func(decided bool, group bool) float64) Dependence {
		parts := []*Selection{NewSelection(2), NewSelection(2)}
		for i := range 8000 {
			decided, group := random.IntN(4) == 0, random.IntN(3) == 0
			sides := []Side{Versus, Neither}
			if group {
				sides[0] = Group
			}
			value := 0.0
			if decided {
				value = 1
			}
			parts[i%2].Add(random.Float64() < known(decided, group), value, .2*value+random.Float64()/2, 1+random.Float64(), sides)
		}
		whole := NewSelection(2)
		whole.Combine(parts[0])
		whole.Combine(parts[1])
		if got := whole.Known.Decided.Records + whole.Never.Decided.Records; got != 8000 {
			t.Fatalf("%d records", got)
		}
		return whole.Dependence()
	}
	found := 0
	for range 200 {
		if d := draw(func(bool, bool) float64 { return .3 }); d.Selective() {
			found++
		}
	}
	if found > 1 {
		t.Errorf("chance is called selective in %d of 200 looks", found)
	}
	d := draw(func(decided, _ bool) float64 {
		if decided {
			return .6
		}
		return .4
	})
	if !(d.Decided > .1) || d.Predicted <= 0 || d.Group != 0 {
		t.Errorf("labels by decision: %+v", d)
	}
	d = draw(func(_, group bool) float64 {
		if group {
			return .3
		}
		return .5
	})
	if !(d.Group < -.1) || d.Comparison != 0 || d.Decided != 0 {
		t.Errorf("labels by group: %+v", d)
	}
	var none Selection
	if !math.IsNaN(none.Share()) || none.Dependence() != (Dependence{}) {
		t.Error("no records say something")
	}
}

// TestMembersAreWhateverTheLabel: sides without their condition, and those of both kinds of records that come apart make those of whole ones.
func TestMembersAreWhateverTheLabel(t *testing.T) {
	comparison := func(name string, criterion Criterion) Comparison {
		return Comparison{Name: name, Criterion: criterion, Group: []Term{Is("sex", "f")}, Versus: []Term{Is("sex", "m")}, Tau: .1}
	}
	g, err := NewGrouper([]Comparison{comparison("parity", DemographicParity), comparison("opportunity", EqualOpportunity), comparison("equality", PredictiveEquality)})
	if err != nil {
		t.Fatal(err)
	}
	sides := make([]Side, 3)
	for text, want := range map[string]Side{"f": Group, "m": Versus, "x": Neither} {
		levels := []Level{g.Level(0, []byte(text))}
		if g.Members(sides, levels); sides[0] != want || sides[1] != want || sides[2] != want {
			t.Errorf("members %v, want all %v", sides, want)
		}
		if g.Unlabelled(sides, levels); sides[0] != want || sides[1] != Uncounted || sides[2] != Uncounted {
			t.Errorf("without a label: %v", sides)
		}
		if g.Late(sides, levels, true); sides[0] != Uncounted || sides[1] != want || sides[2] != Excluded {
			t.Errorf("with a late label: %v", sides)
		}
		if g.Late(sides, levels, false); sides[0] != Uncounted || sides[1] != Excluded || sides[2] != want {
			t.Errorf("with a late negative label: %v", sides)
		}
	}
}
