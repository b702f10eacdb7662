package keys

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/model"
)

// Unbounded finds that nothing keeps any difference within tau.
func Unbounded(s *find.Search) {
	switch all := s.Config.Constraints; {
	case len(all) == 0:
		s.Say(false, "constraints", "there is none, so no difference between groups is measured or bounded: name an attribute and two groups (`fairstream config keys` explains how)")
	case !slices.ContainsFunc(all, model.Constraint.Enforced):
		s.Say(false, "constraints", "none is enforced: differences are measured, but not kept within tau. Remove enforce: false from those that are to be kept")
	}
}

// Bounds finds values of tau that bound nearly nothing.
func Bounds(s *find.Search) {
	for at, c := range s.Config.Constraints {
		path := fmt.Sprintf("constraints[%d].tau", at)
		switch {
		case c.Criterion.OfRatio() && c.Tau < .5:
			s.Say(false, path, "%v is the least ratio of the rates, so one group may be accepted %.4g times as often as the other: for four fifths, %s needs 0.8", c.Tau, 1/c.Tau, c.Criterion)
		case !c.Criterion.OfRatio() && !c.Criterion.OfMeans() && c.Tau >= .5:
			s.Say(false, path, "%v allows nearly every difference of rates: use one such as 0.05, or criterion: impact-ratio for four fifths (tau: 0.8)", c.Tau)
		}
	}
}

// Twice finds constraints that compare the same groups by the same criterion.
func Twice(s *find.Search) {
	said := map[string]int{}
	for at, c := range s.Config.Constraints {
		group, versus := fmt.Sprint(c.Group), fmt.Sprint(c.Versus)
		name := fmt.Sprint(c.Attribute, c.Criterion, c.Strata, min(group, versus), max(group, versus))
		before, known := said[name]
		if !known {
			said[name] = at
			continue
		}
		s.Say(false, fmt.Sprintf("constraints[%d]", at), "compares the same groups of %s by %s as constraints[%d] does, with tau %v and %v: keep the one that you mean",
			strings.Join(c.Attribute, ", "), c.Criterion, before, c.Tau, s.Config.Constraints[before].Tau)
	}
}

// mostSingle is how many different numbers an attribute has whose groups are single ones.
const mostSingle = 12

// Single finds groups that are one number of many.
func Single(s *find.Search) {
	for at, constraint := range s.Config.Constraints {
		if len(constraint.Attribute) != 1 {
			continue
		}
		c := s.Column(constraint.Attribute[0])
		if c == nil || c.Kind != profile.Number || c.Distinct <= mostSingle {
			continue
		}
		for _, counts := range s.Counts() {
			one := strings.TrimSpace(counts.GroupLabel())
			if counts.Name == constraint.Name && !math.IsNaN(table.Number([]byte(one))) {
				s.Say(false, fmt.Sprintf("constraints[%d].group", at), "%q has %d different numbers, and the group is one of them, %s: compare ranges, such as group: {below: 40}, versus: {from: 40}", c.Name, c.Distinct, one)
				break
			}
		}
	}
}

// Rests finds groups that are everybody else, those included of whom the attribute is not known.
func Rests(s *find.Search) {
	for _, c := range s.Counts() {
		at := slices.IndexFunc(s.Config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		constraint := s.Config.Constraints[at]
		if c.VersusLabel() != "rest" || len(constraint.Attribute) != 1 {
			continue
		}
		column := s.Column(constraint.Attribute[0])
		if column == nil || column.Kind == profile.Number && column.Distinct > mostSingle {
			continue
		}
		for _, v := range s.Values(column.Name) {
			if profile.IsUnknownWord(v.Text) && !slices.Contains(strings.Split(c.GroupLabel(), " or "), v.Text) {
				s.Say(false, "record.missing", "add %q if it stands for \"not known\": the %d records with it in %q count as rest, the group that %s is compared with", v.Text, v.Count, column.Name, words.Quote(c.GroupLabel()))
				break
			}
		}
	}
}

// Roles finds a label that has the name of a protected attribute, and an attribute that has the name of a label.
func Roles(s *find.Search) {
	if label := s.Config.Record.Label.Field; s.Config.Learner.Task == model.Classification && s.Column(label) != nil && profile.IsAttributeName(label) && !profile.IsLabelName(label) {
		s.Say(false, "record.label.field", "%q has the name of a protected attribute: is it what the model is to predict?", label)
	}
	for _, attribute := range s.Attributes {
		if s.Column(attribute) != nil && profile.IsLabelName(attribute) && !profile.IsAttributeName(attribute) {
			s.Say(false, s.ConstraintOn(attribute), "%q has the name of a label: are its values groups of people?", attribute)
		}
	}
	asFeature(s)
}

// asFeature finds attributes that are features.
func asFeature(s *find.Search) {
	for _, attribute := range s.Attributes {
		if s.Features[attribute] && slices.Contains(s.Config.Record.Features, attribute) {
			s.Say(false, "record.features", "%q is the attribute of a constraint, and a feature: decisions then depend on %s itself. Remove it here unless that is meant", attribute, strings.ToLower(attribute))
		}
	}
}

// Resembling finds features that stand for an attribute that no record has.
func Resembling(s *find.Search) {
	for a, constraint := range s.Config.Constraints {
		for _, attribute := range constraint.Attribute {
			if s.Has(attribute) {
				continue
			}
			for _, c := range s.Columns {
				if s.Features[c.Name] && spelling.Field(attribute, []string{c.Name}) != "" {
					s.Say(false, fmt.Sprintf("constraints[%d].attribute", a), "%q is kept out of the features, since it resembles the attribute %q that no record has", c.Name, attribute)
				}
			}
		}
	}
}
