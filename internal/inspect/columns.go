package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/record"
)

// numericShare of the values must be numbers for a learner to take a column for numeric.
const numericShare = .95

// mostlyTimes of the values of a column are times where the others should be, too.
const mostlyTimes = .6

// mostlyNew is the share of values that are new ones, from which on a column tells little of records to come.
const mostlyNew = .15

// noFeature finds that decisions have no column to depend on.
func (s *search) noFeature() {
	if s.sequence.known == 0 {
		return
	}
	for name := range s.features {
		if !slices.Contains(s.left, name) {
			return
		}
	}
	left := ""
	if len(s.left) > 0 {
		left = fmt.Sprintf(", or left out (%s)", strings.Join(s.left, ", "))
	}
	s.add(true, "record", "there is no feature: every field is the label, an attribute, in record.ignore%s. All records get the same decision: take columns out of record.ignore, "+
		"or declare their type under learner.columns", left)
}

// kinds finds features that say nothing about records to come, or are not what they seem.
func (s *search) kinds() {
	headers := 0
	for _, c := range s.columns {
		if c.Kind == profile.Formatted && slices.Contains(s.config.Record.Ignore, c.Name) {
			s.add(false, "record.ignore", "%q is ignored, and holds numbers with separators, currency or percent signs: let record.csv read the marks of a CSV file, or write 1234.5 where the records are made, and it can be a feature", c.Name)
		}
		if c.Kind != profile.Number && c.Values >= leastNamed && c.Times < c.Values && float64(c.Times) >= mostlyTimes*float64(c.Values) {
			s.add(false, "record", "%q contains dates or times, except in %d of %d texts: write all of them in one form, such as 2026-11-21, where the records are made, and leave those that are not known empty", c.Name, c.Values-c.Times, c.Values)
			if c.Kind != profile.Time {
				continue
			}
		}
		if !s.features[c.Name] {
			continue
		}
		levels := s.config.Learner.Vocabulary.Levels
		switch declared := s.config.Learner.Columns[c.Name].Type; {
		case c.Kind == profile.Time && declared == "":
			left := "it looks like a time, and it is used as a feature"
			if slices.Contains(s.left, c.Name) {
				left = "a time is left out of the features"
			}
			s.add(false, "record.ignore", "add %q: %s (%s); record.times makes numbers of it", c.Name, left, c.Why)
			s.found[len(s.found)-1].leftOut = slices.Contains(s.left, c.Name)
		case c.Kind == profile.Formatted && declared != "categorical":
			consequence := ""
			if slices.Contains(s.left, c.Name) {
				consequence = ", and the column is left out of the features"
			}
			s.add(false, "record.ignore", "%q holds numbers with separators, currency or percent signs in %d of %d values. These are texts to the learner%s: write 1234.5 instead of \"1,234.5\" where the records are made, let record.csv read the marks of a CSV file, or add the column here",
				c.Name, c.Formatted, c.Values, consequence)
		case slices.Contains(s.left, c.Name) && s.written[c.Name].readAs() == "amount":
			s.add(false, "record.ignore", "%q holds numbers with their units or with spaces, and the column is left out of the features: write the number alone where the records are made, or add the column here", c.Name)
		case slices.Contains(s.left, c.Name):
			s.add(false, "record.ignore", "add %q: it is left out of the features, since it is %s (%s); to use it, declare its type under learner.columns", c.Name, withArticle(c.Kind), c.Why)
			s.found[len(s.found)-1].leftOut = true
		case c.Kind.NoFeature() && declared == "":
			s.add(false, "record.ignore", "add %q: it looks like %s (%s), and it is used as a feature", c.Name, withArticle(c.Kind), c.Why)
		case c.Kind == profile.Spoilt:
			odd := ""
			if len(c.Odd) > 0 {
				odd = ", as " + Values(c.Odd)
			}
			consequence := ""
			if float64(c.Numbers) < numericShare*float64(c.Values) && declared == "" {
				consequence = ", so each number is a category of its own"
			}
			if len(c.Odd) == 1 && c.Odd[0].Text == c.Name {
				if headers++; headers > 1 {
					continue // the same lines
				}
				s.add(false, "record", "a header line comes again among the records, in %d of them %q is %q: remove these lines", c.Odd[0].Count, c.Name, c.Name)
				continue
			}
			s.add(false, "record.missing", "%q holds numbers but for %d of %d texts%s%s: list texts that mean nothing", c.Name, c.Values-c.Numbers, c.Values, odd, consequence)
		case c.Kind == profile.ManyValues && declared == "" && s.written[c.Name].readAs() == "" && s.written[c.Name].new() >= mostlyNew:
			s.add(false, "record.ignore", "%q has %d different values or more, of learner.vocabulary.levels %d: ignore it, or leave it if its values come again",
				c.Name, c.Distinct, levels)
		}
	}
}

// arrays finds arrays of which the places are features, but for those that learner.columns names.
func (s *search) arrays() {
	var names []string
	places := map[string]int{}
	for _, c := range s.columns {
		name, place := arrayOf(c.Name)
		if place < 0 || !s.features[c.Name] {
			continue
		}
		if _, known := places[name]; !known {
			names = append(names, name)
		}
		places[name] = max(places[name], place+1)
	}
	for _, name := range names {
		declared := false
		for column := range s.config.Learner.Columns {
			declared = declared || strings.HasPrefix(column, name+".")
		}
		if places[name] > 1 && s.has(name+".0") && !declared {
			s.add(false, "record.ignore", "%q is an array: each of its %d places is a feature of its own, and the same value in another place is another feature. If the order has no meaning, add %q here and write a field for each value. If it has, declare the type of a place under learner.columns, such as %q",
				name, places[name], name, name+".0")
		}
	}
}

// arrayOf splits the name of an element of an array, such as items.3.price, into that of the array and the place, -1 if there is
// none. Of nested arrays it is the outer one.
func arrayOf(name string) (array string, place int) {
	for at := 0; ; {
		dot := strings.IndexByte(name[at:], '.')
		if dot < 0 {
			return "", -1
		}
		at += dot + 1
		part, _, _ := strings.Cut(name[at:], ".")
		if n, err := strconv.Atoi(part); err == nil && n >= 0 && n < profile.MaxColumns {
			return name[:at-1], n
		}
	}
}

// resembling finds features that stand for an attribute that no record has.
func (s *search) resembling() {
	for a, constraint := range s.config.Constraints {
		for _, attribute := range constraint.Attribute {
			if s.has(attribute) {
				continue
			}
			for _, c := range s.columns {
				if s.features[c.Name] && spelling.Field(attribute, []string{c.Name}) != "" {
					s.add(false, fmt.Sprintf("constraints[%d].attribute", a), "%q is kept out of the features, since it resembles the attribute %q that no record has", c.Name, attribute)
				}
			}
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

// totalWords stand in lines that are sums of others.
var totalWords = []string{"total", "totals", "grand total", "subtotal", "sub-total", "sum", "summe", "gesamt", "gesamtsumme", "zwischensumme", "insgesamt", "total général", "somme", "total general", "suma", "average", "mean", "durchschnitt", "mittelwert", "moyenne", "promedio", "media"}

// A category may have such a name, too. So a line is a sum only if it has at most mostFilled of the values that a record has, and at most
// mostTotals of all records are.
const (
	mostFilled = .75
	mostTotals = .05
)

// isTotal says whether a record has a text that stands in lines with sums, and few values.
func (i *Inspection) isTotal(whole *record.Record) bool {
	named, known := false, 0
	for f := range whole.Features {
		field := &whole.Features[f]
		if field.Missing {
			continue
		}
		known++
		named = named || len(field.Text) < 20 && slices.Contains(totalWords, strings.ToLower(strings.Trim(string(field.Text), " .:")))
	}
	i.known = max(i.known, known)
	return named && float64(known) <= mostFilled*float64(i.known)
}

// sums finds lines that are sums of others.
func (s *search) sums() {
	if s.totals > 0 && float64(s.totals) <= mostTotals*float64(s.profile.Records()) {
		s.add(false, "record", "%d records are probably sums of others: they hold a word such as \"Total\" and lack other values. Remove these lines", s.totals)
	}
}
