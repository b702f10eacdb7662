package fairness

import (
	"reflect"
	"testing"
)

// TestTheBestGroupIsChosenOnce: of at least two groups with enough records that with the highest rate; the others are then compared with it, it has no comparison
// of its own, and another grouper takes that over.
func TestTheBestGroupIsChosenOnce(t *testing.T) {
	c := Comparison{Name: "part", Criterion: ImpactRatio, Tau: .8, Each: true, Best: true, Group: []Term{{Attribute: "part"}}}
	if c.Rows() != MostEach || (Comparison{Criterion: EqualizedOdds}).Rows() != 2 || (Comparison{Criterion: EqualizedOdds, Each: true}).Rows() != 2*MostEach {
		t.Errorf("%d rows", c.Rows())
	}
	g, err := NewGrouper([]Comparison{c})
	if err != nil {
		t.Fatal(err)
	}
	side := func(value string) []Side {
		dst := make([]Side, len(g.Comparisons()))
		g.Sides(dst, []Level{g.Level(0, []byte(value))}, true)
		return dst[:4]
	}
	for i, value := range []string{"n", "w", "s"} {
		if got := side(value); got[i] != Group || got[(i+1)%3] == Group {
			t.Errorf("%s is on %v before the best is known", value, got)
		}
	}
	if !g.Unsettled() || !g.Meets() {
		t.Error("nothing is to be settled")
	}
	rates := map[int]float64{0: .3}
	rate := func(comparison int) (float64, bool) {
		x, ok := rates[comparison]
		return x, ok
	}
	if g.Choose(rate); !g.Unsettled() {
		t.Error("chosen among one group that has enough records")
	}
	rates[1], rates[2] = .5, .5
	if g.Choose(rate); g.Unsettled() {
		t.Fatal("not chosen among three")
	}
	if got := g.Found(); !reflect.DeepEqual(got.Best, [][]string{{"w"}}) || !reflect.DeepEqual(got.Groups, [][][]string{{{"n"}, {"w"}, {"s"}}}) {
		t.Errorf("%+v", got)
	}
	for value, want := range map[string][]Side{"n": {Group, Neither, Neither, Neither}, "w": {Versus, Neither, Versus, Neither}, "s": {Neither, Neither, Group, Neither}} {
		if got := side(value); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is on %v, want %v", value, got, want)
		}
	}
	if cs := g.Comparisons(); cs[0].VersusLabel() != "w" || cs[1].Known() || !cs[0].Known() || cs[3].Known() {
		t.Errorf("%+v", cs[:4])
	}
	rates[0] = .9
	if g.Choose(rate); g.Found().Best[0][0] != "w" {
		t.Error("another one is the best later")
	}
	again, err := NewGrouper([]Comparison{c})
	if err == nil {
		err = again.Adopt(g.Found())
	}
	if err != nil || again.Unsettled() || !reflect.DeepEqual(again.Found(), g.Found()) {
		t.Errorf("%v: %+v", err, again.Found())
	}
	first, err := NewGrouper([]Comparison{c})
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"n", "w"} {
		first.Sides(make([]Side, len(first.Comparisons())), []Level{first.Level(0, []byte(value))}, true)
	}
	first.Choose(func(comparison int) (float64, bool) { return []float64{.7, .6}[comparison], true })
	first.Choose(func(int) (float64, bool) { t.Error("rates are asked for though the best is known"); return 0, false })
	if first.Unsettled() || !reflect.DeepEqual(first.Found().Best, [][]string{{"n"}}) {
		t.Errorf("the first of two is the best: %+v", first.Found())
	}
	wrong := g.Found()
	wrong.Best = [][]string{{"x"}}
	if again, _ = NewGrouper([]Comparison{c}); again.Adopt(wrong) == nil {
		t.Error("the best is a group that was not met")
	}
	rest := c
	rest.Best, rest.Rest = false, true
	if again, _ = NewGrouper([]Comparison{rest}); again.Adopt(g.Found()) == nil || again.Unsettled() {
		t.Error("a comparison with the rest has a best group")
	}
}

// TestWhatRecordsStandFor: counts, bounds and weights of all, and of the two sides of each comparison that the label is given for.
func TestWhatRecordsStandFor(t *testing.T) {
	s := NewSelection(2)
	s.Weigh(2, false, []Side{Group, Versus}, []bool{true, true})
	s.Weigh(3, true, []Side{Versus, Neither}, []bool{true, true})
	s.Weigh(5, true, []Side{Group, Group}, []bool{false, true})
	s.Weigh(7, false, []Side{Unknown, Excluded}, []bool{true, true})
	if want := (Weighed{4, 2, 17, 4 + 9 + 25 + 49}); s.Weighed != want || s.Weighed.Effective() != 17*17/87. || !s.Weighed.Differ() {
		t.Errorf("%+v, want %+v", s.Weighed, want)
	}
	if want := [][2]Weighed{{{1, 0, 2, 4}, {1, 1, 3, 9}}, {{1, 1, 5, 25}, {1, 0, 2, 4}}}; !reflect.DeepEqual(s.Sides, want) {
		t.Errorf("%+v, want %+v", s.Sides, want)
	}
	sum := s.Weighed
	sum.combine(&Weighed{1, 1, 1, 1})
	if sum != (Weighed{5, 3, 18, 88}) {
		t.Errorf("%+v", sum)
	}
	if (&Weighed{Records: 3, Weight: 6, WeightSquared: 12}).Differ() {
		t.Error("equal weights differ")
	}
}

// TestEstimatesOfOneComparison, and whether a value keeps to its bound.
func TestEstimatesOfOneComparison(t *testing.T) {
	e := Estimate{Name: "a", Criterion: DemographicParity, Group: "m", Versus: "f", Tau: .1}
	for i, other := range []Estimate{{Name: "b", Criterion: e.Criterion, Group: "m", Versus: "f"}, {Name: "a", Criterion: ImpactRatio, Group: "m", Versus: "f"}, {Name: "a", Criterion: e.Criterion, Group: "x", Versus: "f"}, {Name: "a", Criterion: e.Criterion, Group: "m", Versus: "x"}} {
		if e.Same(other) {
			t.Errorf("another comparison, %d, is the same", i)
		}
	}
	if !e.Same(Estimate{Name: "a", Criterion: e.Criterion, Group: "m", Versus: "f", Tau: .9, Value: 1}) {
		t.Error("another value is another comparison")
	}
	for value, want := range map[float64]bool{.1: true, -.1: true, .11: false, -.11: false, 0: true} {
		if e.Value = value; e.Within() != want {
			t.Errorf("a difference of %v: %v", value, e.Within())
		}
	}
	ratio := Estimate{Criterion: ImpactRatio, Tau: .8}
	for value, want := range map[float64]bool{.8: true, .79: false, 1: true} {
		if ratio.Value = value; ratio.Within() != want {
			t.Errorf("a ratio of %v: %v", value, ratio.Within())
		}
	}
	if (Comparison{Criterion: ImpactRatio, Tau: .75}).Bound() != .25 || (Comparison{Criterion: DemographicParity, Tau: .75}).Bound() != .75 {
		t.Error("bounds")
	}
}

// TestCountsWithinStrataAreCombined, whichever of both have more of them.
func TestCountsWithinStrataAreCombined(t *testing.T) {
	count := func(n int64) Count { return Count{Records: n, Weight: float64(n), WeightSquared: float64(n)} }
	few := PairCounts{Group: count(1), Versus: count(2), Neither: 3, Unknown: 4, Excluded: 5, Strata: []Sides{{Group: count(1), Versus: count(2)}}}
	many := PairCounts{Group: count(10), Versus: count(20), Neither: 30, Unknown: 40, Excluded: 50, Strata: []Sides{{Group: count(4)}, {Group: count(6), Versus: count(20)}}}
	a, b := few, many
	a.Strata, b.Strata = append([]Sides{}, few.Strata...), append([]Sides{}, many.Strata...)
	a.Combine(many)
	b.Combine(few)
	if !reflect.DeepEqual(a, b) || a.Group.Records != 11 || a.Versus.Records != 22 || a.Neither != 33 || a.Unknown != 44 || a.Excluded != 55 || a.Strata[0].Group.Records != 5 || a.Strata[0].Versus.Records != 2 || a.Strata[1].Versus.Records != 20 {
		t.Errorf("%+v\n%+v", a, b)
	}
}
