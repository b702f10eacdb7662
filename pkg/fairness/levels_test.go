package fairness

import "testing"

// TestTheNameOfALevel: a record's level has the name of its value or of its range, and none where no comparison tells the value apart.
func TestTheNameOfALevel(t *testing.T) {
	forty, sixty := 40.0, 60.0
	one := func(attribute string, m Members) []Term { return []Term{{Attribute: attribute, Members: m}} }
	g := mustGrouper(t,
		Comparison{Name: "age", Criterion: DemographicParity, Tau: 0.1, Rest: true, Group: one("age", Members{Range: &Range{From: &forty, Below: &sixty}})},
		Comparison{Name: "word", Criterion: DemographicParity, Tau: 0.1, Rest: true, Group: one("age", Members{Values: []string{"old", "very old"}})},
		Comparison{Name: "sex", Criterion: DemographicParity, Tau: 0.1, Group: one("sex", Members{Values: []string{"m"}}), Versus: one("sex", Members{Values: []string{"f"}})},
		Comparison{Name: "region", Criterion: DemographicParity, Tau: 0.1, Each: true, Rest: true, Group: []Term{{Attribute: "region"}}})
	attributes := map[string]int{}
	for i, name := range g.Attributes() {
		attributes[name] = i
	}
	for _, c := range []struct {
		attribute, value, want string
		single                 bool
	}{
		{"age", "39.9", "< 40", false}, {"age", "40", "40 to < 60", false},
		{"age", "59", "40 to < 60", false}, {"age", "60", "≥ 60", false}, {"age", "1e9", "≥ 60", false},
		{"age", "old", "old", true}, {"age", "very old", "very old", true}, {"age", "young", "", false},
		{"sex", "m", "m", true}, {"sex", "f", "f", true}, {"sex", "x", "", false},
		{"region", "north", "north", true}, {"region", "south", "south", true},
	} {
		i := attributes[c.attribute]
		level := g.Level(i, []byte(c.value))
		if got := g.Value(i, level); got != c.want || g.attributes[i].single(level) != c.single {
			t.Errorf("%s %s is %q, of one value: %v; want %q, %v", c.attribute, c.value, got, g.attributes[i].single(level), c.want, c.single)
		}
	}
	for name, i := range attributes {
		if got := g.Value(i, MissingLevel); got != "" {
			t.Errorf("%s missing is %q", name, got)
		}
	}
}
