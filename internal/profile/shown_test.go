package profile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatIsShown: up to twenty texts of up to 32 bytes, if they repeat or are one or two; the most frequent first, and those of the same frequency by name.
func TestWhatIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		texts, values int // different ones, and how many in all: the first ones once more than the others
		long          int
		want          bool
	}{
		"twenty":             {fewTexts, 2 * fewTexts, 0, true},
		"one more":           {fewTexts + 1, 2*fewTexts + 2, 0, false},
		"one of one":         {1, 1, 0, true},
		"two of two":         {2, 2, 0, true},
		"three of three":     {3, 3, 0, false},
		"three of five":      {3, 5, 0, false},
		"three of six":       {3, 6, 0, true},
		"four of seven":      {4, 7, 0, false},
		"four of eight":      {4, 8, 0, true},
		"as long as allowed": {2, 4, shortText, true},
		"longer":             {2, 4, shortText + 1, false},
	} {
		tally := newTally("c")
		for i := range c.values {
			text := []byte(string(rune('a'+i%c.texts)) + strings.Repeat("x", max(0, c.long-1)))
			tally.add(text, record.Hash(text), true)
		}
		shown := tally.describe(c.values).Shown
		if (shown != nil) != c.want || c.want && len(shown) != c.texts {
			t.Errorf("%s: %+v", name, shown)
		}
		for i, v := range shown {
			n := c.values / c.texts
			if i < c.values%c.texts {
				n++
			}
			if v.Text[0] != byte('a'+i) || v.Count != n {
				t.Errorf("%s: %+v", name, shown)
			}
		}
	}
	spoilt := newTally("c")
	for i := range 100 {
		text := fmt.Sprint(i * 7)
		if i%9 == 0 {
			text = []string{"b", "none", "a", "none"}[i/9%4]
		}
		spoilt.add([]byte(text), record.Hash([]byte(text)), true)
	}
	for range 20 { // whatever the order of a map
		if d := spoilt.describe(100); d.Kind != Spoilt || fmt.Sprint(d.Odd) != "[{none 6} {a 3} {b 3}]" {
			t.Fatalf("%s: %v", d.Kind, d.Odd)
		}
	}
}

// TestWordsAndShortNumbers: how a name is split, how words are counted, and which digits are a day or a month.
func TestWordsAndShortNumbers(t *testing.T) {
	for name, want := range map[string]string{"applicant.customerNo": "applicant customer no", "__a--b__": "a b", "": "", "...": "", "ZIP": "zip", "x2Y": "x2y", "zip_code": "zip code"} {
		if got := strings.Join(wordsOf(name), " "); got != want || slices.Contains(wordsOf(name), "") {
			t.Errorf("%q: %q, want %q", name, wordsOf(name), want)
		}
	}
	for text, want := range map[string]int{"": 0, " ": 0, "a": 1, "a b": 2, "one two  three": 3, "x1y": 1, "7": 0, "7 a": 1, "über alles": 2, "犬が好き": 1} {
		if got := countWords([]byte(text)); got != want {
			t.Errorf("%q: %d words, want %d", text, got, want)
		}
	}
	for text, want := range map[string][2]int{"": {0, 0}, "7": {7, 1}, "12": {12, 2}, "123": {12, 2}, "1a": {1, 1}, "a1": {0, 0}, "09/": {9, 2}} {
		if n, end := shortNumber([]byte(text), 0); n != want[0] || end != want[1] {
			t.Errorf("%q: %d up to %d", text, n, end)
		}
	}
	if !isAbout("out_come", []string{"outcome"}) || !isAbout("loan.out_come", []string{"outcome"}) || isAbout("out_comes", []string{"outcome"}) {
		t.Error("a name whose words are one of a list together")
	}
	for names, want := range map[string]bool{"0,1,7,8,9": true, "0,1,7,8": false, "0,1,2,7,8,9,10": true, "0,1,2,7,8,9": false, "7,8,a,b,c,d,e,f": true, "7,8,a,b,c,d,e,f,g": false} {
		if got := Headless(strings.Split(names, ",")); got != want {
			t.Errorf("%q: %t", names, got)
		}
	}
}

// TestCandidatesAtTheirBounds: three different numbers may be a label; a label by its name comes before one by its values; numbers that are not shown are an
// attribute by their name; one machine among the columns is no doubt; and of one value none is positive.
func TestCandidatesAtTheirBounds(t *testing.T) {
	for distinct, want := range map[int]int{2: 0, 3: 1} {
		if got := NumericLabels([]Column{{Name: "label", Kind: Number, Distinct: distinct}, {Name: "x", Kind: Number, Distinct: distinct}}); len(got) != want {
			t.Errorf("%d numbers: %+v", distinct, got)
		}
	}
	two := []Value{{"yes", 60}, {"no", 40}}
	columns := []Column{{Name: "approved", Kind: Category, Records: 100, Values: 100, Distinct: 2, Shown: two}, {Name: "married", Kind: Boolean, Records: 100, Values: 100, Distinct: 2, Shown: two}}
	for range 2 {
		if labels := Labels(columns); len(labels) != 2 || labels[0].Name != "approved" || !labels[0].Named || labels[1].Named {
			t.Errorf("%+v", labels)
		}
		slices.Reverse(columns)
	}
	if of := Attributes([]Column{{Name: "race", Kind: Number, Records: 100, Values: 100, Distinct: 50}}, "y"); len(of) != 1 || of[0].Group != "" || !of[0].Named {
		t.Errorf("%+v", of)
	}
	if got := Positive(Column{Name: "approved", Shown: two[:1]}); got != "" {
		t.Errorf("of one value %q is positive", got)
	}
	if got := Positive(Column{Name: "approved", Shown: two}); got != "yes" {
		t.Errorf("of yes and no %q is positive", got)
	}
	sex := Column{Name: "sex", Kind: Category, Records: 100, Values: 100, Distinct: 2, Shown: []Value{{"m", 60}, {"f", 40}}}
	for machines, want := range map[string]bool{"rpm": false, "rpm torque": true} {
		all := []Column{sex}
		for name := range strings.FieldsSeq(machines) {
			all = append(all, Column{Name: name, Kind: Number})
		}
		if got := doubtOf(all, &sex); (got != "") != want {
			t.Errorf("beside %s: %q", machines, got)
		}
	}
	identifiers := tallied("c", 100, 100, func(c *tally) { c.numbers, c.rising, c.falling = 40, false, false })
	if !identifiers.certain(&Column{Kind: Identifier, DistinctShare: 1}) {
		t.Error("identifiers of which two in five are numbers may be a feature")
	}
	if kind, _ := tallied("c", 100, fewTexts+1, func(c *tally) { c.formatted, c.numbers = 1, 94 }).kind(.3); kind != Formatted {
		t.Errorf("numbers of which one is formatted are %s", kind)
	}
}

// TestPairsAndCopies: a value of exactly two different records makes a pair; a copy counts in the columns in which no other record has its value; and after
// Close nothing more is remembered.
func TestPairsAndCopies(t *testing.T) {
	field := func(name string, x int) record.Field {
		text := []byte(fmt.Sprint(x))
		return record.Field{Name: name, Text: text, Hash: record.Hash(text)}
	}
	of := func(a, b int) *record.Record {
		return &record.Record{Features: []record.Field{field("a", a), field("b", b)}}
	}
	var c Copies
	for i := range 12 {
		c.Add(of(i, []int{0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4}[i]))
	}
	a, b := c.columns[0], c.columns[1]
	if a.pairs != 0 || b.pairs != 2 || a.told != 12 || b.told != 12 {
		t.Errorf("%d and %d pairs, of %d and %d", a.pairs, b.pairs, a.told, b.told)
	}
	for _, i := range []int{0, 1, 3} { // of values that one record, two and three have
		if !c.Add(of(i, []int{0, 1, 1, 2}[i])) {
			t.Errorf("record %d is no copy", i)
		}
	}
	if a.copies != 3 || b.copies != 1 {
		t.Errorf("%d and %d copies", a.copies, b.copies)
	}
	if got := b.byChance(&c); got != 2*2*(15./12)*(15./12) {
		t.Errorf("%v are equal by chance", got)
	}
	c.Close()
	if c.records != 0 || c.closed != 15 || a.copies != 0 || b.copies != 0 {
		t.Errorf("closed, there are %d records after %d, and %d and %d copies", c.records, c.closed, a.copies, b.copies)
	}
	for range 4 {
		if c.Add(of(100, 100)) {
			t.Error("what came after Close is remembered")
		}
	}
	if got := b.byChance(&c); got != 4*2*(4./12)*15/12 {
		t.Errorf("%v are equal by chance", got)
	}
	var one Copies
	one.Add(of(1, 1))
	one.Close()
	if one.Add(of(2, 2)); one.Add(of(2, 2)) {
		t.Error("what came after a single record and Close is remembered")
	}
	var many Copies
	for i := range differentTold + 3 {
		many.Add(of(i, 0))
	}
	if many.columns[0].told != differentTold || len(many.seen) != differentTold+3 {
		t.Errorf("%d records are told apart, and %d remembered", many.columns[0].told, len(many.seen))
	}
}
