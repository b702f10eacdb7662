package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	// A share is taken of so many records at the start and at the end; it has shifted if it changes by mostShift, five standard errors, or if of a
	// class that had leastVanished nothing is left.
	shiftRecords  = 500
	mostShift     = .15
	leastVanished = .06
	// Attributes are often missing if more than mostUnknown of the records lack them. Where leastUnknown records lack one, the share of positive
	// labels among them may differ by unknownApart from that of the others.
	mostUnknown  = .5
	leastUnknown = 100
	unknownApart = .2
)

// shift holds what is true of the first and of the newest records.
type shift struct {
	first, newest  int // of which it is true
	started, ended int
	ring           [shiftRecords]bool
}

func (s *shift) add(is bool) {
	if s.started < shiftRecords {
		s.started++
		if is {
			s.first++
		}
		return
	}
	at := s.ended % shiftRecords
	if s.ended >= shiftRecords && s.ring[at] {
		s.newest--
	}
	if s.ring[at] = is; is {
		s.newest++
	}
	s.ended++
}

// found says whether the share has shifted, and from what to what.
func (s *shift) found() (from, to float64, shifted bool) {
	from, to = float64(s.first)/shiftRecords, float64(s.newest)/shiftRecords
	vanished := (from == 0 || to == 0 || from == 1 || to == 1) && math.Abs(to-from) >= leastVanished
	return from, to, s.ended >= shiftRecords && (vanished || math.Abs(to-from) >= mostShift)
}

// shifts finds records that are sorted by a group or whose groups are exchanged.
func (s *search) shifts() {
	for p := range s.pairs {
		pair := &s.pairs[p]
		if from, to, shifted := pair.shift.found(); shifted {
			c := s.grouper.Comparisons()[pair.comparison]
			s.add(false, s.constraintOf(c.Name)+".attribute", "the share of %s goes from %s among the first %d records to %s among the newest: are they sorted by %s, or are its values swapped on the way? Groups must be mixed (replay --shuffle 1) and written in one way",
				Quote(c.GroupLabel()), percent(from), shiftRecords, percent(to), attributesOf(c))
		}
	}
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func (s *search) constraintOf(name string) string {
	for at, c := range s.config.Constraints {
		if c.Name == name {
			return fmt.Sprintf("constraints[%d]", at)
		}
	}
	return "constraints"
}

// unknown finds attributes that are missing in most records, or where the label has to do with it.
func (s *search) unknown() {
	var said []string
	for _, c := range s.Counts() {
		attribute := attributesOf(c.Comparison)
		if c.NoStratum > 0 {
			s.noStratum(c)
			c.Unknown, c.UnknownPositive = c.Unknown-c.NoStratum, c.UnknownPositive-c.NoStratumPositive
		}
		known := c.Group + c.Versus + c.Neither
		if known == 0 || c.Unknown < leastUnknown || c.Excluded > 0 || slices.Contains(said, attribute) {
			continue
		}
		said = append(said, attribute)
		all, positive := known+c.Unknown, c.KnownPositive+c.UnknownPositive
		path := s.constraintOf(c.Name) + ".attribute"
		of, without := float64(c.KnownPositive)/float64(known), float64(c.UnknownPositive)/float64(c.Unknown)
		switch {
		case positive > 0 && known >= leastUnknown && math.Abs(of-without) >= unknownApart:
			s.add(false, path, "%q is missing in %d of %d records, and %s of these have a positive label, of the others %s: what is measured holds only for those whose attribute is known",
				attribute, c.Unknown, all, percent(without), percent(of))
		case float64(c.Unknown) > mostUnknown*float64(all):
			s.add(false, path, "%q is missing in %d of %d records, which belong to no group: what is measured holds only for the others", attribute, c.Unknown, all)
		}
	}
}

// noStratum finds records that are compared with no other, since a stratum of theirs is missing or not counted.
func (s *search) noStratum(c Counts) {
	all := c.Group + c.Versus + c.Neither + c.Unknown
	path := s.constraintOf(c.Name) + ".strata"
	column := s.column(c.Strata)
	told := slices.ContainsFunc(s.found, func(f Finding) bool { return f.Path == path })
	switch {
	case told || column == nil || float64(c.NoStratum) <= mostUnknown*float64(all):
	case column.Distinct > fairness.MostFound:
		s.add(false, path, "%q has more than %d different values, so that its strata are too many and too small: %d of %d records are in none that is counted, and only the others are compared. "+
			"Name a field with few values, such as ranges, or remove the key", c.Strata, fairness.MostFound, c.NoStratum, all)
	default:
		s.add(false, path, "%q is missing in %d of %d records, which belong to no stratum: only the others are compared", c.Strata, c.NoStratum, all)
	}
}

// single finds groups that are one number of many.
func (s *search) single() {
	for at, constraint := range s.config.Constraints {
		if len(constraint.Attribute) != 1 {
			continue
		}
		c := s.column(constraint.Attribute[0])
		if c == nil || c.Kind != profile.Number || c.Distinct <= mostSingle {
			continue
		}
		for _, counts := range s.Counts() {
			one := strings.TrimSpace(counts.GroupLabel())
			if counts.Name == constraint.Name && !math.IsNaN(table.Number([]byte(one))) {
				s.add(false, fmt.Sprintf("constraints[%d].group", at), "%q has %d different numbers, and the group is one of them, %s: compare ranges, such as group: {below: 40}, versus: {from: 40}", c.Name, c.Distinct, one)
				break
			}
		}
	}
}

// mostSingle is how many different numbers an attribute has whose groups are single ones.
const mostSingle = 12
