package keys

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Groups finds comparisons that cannot be measured.
func Groups(s *find.Search) {
	if s.Sequence.Known == 0 && s.Config.Record.Key == "" && !s.WithUnlabelled {
		return
	}
	least := int64(s.Config.Learner.MinimumRecords)
	enforced, estimable := 0, 0
	for _, c := range s.Counts() {
		at := slices.IndexFunc(s.Config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		path := fmt.Sprintf("constraints[%d]", at)
		if c.Enforce {
			enforced++
			if c.Group >= least && c.Versus >= least {
				estimable++
			}
		}
		attribute := s.Config.Constraints[at].Attribute[0]
		one := len(s.Config.Constraints[at].Attribute) == 1
		shown := ""
		if one {
			shown = words.Seen(s.Column(attribute))
		}
		known := c.Group + c.Versus + c.Neither
		switch {
		case known == 0 && c.Unknown > 0 && s.Has(attribute):
			s.Say(false, path+".attribute", "missing in all %d records that %s looks at%s", c.Unknown, c.Criterion, noNumbers(s, &s.Config.Constraints[at]))
		case known == 0:
		default:
			side(s, path+".group", c.GroupLabel(), c.Group, least, known, string(c.Criterion), shown)
			side(s, path+".versus", c.VersusLabel(), c.Versus, least, known, string(c.Criterion), shown)
			oneLabel(s, path+".group", c.GroupLabel(), c.Group, c.GroupPositive, c.VersusLabel(), c.Versus, c.VersusPositive)
			oneLabel(s, path+".versus", c.VersusLabel(), c.Versus, c.VersusPositive, c.GroupLabel(), c.Group, c.GroupPositive)
		}
	}
	if enforced > 0 && estimable == 0 {
		s.Say(true, "constraints", "no enforced constraint has %d records on each side, so no difference can be kept within tau", least)
	}
}

// ranged is the first attribute of a constraint that is compared by ranges, or none.
func ranged(c *model.Constraint) string {
	for i, attribute := range c.Attribute {
		if i < len(c.Group) && c.Group[i].Range != nil || i < len(c.Versus) && c.Versus[i].Range != nil {
			return attribute
		}
	}
	return ""
}

// noNumbers says why an attribute is missing that is compared by ranges, though records have it.
func noNumbers(s *find.Search, constraint *model.Constraint) string {
	attribute := ranged(constraint)
	c := s.Column(attribute)
	if attribute == "" || c == nil || c.Values == 0 || c.Numbers > 0 {
		return ""
	}
	return fmt.Sprintf(": ranges need numbers, and %q holds texts%s. Name them as values, such as group: [20-29, 30-39]", attribute, words.Seen(c))
}

// leastUnlikely is from which on chance is no explanation: it has a probability of exp(-leastUnlikely) at most.
const leastUnlikely = 25.

// oneLabel finds a group whose labels are all alike, though those of the other are not.
func oneLabel(s *find.Search, path, label string, n, positive int64, other string, of, otherPositive int64) {
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
	s.Say(false, path, "all %d records of %s are %s, and of %s %s are positive: are these labels right, and joined to the right records?", n, words.Quote(label), what, words.Quote(other), words.Percent(share))
}

// asRange is a range as people write it.
var asRange = regexp.MustCompile(`^\s*([<>]=?\s*\d+|\d+\s*[-–]\s*\d+|\d+\s*\+)\s*$`)

func side(s *find.Search, path, label string, n, least, known int64, criterion, shown string) {
	switch {
	case n == 0 && slices.Contains([]string{"*", "all", "any", "others", "other", "everyone"}, strings.ToLower(label)):
		s.Say(false, path, "none of the %d records that %s looks at is %s%s. Write rest for all records that are not in the group", known, criterion, words.Quote(label), shown)
	case n == 0 && slices.Contains(s.Config.Record.Missing, record.Text(label)):
		s.Say(false, path, "%s stands for \"not known\" in record.missing, so no record is in this group%s. If it is a value, set record.missing to a list without it, such as [\"\"]", words.Quote(label), shown)
	case n == 0 && asRange.MatchString(label):
		s.Say(false, path, "none of the %d records that %s looks at is %s%s. Write a range of numbers as {from: 20, below: 40}", known, criterion, words.Quote(label), shown)
	case n == 0:
		s.Say(false, path, "none of the %d records that %s looks at is %s%s", known, criterion, words.Quote(label), shown)
	case n < least:
		s.Say(false, path, "%s has %d records that %s looks at and needs %d", words.Quote(label), n, criterion, least)
	}
}
