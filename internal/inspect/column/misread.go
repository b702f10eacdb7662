package column

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

const (
	// Texts were cut off if the longest, of leastLong letters or more, have one length: leastCutTexts different ones, in leastCutRecords, of leastLengths
	// lengths, and manyCut times as many different ones as of the three lengths below on average.
	leastLong       = 8
	leastCutTexts   = 6
	leastCutRecords = 20
	leastLengths    = 5
	manyCut         = 2
)

// CutOff finds texts that were cut to one length.
func CutOff(s *find.Search) {
	for _, c := range s.Columns {
		w := s.Written[c.Name]
		if w == nil || w.Told < w.Records || c.Kind == profile.Time || !s.IsRead(c.Name) {
			continue
		}
		different, records, longest := map[int]int{}, map[int]int{}, 0
		for _, t := range w.Texts {
			n := utf8.RuneCountInString(t.Text)
			different[n]++
			records[n] += t.Records
			longest = max(longest, n)
		}
		if longest < leastLong || len(different) < leastLengths || different[longest] < leastCutTexts || records[longest] < leastCutRecords ||
			3*different[longest] < manyCut*(different[longest-1]+different[longest-2]+different[longest-3]) || different[longest] < different[longest-1] {
			continue
		}
		s.Say(false, "record", "%q has %d texts of exactly %d letters, and none of more: were longer ones cut off? Then different texts became one: mend this where the records are made",
			c.Name, different[longest], longest)
	}
}

// leastDated is how many dates have the day first, and the month, before that is said.
const leastDated = 5

// Dated finds dates of which some begin with the day and some with the month.
func Dated(s *find.Search) {
	for _, c := range s.Columns {
		if min(c.DayFirst, c.MonthFirst) >= leastDated {
			s.Say(false, "record", "%q has the day first in at least %d dates and the month first in at least %d, and other dates could be either: write 2026-11-21 where the records are made", c.Name, c.DayFirst, c.MonthFirst)
		}
	}
}

// leastExponents numbers are written as a spreadsheet shows long ones before that is said.
const leastExponents = 20

// Shortened finds numbers of which a spreadsheet has left the first digits.
func Shortened(s *find.Search) {
	for _, c := range s.Columns {
		if w := s.Written[c.Name]; w != nil && s.IsRead(c.Name) && w.Numerals.Exponents >= leastExponents {
			s.Say(false, "record", "%d numbers of %q are written as in 1.23E+05, as a spreadsheet shows long ones: their other digits are lost. Write them in full where the records are made",
				w.Numerals.Exponents, c.Name)
		}
	}
}

// programWords are what programs write where there is no value, or one that cannot be computed.
var programWords = []string{`\n`, "(null)", "<null>", "[null]", "<na>", "nil", "nat", "undefined", "#n/a", "#nv", "#ref!", "#bezug!", "#value!", "#wert!", "#name?", "#div/0!", "#null!", "#num!", "#zahl!", "#error", "-nan", "inf", "-inf"}

// entity is a letter as HTML writes it.
var entity = regexp.MustCompile(`&(#\d{2,5}|#x[0-9a-fA-F]{2,4}|[a-zA-Z]{2,6}\d?|[A-Z][a-z]{3,5});`)

// Unread finds texts of programs that stand for no value, and texts that hold codes of HTML.
func Unread(s *find.Search) {
	for _, c := range s.Columns {
		w := s.Written[c.Name]
		if w == nil || c.Kind == profile.Number || c.Kind == profile.Spoilt || !s.IsRead(c.Name) {
			continue
		}
		var empty []profile.Value
		var coded *seen.Spelt
		for _, t := range w.Texts {
			if slices.Contains(programWords, strings.ToLower(strings.TrimSpace(t.Text))) {
				empty = append(empty, profile.Value{Text: t.Text, Count: t.Records})
			}
			if entity.MatchString(t.Text) && (coded == nil || t.Records > coded.Records || t.Records == coded.Records && t.Text < coded.Text) {
				coded = t
			}
		}
		slices.SortFunc(empty, func(a, b profile.Value) int { return strings.Compare(a.Text, b.Text) })
		if len(empty) > 0 {
			s.Say(false, "record.missing", "add %s of %q: a program writes it where there is no value, and it is learnt as one", words.Values(empty), c.Name)
		}
		if coded != nil {
			s.Say(false, "record", "%q contains HTML codes in place of letters%s: write the letters themselves where the records are made", c.Name, w.Such(coded))
		}
	}
}
