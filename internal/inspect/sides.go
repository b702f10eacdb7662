package inspect

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/model"
)

// groups finds comparisons that cannot be measured.
func (s *search) groups() {
	if s.sequence.known == 0 && s.config.Record.Key == "" && !s.unlabelled {
		return
	}
	least := int64(s.config.Learner.MinimumRecords)
	enforced, estimable := 0, 0
	for _, c := range s.Counts() {
		at := slices.IndexFunc(s.config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		path := fmt.Sprintf("constraints[%d]", at)
		if c.Enforce {
			enforced++
			if c.Group >= least && c.Versus >= least {
				estimable++
			}
		}
		attribute := s.config.Constraints[at].Attribute[0]
		one := len(s.config.Constraints[at].Attribute) == 1
		shown := ""
		if one {
			shown = seen(s.column(attribute))
		}
		known := c.Group + c.Versus + c.Neither
		switch {
		case known == 0 && c.Unknown > 0 && s.has(attribute):
			s.add(false, path+".attribute", "missing in all %d records that %s looks at%s", c.Unknown, c.Criterion, s.noNumbers(attribute))
		case known == 0:
		default:
			s.side(path+".group", c.GroupLabel(), c.Group, least, known, string(c.Criterion), shown)
			s.side(path+".versus", c.VersusLabel(), c.Versus, least, known, string(c.Criterion), shown)
			s.oneLabel(path+".group", c.GroupLabel(), c.Group, c.GroupPositive, c.VersusLabel(), c.Versus, c.VersusPositive)
			s.oneLabel(path+".versus", c.VersusLabel(), c.Versus, c.VersusPositive, c.GroupLabel(), c.Group, c.GroupPositive)
		}
	}
	if enforced > 0 && estimable == 0 {
		s.add(true, "constraints", "no enforced constraint has %d records on each side, so no difference can be kept within tau", least)
	}
}

// noNumbers says why an attribute is missing that is compared by ranges, though records have it.
func (s *search) noNumbers(attribute string) string {
	c := s.column(attribute)
	if c == nil || c.Values == 0 || c.Numbers > 0 {
		return ""
	}
	return fmt.Sprintf(": ranges need numbers, and %q holds texts%s. Name them as values, such as group: [20-29, 30-39]", attribute, seen(c))
}

// oneLabel finds a group whose labels are all alike, though those of the other are not.
func (s *search) oneLabel(path, label string, n, positive int64, other string, of, otherPositive int64) {
	if n == 0 || positive != 0 && positive != n || otherPositive == 0 || otherPositive == of {
		return
	}
	share, what := float64(otherPositive)/float64(of), "positive"
	chance := share
	if positive == 0 {
		chance, what = 1-share, "negative"
	}
	if -float64(n)*math.Log(chance) < leastUnlikely {
		return
	}
	s.add(false, path, "all %d records of %s are %s, and of %s %s are positive: are these labels right, and joined to the right records?", n, Quote(label), what, Quote(other), percent(share))
}

// leastUnlikely is from which on chance is no explanation: it has a probability of exp(-leastUnlikely) at most.
const leastUnlikely = 25.

// asRange is a range as people write it.
var asRange = regexp.MustCompile(`^\s*([<>]=?\s*\d+|\d+\s*[-–]\s*\d+|\d+\s*\+)\s*$`)

func (s *search) side(path, label string, n, least, known int64, criterion, shown string) {
	switch {
	case n == 0 && slices.Contains([]string{"*", "all", "any", "others", "other", "everyone"}, strings.ToLower(label)):
		s.add(false, path, "none of the %d records that %s looks at is %s%s. Write rest for all records that are not in the group", known, criterion, Quote(label), shown)
	case n == 0 && asRange.MatchString(label):
		s.add(false, path, "none of the %d records that %s looks at is %s%s. Write a range of numbers as {from: 20, below: 40}", known, criterion, Quote(label), shown)
	case n == 0:
		s.add(false, path, "none of the %d records that %s looks at is %s%s", known, criterion, Quote(label), shown)
	case n < least:
		s.add(false, path, "%s has %d records that %s looks at and needs %d", Quote(label), n, criterion, least)
	}
}
