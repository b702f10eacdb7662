package fairness

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestStrataOfTheFirstAttribute: a comparison within an attribute that another comparison is about, and that comes first.
func TestStrataOfTheFirstAttribute(t *testing.T) {
	g := mustGrouper(t,
		Comparison{Name: "region", Criterion: DemographicParity, Tau: .1, Group: []Term{Is("region", "north")}, Versus: []Term{Is("region", "south")}},
		Comparison{Name: "sex", Criterion: DemographicParity, Tau: .1, Group: []Term{Is("sex", "f")}, Versus: []Term{Is("sex", "m")}, Strata: "region"})
	if names := g.Attributes(); !g.Within() || names[0] != "region" || names[1] != "sex" {
		t.Errorf("within strata: %t; attributes %v", g.Within(), names)
	}
	if without := mustGrouper(t, Comparison{Name: "region", Criterion: DemographicParity, Tau: .1, Group: []Term{Is("region", "north")}, Versus: []Term{Is("region", "south")}}); without.Within() || without.Meets() || !g.Meets() {
		t.Errorf("a comparison without strata: within %t, meets %t; one with strata meets %t", without.Within(), without.Meets(), g.Meets())
	}
	for _, c := range []struct {
		region, sex string
		sides       []Side
		strata      []int
	}{
		{"north", "f", []Side{Group, Group}, []int{-1, 0}}, {"south", "m", []Side{Versus, Versus}, []int{-1, 1}}, {"", "f", []Side{Unknown, Unknown}, []int{-1, -1}}, {"north", "", []Side{Group, Unknown}, []int{-1, 0}},
	} {
		levels := []Level{MissingLevel, MissingLevel}
		for i, value := range []string{c.region, c.sex} {
			if value != "" {
				levels[i] = g.Level(i, []byte(value))
			}
		}
		sides, strata := make([]Side, 2), make([]int, 2)
		g.Sides(sides, levels, true)
		if g.Strata(strata, levels); !slices.Equal(sides, c.sides) || !slices.Equal(strata, c.strata) {
			t.Errorf("%q, %q: sides %v, strata %v; want %v, %v", c.region, c.sex, sides, strata, c.sides, c.strata)
		}
	}
}

// TestAsManyValuesAsMayBeMet are adopted from another grouper, and one more is not.
func TestAsManyValuesAsMayBeMet(t *testing.T) {
	c := Comparison{Name: "region", Criterion: DemographicParity, Tau: .1, Group: []Term{{Attribute: "region"}}, Each: true, Rest: true}
	for n, want := range map[int]bool{0: true, MostFound: true, MostFound + 1: false} {
		found := Found{Values: [][]string{{}}, Groups: [][][]string{{}}}
		for i := range n {
			found.Values[0] = append(found.Values[0], fmt.Sprint("r", i))
		}
		g := mustGrouper(t, c)
		if err := g.Adopt(found); (err == nil) != want {
			t.Errorf("%d values: %v", n, err)
		}
	}
}

// TestTheLargestTable: attributes may be combined as long as their levels have 2^20 combinations at most.
func TestTheLargestTable(t *testing.T) {
	named := func(attribute string, fixed int) (all []Comparison, of Term) {
		for i := range fixed - int(firstNamedLevel) {
			value := fmt.Sprint("v", i)
			all = append(all, Comparison{Name: attribute + value, Criterion: DemographicParity, Tau: .1, Group: []Term{Is(attribute, value)}, Rest: true})
		}
		return all, Is(attribute, "v0")
	}
	for last, want := range map[int]bool{32: true, 33: false} {
		combined := Comparison{Name: "all", Criterion: DemographicParity, Tau: .1, Rest: true}
		var all []Comparison
		for k, fixed := range []int{32, 32, 32, last} {
			of, term := named(fmt.Sprint("a", k), fixed)
			all, combined.Group = append(all, of...), append(combined.Group, term)
		}
		_, err := NewGrouper(append(all, combined))
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "combines too many attribute values") {
			t.Errorf("32 · 32 · 32 · %d combinations: %v", last, err)
		}
	}
}

// TestReferencesThatAreNone: what is wrong with the value that each other one is compared with is said of versus.
func TestReferencesThatAreNone(t *testing.T) {
	each := func(versus ...Term) Comparison {
		return Comparison{Name: "c", Criterion: DemographicParity, Tau: .1, Group: []Term{{Attribute: "race"}}, Each: true, Versus: versus}
	}
	for want, c := range map[string]Comparison{
		"": each(Is("race", "a")), "has a value without an attribute": each(Is("", "a")), "twice: a record has one value": each(Is("race", "a"), Is("race", "b")),
		"is not one value": each(Is("sex", "a")), "has values and a range": each(Term{"race", Members{Values: []string{"a"}, Range: &Range{}}}),
	} {
		if got := c.referenceProblem(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%+v: %q, want %q", c.Versus, got, want)
		}
	}
}

// TestNothingIsWorthNothing: without records or without weights there is no size and no rate, and no rate of both zeros has an interval.
func TestNothingIsWorthNothing(t *testing.T) {
	if n := (Confusion{}).Effective(); n != 0 {
		t.Errorf("no decisions are worth %v", n)
	}
	if n := (Count{}).Effective(); n != 0 {
		t.Errorf("no records are worth %v", n)
	}
	for _, c := range []Count{{}, {Records: 1}, {Weight: 1}} {
		if rate := c.Rate(); !math.IsNaN(rate) {
			t.Errorf("%+v has the rate %v", c, rate)
		}
	}
	if rate := (Count{Records: 1, Weight: 5e-324, PositiveWeight: 5e-324}).Rate(); rate != 1 {
		t.Errorf("a record of the least weight has the rate %v", rate)
	}
}

// TestWhatMembersShare: a value of both, or the range that is in both, whichever of them bounds it; an end where one range stops and the other begins is in the upper one.
func TestWhatMembersShare(t *testing.T) {
	between := func(from, below float64) Members {
		r := &Range{}
		if !math.IsInf(from, 0) {
			r.From = &from
		}
		if !math.IsInf(below, 0) {
			r.Below = &below
		}
		return Members{Range: r}
	}
	inf := math.Inf(1)
	values := func(values ...string) Members { return Members{Values: values} }
	for _, c := range []struct {
		a, b Members
		want string
	}{
		{between(10, 20), between(15, 30), "15 to < 20"}, {between(15, 30), between(10, 20), "15 to < 20"}, {between(10, 30), between(15, 20), "15 to < 20"}, {between(10, 20), between(20, 30), ""},
		{between(10, 20), between(25, 30), ""}, {between(-inf, 20), between(10, inf), "10 to < 20"}, {between(10, inf), between(15, inf), between(15, inf).Range.words()},
		{between(-inf, 20), between(-inf, 10), between(-inf, 10).Range.words()}, {values("a", "b"), values("c", "b"), `"b"`}, {values("a"), values("b"), ""},
		{values("9", "10"), between(10, 20), `"10"`}, {between(10, 20), values("20", "19.5"), `"19.5"`},
	} {
		if got := c.a.overlap(c.b); got != c.want {
			t.Errorf("%+v and %+v share %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
