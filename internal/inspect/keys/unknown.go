package keys

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

const (
	// Attributes are often missing if more than mostUnknown of the records lack them. Where find.LeastUnknown records lack one, the share of positive
	// labels among them may differ by unknownApart from that of the others.
	mostUnknown  = .5
	unknownApart = .2
	// A comparison within strata should leave out at most mostLeftOut of its records, because they are in no stratum or in one that compares nothing.
	mostLeftOut = 1. / 3
)

// Unknown finds attributes that are missing in most records, or where the label has to do with it.
func Unknown(s *find.Search) {
	var said []string
	for _, c := range s.Counts() {
		attribute := seen.AttributesOf(c.Comparison)
		c.Unknown, c.UnknownPositive = c.Unknown-c.NoStratum, c.UnknownPositive-c.NoStratumPositive // Lopsided tells of these
		known := c.Group + c.Versus + c.Neither
		if known == 0 || c.Unknown < find.LeastUnknown || c.Excluded > 0 || slices.Contains(said, attribute) {
			continue
		}
		said = append(said, attribute)
		all, positive := known+c.Unknown, c.KnownPositive+c.UnknownPositive
		path := s.ConstraintOf(c.Name) + ".attribute"
		of, without := float64(c.KnownPositive)/float64(known), float64(c.UnknownPositive)/float64(c.Unknown)
		switch {
		case positive > 0 && known >= find.LeastUnknown && math.Abs(of-without) >= unknownApart:
			s.Say(false, path, "%q is missing in %d of %d records, and %s of these have a positive label, of the others %s: what is measured holds only for those whose attribute is known",
				attribute, c.Unknown, all, words.Percent(without), words.Percent(of))
		case float64(c.Unknown) > mostUnknown*float64(all):
			s.Say(false, path, "%q is missing in %d of %d records, which belong to no group: what is measured holds only for the others", attribute, c.Unknown, all)
		}
	}
}

// Lopsided finds comparisons within strata that leave out many records: since they are in no stratum, or in one that has one group only.
func Lopsided(s *find.Search) {
	for k, c := range s.Grouper.Comparisons() {
		if s.Strata == nil {
			return
		}
		w := &s.Strata[k]
		all, left, alone := w.Alone()
		if all < find.Enough || float64(left) <= mostLeftOut*float64(all) || !s.Has(c.Strata) {
			continue
		}
		at := slices.IndexFunc(s.Config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		path := fmt.Sprintf("constraints[%d].strata", at)
		column := s.Column(c.Strata)
		switch none := w.None(); {
		case float64(none) <= mostLeftOut*float64(all):
			s.Say(false, path, "%d of %d records of %s and %s hardly count: %d of %d values of %q have nearly one of the two groups only, so there is nobody to compare with. Choose a field whose values both groups have, or remove the key",
				left, all, words.Quote(c.GroupLabel()), words.Quote(c.VersusLabel()), alone, w.Len(), c.Strata)
		case column != nil && column.Distinct > fairness.MostFound:
			s.Say(false, path, "%q has more than %d different values, so that its strata are too many and too small: %d of %d records are in none that is counted, and only the others are compared. "+
				"Name a field with few values, such as ranges, or remove the key", c.Strata, fairness.MostFound, none, all)
		default:
			s.Say(false, path, "%q is missing in %d of %d records, which belong to no stratum: only the others are compared", c.Strata, none, all)
		}
	}
}
