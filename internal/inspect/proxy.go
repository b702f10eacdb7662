package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// mostPairs is how many different pairs of groups are looked for in the columns.
const mostPairs = 8

// pair is the two groups of a comparison; other comparisons may have the same.
type pair struct {
	clue.Classes
	comparison int
	shift      shift           // of the first group
	neighbours clue.Neighbours // features beside the group of other records
}

func pairsOf(comparisons []fairness.Comparison) (pairs []pair) {
	var known []string
	for k, c := range comparisons {
		name := attributesOf(c) + "\x00" + c.GroupLabel() + "\x00" + c.VersusLabel()
		if c.Known() && len(pairs) < mostPairs && !slices.Contains(known, name) {
			known, pairs = append(known, name), append(pairs, pair{comparison: k})
		}
	}
	return pairs
}

func attributesOf(c fairness.Comparison) string {
	var names []string
	for _, term := range c.Group {
		names = append(names, term.Attribute)
	}
	return strings.Join(names, ", ")
}

// tellGroups lets the features of the present record tell which group it is of.
func (i *Inspection) tellGroups(repeated bool) {
	if len(i.pairs) == 0 {
		return
	}
	i.grouper.Sides(i.sides, i.levels, true)
	for p := range i.pairs {
		pair := &i.pairs[p]
		side := i.sides[pair.comparison]
		if side != fairness.Group && side != fairness.Versus {
			continue
		}
		pair.Add(side == fairness.Group, repeated)
		pair.shift.add(side == fairness.Group)
		pair.neighbours.Add(i.rec.Features, i.parsed, side == fairness.Group)
		for f := range i.rec.Features {
			if field := &i.rec.Features[f]; i.features[field.Name] {
				pair.Tell(field.Name, field.Hash, i.parsed[f], field.Missing, side == fairness.Group, repeated)
			}
		}
	}
}

// proxies finds features that tell the group of a record.
func (s *search) proxies() {
	copies, _ := s.copies.Found()
	for p := range s.pairs {
		pair := &s.pairs[p]
		comparison := s.grouper.Comparisons()[pair.comparison]
		attribute := attributesOf(comparison)
		for _, c := range s.columns {
			if slices.Contains(s.attributes, c.Name) || slices.Contains(s.left, c.Name) {
				continue // an attribute that is a feature was listed as one
			}
			if t := pair.Of(c.Name, copies == 0); t.NearlyAll() {
				s.add(false, "record.ignore", "add %q if decisions must not depend on %s: alone it tells %s from %s in %d of %d records, so it is the attribute under another name. `fairstream replay` measures what decisions lose without it",
					c.Name, attribute, comparison.GroupLabel(), comparison.VersusLabel(), t.Records-t.Wrong, t.Records)
				s.found[len(s.found)-1].Proxy = c.Name
				continue
			}
			t, first, found := pair.Only(c.Name, copies == 0)
			what, having := "have a value for it", "having one"
			if !found {
				t, first, found = pair.OnlyAbove(c.Name, copies == 0)
				what, having = "have a number above 0 in it", "such a number"
			}
			if found {
				group, of := comparison.VersusLabel(), t.Records-t.First
				if first {
					group, of = comparison.GroupLabel(), t.First
				}
				s.add(false, "record.ignore", "add %q if decisions must not depend on %s: %d of the %d records that %s are of %s, so %s gives the group away. `fairstream replay` measures what decisions lose without it",
					c.Name, attribute, of, t.Records, what, Quote(group), having)
				s.found[len(s.found)-1].Proxy = c.Name
			}
		}
	}
}

// constraintOn is the key of the first constraint that names an attribute, or nothing.
func (s *search) constraintOn(attribute string) string {
	for at, c := range s.config.Constraints {
		if slices.Contains(c.Attribute, attribute) {
			return fmt.Sprintf("constraints[%d].attribute", at)
		}
	}
	return ""
}
