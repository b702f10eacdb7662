package column

import (
	"regexp"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

// Names finds columns whose name or single values say that something else is meant.
func Names(s *find.Search) {
	if label := s.Config.Record.Label.Field; s.Column(label) != nil && profile.IsPredictionName(label) {
		s.Say(false, "record.label.field", "%q has the name of what a model says: what is learnt from it repeats that model. Name the field that holds what really happened", label)
	}
	spreadsheet(s)
	if names := columnNames(s); profile.Headless(names) {
		s.Say(false, "record", "some of the %d names are numbers or dates: does the file begin with a record, rather than with a line of names? Then put one before it", len(names))
	}
	for i := range s.Columns {
		c := &s.Columns[i]
		switch {
		case s.Features[c.Name] && c.Kind == profile.Constant && c.Values == c.Records && profile.IsDecisionName(c.Name):
			s.Say(false, "record", "%q is the same in all %d records: those who got the other decision are missing, and what is learnt and measured holds only for the others", c.Name, c.Values)
		case !s.Features[c.Name] && slices.Contains(s.Attributes, c.Name) && c.Kind == profile.Number:
			ages(s, c)
		case !s.IsLearnt(c.Name) || s.Config.Learner.Columns[c.Name].Type != "":
		case profile.IsPredictionName(c.Name):
			s.Say(false, "record.ignore", "add %q: it has the name of what a model says, and what is learnt from it repeats that model, with how it treats groups", c.Name)
		case profile.IsDecisionName(c.Name) && c.Kind != profile.Constant && s.MayTell(c.Name):
			s.Say(false, "record.ignore", "add %q unless it is known before the label: it has the name of a decision, and what is learnt from it repeats that decision, with how it treats groups", c.Name)
		case profile.IsLaterName(c.Name) && s.MayTell(c.Name):
			s.Say(false, "record.ignore", "add %q unless it is known before the label: it has the name of something that comes later", c.Name)
		case profile.IsWeightName(c.Name) && c.Kind == profile.Number && s.Config.Record.Weight == "" && c.Distinct > 2:
			s.Say(false, "record.weight", "is it %q? It has the name of how much a record counts, and is learnt as a feature: name it here, or add it to record.ignore", c.Name)
		case c.Kind == profile.Number:
			ages(s, c)
		}
		trials(s, c)
		answers(s, c)
		autoDates(s, c)
		never(s, c)
	}
}

func columnNames(s *find.Search) (names []string) {
	for _, c := range s.Columns {
		names = append(names, c.Name)
	}
	return names
}

// Ages are from 0 to oldest years; years of birth span as many.
const oldest = 120

// ages finds ages and years of birth that nobody has.
func ages(s *find.Search, c *profile.Column) {
	switch {
	case profile.IsBirthYearName(c.Name) && c.High-c.Low > oldest:
		s.Say(false, "record", "%q ranges from %s to %s, more years than people live: correct the wrong numbers where the records are made", c.Name, words.Number(c.Low), words.Number(c.High))
	case profile.IsAgeName(c.Name) && c.Low < 0 && len(seen.CodesOf(c)) == 0:
		s.Say(false, "record", "%q goes from %s to %s: if it is an age in years, correct what is below 0 or above %d where the records are made, or list a code for \"not known\" in record.missing",
			c.Name, words.Number(c.Low), words.Number(c.High), oldest)
	case profile.IsAgeName(c.Name) && c.High > oldest && c.High < 1000 && c.NextHigh < 1000 && c.Low >= 0 && c.Deviation < oldest/2 && len(seen.CodesOf(c)) == 0:
		s.Say(false, "record", "%q goes up to %s: if it is an age in years, correct what is above %d where the records are made", c.Name, words.Number(c.High), oldest)
	}
}

// trialWords stand in records that were made to try something.
var trialWords = []string{"test", "testing", "tests", "test test", "testuser", "test user", "test account", "testkunde", "dummy", "asdf", "foo", "foobar", "sample record", "prueba"}

// trials finds records that were made to try something.
func trials(s *find.Search, c *profile.Column) {
	if !s.IsRead(c.Name) || c.Kind == profile.Number || partsOf(c) > 1 {
		return
	}
	for _, v := range s.Values(c.Name) {
		if slices.Contains(trialWords, words.Bare(v.Text)) && 2*v.Count < c.Values {
			s.Say(false, "record", "%q is %s in %d records: if these are test records, leave them out where the records are made", c.Name, words.Quote(v.Text), v.Count)
			return
		}
	}
}

// answers finds yes and no in several spellings.
func answers(s *find.Search, c *profile.Column) {
	if !s.IsLearnt(c.Name) || len(c.Shown) < 3 {
		return
	}
	several := false
	for at, v := range c.Shown {
		if !words.SaysYes(v.Text) && !words.SaysNo(v.Text) {
			return
		}
		several = several || slices.ContainsFunc(c.Shown[:at], func(other profile.Value) bool {
			return words.SameAnswer(v.Text, other.Text) && words.Form(v.Text) != words.Form(other.Text)
		})
	}
	if several {
		s.Say(false, "record", "%q has yes and no in several spellings, %s, and each spelling is learnt by itself: write each in one way where the records are made", c.Name, words.Values(c.Shown))
	}
}

// autoDate is what a spreadsheet makes of 1-2 or 3/5.
var autoDate = regexp.MustCompile(`(?i)^(\d{1,2}[-. ]{1,2}(jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|okt|oct|nov|dez|dec)|(jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|okt|oct|nov|dez|dec)[-. ]{1,2}\d{1,2})$`)

// autoDates finds ranges such as 1-2 that a spreadsheet has taken for dates.
func autoDates(s *find.Search, c *profile.Column) {
	if !s.IsRead(c.Name) || len(c.Shown) == 0 {
		return
	}
	var dates []profile.Value
	for _, v := range c.Shown {
		if autoDate.MatchString(v.Text) {
			dates = append(dates, v)
		}
	}
	if len(dates) > 0 && len(dates) < len(c.Shown) {
		s.Say(false, "record", "%q holds %s beside other texts: a spreadsheet makes such dates of ranges like 1-2. Import the column as text, and write what was meant", c.Name, words.Values(dates))
	}
}

// never finds times that stand for "not known".
func never(s *find.Search, c *profile.Column) {
	w := s.Written[c.Name]
	if c.Kind != profile.Time || w == nil || slices.Contains(s.Left, c.Name) {
		return
	}
	for _, t := range w.Texts {
		if profile.IsNever([]byte(t.Text)) {
			s.Say(false, "record.missing", "add %q: %q is that in %d of %d records, which stands for \"never\" or \"not known\" and is read as a time", t.Text, c.Name, t.Records, w.Records)
			return
		}
	}
}
