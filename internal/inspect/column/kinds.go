package column

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

// numericShare of the values must be numbers for a learner to take a column for numeric.
const numericShare = .95

// mostlyTimes of the values of a column are times where the others should be, too.
const mostlyTimes = .6

// mostlyNew is the share of values that are new ones, from which on a column tells little of records to come.
const mostlyNew = .15

// NoFeature finds that decisions have no column to depend on.
func NoFeature(s *find.Search) {
	if s.Sequence.Known == 0 {
		return
	}
	for name := range s.Features {
		if !slices.Contains(s.Left, name) {
			return
		}
	}
	left := ""
	if len(s.Left) > 0 {
		left = fmt.Sprintf(", or left out (%s)", strings.Join(s.Left, ", "))
	}
	s.Say(true, "record", "there is no feature: every field is the label, an attribute, in record.ignore%s. All records get the same decision: take columns out of record.ignore, "+
		"or declare their type under learner.columns", left)
}

// Kinds finds features that say nothing about records to come, or are not what they seem.
func Kinds(s *find.Search) {
	headers := 0
	for _, c := range s.Columns {
		if c.Kind == profile.Formatted && slices.Contains(s.Config.Record.Ignore, c.Name) {
			s.Say(false, "record.ignore", "%q is ignored, and holds numbers with separators, currency or percent signs: let record.csv read the marks of a CSV file, or write 1234.5 where the records are made, and it can be a feature", c.Name)
		}
		if c.Kind != profile.Number && c.Values >= find.Enough && c.Times < c.Values && float64(c.Times) >= mostlyTimes*float64(c.Values) {
			s.Say(false, "record", "%q contains dates or times, except in %d of %d texts: write all of them in one form, such as 2026-11-21, where the records are made, and leave those that are not known empty", c.Name, c.Values-c.Times, c.Values)
			if c.Kind != profile.Time {
				continue
			}
		}
		if !s.Features[c.Name] {
			continue
		}
		levels := s.Config.Learner.Vocabulary.Levels
		switch declared := s.Config.Learner.Columns[c.Name].Type; {
		case c.Kind == profile.Time && declared == "":
			left := "it looks like a time, and it is used as a feature"
			if slices.Contains(s.Left, c.Name) {
				left = "a time is left out of the features"
			}
			s.Say(false, "record.ignore", "add %q: %s (%s); record.times makes numbers of it", c.Name, left, c.Why)
			s.Found[len(s.Found)-1].LeftOut = slices.Contains(s.Left, c.Name)
		case c.Kind == profile.Formatted && declared != "categorical":
			consequence := ""
			if slices.Contains(s.Left, c.Name) {
				consequence = ", and the column is left out of the features"
			}
			s.Say(false, "record.ignore", "%q holds numbers with separators, currency or percent signs in %d of %d values. These are texts to the learner%s: write 1234.5 instead of \"1,234.5\" where the records are made, let record.csv read the marks of a CSV file, or add the column here",
				c.Name, c.Formatted, c.Values, consequence)
		case slices.Contains(s.Left, c.Name) && s.Written[c.Name].ReadAs() == "amount":
			s.Say(false, "record.ignore", "%q holds numbers with their units or with spaces, and the column is left out of the features: write the number alone where the records are made, or add the column here", c.Name)
		case slices.Contains(s.Left, c.Name):
			why := fmt.Sprintf("it is %s (%s)", withArticle(c.Kind), c.Why)
			if c.Why == "" { // the learner saw only its first values
				why = "nearly all its first values differ, as identifiers do"
			}
			s.Say(false, "record.ignore", "add %q: it is left out of the features, since %s; to use it, declare its type under learner.columns", c.Name, why)
			s.Found[len(s.Found)-1].LeftOut = true
		case c.Kind.NoFeature() && declared == "":
			s.Say(false, "record.ignore", "add %q: it looks like %s (%s), and it is used as a feature", c.Name, withArticle(c.Kind), c.Why)
		case declared == "" && s.IsLearnt(c.Name) && (c.Kind == profile.Category || c.Kind == profile.ManyValues) && isCensored(s, &c):
			s.Say(false, "record.missing", "%q holds numbers in %d of %d values, and %s in the others, so each number is a category of its own: list the texts that mean a missing value, and replace those that state a limit with a number",
				c.Name, c.Numbers, c.Values, words.Values(textsOf(s, c.Name)))
		case c.Kind == profile.Spoilt:
			odd := ""
			if len(c.Odd) > 0 {
				odd = ", as " + words.Values(c.Odd)
			}
			consequence := ""
			if float64(c.Numbers) < numericShare*float64(c.Values) && declared == "" {
				consequence = ", so each number is a category of its own"
			}
			if len(c.Odd) == 1 && c.Odd[0].Text == c.Name {
				if headers++; headers > 1 || slices.ContainsFunc(s.Found, func(f find.Finding) bool { return strings.HasPrefix(f.Text, "the header line is repeated") }) {
					continue // the same lines
				}
				s.Say(false, "record", "the header line is repeated among the records: in %d of them, %q is %q. Remove these lines", c.Odd[0].Count, c.Name, c.Name)
				continue
			}
			s.Say(false, "record.missing", "%q holds numbers but for %d of %d texts%s%s: list texts that mean nothing", c.Name, c.Values-c.Numbers, c.Values, odd, consequence)
		case c.Kind == profile.ManyValues && declared == "" && s.Written[c.Name].ReadAs() == "" && s.Written[c.Name].NewShare() >= mostlyNew:
			s.Say(false, "record.ignore", "%q has %d different values or more, of learner.vocabulary.levels %d: ignore it, or leave it if its values come again",
				c.Name, c.Distinct, levels)
		}
	}
}

func withArticle(k profile.Kind) string {
	switch k {
	case profile.Identifier:
		return "an identifier"
	case profile.Time:
		return "a time"
	}
	return string(k)
}

// Declared finds columns that do not hold what is declared of them.
func Declared(s *find.Search) {
	for _, c := range s.Columns {
		switch declared := s.Config.Learner.Columns[c.Name].Type; {
		case !s.Features[c.Name] || c.Values < find.Enough:
		case declared == "numeric" && 2*c.Numbers < c.Values:
			s.Say(false, "learner.columns", "%q is declared numeric, and only %d of its %d values are numbers: the others count as unknown. Remove the entry, or write numbers where the records are made", c.Name, c.Numbers, c.Values)
		case declared == "categorical" && c.Kind == profile.Number && c.DistinctShare >= mostlyNew && c.Distinct >= seen.LeastScores && !profile.IsCodeName(c.Name):
			s.Say(false, "learner.columns", "%q is declared categorical, but has %d or more different numbers: each becomes a category of its own, and a new one has no weight. Remove the entry if they are amounts", c.Name, c.Distinct)
		}
	}
}

const (
	// Numbers are taken for categories since fewLimits texts or fewer stand among them, as below a limit, if leastAmong of the values are numbers, and leastNumbers different ones.
	fewLimits    = 3
	leastAmong   = .3
	leastNumbers = 20
)

// isCensored says whether a column holds many numbers, and besides a few texts that many records have.
func isCensored(s *find.Search, c *profile.Column) bool {
	w := s.Written[c.Name]
	return w != nil && c.Values >= find.Enough && len(w.Texts) > 0 && len(w.Texts) <= fewLimits && c.Distinct-len(w.Texts) >= leastNumbers && float64(c.Numbers) >= leastAmong*float64(c.Values)
}

// textsOf are the texts of a column that are no numbers.
func textsOf(s *find.Search, name string) (texts []profile.Value) {
	for _, t := range s.Written[name].Texts {
		texts = append(texts, profile.Value{Text: t.Text, Count: t.Records})
	}
	slices.SortFunc(texts, func(a, b profile.Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return texts
}
