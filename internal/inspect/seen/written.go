package seen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

const (
	// mostTexts different texts of one column are told apart, allTexts of all columns, each of at most longText bytes.
	mostTexts = 4096
	allTexts  = 1 << 17
	longText  = 64
	// A column shows a text if it has at most shownTexts, and a text of ShownText bytes.
	shownTexts = 100
	ShownText  = 32
	// Texts are said to be dates or amounts if NearlyTexts of them are, and more than manyTexts are different.
	NearlyTexts = .95
	manyTexts   = 20
)

// Written is how the texts of one column are written.
type Written struct {
	Texts    map[uint64]*Spelt
	Records  int
	Told     int    // of these, records whose text is among Texts
	Nested   int    // records whose text is an object or a list
	Garbled  *Spelt // the first text that was read in another encoding than it was written in
	Numerals Numerals

	plain   map[string]*Spelt // the first text of each plain form
	dates   int               // that no layout of internal/profile matches
	amounts int               // with a unit behind them
	first   map[uint64]bool   // of the first endTexts records
	newest  [endTexts]uint64
	ended   int
}

// Spelt is a text with the number of its records, and the text that it is another spelling of.
type Spelt struct {
	Text    string
	Records int
	Of      *Spelt

	date, amount bool
}

// add takes in a text, and says whether one more is remembered from now on.
func (w *Written) add(text []byte, hash uint64, room bool) (more bool) {
	w.Records++
	if bracketed(text) {
		w.Nested++
	}
	w.addEnd(hash)
	t := w.Texts[hash]
	if t == nil {
		if !room || len(w.Texts) == mostTexts || len(text) > longText {
			return false
		}
		t, more = w.open(string(text)), true
		w.Texts[hash] = t
	}
	t.Records++
	w.Told++
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
	withUnit  = regexp.MustCompile(`^[ \x{a0}]*[€$£¥]?[ \x{a0}]?[+-]?\d+([.,]\d+)?[ \x{a0}]*[€$£¥₹]?(\pL[\pL²³]*)?[€$£¥₹]?[ \x{a0}]*$`)
)

// unitWords stand behind numbers that are written for people.
var unitWords = strings.Fields("kg g mg t lb lbs oz km m cm mm mi ft in m² qm sqm sqft ha l ml h hr hrs hour hours min mins minute minutes s sec secs d day days " +
	"week weeks month months mo y yr yrs year years eur euro euros usd gbp chf dollars k tsd mio mln bn tys lakh lakhs lac lacs crore crores 万 万円 千円 億円 億 만 만원 歳 年 세 bin milyon mil pct percent prozent kwh kw " +
	"jahr jahre jahren monat monate monaten tag tage tagen woche wochen stunde stunden stunden minuten an ans mois jours año años mes meses días")

func (w *Written) open(text string) *Spelt {
	if w.Texts == nil {
		w.Texts, w.plain = map[uint64]*Spelt{}, map[string]*Spelt{}
	}
	t := &Spelt{Text: text, date: looseDate.MatchString(text)}
	if parts := withUnit.FindStringSubmatch(text); parts != nil {
		t.amount = parts[2] == "" || slices.Contains(unitWords, strings.ToLower(parts[2]))
	}
	if w.Garbled == nil && slices.ContainsFunc(garbled, func(g string) bool { return strings.Contains(text, g) }) {
		w.Garbled = t
	}
	form := words.Form(text)
	if first := w.plain[form]; first != nil {
		t.Of = first
	} else {
		w.plain[form] = t
	}
	return t
}

// garbled are what the letters of other languages become when UTF-8 is read as Latin-1 or Windows-1252, and the sign for a lost letter.
var garbled = []string{"Ã¼", "Ã¶", "Ã¤", "ÃŸ", "Ã©", "Ã¨", "Ã±", "Ã³", "Ã¡", "Ã\u00ad", "Ã§", "â€", "Â ", "\ufffd"}

// ReadAs is what people read the texts as: a date, an amount, or nothing of these.
func (w *Written) ReadAs() string {
	switch {
	case w == nil || len(w.Texts) <= manyTexts:
	case float64(w.dates) >= NearlyTexts*float64(w.Told):
		return "date"
	case float64(w.amounts) >= NearlyTexts*float64(w.Told):
		return "amount"
	}
	return ""
}

// NewShare estimates which share of the values to come are new ones: as many as there were values that came once (Good, Biometrika 40, 1953). It is 1
// where not all are told apart.
func (w *Written) NewShare() float64 {
	if w == nil || len(w.Texts) == mostTexts {
		return 1
	}
	once := 0
	for _, t := range w.Texts {
		if t.Records == 1 {
			once++
		}
	}
	return float64(once) / float64(w.Records)
}

// Such shows texts as examples, unless they may be about a single person.
func (w *Written) Such(texts ...*Spelt) string {
	var values []profile.Value
	for _, t := range texts {
		if len(w.Texts) > shownTexts || len(t.Text) > ShownText || 2*len(w.Texts) > w.Records {
			return ""
		}
		values = append(values, profile.Value{Text: t.Text, Count: t.Records})
	}
	return ", such as " + words.Values(values)
}

const (
	// endTexts of a column are kept from the start and from the end, as UnitNumbers are.
	endTexts = 512
	// Two columns of texts are exchanged if of the newest texts of each at most fewOwn were among its own first ones, and all but
	// fewOwn among those of the other.
	fewOwn = .02
)

func (w *Written) addEnd(hash uint64) {
	if w.first == nil {
		w.first = map[uint64]bool{}
	}
	if w.Records <= endTexts {
		w.first[hash] = true
		return
	}
	w.newest[w.ended%endTexts] = hash
	w.ended++
}

// Left says whether hardly any of the newest texts was among the first.
func (w *Written) Left() bool { return w.ended >= endTexts && w.share(w.first) <= fewOwn }

// Continues says whether nearly all of the newest texts were among the first of another column.
func (w *Written) Continues(other *Written) bool { return w.share(other.first) >= 1-fewOwn }

// share is which share of the newest texts were among first.
func (w *Written) share(first map[uint64]bool) float64 {
	n := 0
	for _, hash := range w.newest {
		if first[hash] {
			n++
		}
	}
	return float64(n) / endTexts
}
