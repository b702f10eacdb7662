package fairness

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestVerdictsAtTheBound: an interval that touches the bound keeps it, of a difference on both sides and of a ratio from above.
func TestVerdictsAtTheBound(t *testing.T) {
	above, below := math.Nextafter(.25, 1), math.Nextafter(.25, 0)
	for _, c := range []struct {
		lo, hi            float64
		difference, ratio Status
	}{
		{-.25, .25, Met, Inconclusive}, {-.25, above, Inconclusive, Inconclusive}, {-above, .25, Inconclusive, Inconclusive}, {.25, .25, Met, Met}, {.25, .5, Inconclusive, Met},
		{above, .5, Violated, Met}, {below, .5, Inconclusive, Inconclusive}, {-.5, -above, Violated, Violated}, {-.5, -.25, Inconclusive, Violated}, {.1, below, Met, Violated},
		{.1, .25, Met, Inconclusive}, {.3, 1, Violated, Met},
	} {
		for criterion, want := range map[Criterion]Status{DemographicParity: c.difference, ImpactRatio: c.ratio} {
			if got := (Comparison{Criterion: criterion, Tau: .25}).verdict(c.lo, c.hi); got != want {
				t.Errorf("%s in [%v, %v]: %s, want %s", criterion, c.lo, c.hi, got, want)
			}
		}
	}
}

// TestCriteriaAndLabels: which criteria are about the records of one label, of a ratio, of numbers.
func TestCriteriaAndLabels(t *testing.T) {
	for criterion, want := range map[Criterion]bool{DemographicParity: false, EqualOpportunity: true, PredictiveEquality: true, EqualizedOdds: true, ImpactRatio: false, MeanDifference: false} {
		if criterion.NeedsLabel() != want || criterion.OfRatio() != (criterion == ImpactRatio) || criterion.OfAll() != (!want && criterion != MeanDifference) {
			t.Errorf("%s needs a label: %t, is of all records: %t", criterion, criterion.NeedsLabel(), criterion.OfAll())
		}
	}
	for want, c := range map[bool][]Comparison{
		true:  {{Group: []Term{{"age", between(1, 2)}}, Rest: true}, {Group: []Term{Is("a", "x")}, Versus: []Term{{"a", between(1, 2)}}}},
		false: {{Group: []Term{Is("a", "x")}, Rest: true}, {Group: []Term{Is("a", "x")}, Versus: []Term{Is("a", "y")}}},
	} {
		for i := range c {
			if c[i].OfNumber() != want {
				t.Errorf("%+v needs a number: %t", c[i], !want)
			}
		}
	}
}

// TestWhatASideLacks names the records, their label and their strata; equal weights fall short of nothing by rounding.
func TestWhatASideLacks(t *testing.T) {
	for want, c := range map[string]struct {
		criterion          Criterion
		strata             string
		records            int64
		effective, minimum float64
	}{
		"":                                   {DemographicParity, "", 30, 30, 30},
		" ":                                  {DemographicParity, "", 30, 30 * (1 - 1e-9), 30},
		"Male has 29 records and needs 30":   {DemographicParity, "", 29, 29, 30},
		"Male has 1 record and needs 30":     {DemographicParity, "", 1, 1, 30},
		"Male has 0 records and needs 1":     {DemographicParity, "", 0, 0, 1},
		"Male has 9.5 effective records and": {DemographicParity, "", 30, 9.5, 30},
		"Male has 2 records with a positive label and needs 30":                                         {EqualOpportunity, "", 2, 2, 30},
		"Male has 2 records with a negative label in strata of town that have both groups and needs 30": {PredictiveEquality, "town", 2, 2, 30},
	} {
		e := Estimate{Criterion: c.criterion, Strata: c.strata}
		got := e.shortage("Male", c.records, c.effective, c.minimum)
		if want = strings.TrimSpace(want); (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
	if got := (Comparison{Criterion: ImpactRatio, Tau: .8, Group: []Term{Is("a", "x")}, Rest: true}).Estimate(PairCounts{
		Group: Count{Records: 100, Weight: 100, WeightSquared: 100, PositiveWeight: 30, PositiveSquared: 30}, Versus: Count{Records: 100, Weight: 100, WeightSquared: 100, PositiveWeight: 60, PositiveSquared: 60},
	}, Options{Level: .95, MinimumRecords: 30}); got.Value != .5 || !strings.HasPrefix(got.Method, MethodKoopman) || got.Status != Violated || got.Lo != got.ImpactRatio.Lo || got.Hi != got.ImpactRatio.Hi {
		t.Errorf("%+v", got)
	}
}

// TestNumbersWithoutRecords: without records, or without weight, a rate is NaN rather than 0.
func TestNumbersWithoutRecords(t *testing.T) {
	for name, got := range map[string]float64{
		"the rate of none": Count{}.Rate(), "a rate without weight": Count{Records: 3}.Rate(), "the variance of one": Moments{Records: 1, Weight: 1, WeightSquared: 1}.Variance(),
		"the share of none": (&Selection{}).Share(), "the loss of none": (&Tally{}).LogLoss(.95).Value, "a loss without weight": (&Tally{Confusion: Confusion{Records: 2}}).LogLoss(.95).Value,
		"the accuracy of none": Confusion{}.Accuracy(.95).Value, "an accuracy without weight": Confusion{Records: 2}.Accuracy(.95).Value,
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s is %v", name, got)
		}
	}
	var two Moments
	two.Add(1, 1)
	two.Add(3, 1)
	if got := two.Variance(); got != 2 {
		t.Errorf("the variance of 1 and 3 is %v, want 2", got)
	}
	var s SquaredErrors
	s.Add(.5, 1, 1)
	before := s
	if s.Combine(SquaredErrors{}); s != before {
		t.Errorf("errors of no records change %+v to %+v", before, s)
	}
	var known Selection
	known.Known.Decided.Weight, known.Never.Decided.Weight = 3, 1
	if got := known.Share(); got != .75 {
		t.Errorf("labels of 3 in 4 are a share of %v", got)
	}
}

// TestOthersThanTheSides: records of neither side are counted, and not in a stratum.
func TestOthersThanTheSides(t *testing.T) {
	var p PairCounts
	for _, side := range []Side{Group, Versus, Unknown, Excluded, Neither, Uncounted, Unknown} {
		p.AddWithin(1, side, true, 2)
	}
	if p.Unknown != 2 || p.Excluded != 1 || p.Neither != 1 || p.Group.Records != 0 || len(p.Strata) != 2 || p.Strata[1].Group.Weight != 2 || p.Strata[1].Versus.Weight != 2 {
		t.Errorf("%+v", p)
	}
	p.AddWithin(0, Group, true, 5) // a stratum of one side has no weight
	if s := p.Standardized(); s.Group.Weight != 1 || s.Versus.Weight != 1 || len(s.Strata) != 0 {
		t.Errorf("standardized %+v", s)
	}
}

// TestTalliesOfOtherComparisons: sides and tallies that are not those of a tally are a caller's mistake.
func TestTalliesOfOtherComparisons(t *testing.T) {
	for name, mistake := range map[string]func(){
		"sides":        func() { NewRegressionTally(2).Add(1, 1, 1, 1, make([]Side, 1)) },
		"tallies":      func() { NewRegressionTally(2).Combine(NewRegressionTally(1)) },
		"a variance":   func() { Welch(0, -1e-300, 2, 0, 1, 2, .95) },
		"another":      func() { Welch(0, 1, 2, 0, -1e-300, 2, .95) },
		"a record":     func() { Welch(0, 1, math.Nextafter(2, 0), 0, 1, 2, .95) },
		"other record": func() { Welch(0, 1, 2, 0, 1, math.Nextafter(2, 0), .95) },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "fairness: ") {
					t.Errorf("%s: %s", name, said)
				}
			}()
			mistake()
		}()
	}
	if lo, hi := Welch(3, 0, 2, 1, 0, 2, .95); lo != 2 || hi != 2 {
		t.Errorf("numbers that do not vary differ by [%v, %v]", lo, hi)
	}
}

// TestRatiosThatReachAcrossOne: the lower rate over the higher one is 1 at most, which an interval around 1 includes.
func TestRatiosThatReachAcrossOne(t *testing.T) {
	for _, c := range [][4]float64{{.5, 2, .5, 1}, {.5, 1, .5, 1}, {1, 2, .5, 1}, {.25, .5, .25, .5}, {2, 4, .25, .5}, {0, math.Inf(1), 0, 1}, {0, .5, 0, .5}} {
		if r := foldRatio(.2, .4, c[0], c[1]); r != (Ratio{.5, c[2], c[3]}) {
			t.Errorf("[%v, %v] becomes %+v", c[0], c[1], r)
		}
	}
	if r := foldRatio(0, 0, 0, math.Inf(1)); r.Value != 1 {
		t.Errorf("equal rates have the ratio %v", r.Value)
	}
	var read Ratio
	if err := json.Unmarshal([]byte(`{"value":"x"}`), &read); err == nil {
		t.Error("a text is read as a ratio")
	}
	if err := json.Unmarshal([]byte(`{"value":null,"lo":0.25}`), &read); err != nil || !math.IsNaN(read.Value) || read.Lo != .25 || !math.IsNaN(read.Hi) {
		t.Errorf("%+v, %v", read, err)
	}
}

// TestFoundThatCannotBe: values, groups and the best value that a state may tell of at their bounds, and those that are not of the comparisons.
func TestFoundThatCannotBe(t *testing.T) {
	each := Comparison{Name: "race", Criterion: DemographicParity, Tau: .1, Group: []Term{{Attribute: "race"}}, Each: true, Best: true}
	named := Comparison{Name: "sex", Criterion: DemographicParity, Tau: .1, Group: []Term{Is("sex", "m")}, Rest: true}
	many := func(count int) (values []string, groups [][]string) {
		for i := range count {
			values, groups = append(values, fmt.Sprint("r", i)), append(groups, []string{fmt.Sprint("r", i)})
		}
		return values, groups
	}
	whole := func() Found {
		return Found{Values: [][]string{{"a", "b"}, {}}, Groups: [][][]string{{{"a"}, {"b"}}}, Best: [][]string{{"b"}}}
	}
	for name, c := range map[string]struct {
		spoil func(f *Found)
		taken bool
	}{
		"whole":                    {func(*Found) {}, true},
		"none is best yet":         {func(f *Found) { f.Best = [][]string{nil} }, true},
		"nothing of the best":      {func(f *Found) { f.Best = nil }, true},
		"as many as there can be":  {func(f *Found) { f.Values[0], f.Groups[0] = many(MostEach); f.Best = nil }, true},
		"more groups":              {func(f *Found) { f.Values[0], f.Groups[0] = many(MostEach + 1); f.Best = nil }, false},
		"more values":              {func(f *Found) { f.Values[0], _ = many(MostFound + 1); f.Groups[0] = nil; f.Best = nil }, false},
		"values of another":        {func(f *Found) { f.Values[1] = []string{"x"} }, false},
		"values of fewer":          {func(f *Found) { f.Values = f.Values[:1] }, false},
		"groups of fewer":          {func(f *Found) { f.Groups = nil }, false},
		"the best of more":         {func(f *Found) { f.Best = append(f.Best, nil) }, false},
		"a value twice":            {func(f *Found) { f.Values[0][1] = "a" }, false},
		"a group twice":            {func(f *Found) { f.Groups[0][1][0] = "a" }, false},
		"a group of no value":      {func(f *Found) { f.Groups[0][1][0] = "c" }, false},
		"a group of two values":    {func(f *Found) { f.Groups[0][1] = []string{"a", "b"} }, false},
		"a group without a value":  {func(f *Found) { f.Groups[0][1] = nil }, false},
		"the best is not met":      {func(f *Found) { f.Best[0][0] = "c" }, false},
		"the best of the first":    {func(f *Found) { f.Best[0][0] = "a" }, true},
		"values that were refused": {func(f *Found) { f.Refused = []string{"race"} }, true},
	} {
		f := whole()
		c.spoil(&f)
		g := mustGrouper(t, each, named)
		if err := g.Adopt(f); (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.taken {
			if again := g.Found(); fmt.Sprint(again.Values[0], again.Groups, again.Refused) != fmt.Sprint(f.Values[0], f.Groups, f.Refused) || len(f.Best) > 0 && fmt.Sprint(again.Best) != fmt.Sprint(f.Best) {
				t.Errorf("%s: %+v is found again as %+v", name, f, again)
			}
		}
	}
}

// TestNobodyIsComparedWithOneself: the group that the others of Each are compared with has no comparison of its own, whether it is met first or later.
func TestNobodyIsComparedWithOneself(t *testing.T) {
	each := Comparison{Name: "race", Criterion: DemographicParity, Tau: .1, Group: []Term{{Attribute: "race"}}, Each: true, Versus: []Term{Is("race", "a")}}
	for _, values := range []string{"a b a c a", "b a b c"} {
		g := mustGrouper(t, each)
		place := map[string]int{}
		for _, value := range strings.Fields(values) {
			if _, met := place[value]; !met {
				place[value] = len(place)
			}
			sides := sidesOf(g, value)
			for of, at := range place {
				want := Neither
				switch {
				case of == "a":
				case of == value:
					want = Group
				case value == "a":
					want = Versus
				}
				if sides[at] != want {
					t.Errorf("%s: a record of %s is on the side %v of the comparison of %s, want %v", values, value, sides[at], of, want)
				}
			}
		}
	}
	if got := (Count{}).variance(); got != .125 {
		t.Errorf("the variance of a rate of no records is %v", got)
	}
}

// TestALookLeavesNoTrace: the level of a value that was not met is asked for without a place being made for it.
func TestALookLeavesNoTrace(t *testing.T) {
	each := Comparison{Name: "race", Criterion: DemographicParity, Tau: .1, Group: []Term{{Attribute: "race"}}, Each: true, Rest: true}
	g := mustGrouper(t, each)
	before := g.Levels(0)
	other := g.Known(0, []byte("a"))
	met := g.Level(0, []byte("a"))
	if g.Levels(0) != before+1 || met == other || g.Known(0, []byte("a")) != met || g.Known(0, []byte("b")) != other || g.Levels(0) != before+1 {
		t.Errorf("levels %d and %d, %d before and %d after", other, met, before, g.Levels(0))
	}
	sides := make([]Side, len(g.Comparisons()))
	g.Members(sides, []Level{met})
	if sides[0] != Group || len(g.Found().Groups[0]) != 1 {
		t.Errorf("its first member is on the side %v, and groups are %v", sides[0], g.Found().Groups)
	}
}

// TestEvidenceBeginsAgain: after an alarm it is as at the beginning.
func TestEvidenceBeginsAgain(t *testing.T) {
	var b, fresh Bets
	b.collect(&block{}, [2]float64{2, 2}, 1)
	b[0][0], b[1][0] = 7, 7
	if b.Evidence() == fresh.Evidence() {
		t.Fatal("no evidence")
	}
	if b.Restart(); b != fresh {
		t.Errorf("%+v", b)
	}
}

// TestTheLeastNumberThatIsEnough, and none where that is beyond what anybody has.
func TestTheLeastNumberThatIsEnough(t *testing.T) {
	for _, least := range []float64{1e-3, 1, 1.5, 7, 1e6, mostNeeded / 2} {
		if got := solve(func(n float64) bool { return n >= least }); math.Abs(got/least-1) > 1e-5 && got > 1e-3 {
			t.Errorf("%v instead of %v", got, least)
		}
	}
	if got := solve(func(float64) bool { return false }); !math.IsInf(got, 1) {
		t.Errorf("nothing is enough, and the least number is %v", got)
	}
}
