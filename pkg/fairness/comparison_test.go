package fairness

import (
	"reflect"
	"strings"
	"testing"
)

// sexComparison is Male against Female, by the criterion.
func sexComparison(criterion Criterion) Comparison {
	return Comparison{
		Name: "sex", Criterion: criterion, Tau: 0.05, Enforce: true,
		Group:  []Term{Is("sex", "Male")},
		Versus: []Term{Is("sex", "Female")},
	}
}

func TestCriteriaAndConditions(t *testing.T) {
	for _, c := range []struct {
		criterion          Criterion
		positive, negative bool // does the condition hold for such a label
	}{
		{DemographicParity, true, true},
		{EqualOpportunity, true, false},
		{PredictiveEquality, false, true},
	} {
		condition := c.criterion.Condition()
		if condition.Holds(true) != c.positive || condition.Holds(false) != c.negative {
			t.Errorf("%s holds (%v, %v) for a (positive, negative) label", c.criterion, condition.Holds(true), condition.Holds(false))
		}
		if parts := c.criterion.Parts(); len(parts) != 1 || parts[0] != c.criterion {
			t.Errorf("%s splits into %v", c.criterion, parts)
		}
	}
	if parts := EqualizedOdds.Parts(); !reflect.DeepEqual(parts, []Criterion{EqualOpportunity, PredictiveEquality}) {
		t.Errorf("equalized odds splits into %v", parts)
	}
	for _, criterion := range Criteria() {
		if got, err := ParseCriterion(string(criterion)); err != nil || got != criterion {
			t.Errorf("ParseCriterion(%q) = %q, %v", criterion, got, err)
		}
	}
	if _, err := ParseCriterion("parity"); err == nil || !strings.Contains(err.Error(), "use one of demographic-parity") {
		t.Errorf("ParseCriterion of an unknown name: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("equalized odds has a condition of its own")
		}
	}()
	EqualizedOdds.Condition()
}

func TestPartsKeepEverythingButTheCriterion(t *testing.T) {
	parts := sexComparison(EqualizedOdds).Parts()
	want := []Comparison{sexComparison(EqualOpportunity), sexComparison(PredictiveEquality)}
	if !reflect.DeepEqual(parts, want) {
		t.Errorf("parts %+v, want %+v", parts, want)
	}
}

func TestLabels(t *testing.T) {
	c := Comparison{Group: []Term{Is("sex", "Female"), Is("race", "Black")}, Rest: true}
	if c.GroupLabel() != "Female & Black" || c.VersusLabel() != "rest" {
		t.Errorf("labels %q and %q", c.GroupLabel(), c.VersusLabel())
	}
	if got := sexComparison(DemographicParity).VersusLabel(); got != "Female" {
		t.Errorf("versus label %q", got)
	}
}

func TestValidate(t *testing.T) {
	if problems := sexComparison(EqualizedOdds).Validate(); len(problems) != 0 {
		t.Errorf("a valid comparison has problems: %v", problems)
	}
	for _, c := range []struct {
		name   string
		change func(*Comparison)
		want   string
	}{
		{"no name", func(c *Comparison) { c.Name = "" }, "name: is empty"},
		{"criterion", func(c *Comparison) { c.Criterion = "parity" }, `criterion: unknown criterion "parity"`},
		{"tau 0", func(c *Comparison) { c.Tau = 0 }, "tau: is 0 or missing"},
		{"tau 1", func(c *Comparison) { c.Tau = 1 }, "tau: 1 is outside (0, 1)"},
		{"no group", func(c *Comparison) { c.Group = nil }, "group: is empty"},
		{"no versus", func(c *Comparison) { c.Versus = nil }, "versus: is empty"},
		{"rest and versus", func(c *Comparison) { c.Rest = true }, "versus: is given together with rest"},
		{"no attribute", func(c *Comparison) { c.Group[0].Attribute = "" }, "group: has a value without an attribute"},
		{"twice", func(c *Comparison) { c.Group = append(c.Group, Is("sex", "Female")) }, "group: names attribute sex twice"},
		{"same", func(c *Comparison) { c.Versus = c.Group }, "versus: is the same as group"},
		{"other attribute", func(c *Comparison) { c.Versus[0].Attribute = "race" }, "versus: names other attributes than group"},
		{"fewer attributes", func(c *Comparison) { c.Group = append(c.Group, Is("race", "Black")) }, "versus: names other attributes than group"},
	} {
		comparison := sexComparison(DemographicParity)
		c.change(&comparison)
		problems := comparison.Validate()
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), c.want) {
			t.Errorf("%s: problems %v, want one that begins with %q", c.name, problems, c.want)
		}
	}
	// All problems at once.
	if problems := (Comparison{}).Validate(); len(problems) != 5 {
		t.Errorf("the empty comparison has problems %v, want name, criterion, tau, group and versus", problems)
	}
}
