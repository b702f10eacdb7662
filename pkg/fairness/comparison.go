package fairness

import (
	"math"
	"strings"
)

// AttributeValue is one term of a group's definition.
type AttributeValue struct {
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
}

// Comparison is a pair of groups and the criterion by which they are compared.
//
// A group is a conjunction of attribute values: one term for a plain group, as
// in sex = Female, several for an intersection, as in sex = Female and race =
// Black. Versus names the same attributes with other values; with Rest it is
// every record in which all of those attributes are known and that is not in
// the group. A record that lacks one of the attributes is on neither side, even
// where the others would already exclude it: its membership is not known.
type Comparison struct {
	// Name identifies the comparison in reports; it is the user's.
	Name string
	// Criterion is what is compared.
	Criterion Criterion
	// Group defines the group; at least one term, no attribute twice.
	Group []AttributeValue
	// Versus defines the other side; empty if Rest.
	Versus []AttributeValue
	// Rest makes the other side every other known value.
	Rest bool
	// Tau is the largest absolute difference allowed: 0 < tau < 1 for rates, above
	// 0 and in units of the label for means.
	Tau float64
	// Enforce says whether the learner is to keep the difference within tau,
	// or only to measure it.
	Enforce bool
}

// Parts splits a comparison by equalized odds into its two rows, which keep the
// name; any other comparison is its own only part.
func (c Comparison) Parts() []Comparison {
	var parts []Comparison
	for _, criterion := range c.Criterion.Parts() {
		part := c
		part.Criterion = criterion
		parts = append(parts, part)
	}
	return parts
}

// GroupLabel is the group as shown to people, such as "Female" or
// "Female & Black".
func (c Comparison) GroupLabel() string { return label(c.Group) }

// VersusLabel is the other side as shown to people: its values, or "rest".
func (c Comparison) VersusLabel() string {
	if c.Rest {
		return "rest"
	}
	return label(c.Versus)
}

func label(terms []AttributeValue) string {
	var values []string
	for _, term := range terms {
		values = append(values, term.Value)
	}
	return strings.Join(values, " & ")
}

// FieldError is a problem with one field of a comparison.
type FieldError struct {
	Field   string // the field as written in a configuration, such as "tau"
	Problem string // what is wrong and what to do
}

func (e FieldError) Error() string { return e.Field + ": " + e.Problem }

// Validate returns every problem of the comparison, none if it can be used.
func (c Comparison) Validate() []FieldError {
	var problems []FieldError
	report := func(field, problem string) { problems = append(problems, FieldError{field, problem}) }
	if c.Name == "" {
		report("name", "is empty: give the comparison a name for reports and metrics")
	}
	if _, err := ParseCriterion(string(c.Criterion)); err != nil {
		report("criterion", err.Error())
	}
	switch {
	case c.Criterion.OfMeans() && !(c.Tau > 0 && c.Tau <= math.MaxFloat64):
		report("tau", "is not a number above 0: use the largest allowed difference of the mean predictions, in units of the label")
	case !c.Criterion.OfMeans() && !(c.Tau > 0 && c.Tau < 1):
		report("tau", "is outside (0, 1): use the largest allowed difference of the rates, such as 0.05")
	}
	group, problem := termsByAttribute(c.Group)
	if problem != "" {
		report("group", problem)
	}
	if c.Rest {
		if len(c.Versus) > 0 {
			report("versus", "is given together with rest: use one of them")
		}
		return problems
	}
	versus, problem := termsByAttribute(c.Versus)
	switch {
	case problem != "":
		report("versus", problem)
	case group == nil: // already reported; there is nothing to compare with
	case !sameAttributes(group, versus):
		report("versus", "names other attributes than group: use the same attributes with other values, or rest")
	case sameValues(group, versus):
		report("versus", "is the same as group: use another value, or rest")
	}
	return problems
}

func termsByAttribute(terms []AttributeValue) (values map[string]string, problem string) {
	if len(terms) == 0 {
		return nil, "is empty: name an attribute and one of its values"
	}
	values = make(map[string]string, len(terms))
	for _, term := range terms {
		if term.Attribute == "" {
			return nil, "has a value without an attribute: name the attribute"
		}
		if _, twice := values[term.Attribute]; twice {
			return nil, "names attribute " + term.Attribute + " twice: a record has one value for it"
		}
		values[term.Attribute] = term.Value
	}
	return values, ""
}

func sameAttributes(a, b map[string]string) bool {
	for attribute := range a {
		if _, ok := b[attribute]; !ok {
			return false
		}
	}
	return len(a) == len(b)
}

func sameValues(a, b map[string]string) bool {
	for attribute := range a {
		if a[attribute] != b[attribute] {
			return false
		}
	}
	return true
}
