package inspect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
)

// names finds columns whose name or single values say that something else is meant.
func (s *search) names() {
	if label := s.config.Record.Label.Field; s.column(label) != nil && profile.IsPredictionName(label) {
		s.add(false, "record.label.field", "%q has the name of what a model says: what is learnt from it repeats that model. Name the field that holds what really happened", label)
	}
	s.spreadsheet()
	if names := s.columnNames(); profile.Headless(names) {
		s.add(false, "record", "some of the %d names are numbers or dates: does the file begin with a record, rather than with a line of names? Then put one before it", len(names))
	}
	for i := range s.columns {
		c := &s.columns[i]
		switch {
		case s.features[c.Name] && c.Kind == profile.Constant && c.Values == c.Records && profile.IsDecisionName(c.Name):
			s.add(false, "record", "%q is the same in all %d records: those who got the other decision are missing, and what is learnt and measured holds only for the others", c.Name, c.Values)
		case !s.features[c.Name] && slices.Contains(s.attributes, c.Name) && c.Kind == profile.Number:
			s.ages(c)
		case !s.isLearnt(c.Name) || s.config.Learner.Columns[c.Name].Type != "":
		case profile.IsPredictionName(c.Name):
			s.add(false, "record.ignore", "add %q: it has the name of what a model says, and what is learnt from it repeats that model, with how it treats groups", c.Name)
		case profile.IsDecisionName(c.Name) && c.Kind != profile.Constant && s.mayTell(c.Name):
			s.add(false, "record.ignore", "add %q unless it is known before the label: it has the name of a decision, and what is learnt from it repeats that decision, with how it treats groups", c.Name)
		case profile.IsLaterName(c.Name) && s.mayTell(c.Name):
			s.add(false, "record.ignore", "add %q unless it is known before the label: it has the name of something that comes later", c.Name)
		case profile.IsWeightName(c.Name) && c.Kind == profile.Number && s.config.Record.Weight == "" && c.Distinct > 2:
			s.add(false, "record.weight", "is it %q? It has the name of how much a record counts, and is learnt as a feature: name it here, or add it to record.ignore", c.Name)
		case c.Kind == profile.Number:
			s.ages(c)
		}
		s.trials(c)
		s.answers(c)
		s.autoDates(c)
		s.never(c)
	}
}

func (s *search) columnNames() (names []string) {
	for _, c := range s.columns {
		names = append(names, c.Name)
	}
	return names
}

// Ages are from 0 to oldest years; years of birth span as many.
const oldest = 120

// ages finds ages and years of birth that nobody has.
func (s *search) ages(c *profile.Column) {
	switch {
	case profile.IsBirthYearName(c.Name) && c.High-c.Low > oldest:
		s.add(false, "record", "%q ranges from %s to %s, more years than people live: correct the wrong numbers where the records are made", c.Name, plain(c.Low), plain(c.High))
	case profile.IsAgeName(c.Name) && c.Low < 0 && len(codesOf(c)) == 0:
		s.add(false, "record", "%q goes from %s to %s: if it is an age in years, correct what is below 0 or above %d where the records are made, or list a code for \"not known\" in record.missing",
			c.Name, plain(c.Low), plain(c.High), oldest)
	case profile.IsAgeName(c.Name) && c.High > oldest && c.High < 1000 && c.NextHigh < 1000 && c.Low >= 0 && c.Deviation < oldest/2 && len(codesOf(c)) == 0:
		s.add(false, "record", "%q goes up to %s: if it is an age in years, correct what is above %d where the records are made", c.Name, plain(c.High), oldest)
	}
}

// trialWords stand in records that were made to try something.
var trialWords = []string{"test", "testing", "tests", "test test", "testuser", "test user", "test account", "testkunde", "dummy", "asdf", "foo", "foobar", "sample record", "prueba"}

// trials finds records that were made to try something.
func (s *search) trials(c *profile.Column) {
	if !s.isRead(c.Name) || c.Kind == profile.Number || partsOf(c) > 1 {
		return
	}
	for _, v := range s.values(c.Name) {
		if slices.Contains(trialWords, plainWord(v.Text)) && 2*v.Count < c.Values {
			s.add(false, "record", "%q is %s in %d records: if these are test records, leave them out where the records are made", c.Name, Quote(v.Text), v.Count)
			return
		}
	}
}

// answers finds yes and no in several spellings.
func (s *search) answers(c *profile.Column) {
	if !s.isLearnt(c.Name) || len(c.Shown) < 3 {
		return
	}
	several := false
	for at, v := range c.Shown {
		if !slices.Contains(sameAnswer[0], plainWord(v.Text)) && !slices.Contains(sameAnswer[1], plainWord(v.Text)) {
			return
		}
		several = several || slices.ContainsFunc(c.Shown[:at], func(other profile.Value) bool {
			return inOne(sameAnswer, v.Text, other.Text) && plainForm(v.Text) != plainForm(other.Text)
		})
	}
	if several {
		s.add(false, "record", "%q has yes and no in several spellings, %s, and each spelling is learnt by itself: write each in one way where the records are made", c.Name, Values(c.Shown))
	}
}

// autoDate is what a spreadsheet makes of 1-2 or 3/5.
var autoDate = regexp.MustCompile(`(?i)^(\d{1,2}[-. ]{1,2}(jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|okt|oct|nov|dez|dec)|(jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|okt|oct|nov|dez|dec)[-. ]{1,2}\d{1,2})$`)

// autoDates finds ranges such as 1-2 that a spreadsheet has taken for dates.
func (s *search) autoDates(c *profile.Column) {
	if !s.isRead(c.Name) || len(c.Shown) == 0 {
		return
	}
	var dates []profile.Value
	for _, v := range c.Shown {
		if autoDate.MatchString(v.Text) {
			dates = append(dates, v)
		}
	}
	if len(dates) > 0 && len(dates) < len(c.Shown) {
		s.add(false, "record", "%q holds %s beside other texts: a spreadsheet makes such dates of ranges like 1-2. Import the column as text, and write what was meant", c.Name, Values(dates))
	}
}

// never finds times that stand for "not known".
func (s *search) never(c *profile.Column) {
	w := s.written[c.Name]
	if c.Kind != profile.Time || w == nil || slices.Contains(s.left, c.Name) {
		return
	}
	for _, t := range w.texts {
		if profile.IsNever([]byte(t.text)) {
			s.add(false, "record.missing", "add %q: %q is that in %d of %d records, which stands for \"never\" or \"not known\" and is read as a time", t.text, c.Name, t.records, w.records)
			return
		}
	}
}

const (
	// A spreadsheet holds so many lines in its older and its newer form, the first of which are names.
	fewLines  = 1 << 16
	manyLines = 1 << 20
	// Its dates are days since the end of 1899: from firstDay, in 1954, to lastDay, in 2064.
	firstDay, lastDay = 20000, 60000
	leastDays         = 30
)

// spreadsheet finds what becomes of records in one: lines that are cut off, and dates that are numbers.
func (s *search) spreadsheet() {
	if n := s.profile.Records(); n == fewLines-1 || n == fewLines || n == manyLines-1 || n == manyLines {
		s.add(false, "record", "there are %d records, as many as a spreadsheet holds: were others cut off? Write the file without one", n)
	}
	for _, c := range s.columns {
		if c.Kind == profile.Number && c.Low >= firstDay && c.High <= lastDay && c.Distinct >= leastDays && profile.IsTimeName(c.Name) && s.isLearnt(c.Name) && s.config.Learner.Task == model.Classification {
			s.add(false, "record.ignore", "add %q: its numbers are probably dates of a spreadsheet, in days since 1899, and are learnt as amounts. Write 2026-11-21 where the records are made, and record.times makes numbers of them", c.Name)
		}
	}
}

// asFeature finds attributes that are features.
func (s *search) asFeature() {
	for _, attribute := range s.attributes {
		if s.features[attribute] && slices.Contains(s.config.Record.Features, attribute) {
			s.add(false, "record.features", "%q is the attribute of a constraint, and a feature: decisions then depend on %s itself. Remove it here unless that is meant", attribute, strings.ToLower(attribute))
		}
	}
}
