package inspect

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/fairstream/fairstream/internal/profile"
)

const (
	// mostTexts different texts of one column are told apart, allTexts of all columns, each of at most longText bytes.
	mostTexts = 4096
	allTexts  = 1 << 17
	longText  = 64
	// A column shows a text if it has at most shownTexts, and a text of shownText bytes.
	shownTexts = 100
	shownText  = 32
	// leastOtherwise is how many records of a column with many texts are written in another way, before that is said.
	leastOtherwise = 5
	// Texts are said to be dates or amounts if nearlyTexts of them are, and more than manyTexts are different.
	nearlyTexts = .95
	manyTexts   = 20
)

// written is how the texts of one column are written.
type written struct {
	texts    map[uint64]*spelt
	plain    map[string]*spelt // the first text of each plain form
	records  int
	told     int // of these, records whose text is among texts
	dates    int // that no layout of internal/profile matches
	amounts  int // with a unit behind them
	nested   int // records whose text is an object or a list
	garbled  *spelt
	first    map[uint64]bool // of the first endTexts records
	newest   [endTexts]uint64
	ended    int
	numerals numerals
}

// spelt is a text with the number of its records, and the text that it is another spelling of.
type spelt struct {
	text         string
	records      int
	of           *spelt
	date, amount bool
}

// add takes in a text, and says whether one more is remembered from now on.
func (w *written) add(text []byte, hash uint64, room bool) (more bool) {
	w.records++
	if bracketed(text) {
		w.nested++
	}
	w.addEnd(hash)
	t := w.texts[hash]
	if t == nil {
		if !room || len(w.texts) == mostTexts || len(text) > longText {
			return false
		}
		t, more = w.open(string(text)), true
		w.texts[hash] = t
	}
	t.records++
	w.told++
	if t.date {
		w.dates++
	}
	if t.amount {
		w.amounts++
	}
	return more
}

// bracketed says whether a text is an object or a list of JSON, or as Python prints it.
func bracketed(text []byte) bool {
	return len(text) >= 2 && (text[0] == '{' && text[len(text)-1] == '}' || text[0] == '[' && text[len(text)-1] == ']')
}

var (
	looseDate = regexp.MustCompile(`^(\d{1,2}[./-]\d{1,2}[./-](\d{2}|\d{4})|\d{4}[./]\d{1,2}[./]\d{1,2})$`)
	withUnit  = regexp.MustCompile(`^[ \x{a0}]*[€$£¥]?[ \x{a0}]?[+-]?\d+([.,]\d+)?[ \x{a0}]*[€$£¥]?(\pL[\pL²³]*)?[ \x{a0}]*$`)
)

// unitWords stand behind numbers that are written for people.
var unitWords = strings.Fields("kg g mg t lb lbs oz km m cm mm mi ft in m² qm sqm sqft ha l ml h hr hrs hour hours min mins minute minutes s sec secs d day days " +
	"week weeks month months mo y yr yrs year years eur euro euros usd gbp chf dollars k tsd mio pct percent prozent kwh kw " +
	"jahr jahre jahren monat monate monaten tag tage tagen woche wochen stunde stunden stunden minuten an ans mois jours año años mes meses días")

func (w *written) open(text string) *spelt {
	if w.texts == nil {
		w.texts, w.plain = map[uint64]*spelt{}, map[string]*spelt{}
	}
	t := &spelt{text: text, date: looseDate.MatchString(text)}
	if parts := withUnit.FindStringSubmatch(text); parts != nil {
		t.amount = parts[2] == "" || slices.Contains(unitWords, strings.ToLower(parts[2]))
	}
	if w.garbled == nil && slices.ContainsFunc(garbled, func(g string) bool { return strings.Contains(text, g) }) {
		w.garbled = t
	}
	form := plainForm(text)
	if first := w.plain[form]; first != nil {
		t.of = first
	} else {
		w.plain[form] = t
	}
	return t
}

// plainForm is the same of texts that are one value written in several ways: in another case, or with other spaces, hyphens or
// underscores between the words.
func plainForm(text string) string {
	return strings.Join(strings.FieldsFunc(plainWord(text), func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) }), " ")
}

// garbled are what the letters of other languages become when UTF-8 is read as Latin-1 or Windows-1252, and the sign for a lost letter.
var garbled = []string{"Ã¼", "Ã¶", "Ã¤", "ÃŸ", "Ã©", "Ã¨", "Ã±", "Ã³", "Ã¡", "Ã\u00ad", "Ã§", "â€", "Â ", "\ufffd"}

// texts finds texts that are written in several ways, or in one that only people read.
func (s *search) texts() {
	for i := range s.columns {
		c := &s.columns[i]
		w := s.written[c.Name]
		if w == nil || c.Kind == profile.Number {
			continue
		}
		if w.garbled != nil {
			s.add(false, "record", "%q holds texts that were read in another encoding than they were written in%s: write the records as UTF-8, or name the encoding of a CSV file in record.csv.encoding",
				c.Name, w.such(w.garbled))
		}
		if !s.features[c.Name] {
			continue
		}
		if w.nested > 0 && float64(w.nested) >= nearlyTexts*float64(w.records) {
			s.add(false, "record.ignore", "%q holds objects or lists as texts, and each text is a category of its own: write their fields where the records are made, or add the column here", c.Name)
			continue
		}
		s.otherwiseSpelt(c, w)
		if slices.Contains(s.left, c.Name) || s.config.Learner.Columns[c.Name].Type != "" {
			continue
		}
		switch w.readAs() {
		case "date":
			if c.Kind != profile.Time { // a time is told of as such
				s.add(false, "record.ignore", "add %q: it holds dates in a form that is not read as a time, so that each date is a category of its own. Write 2026-11-21 where the records are made, and record.times makes numbers of them",
					c.Name)
			}
		case "amount":
			s.add(false, "record.ignore", "%q holds numbers with their units or with spaces, and each is a category of its own: write the number alone where the records are made, or add the column here", c.Name)
		}
	}
}

// readAs is what people read the texts as: a date, an amount, or nothing of these.
func (w *written) readAs() string {
	switch {
	case w == nil || len(w.texts) <= manyTexts:
	case float64(w.dates) >= nearlyTexts*float64(w.told):
		return "date"
	case float64(w.amounts) >= nearlyTexts*float64(w.told):
		return "amount"
	}
	return ""
}

// new estimates how many of the values to come are new ones: as many as there were values that came once (Good, Biometrika 40, 1953). It is 1
// where not all are told apart.
func (w *written) new() float64 {
	if w == nil || len(w.texts) == mostTexts {
		return 1
	}
	once := 0
	for _, t := range w.texts {
		if t.records == 1 {
			once++
		}
	}
	return float64(once) / float64(w.records)
}

func (s *search) otherwiseSpelt(c *profile.Column, w *written) {
	values, records := 0, 0
	var most *spelt
	for _, t := range w.texts {
		if t.of == nil {
			continue
		}
		values, records = values+1, records+t.records
		if most == nil || t.records > most.records || t.records == most.records && t.text < most.text {
			most = t
		}
	}
	if most == nil || len(c.Shown) == 0 && records < leastOtherwise {
		return
	}
	one := "one value"
	if values > 1 {
		one = fmt.Sprintf("%d values", values)
	}
	s.add(false, "record", "%q has %s in several spellings%s, and each spelling is learnt by itself: write a value in one way where the records are made",
		c.Name, one, w.such(most.of, most))
}

// such shows texts as examples, unless they may be about a single person.
func (w *written) such(texts ...*spelt) string {
	var values []profile.Value
	for _, t := range texts {
		if len(w.texts) > shownTexts || len(t.text) > shownText || 2*len(w.texts) > w.records {
			return ""
		}
		values = append(values, profile.Value{Text: t.text, Count: t.records})
	}
	return ", such as " + Values(values)
}

// numerals counts how the numbers of a column are written.
type numerals struct{ short, thousands, other, exponents int }

// leastThousands numbers have exactly three digits behind the point if the point stands between thousands: of numbers with decimals that
// are chance one in ten ends with 0, which is mostly not written.
const leastThousands = 100

func (n *numerals) add(text []byte) {
	if bytes.Contains(text, []byte("E+")) {
		n.exponents++
	}
	before, after, dotted := bytes.Cut(text, []byte("."))
	digits := func(b []byte) bool { return bytes.IndexFunc(b, func(r rune) bool { return r < '0' || r > '9' }) < 0 }
	switch {
	case len(before) == 0 || len(before) > 3 || !digits(before):
		n.other++
	case !dotted:
		n.short++
	case before[0] != '0' && len(after) == 3 && digits(after):
		n.thousands++
	default:
		n.other++
	}
}

// separated finds numbers whose thousands are separated by points, which are read as decimal points.
func (s *search) separated() {
	for _, c := range s.columns {
		if w := s.written[c.Name]; w != nil && s.features[c.Name] && c.Kind == profile.Number &&
			w.numerals.other == 0 && w.numerals.thousands >= leastThousands && (w.numerals.short > 0 || s.config.Record.CSV.Separator == ";") && s.config.Record.CSV.Thousands == "" {
			s.add(false, "record.csv.thousands", "%d numbers of %q have three digits behind the point, and no other has a point: if 1.234 means 1234, set thousands: \".\" and decimal: \",\" for a CSV file, or write 1234",
				w.numerals.thousands, c.Name)
		}
	}
}
