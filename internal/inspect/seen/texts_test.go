package seen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// writtenAs are texts of a column, each so often.
func writtenAs(texts ...string) *Written {
	w := &Written{}
	for _, text := range texts {
		w.add([]byte(text), record.Hash([]byte(text)), true)
	}
	return w
}

// numbered are n texts of a form with a number.
func numbered(n int, form string) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf(form, i+1))
	}
	return texts
}

// TestReadAs: what people read texts as, if more than twenty differ and nearly all are that.
func TestReadAs(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"dates":                {numbered(28, "%d.3.2025"), "date"},
		"dates of two digits":  {numbered(28, "3/%d/25"), "date"},
		"dates, year first":    {numbered(28, "2025/3/%d"), "date"},
		"twenty":               {numbered(20, "%d.3.2025"), ""},
		"twenty-one":           {numbered(21, "%d.3.2025"), "date"},
		"dates with dashes":    {numbered(28, "2025-03-%02d"), ""}, // which are read as times
		"numbers with a unit":  {numbered(40, "%d kg"), "amount"},
		"numbers with money":   {numbered(40, "€ %d"), "amount"},
		"numbers with a space": {numbered(40, " %d"), "amount"},
		"decimals with a unit": {numbered(40, "%d,5 m²"), "amount"},
		"places":               {numbered(40, "%d Berlin"), ""},
		"words":                {numbered(40, "p%d"), ""},
		"most are amounts":     {append(numbered(38, "%d kg"), "x", "y"), "amount"},
		"most are dates":       {append(numbered(38, "%d.3.2025"), "x", "y"), "date"},
		"not enough dates":     {append(numbered(37, "%d.3.2025"), "x", "y"), ""},
		"not enough are":       {append(numbered(37, "%d kg"), "x", "y"), ""},
	} {
		if got := writtenAs(c.texts...).ReadAs(); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if (*Written)(nil).ReadAs() != "" {
		t.Error("nothing is read as something")
	}
}

// TestWritten: what is counted of texts.
func TestWritten(t *testing.T) {
	w := writtenAs("north", "North", "north ", "south", "south", `{"a":1}`, "[1]", "{", "[1}", "MÃ¼ller", "Ã©")
	if w.Records != 11 || w.Told != 11 || w.Nested != 2 || w.Garbled == nil || w.Garbled.Text != "MÃ¼ller" || len(w.Texts) != 10 {
		t.Errorf("%+v", w)
	}
	spelt := func(text string) *Spelt { return w.Texts[record.Hash([]byte(text))] }
	if north := spelt("north"); north.Of != nil || spelt("North").Of != north || spelt("north ").Of != north || spelt("south").Of != nil || spelt("south").Records != 2 {
		t.Error("which texts are spellings of which")
	}
	if got := w.NewShare(); got != 9./11 {
		t.Errorf("%v of the values to come are new", got)
	}
	if got := (&Written{}).Such(); got != ", such as " {
		t.Errorf("of nothing %q", got)
	}
	few := writtenAs("a", "a", "a", "a", "b", "b", "b", "b", strings.Repeat("c", ShownText+1), strings.Repeat("c", ShownText+1), strings.Repeat("c", ShownText+1))
	of := func(text string) *Spelt { return few.Texts[record.Hash([]byte(text))] }
	if got := few.Such(of("a"), of("b")); got != ", such as a (4), b (4)" {
		t.Errorf("two texts: %q", got)
	}
	if got := few.Such(of("a"), of(strings.Repeat("c", ShownText+1))); got != "" {
		t.Errorf("a long one: %q", got)
	}
	if two := writtenAs("a", "a", "b"); two.Such(two.Texts[record.Hash([]byte("a"))]) != "" || writtenAs("a", "a", "b", "b").Such() == "" {
		t.Error("texts are shown that single persons may have, or are not where each has two")
	}
	if w := writtenAs(strings.Repeat("x", longText+1), strings.Repeat("x", longText)); w.Told != 1 || w.Records != 2 {
		t.Errorf("long texts: %+v", w)
	}
	full := writtenAs(numbered(mostTexts+5, "t%d")...)
	if len(full.Texts) != mostTexts || full.Told != mostTexts || full.NewShare() != 1 || (*Written)(nil).NewShare() != 1 {
		t.Errorf("%d texts are told apart", len(full.Texts))
	}
	if more := (&Written{}).add([]byte("x"), 1, false); more {
		t.Error("a text is remembered without room")
	}
}

// TestLeftTexts: which columns of texts leave what they were, and which go on as another was.
func TestLeftTexts(t *testing.T) {
	texts := func(first, then string, odd int) *Written {
		var all []string
		for i := range 2 * endTexts {
			switch {
			case i < endTexts:
				all = append(all, fmt.Sprint(first, i%7))
			case i < endTexts+odd:
				all = append(all, fmt.Sprint(first, 1))
			default:
				all = append(all, fmt.Sprint(then, i%7))
			}
		}
		return writtenAs(all...)
	}
	a, b, stays := texts("a", "b", 0), texts("b", "a", 0), texts("a", "a", 0)
	if !a.Left() || !b.Left() || stays.Left() || !texts("a", "b", 10).Left() || texts("a", "b", 11).Left() || writtenAs("a").Left() {
		t.Error("which columns left what they were")
	}
	if !a.Continues(b) || !b.Continues(a) || a.Continues(stays) || !texts("a", "b", 10).Continues(b) || texts("a", "b", 11).Continues(b) {
		t.Error("which columns go on as others were")
	}
}

// TestSwallowed: texts that hold lines of a file.
func TestSwallowed(t *testing.T) {
	whole := func(text string) *record.Record {
		return &record.Record{Features: []record.Field{{Name: "a"}, {Name: "b", Text: []byte(text)}, {Name: "c"}, {Name: "d"}}}
	}
	for name, c := range map[string]struct {
		text  string
		lines int
	}{
		"three lines":             {"x\n1,2,3,4\ny", 2},
		"two lines":               {"x\n1,2,3,4", 0},
		"four":                    {"x\n1,2,3,4\n5,6,7,8,9\ny", 3},
		"too few separators":      {"x\n1,2,3\ny", 0},
		"in one line":             {"x\n1,2,3,4\n5,6,7\ny", 0},
		"tabs":                    {"x\n1\t2\t3\t4\ny", 2},
		"semicolons":              {"x\n1;2;3;4\ny", 2},
		"bars":                    {"x\n1|2|3|4\ny", 2},
		"a separator of each":     {"x\n1,2;3|4\ny", 0},
		"a note of several lines": {"a\nb\nc\nd", 0},
	} {
		var l Swallowed
		l.add(whole("plain"), 1)
		l.add(whole(c.text), 2)
		l.add(whole(c.text), 3)
		if l.Lines != 2*c.lines || l.Texts != map[bool]int{true: 2}[c.lines > 0] || c.lines > 0 && (l.Field != "b" || l.Record != 2) {
			t.Errorf("%s: %+v", name, l)
		}
	}
	var narrow Swallowed
	narrow.add(&record.Record{Features: []record.Field{{Name: "a", Text: []byte("x\n1,2\ny")}, {Name: "b"}, {Name: "c"}}}, 1)
	if narrow.Texts > 0 {
		t.Error("records of three fields hold lines")
	}
}

// TestListed: texts that record.missing lists and that are values like others.
func TestListed(t *testing.T) {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}, Missing: []record.Text{"", "0", "-99", "Private", "unknown", "NA", "xx"}}}
	l := newListed(c)
	add := func(n int, format string, values ...any) {
		for range n {
			l.add(fmt.Appendf(nil, format, values...))
		}
	}
	add(100, `{"children":0,"age":-99,"work":"Private","more":"unknown","short":"xx","few":"Private"}`)
	add(30, `{"children":1,"age":40,"work":"State"}`)
	add(19, `{"rare":"Private","near":0}`)
	add(6, `{"near":1}`)
	l.add([]byte("{"))
	for _, want := range []struct {
		column, text string
		n, of        int
		means        bool
	}{
		{"children", "0", 100, 130, true}, {"age", "-99", 100, 130, false}, {"work", "Private", 100, 130, true}, {"more", "unknown", 100, 100, false}, {"short", "xx", 100, 100, false},
		{"rare", "Private", 19, 19, false}, {"near", "0", 19, 25, false}, {"work", "0", 0, 130, false}, {"nowhere", "0", 0, 0, false},
	} {
		if n, of, means := l.Means(want.column, want.text); n != want.n || of != want.of || means != want.means {
			t.Errorf("%s of %s: %d of %d, %v", want.text, want.column, n, of, means)
		}
	}
	add(1, `{"near":0,"children":0}`)
	if _, _, means := l.Means("near", "0"); !means { // 20, and 6 are three tenths
		t.Error("0 is not a number beside 1")
	}
	c.Record.Missing = []record.Text{"", "unknown"}
	if none := newListed(c); none != nil {
		if _, _, means := none.Means("more", "unknown"); means {
			t.Error("a word for not known means something")
		}
	}
	if n, of, means := (*Listed)(nil).Means("a", "b"); n+of > 0 || means {
		t.Error("nothing is listed, and means something")
	}
}
