package inspect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Finding is something that is probably not meant.
type Finding struct {
	// Fatal says that what is learnt would be useless.
	Fatal bool
	// Path is the key of the configuration that it is about.
	Path string
	// Text says what was found and what to do.
	Text string
	// Proxy is the column that tells the group of a record, if the finding is about one.
	Proxy string

	leftOut bool // a column that a learner leaves out
	unit    bool // that changes
	order   bool // of the labels
}

func (f Finding) String() string { return f.Path + ": " + f.Text }

// Findings lists what is odd, the fatal ones first.
func (i *Inspection) Findings() []Finding {
	s := search{Inspection: i, columns: i.Columns(), left: i.LeftOut()}
	s.labels()
	s.fields()
	s.groups()
	s.lopsided()
	s.unbounded()
	s.odd()
	slices.SortStableFunc(s.found, func(a, b Finding) int {
		switch {
		case a.Fatal == b.Fatal:
			return 0
		case a.Fatal:
			return -1
		}
		return 1
	})
	return s.found
}

// odd finds what is odd of single columns.
func (s *search) odd() {
	s.spellings()
	s.further()
	s.bounds()
	s.identifiers()
	s.persons()
	s.twice()
	s.repeated()
	s.contradicting()
	s.swallowed()
	s.sums()
	s.nearCopies()
	s.akin()
	s.mergedCells()
	s.crossed()
	s.scaled()
	s.twofold()
	s.shiftedCells()
	s.spikes()
	s.signs()
	s.rests()
	s.weights()
	s.declared()
	s.cut()
	s.wrapped()
	s.names()
	s.parted()
	if s.config.Learner.Task == model.Classification {
		s.turned()
		s.found = append(s.found, s.evidence().Order(s.config.Record.Label.Field)...)
		s.leaks()
		s.together()
		s.scores()
		s.telling()
		s.endings()
		s.shifts()
		s.displaced()
		s.nextLabels()
		s.ruled()
		s.flipped()
		s.unknown()
	}
	s.roles()
	s.proxies()
	s.tellingGroups()
	s.coded()
	s.single()
	s.texts()
	s.cutOff()
	s.shortened()
	s.unread()
	s.dated()
	s.listed()
	s.ranged()
	s.separated()
	s.gaps()
	s.codes()
	s.sorted()
	s.swapped()
	s.moved()
	s.renamed()
	s.units()
	s.outlying()
	s.multiplied()
	s.breaks()
	s.clocks()
	s.backwards()
	s.following()
	s.noFeature()
	s.kinds()
	s.arrays()
	s.resembling()
}

type search struct {
	*Inspection
	columns []profile.Column
	left    []string // columns that are left out
	nearly  int      // records that are copies but for one field
	akins   bool     // records are about the same, though several fields differ
	changed []string // columns that it was said of why they change on the way
	found   []Finding
}

func (s *search) add(fatal bool, path, format string, arguments ...any) {
	s.found = append(s.found, Finding{Fatal: fatal, Path: path, Text: fmt.Sprintf(format, arguments...)})
}

func (s *search) column(name string) *profile.Column {
	for i := range s.columns {
		if s.columns[i].Name == name {
			return &s.columns[i]
		}
	}
	return nil
}

// has says whether a record has the field or something below it.
func (s *search) has(name string) bool {
	return slices.ContainsFunc(s.columns, func(c profile.Column) bool {
		return c.Name == name || strings.HasPrefix(c.Name, name+".")
	})
}

// meant is the field that a name is likely to stand for: one of the same last part, or the nearest.
func (s *search) meant(name string) string {
	var names []string
	for _, c := range s.columns {
		if c.Name != name { // it may be there in records that are rejected
			names = append(names, c.Name)
		}
	}
	if like := spelling.Field(name, names); like != "" {
		return fmt.Sprintf(" (did you mean %q?)", like)
	}
	return ""
}

// labels finds labels that teach nothing.
func (s *search) labels() {
	field := s.config.Record.Label.Field
	c := s.column(field)
	switch {
	case s.profile.Records() == 0:
		s.add(true, "record", "no record can be read%s", s.why())
	case s.sequence.known == 0 && s.config.Record.Key != "":
		s.add(false, "record.label.field", "no record has the label %q yet: records wait for it", field)
	case s.sequence.known == 0 && c != nil && c.Values > 0 && s.rejection != nil:
		s.add(true, s.rejectedKey(), "every record with a label is rejected%s", s.why())
	case s.sequence.known == 0 && (c == nil || c.Values > 0):
		s.add(true, "record.label.field", "no record has a field %q%s%s", field, s.meant(field), s.why())
	case s.sequence.known == 0:
		s.add(true, "record.label.field", "every record lacks the label %q: each is null or a text of record.missing", field)
	case s.config.Learner.Task == model.Regression:
		if s.sameNumber() {
			s.add(true, "record.label.field", "every label is the same number: is it the field to predict?")
		}
	case s.sequence.positive == 0:
		s.add(true, "record.label.positive", "no record has the positive value %q%s", s.config.Record.Label.Positive, seen(c))
	case s.sequence.positive == s.sequence.known:
		s.add(true, "record.label.positive", "every record is positive%s", seen(c))
	case 100*min(s.sequence.positive, s.sequence.known-s.sequence.positive) < s.sequence.known:
		s.add(false, "record.label.positive", "%d of %d records are positive: with so few on one side, many records are needed",
			s.sequence.positive, s.sequence.known)
	}
	if total := s.rejectedTotal(); total > 0 && s.sequence.known > 0 {
		s.add(2*total > s.sequence.known, "record", "%d records are rejected%s", total, s.why())
	}
}

func (s *search) sameNumber() bool { return s.numbers.Variance() == 0 }

func (i *Inspection) rejectedTotal() (total int64) {
	for _, n := range i.rejected {
		total += n
	}
	return total
}

// why names the first rejection.
func (s *search) why() string {
	if s.rejection == nil {
		return ""
	}
	reasons := slices.SortedFunc(maps.Keys(s.rejected), func(a, b record.Reason) int {
		return cmp.Or(cmp.Compare(s.rejected[b], s.rejected[a]), cmp.Compare(a, b))
	})
	return fmt.Sprintf("; most often for %s, the first: %v", reasons[0], s.rejection)
}

// rejectedKey is the key that is about the field of the first rejection.
func (s *search) rejectedKey() string {
	field := s.rejection.Field
	switch of := s.config.Record; {
	case s.rejection.Reason != record.BadTime:
	case field == of.Time.Field || field == of.Label.Time:
		return "record.time.format"
	default:
		if at := slices.IndexFunc(of.Times, func(t record.Times) bool { return t.Field == field }); at >= 0 {
			return fmt.Sprintf("record.times[%d].format", at)
		}
	}
	return "record"
}

// ColumnFindings lists only what is odd of single columns, however many records there are of each group and label. A
// learner itself tells of the columns that it leaves out, [Units] of units that change, and [Labels] of the order of all labels.
func (i *Inspection) ColumnFindings() []Finding {
	s := search{Inspection: i, columns: i.Columns(), left: i.LeftOut()}
	s.odd()
	return slices.DeleteFunc(s.found, func(f Finding) bool { return f.leftOut || f.unit || f.order })
}

// seen lists the values of a column, if it has few.
func seen(c *profile.Column) string {
	if c == nil || len(c.Shown) == 0 {
		return ""
	}
	return fmt.Sprintf(": the values of %q are %s", c.Name, Values(c.Shown))
}

// Values lists values with their counts: male (260), female (240).
func Values(values []profile.Value) string {
	var words []string
	for _, v := range values {
		words = append(words, fmt.Sprintf("%s (%d)", Quote(v.Text), v.Count))
	}
	return strings.Join(words, ", ")
}

// fields finds fields that the configuration names and no record has.
func (s *search) fields() {
	if len(s.columns) == 0 {
		return
	}
	for _, named := range Named(s.config) {
		if s.has(named.Field) {
			continue
		}
		advice := ""
		if named.Path != "record.ignore" { // a field to be ignored may well be absent
			advice = s.meant(named.Field)
		}
		if parts := s.severalNames(named.Field); parts != nil {
			advice = fmt.Sprintf(": it is %d names in one text. Write them as a list, [%s]", len(parts), strings.Join(parts, ", "))
		}
		s.add(false, named.Path, "no record has a field %q%s", named.Field, advice)
	}
}

// severalNames are the names of fields in one text, such as "age, sex" for [age, sex]; nil if it is none or one.
func (s *search) severalNames(text string) (names []string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|", r) })
	for _, part := range parts {
		name := strings.Trim(part, " \t\"'[]")
		if !s.has(name) {
			return nil
		}
		names = append(names, Quote(name))
	}
	if len(names) < 2 {
		return nil
	}
	return names
}

// weights finds weights by which few records count for nearly all.
func (s *search) weights() {
	if n := s.weight.records; s.config.Record.Weight != "" && n >= leastNamed && s.weight.squares > 0 {
		if counts := s.weight.sum * s.weight.sum / s.weight.squares; counts < leastCounting*n {
			s.add(false, "record.weight", "with the weights in %q, %.0f records count as %.0f equal ones would: %.0f have a weight of 0, and some a very large one. Is it the weight of a record?", s.config.Record.Weight, n, counts, s.weight.zeros)
		}
	}
}

// leastCounting is the least share of the records that they should count as.
const leastCounting = .25

// Quote is a text as it is, or in quotes if it would not be seen as one. Letters that look like others are written as their numbers.
func Quote(text string) string {
	if looksOther(text) {
		return strconv.QuoteToASCII(text)
	}
	if text == "" || strings.ContainsAny(text, " ,()\"") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Sprintf("%q", text)
	}
	return text
}
