package fairness

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func mustGrouper(t testing.TB, comparisons ...Comparison) *Grouper {
	t.Helper()
	g, err := NewGrouper(comparisons)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// slowSide decides from the attribute values themselves, as the documentation
// of Comparison states it. A value is missing if it is "?" or absent.
func slowSide(c Comparison, values map[string]string, positive bool) Side {
	if !c.Criterion.Condition().Holds(positive) {
		return Excluded
	}
	matches := func(terms []Term) bool {
		return !slices.ContainsFunc(terms, func(term Term) bool { return !term.has(values[term.Attribute]) })
	}
	for _, term := range c.Group {
		if value := values[term.Attribute]; value == "" || value == "?" {
			return Unknown
		}
	}
	switch {
	case matches(c.Group):
		return Group
	case c.Rest || matches(c.Versus):
		return Versus
	}
	return Neither
}

func TestSidesAgreeWithTheDefinition(t *testing.T) {
	// Two groups, rest, a permuted intersection against another, an
	// intersection against rest, and an attribute with many values.
	comparisons := []Comparison{
		{Name: "sex", Criterion: EqualizedOdds, Tau: 0.1, Group: []Term{Is("sex", "Male")}, Versus: []Term{Is("sex", "Female")}},
		{Name: "white", Criterion: DemographicParity, Tau: 0.1, Group: []Term{Is("race", "White")}, Rest: true},
		{Name: "black", Criterion: EqualOpportunity, Tau: 0.1, Group: []Term{Is("race", "Black")}, Rest: true},
		{Name: "both", Criterion: DemographicParity, Tau: 0.1,
			Group: []Term{Is("sex", "Female"), Is("race", "Black")}, Versus: []Term{Is("race", "White"), Is("sex", "Male")}},
		{Name: "women of colour", Criterion: PredictiveEquality, Tau: 0.1, Group: []Term{Is("race", "Black"), Is("sex", "Female")}, Rest: true},
	}
	for i := range 2 * scanLimit {
		comparisons = append(comparisons, Comparison{
			Name: fmt.Sprint("region ", i), Criterion: DemographicParity, Tau: 0.1,
			Group: []Term{Is("region", fmt.Sprint("r", i))}, Rest: true,
		})
	}
	g := mustGrouper(t, comparisons...)
	if got, want := g.Attributes(), []string{"sex", "race", "region"}; !slices.Equal(got, want) {
		t.Fatalf("attributes %v, want %v", got, want)
	}
	if got, want := len(g.Comparisons()), len(comparisons)+1; got != want {
		t.Fatalf("%d comparisons, want %d: equalized odds is two", got, want)
	}
	domain := map[string][]string{
		"sex":    {"Male", "Female", "X", "male", "?", ""},
		"race":   {"White", "Black", "Asian", "?", ""},
		"region": {"r0", "r3", "r15", "elsewhere", "?", ""},
	}
	rng := rand.New(rand.NewPCG(11, 1))
	sides := make([]Side, len(g.Comparisons()))
	var seen [Excluded + 1]bool
	for range 3000 {
		values, levels := map[string]string{}, make([]Level, 3)
		for i, name := range g.Attributes() {
			values[name] = domain[name][rng.IntN(len(domain[name]))]
			if values[name] == "" || values[name] == "?" {
				levels[i] = MissingLevel
				continue
			}
			levels[i] = g.Level(i, []byte(values[name]))
		}
		positive := rng.IntN(2) == 0
		g.Sides(sides, levels, positive)
		for i, c := range g.Comparisons() {
			want := slowSide(c, values, positive)
			if sides[i] != want {
				t.Fatalf("%s by %s, values %v, label %v: side %d, want %d", c.Name, c.Criterion, values, positive, sides[i], want)
			}
			seen[sides[i]] = true
		}
	}
	if slices.Contains(seen[:], false) {
		t.Errorf("the records reach only the sides %v", seen)
	}
}

func TestNewGrouperReportsEveryProblem(t *testing.T) {
	bad := sexComparison(DemographicParity)
	bad.Tau = 2
	second := sexComparison(EqualizedOdds)
	again := sexComparison(EqualOpportunity) // already part of equalized odds
	_, err := NewGrouper([]Comparison{bad, second, again})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"comparison 1 (sex): tau: 2 is outside", "comparison 3 (sex): name: is used twice with equal-opportunity"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
}

func TestNewGrouperRefusesAnEnormousIntersection(t *testing.T) {
	// 40 named values in each of 4 attributes: 42⁴ ≈ 3.1 million combinations.
	var comparisons []Comparison
	for i := range 40 {
		for a := range 4 {
			comparisons = append(comparisons, Comparison{
				Name: fmt.Sprint(a, " ", i), Criterion: DemographicParity, Tau: 0.1,
				Group: []Term{Is(fmt.Sprint("a", a), fmt.Sprint(i))}, Rest: true,
			})
		}
	}
	all := Comparison{Name: "all", Criterion: DemographicParity, Tau: 0.1, Rest: true}
	for a := range 4 {
		all.Group = append(all.Group, Is(fmt.Sprint("a", a), "0"))
	}
	if _, err := NewGrouper(append(comparisons, all)); err == nil || !strings.Contains(err.Error(), "comparison all: group: combines too many attribute values") {
		t.Errorf("error %v", err)
	}
}

func TestNewGrouperOfNothing(t *testing.T) {
	g := mustGrouper(t)
	g.Sides(nil, nil, true)
	if len(g.Comparisons()) != 0 || len(g.Attributes()) != 0 {
		t.Errorf("comparisons %v, attributes %v", g.Comparisons(), g.Attributes())
	}
}

func TestGrouperDoesNotAllocate(t *testing.T) {
	var comparisons []Comparison
	for i := range 2 * scanLimit {
		comparisons = append(comparisons, Comparison{
			Name: fmt.Sprint(i), Criterion: EqualizedOdds, Tau: 0.1,
			Group: []Term{Is("sex", "Female"), Is("region", fmt.Sprint("r", i))}, Rest: true,
		})
	}
	g := mustGrouper(t, comparisons...)
	sides, levels := make([]Side, len(g.Comparisons())), make([]Level, 2)
	sex, region := []byte("Female"), []byte("r7")
	if n := testing.AllocsPerRun(100, func() {
		levels[0], levels[1] = g.Level(0, sex), g.Level(1, region)
		g.Sides(sides, levels, true)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
