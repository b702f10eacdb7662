package fairness

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Term is one attribute's part of a group's definition.
type Term struct {
	Attribute string
	Members
}

// Is is the term of one value.
func Is(attribute, value string) Term { return Term{attribute, Value(value)} }

// Comparison is a pair of groups and the criterion by which they are compared.
//
// A group is a conjunction of terms: one for a plain group, as in sex = Female, or race = Black or Hispanic, or
// age ≥ 40; several for an intersection, as in sex = Female and race = Black. Versus names the same attributes with other
// members; with Rest it is every record in which all of those attributes are known and that is not in the group. A record
// that lacks one of the attributes, or has a text where a range needs a number, is on neither side, even where the other
// attributes would already exclude it: its membership is not known.
type Comparison struct {
	// Name identifies the comparison in reports; it is the user's.
	Name string
	// Criterion is what is compared.
	Criterion Criterion
	// Group defines the group; at least one term, no attribute twice.
	Group []Term
	// Versus defines the other side; empty if Rest or Best.
	Versus []Term
	// Rest makes the other side every other known value.
	Rest bool
	// Each stands for one comparison for each value that records have. The terms of Group name the attributes and have no
	// members; a Grouper gives them to each comparison once it has met them.
	Each bool
	// Best, of Each, makes the other side the value with the highest rate, which a Grouper is told (Choose). Versus of Each
	// may name one value instead.
	Best bool
	// Strata is a field within whose values the groups are compared; empty for a comparison of all records.
	Strata string
	// Tau is the largest absolute difference allowed: 0 < tau < 1 for rates, above
	// 0 and in units of the label for means. Of an impact ratio it is the least ratio allowed: 0 < tau < 1.
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

// OfNumber says whether a range is among the groups, so that a record needs a number.
func (c Comparison) OfNumber() bool {
	return slices.ContainsFunc(slices.Concat(c.Group, c.Versus), func(t Term) bool { return t.Range != nil })
}

// Known says whether the groups are: those of Each are known once a record has had them. The one that the others are compared
// with has no comparison of its own.
func (c Comparison) Known() bool {
	return !c.Each || !slices.ContainsFunc(c.Group, func(t Term) bool { return t.problem() != "" }) && (len(c.Versus) == 0 || !equal(c.Group, c.Versus))
}

// Bound is what the absolute value of the controlled number is to be at most: tau, or, of a ratio, the part by which the
// lower rate may fall short of the higher one.
func (c Comparison) Bound() float64 {
	if c.Criterion.OfRatio() {
		return 1 - c.Tau
	}
	return c.Tau
}

// GroupLabel is the group as shown to people, such as "Female", "Female & Black", "Black or Hispanic" or "age ≥ 40".
func (c Comparison) GroupLabel() string { return label(c.Group) }

// VersusLabel is the other side as shown to people. That of Rest is "rest", but for a range with one end: the rest of
// "age ≥ 40" is "age < 40".
func (c Comparison) VersusLabel() string {
	switch {
	case c.Rest && len(c.Group) == 1 && c.Group[0].Range != nil:
		if r := c.Group[0].Range; r.From == nil || r.Below == nil {
			return label([]Term{{c.Group[0].Attribute, Members{Range: &Range{From: r.Below, Below: r.From}}}})
		}
		return "rest"
	case c.Rest:
		return "rest"
	case c.Best && len(c.Versus) == 0:
		return "best"
	}
	return label(c.Versus)
}

func label(terms []Term) string {
	if len(terms) == 1 && len(terms[0].Values) == 1 {
		return terms[0].Values[0]
	}
	var words []string
	for _, term := range terms {
		if term.Range != nil {
			words = append(words, term.Attribute+" "+term.words())
		} else {
			words = append(words, term.words())
		}
	}
	return strings.Join(words, " & ")
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
	report := func(field, problem string) {
		if problem != "" {
			problems = append(problems, FieldError{field, problem})
		}
	}
	if c.Name == "" {
		report("name", "is empty: give the comparison a name for reports and metrics")
	}
	if _, err := ParseCriterion(string(c.Criterion)); err != nil {
		report("criterion", err.Error())
	}
	report("tau", c.tauProblem())
	if c.Strata != "" {
		switch {
		case c.Criterion.OfMeans():
			report("strata", "is for criteria of rates: remove it")
		case slices.ContainsFunc(c.Group, func(t Term) bool { return t.Attribute == c.Strata }):
			report("strata", "is an attribute of the comparison: within one of its values there is only one group")
		}
	}
	groupProblem := attributesProblem(c.Group)
	if groupProblem == "" && !c.Each {
		groupProblem = membersProblem(c.Group)
	}
	report("group", groupProblem)
	switch {
	case c.Rest && c.Best:
		report("versus", "is rest and best: use one of them")
	case (c.Rest || c.Best) && len(c.Versus) > 0:
		report("versus", "is given together with rest or best: use one of them")
	case c.Best && !c.Each:
		report("versus", "is best, which needs group: each")
	case c.Best && c.Criterion.OfMeans():
		report("versus", "is best, which is for criteria of rates: use rest")
	case c.Each && !c.Rest && !c.Best:
		report("versus", c.referenceProblem())
	case c.Rest || c.Best:
	default:
		report("versus", c.versusProblem(groupProblem != ""))
	}
	return problems
}

func (c Comparison) tauProblem() string {
	wrong, use := !(c.Tau > 0 && c.Tau < 1), "use the largest allowed difference of the rates, such as 0.05"
	switch {
	case c.Criterion.OfMeans():
		wrong, use = !(c.Tau > 0 && c.Tau <= math.MaxFloat64), "use the largest allowed difference of the mean predictions, in units of the label"
	case c.Criterion == ImpactRatio:
		use = "use the least allowed ratio of the rates, such as 0.8"
	}
	switch {
	case !wrong:
		return ""
	case c.Tau == 0:
		return "is 0 or missing: " + use
	case c.Criterion.OfMeans():
		return fmt.Sprintf("%v is not a number above 0: %s", c.Tau, use)
	}
	return fmt.Sprintf("%v is outside (0, 1): %s", c.Tau, use)
}

// versusProblem is what is wrong with the terms of the other side.
func (c Comparison) versusProblem(groupUnusable bool) string {
	problem := cmp.Or(attributesProblem(c.Versus), membersProblem(c.Versus))
	switch {
	case problem != "":
		return problem
	case groupUnusable: // already reported; there is nothing to compare with
		return ""
	case !sameAttributes(c.Group, c.Versus):
		return "names other attributes than group: use the same attributes with other values, or rest"
	}
	// The groups share records if their members overlap in every attribute.
	var shared []string
	for _, term := range c.Group {
		common := term.overlap(membersOf(c.Versus, term.Attribute))
		if common == "" {
			return ""
		}
		shared = append(shared, term.Attribute+" "+common)
	}
	if equal(c.Group, c.Versus) {
		return "is the same as group: use another value, or rest"
	}
	return "overlaps group (" + strings.Join(shared, ", ") + "): a record can be on one side only"
}

// referenceProblem is what is wrong with the value that every other one is compared with.
func (c Comparison) referenceProblem() string {
	if problem := cmp.Or(attributesProblem(c.Versus), membersProblem(c.Versus)); problem != "" {
		return problem
	}
	if !sameAttributes(c.Group, c.Versus) || slices.ContainsFunc(c.Versus, func(t Term) bool { return len(t.Values) != 1 }) {
		return "is not one value, with which group: each compares every other: use rest, best or one value"
	}
	return ""
}

func attributesProblem(terms []Term) string {
	if len(terms) == 0 {
		return "is empty: name an attribute and one of its values"
	}
	for i, term := range terms {
		if term.Attribute == "" {
			return "has a value without an attribute: name the attribute"
		}
		if slices.ContainsFunc(terms[:i], func(t Term) bool { return t.Attribute == term.Attribute }) {
			return "names attribute " + term.Attribute + " twice: a record has one value for it"
		}
	}
	return ""
}

func membersProblem(terms []Term) string {
	for _, term := range terms {
		if problem := term.problem(); problem != "" {
			return problem
		}
	}
	return ""
}

// membersOf are those of an attribute, none if no term is of it.
func membersOf(terms []Term, attribute string) Members {
	for _, term := range terms {
		if term.Attribute == attribute {
			return term.Members
		}
	}
	return Members{}
}

func sameAttributes(a, b []Term) bool {
	for _, term := range a {
		if !slices.ContainsFunc(b, func(t Term) bool { return t.Attribute == term.Attribute }) {
			return false
		}
	}
	return len(a) == len(b)
}

// equal compares terms of the same attributes by what they say.
func equal(a, b []Term) bool {
	for _, term := range a {
		if other := membersOf(b, term.Attribute); term.words() != other.words() {
			return false
		}
	}
	return true
}
