package fairness

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func between(from, below float64) Members {
	r := &Range{}
	if !math.IsInf(from, 0) {
		r.From = &from
	}
	if !math.IsInf(below, 0) {
		r.Below = &below
	}
	return Members{Range: r}
}

// sidesOf returns the sides of a record in every comparison; "" is missing.
func sidesOf(g *Grouper, values ...string) []Side {
	levels, sides := make([]Level, len(g.Attributes())), make([]Side, len(g.Comparisons()))
	for i, value := range values {
		if value != "" {
			levels[i] = g.Level(i, []byte(value))
		}
	}
	g.Sides(sides, levels, true)
	return sides
}

func TestRangesAndUnions(t *testing.T) {
	inf := math.Inf(1)
	old := Comparison{Name: "age", Criterion: DemographicParity, Tau: 0.1, Group: []Term{{"age", between(40, inf)}}, Rest: true}
	middle := Comparison{Name: "middle", Criterion: DemographicParity, Tau: 0.1,
		Group: []Term{{"age", between(40, 65)}}, Versus: []Term{{"age", between(-inf, 30)}}}
	one := Comparison{Name: "one", Criterion: DemographicParity, Tau: 0.1, Group: []Term{Is("age", "40")}, Rest: true}
	union := Comparison{Name: "race", Criterion: DemographicParity, Tau: 0.1,
		Group: []Term{{"race", Members{Values: []string{"Black", "Hispanic"}}}}, Rest: true}
	both := Comparison{Name: "both", Criterion: DemographicParity, Tau: 0.1,
		Group: []Term{{"age", between(40, inf)}, Is("race", "Black")}, Rest: true}
	g := mustGrouper(t, old, middle, one, union, both)
	for _, c := range []struct {
		age, race string
		want      []Side
	}{
		{"40", "Black", []Side{Group, Group, Group, Group, Group}},
		{"40.0", "Black", []Side{Group, Group, Versus, Group, Group}}, // a value is compared as a text
		{"39.999", "White", []Side{Versus, Neither, Versus, Versus, Versus}},
		{"29", "Hispanic", []Side{Versus, Versus, Versus, Group, Versus}},
		{"65", "Black", []Side{Group, Neither, Versus, Group, Group}},
		{"-1e3", "White", []Side{Versus, Versus, Versus, Versus, Versus}},
		{"old", "Black", []Side{Unknown, Unknown, Versus, Group, Unknown}},
		{"Inf", "", []Side{Unknown, Unknown, Versus, Unknown, Unknown}},
		{"", "White", []Side{Unknown, Unknown, Unknown, Versus, Unknown}},
	} {
		if got := sidesOf(g, c.age, c.race); !reflect.DeepEqual(got, c.want) {
			t.Errorf("age %q and race %q: sides %v, want %v", c.age, c.race, got, c.want)
		}
	}
	for c, want := range map[*Comparison]string{&old: "age ≥ 40 − age < 40", &middle: "age 40 to < 65 − age < 30", &union: "Black or Hispanic − rest", &both: "age ≥ 40 & Black − rest"} {
		if got := c.GroupLabel() + " − " + c.VersusLabel(); got != want {
			t.Errorf("label %q, want %q", got, want)
		}
	}
}

func TestGroupsThatCannotBe(t *testing.T) {
	inf := math.Inf(1)
	terms := func(members Members) []Term { return []Term{{"age", members}} }
	for want, c := range map[string]Comparison{
		"group: is an empty range":                              {Group: terms(between(65, 40)), Rest: true},
		"group: is a range without an end":                      {Group: terms(between(-inf, inf)), Rest: true},
		`group: lists "a" twice`:                                {Group: terms(Members{Values: []string{"a", "b", "a"}}), Rest: true},
		"versus: overlaps group (age 50 to < 65)":               {Group: terms(between(40, 65)), Versus: terms(between(50, 70))},
		`versus: overlaps group (age "50")`:                     {Group: terms(between(40, 65)), Versus: terms(Members{Values: []string{"10", "50"}})},
		`versus: overlaps group (age "b")`:                      {Group: terms(Members{Values: []string{"a", "b"}}), Versus: terms(Value("b"))},
		"versus: is the same as group":                          {Group: terms(between(40, 65)), Versus: terms(between(40, 65))},
		"versus: is not one value, with which group: each":      {Group: terms(Members{}), Each: true, Versus: terms(between(1, 2))},
		"versus: is best, which needs group: each":              {Group: terms(Value("b")), Best: true},
		"strata: is an attribute of the comparison":             {Group: terms(Value("b")), Rest: true, Strata: "age"},
		"tau: 80 is outside (0, 1): use the least allowed rati": {Group: terms(Value("b")), Rest: true, Criterion: ImpactRatio, Tau: 80},
		"strata: is for criteria of rates":                      {Group: terms(Value("b")), Rest: true, Strata: "x", Criterion: MeanDifference, Tau: 1},
		"versus: is best, which is for criteria of rates":       {Group: terms(Members{}), Each: true, Best: true, Criterion: MeanDifference},
		"group: has values and a range":                         {Group: terms(Members{Values: []string{"a"}, Range: between(1, 2).Range}), Rest: true},
		"versus: is given together with rest or best":           {Group: terms(Value("b")), Versus: terms(Value("c")), Rest: true},
		"versus: is rest and best: use one of them":             {Group: terms(Members{}), Each: true, Best: true, Rest: true},
		"group: is empty: give a value of the attribute":        {Group: terms(Members{}), Rest: true},
		"versus: is empty: name an attribute and one of":        {Group: terms(Value("b"))},
		"versus: names other attributes than group: use the sa": {Group: terms(Value("b")), Versus: []Term{Is("sex", "b")}},
	} {
		c.Name = "x"
		if c.Criterion == "" {
			c.Criterion = DemographicParity
		}
		if c.Tau == 0 {
			c.Tau = 0.1
		}
		problems := c.Validate()
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want) {
			t.Errorf("problems %v, want %q", problems, want)
		}
	}
	// Ranges that only touch, and an intersection that differs in one attribute, share nothing.
	for _, c := range []Comparison{
		{Group: terms(between(40, 65)), Versus: terms(between(30, 40))},
		{Group: []Term{{"age", between(40, 65)}, Is("sex", "f")}, Versus: []Term{Is("sex", "m"), {"age", between(50, 70)}}},
	} {
		c.Name, c.Criterion, c.Tau = "x", DemographicParity, 0.1
		if problems := c.Validate(); len(problems) > 0 {
			t.Errorf("problems %v", problems)
		}
	}
}

// Every value gets a comparison as it is met, up to the limit; what was met can be handed over.
func TestEachValueIsMet(t *testing.T) {
	each := Comparison{Name: "race", Criterion: EqualizedOdds, Tau: 0.1, Group: []Term{{Attribute: "race"}}, Each: true, Rest: true}
	named := Comparison{Name: "white", Criterion: DemographicParity, Tau: 0.1, Group: []Term{Is("race", "White")}, Rest: true}
	pairs := Comparison{Name: "both", Criterion: DemographicParity, Tau: 0.1, Group: []Term{{Attribute: "sex"}, {Attribute: "race"}}, Each: true, Rest: true}
	g := mustGrouper(t, each, named, pairs)
	known := func(g *Grouper) (labels []string) {
		for _, c := range g.Comparisons() {
			if c.Known() {
				labels = append(labels, c.Name+" "+c.GroupLabel())
			}
		}
		return labels
	}
	if got := known(g); !reflect.DeepEqual(got, []string{"white White"}) {
		t.Errorf("before any record: %v", got)
	}
	sidesOf(g, "Black", "m")
	sidesOf(g, "White", "")
	sides := sidesOf(g, "Black", "f")
	if sides[0] != Group || sides[1] != Versus || sides[2] != Neither || sides[2*MostEach] != Versus {
		t.Errorf("sides of a value met before: %v", sides)
	}
	want := []string{"race Black", "race White", "race Black", "race White", "white White", "both m & Black", "both f & Black"}
	if got := known(g); !reflect.DeepEqual(got, want) {
		t.Errorf("met %v, want %v", got, want)
	}
	other := mustGrouper(t, each, named, pairs)
	if err := other.Adopt(g.Found()); err != nil || !reflect.DeepEqual(known(other), want) || !reflect.DeepEqual(other.Found(), g.Found()) {
		t.Errorf("handed over: %v, %v", known(other), err)
	}
	for i := range MostFound + 3 {
		a, b := sidesOf(g, fmt.Sprint("v", i), "m"), sidesOf(other, fmt.Sprint("v", i), "m")
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("value %d: sides %v and %v", i, a, b)
		}
		if own := slices.Contains(a[:MostEach], Group); own != (i < MostEach-2) || a[0] != Versus {
			t.Errorf("value %d: a place %v, and side %v in the comparison of another", i, own, a[0])
		}
	}
	if found := g.Found(); len(found.Values[0]) != MostFound || len(found.Groups[0]) != MostEach || !reflect.DeepEqual(found.Refused, []string{"race", "sex"}) {
		t.Errorf("%d values and %d groups, refused %v", len(found.Values[0]), len(found.Groups[0]), found.Refused)
	}
	for name, spoil := range map[string]func(*Found){
		"a group twice":        func(f *Found) { f.Groups[0] = append(f.Groups[0], f.Groups[0][0]) },
		"an unknown value":     func(f *Found) { f.Groups[0] = [][]string{{"Green"}} },
		"a value twice":        func(f *Found) { f.Values[0] = append(f.Values[0], f.Values[0][0]) },
		"a named value":        func(f *Found) { f.Values[0] = append(f.Values[0], "White") },
		"too many attributes":  func(f *Found) { f.Values = append(f.Values, nil) },
		"too many comparisons": func(f *Found) { f.Groups = append(f.Groups, nil) },
	} {
		found := mustGrouperOf(t, g.Found(), each, named, pairs)
		spoil(&found)
		if err := mustGrouper(t, each, named, pairs).Adopt(found); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func mustGrouperOf(t *testing.T, found Found, comparisons ...Comparison) Found {
	t.Helper()
	g := mustGrouper(t, comparisons...)
	if err := g.Adopt(Found{Values: [][]string{found.Values[0][:1], nil}, Groups: [][][]string{{{"Black"}}, {{"Black"}}, nil}}); err != nil {
		t.Fatal(err)
	}
	return g.Found()
}

// Standardized counts give the difference and the ratio of Mantel and Haenszel, by their formulas.
func TestStandardizedCounts(t *testing.T) {
	c := Comparison{Name: "sex", Criterion: DemographicParity, Tau: 0.1, Group: []Term{Is("sex", "f")}, Versus: []Term{Is("sex", "m")}, Strata: "department"}
	g := mustGrouper(t, c)
	tally := NewTally(1)
	rng := rand.New(rand.NewPCG(31, 1))
	sides, strata, levels := make([]Side, 1), make([]int, 1), make([]Level, 2)
	type cell struct{ n, k float64 }
	var cells [4][2]cell
	for range 5000 {
		department, sex := rng.IntN(4), rng.IntN(2)
		if department == 3 {
			sex = 0 // nobody to compare with
		} else if rng.Float64() < 0.2*float64(department) {
			sex = 1
		}
		decision := rng.Float64() < 0.2+0.2*float64(department)-0.1*float64(sex)
		levels[0], levels[1] = g.Level(0, []byte([]string{"f", "m"}[sex])), g.Level(1, []byte(fmt.Sprint("d", department)))
		g.Sides(sides, levels, true)
		g.Strata(strata, levels)
		tally.AddWithin(true, decision, 0.5, 1, sides, strata)
		cells[department][sex].n++
		if decision {
			cells[department][sex].k++
		}
	}
	difference, weight, above, below := 0.0, 0.0, 0.0, 0.0
	for _, s := range cells {
		total := s[0].n + s[1].n
		difference += (s[0].k*s[1].n - s[1].k*s[0].n) / total
		weight += s[0].n * s[1].n / total
		above += s[0].k * s[1].n / total
		below += s[1].k * s[0].n / total
	}
	e := tally.Estimates(g.Comparisons(), DefaultOptions())[0]
	if math.Abs(e.Value-difference/weight) > 1e-12 || math.Abs(e.ImpactRatio.Value-below/above) > 1e-12 && math.Abs(e.ImpactRatio.Value-above/below) > 1e-12 {
		t.Errorf("difference %v, want %v; ratio %+v of %v", e.Value, difference/weight, e.ImpactRatio, above/below)
	}
	if e.Strata != "department" || e.Method != MethodNewcombeKish || !(e.Lo < e.Value && e.Value < e.Hi) {
		t.Errorf("estimate %+v", e)
	}
	for i := range 4 {
		levels[1] = g.Level(1, fmt.Append(nil, "d", i))
		if g.Strata(strata, levels); strata[0] < 0 || strata[0] != int(levels[1]-firstNamedLevel) {
			t.Errorf("the stratum of level %d is %d", levels[1], strata[0])
		}
	}
	levels[1] = MissingLevel
	if g.Sides(sides, levels, true); sides[0] != Unknown {
		t.Errorf("without a stratum: side %v", sides[0])
	}
	if g.Strata(strata, levels); strata[0] != -1 {
		t.Errorf("without a stratum: %d", strata[0])
	}
}
