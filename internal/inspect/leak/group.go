package leak

import (
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/table/labels"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Proxies finds features that tell the group of a record.
func Proxies(s *find.Search) {
	copies, _ := s.Copies.Found()
	for p := range s.Pairs {
		pair := &s.Pairs[p]
		comparison := s.Grouper.Comparisons()[pair.Comparison]
		attribute := seen.AttributesOf(comparison)
		for _, c := range s.Columns {
			if slices.Contains(s.Attributes, c.Name) || slices.Contains(s.Left, c.Name) {
				continue // an attribute that is a feature was listed as one
			}
			if t := pair.Of(c.Name, copies == 0); t.NearlyAll() {
				s.Say(false, "record.ignore", "add %q if decisions must not depend on %s: alone it tells %s from %s in %d of %d records, so it is the attribute under another name. `fairstream replay` measures what decisions lose without it",
					c.Name, attribute, comparison.GroupLabel(), comparison.VersusLabel(), t.Records-t.Wrong, t.Records)
				s.Found[len(s.Found)-1].Proxy = c.Name
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
				s.Say(false, "record.ignore", "add %q if decisions must not depend on %s: %d of the %d records that %s are of %s, so %s gives the group away. `fairstream replay` measures what decisions lose without it",
					c.Name, attribute, of, t.Records, what, words.Quote(group), having)
				s.Found[len(s.Found)-1].Proxy = c.Name
			}
		}
	}
}

// TellingGroups finds flags that nearly only one group has. Of a column with more values, such as the relationship in a household, some always go with a
// group, and `fairstream models explain --columns` shows what such a column does.
func TellingGroups(s *find.Search) {
	for at, constraint := range s.Config.Constraints {
		first, second := hashesOf(constraint.Group), hashesOf(constraint.Versus)
		if len(constraint.Attribute) != 1 || len(first) == 0 || len(second) == 0 || slices.ContainsFunc(s.Config.Constraints[:at], func(c model.Constraint) bool { return slices.Equal(c.Attribute, constraint.Attribute) }) {
			continue
		}
		for _, c := range s.Columns {
			if !s.IsLearnt(c.Name) || slices.Contains(s.Attributes, c.Name) || len(c.Shown) != 2 || isProxy(s, c.Name) {
				continue
			}
			if level, ofFirst, found := labels.TellingOf(&s.Even, c.Name, constraint.Attribute[0], first, second); found {
				n, group := level.Rows-level.Positive, constraint.Versus[0].Values[0]
				if ofFirst {
					n, group = level.Positive, constraint.Group[0].Values[0]
				}
				s.Say(false, "record.ignore", "add %q if decisions must not depend on %s: of %d records in which it is %s, %d are of %s, so that value gives the group away",
					c.Name, constraint.Attribute[0], level.Rows, s.TextOf(c.Name, level.Hash), n, words.Quote(group))
				s.Found[len(s.Found)-1].Proxy = c.Name
			}
		}
	}
}

// isProxy says whether a column was named as one.
func isProxy(s *find.Search, name string) bool {
	return slices.ContainsFunc(s.Found, func(f find.Finding) bool { return f.Proxy == name })
}

// hashesOf are those of the values of a group; none where it is given by anything else.
func hashesOf(group model.Group) (hashes []uint64) {
	for _, term := range group {
		for _, value := range term.Values {
			hashes = append(hashes, record.Hash([]byte(value)))
		}
	}
	return hashes
}
