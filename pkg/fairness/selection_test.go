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

// TestAnAccuracyIsDoublyRobust: where labels depend on records, the corrected accuracy is that of all records if the weights are right and the model is not, or
// the other way round; the weighed one is off where the weights are wrong. Errors are of 100,000 records: three standard errors are 0.006.
func TestAnAccuracyIsDoublyRobust(t *testing.T) {
	for _, test := range []struct {
		name              string
		weights, model    bool // are right
		weighed, expected bool // the estimate is
	}{{"both are right", true, true, true, true}, {"the weights are right", true, false, true, true}, {"the model is right", false, true, false, true},
		{"neither is right", false, false, false, false}} {
		t.Run(test.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			s, c := NewSelection(0), Confusion{}
			truth := 0.
			const n = 100_000
			for range n {
				hard := random.IntN(2) == 1
				right, known := .95, .8
				if hard {
					right, known = .65, .2
				}
				truth += right / n
				weight, expected := 1., .5
				if test.weights {
					weight = 1 / known
				}
				if hard {
					expected = .8
				}
				if test.model {
					expected = right
				}
				comes := random.Float64() < known
				s.Expect(comes, [2]float64{expected, .7}, 1, weight)
				if comes {
					c.Add(true, random.Float64() < right, weight)
				}
			}
			weighed := c.Accuracy(.95)
			corrected := s.Expected[0].Correct(weighed)
			for what, m := range map[string]struct {
				m    Measure
				want bool
			}{"weighed": {weighed, test.weighed}, "corrected": {corrected, test.expected}} {
				if off := math.Abs(m.m.Value - truth); (off < .006) != m.want {
					t.Errorf("%s: %.4f, of all records %.4f", what, m.m.Value, truth)
				}
			}
			if corrected.Method != MethodDoublyRobust || math.Abs((corrected.Hi-corrected.Lo)-(weighed.Hi-weighed.Lo)) > 1e-12 {
				t.Errorf("%+v of %+v", corrected, weighed)
			}
		})
	}
}

// TestAnAccuracyIsCorrectedForWhatItRestsOn: labels of before say nothing of others, and without records there is nothing to correct.
func TestAnAccuracyIsCorrectedForWhatItRestsOn(t *testing.T) {
	s := NewSelection(0)
	m := Measure{Value: .8, Lo: .7, Hi: .98, Records: 4}
	if got := s.Expected[0].Correct(m); got != m {
		t.Errorf("%+v", got)
	}
	s.Expect(true, [2]float64{.6, .6}, 1, 1)
	s.Expect(true, [2]float64{.6, .6}, 1, 1)
	s.Expect(false, [2]float64{.9, .9}, 2, 0)
	if got := s.Expected[0].Correct(m); math.Abs(got.Value-.875) > 1e-12 || got.Hi != 1 { // half of the mean .75 less .6
		t.Errorf("%+v", got)
	}
	other := NewSelection(0)
	other.Combine(s)
	if other.Expected != s.Expected {
		t.Error("combined, it is another")
	}
	if s.Reset(); s.Expected != NewSelection(0).Expected {
		t.Error("reset, it is not empty")
	}
}
