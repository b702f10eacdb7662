package inspect

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

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

// cutOff finds texts that were cut to one length.
func (s *search) cutOff() {
	for _, c := range s.columns {
		w := s.written[c.Name]
		if w == nil || w.told < w.records || c.Kind == profile.Time || !s.isRead(c.Name) {
			continue
		}
		different, records, longest := map[int]int{}, map[int]int{}, 0
		for _, t := range w.texts {
			n := utf8.RuneCountInString(t.text)
			different[n]++
			records[n] += t.records
			longest = max(longest, n)
		}
		if longest < leastLong || len(different) < leastLengths || different[longest] < leastCutTexts || records[longest] < leastCutRecords ||
			3*different[longest] < manyCut*(different[longest-1]+different[longest-2]+different[longest-3]) || different[longest] < different[longest-1] {
			continue
		}
		s.add(false, "record", "%q has %d texts of exactly %d letters, and none of more: were longer ones cut off? Then different texts became one: mend this where the records are made",
			c.Name, different[longest], longest)
	}
}

// leastDated is how many dates have the day first, and the month, before that is said.
const leastDated = 5

// dated finds dates of which some begin with the day and some with the month.
func (s *search) dated() {
	for _, c := range s.columns {
		if min(c.DayFirst, c.MonthFirst) >= leastDated {
			s.add(false, "record", "%q has the day first in at least %d dates and the month first in at least %d, and other dates could be either: write 2026-11-21 where the records are made", c.Name, c.DayFirst, c.MonthFirst)
		}
	}
}

// leastExponents numbers are written as a spreadsheet shows long ones before that is said.
const leastExponents = 20

// shortened finds numbers of which a spreadsheet has left the first digits.
func (s *search) shortened() {
	for _, c := range s.columns {
		if w := s.written[c.Name]; w != nil && s.isRead(c.Name) && w.numerals.exponents >= leastExponents {
			s.add(false, "record", "%d numbers of %q are written as in 1.23E+05, as a spreadsheet shows long ones: their other digits are lost. Write them in full where the records are made",
				w.numerals.exponents, c.Name)
		}
	}
}

// programWords are what programs write where there is no value, or one that cannot be computed.
var programWords = []string{`\n`, "(null)", "<null>", "[null]", "<na>", "nil", "nat", "undefined", "#n/a", "#nv", "#ref!", "#bezug!", "#value!", "#wert!", "#name?", "#div/0!", "#null!", "#num!", "#zahl!", "#error", "-nan", "inf", "-inf"}

// entity is a letter as HTML writes it.
var entity = regexp.MustCompile(`&(#\d{2,5}|#x[0-9a-fA-F]{2,4}|[a-zA-Z]{2,6}\d?|[A-Z][a-z]{3,5});`)

// unread finds texts of programs that stand for no value, and texts that hold codes of HTML.
func (s *search) unread() {
	for _, c := range s.columns {
		w := s.written[c.Name]
		if w == nil || c.Kind == profile.Number || c.Kind == profile.Spoilt || !s.isRead(c.Name) {
			continue
		}
		var words []profile.Value
		var coded *spelt
		for _, t := range w.texts {
			if slices.Contains(programWords, strings.ToLower(strings.TrimSpace(t.text))) {
				words = append(words, profile.Value{Text: t.text, Count: t.records})
			}
			if entity.MatchString(t.text) && (coded == nil || t.records > coded.records || t.records == coded.records && t.text < coded.text) {
				coded = t
			}
		}
		slices.SortFunc(words, func(a, b profile.Value) int { return strings.Compare(a.Text, b.Text) })
		if len(words) > 0 {
			s.add(false, "record.missing", "add %s of %q: a program writes it where there is no value, and it is learnt as one", Values(words), c.Name)
		}
		if coded != nil {
			s.add(false, "record", "%q contains HTML codes in place of letters%s: write the letters themselves where the records are made", c.Name, w.such(coded))
		}
	}
}
