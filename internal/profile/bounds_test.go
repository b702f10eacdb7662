package profile

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestKnownIdentifiers: what is an identifier whatever the column is named, and what only looks like one.
func TestKnownIdentifiers(t *testing.T) {
	const uuid = "0123abcd-89EF-0123-4567-89abcdefABCD"
	domain := strings.Repeat("d", 64-len("a@.de"))
	for text, want := range map[string]bool{
		uuid: true, uuid[:35]: false, uuid + "0": false, strings.Replace(uuid, "9", "g", 1): false, strings.Replace(uuid, "a", "`", 1): false,
		strings.Replace(uuid, "-", "0", 1): false, "0123abcd089EF-0123-4567-89abcdefABCD": false, "0123abcd-89EF-0123-4567089abcdefABCD": false,
		strings.Replace(uuid, "0", "-", 1): false, strings.Replace(uuid, "C", "G", 1): false, strings.Replace(uuid, "9", "/", 1): false, strings.Replace(uuid, "9", ":", 1): false,
		"+4912345": true, "+491234": false, "+49 1234567890123456": true, "+49 12345678901234567": false, "+49 12345x": false, "+x4912345": false, "4912345678": false,
		"a@b.de": true, "@b.de": false, "a@.de": false, "a@b": false, "a b@c.de": false, "a\t@c.de": false,
		"a@" + domain + ".de": true, "a@" + domain + "d.de": false,
		"10.0.0.1": true, "10.0.0.256": false, "10.0.1": false, "1.2.3.4.5": false, "::1": true, "fe80::1:2": true, "1:2": false, "12:30:15": false,
		"": false, "x": false,
	} {
		if got := isKnownIdentifier([]byte(text)); got != want {
			t.Errorf("%q is an identifier: %v, want %v", text, got, want)
		}
	}
}

// TestTheYearsOfTimes: dates are of the years 1800 to 2199, in one layout from end to end.
func TestTheYearsOfTimes(t *testing.T) {
	for text, want := range map[string]bool{
		"1800-01-01": true, "1799-12-31": false, "2199-12-31": true, "2200-01-01": false, "2026-13-01": false, "2026-1-01": false,
		"2026-01-01x": false, "01.02.2026": true, "01.02.26": false, "13/01/2026": true, "01/13/2026": true, "13/13/2026": false, "20260102": true, "2026010": false,
		"2026-01-02T03:04": true, "2026-01-02 03:04:05.123+01:00": true, "": false,
	} {
		got := false
		for i := range timeLayouts {
			got = got || timeLayouts[i].matches([]byte(text))
		}
		if got != want {
			t.Errorf("%q is a time: %v, want %v", text, got, want)
		}
	}
}

// seen are records of so many columns, by number: one column has a value of its own for as many records as own says, and the rest few.
func seen(c *Copies, records, columns, at, own int) {
	rec := record.Record{}
	for i := range records {
		rec.Features = rec.Features[:0]
		for k := range columns {
			text := fmt.Sprint(i % 2)
			if k == at && i < own {
				text = fmt.Sprint("v", i)
			}
			rec.Features = append(rec.Features, record.Field{Name: fmt.Sprint("c", k), Text: []byte(text), Hash: record.Hash([]byte(text))})
		}
		rec.Label = float64(i) // no record is a copy
		c.Add(&rec)
	}
}

// TestTheBoundsOfCopies: how many copies there must be, in how many records, and what the column has to show.
func TestTheBoundsOfCopies(t *testing.T) {
	for name, c := range map[string]struct {
		different, columns, at, own, copies int
		want                                bool
	}{
		"enough":                     {1980, 3, 1, 1980, 20, true},
		"one copy fewer":             {1980, 3, 1, 1980, 19, false},
		"a smaller share":            {1981, 3, 1, 1981, 20, false},
		"enough different ones":      {200, 3, 1, 200, 20, true},
		"one different one fewer":    {199, 3, 1, 199, 20, false},
		"nine tenths of own values":  {200, 3, 1, 178, 20, true}, // and two values that the others share
		"fewer own values":           {200, 3, 1, 177, 20, false},
		"the last column told":       {200, columnsTold, columnsTold - 1, 200, 20, true},
		"a column that is not told":  {200, columnsTold + 1, columnsTold, 200, 20, false},
		"own values that are late":   {3 * differentTold, 2, 1, differentTold, 60, true},
		"what is not told of is odd": {3 * differentTold, 2, 1, differentTold * 8 / 10, 60, false},
	} {
		var copies Copies
		seen(&copies, c.different, c.columns, c.at, c.own)
		seen(&copies, c.copies, c.columns, c.at, c.own)
		found, column := copies.Found()
		if (found > 0) != c.want || c.want && (found != c.copies || column != fmt.Sprint("c", c.at)) {
			t.Errorf("%s: %d copies, column %q", name, found, column)
		}
	}
}

// TestRecordsThatAreAlike: records that are alike because nothing is known of them, such as customers without a balance, are no copies.
func TestRecordsThatAreAlike(t *testing.T) {
	var copies Copies
	seen(&copies, 1000, 1, 0, 940) // 60 have one of two values, and a label of their own
	for range 60 {
		copies.Add(&record.Record{Label: 1, Features: []record.Field{{Name: "c0", Text: []byte("0"), Hash: record.Hash([]byte("0"))}}})
	}
	if found, _ := copies.Found(); found > 0 {
		t.Errorf("%d copies", found)
	}
}

// TestAFewColumnsAgreeByChance: of amounts below 7,000 in 1,500 records many come twice, and with one other column of two values half of these records
// are equal. Records of which a tenth are repeated are copies all the same, if amounts are many.
func TestAFewColumnsAgreeByChance(t *testing.T) {
	for amounts, want := range map[int]bool{7000: false, 10000000: true} {
		var copies Copies
		r := rand.New(rand.NewPCG(3, 4))
		for range 1500 {
			rec := record.Record{Positive: r.IntN(2) == 0}
			for name, text := range map[string]string{"amount": fmt.Sprint(r.IntN(amounts)), "sex": fmt.Sprint(r.IntN(2))} {
				rec.Features = append(rec.Features, record.Field{Name: name, Text: []byte(text), Hash: record.Hash([]byte(text))})
			}
			copies.Add(&rec)
			if amounts > 7000 && r.Float64() < .1 {
				copies.Add(&rec)
			}
		}
		if found, _ := copies.Found(); found > 0 != want {
			t.Errorf("%d amounts: %d copies", amounts, found)
		}
	}
}

// TestWhatMakesACopy: records are the same if features, attributes and label are, in whatever order the features come.
func TestWhatMakesACopy(t *testing.T) {
	field := func(name, text string) record.Field {
		return record.Field{Name: name, Text: []byte(text), Hash: record.Hash([]byte(text))}
	}
	first := func() record.Record {
		return record.Record{Features: []record.Field{field("a", "1"), field("b", "2")}, Attributes: []record.Value{{Text: []byte("m")}, {Text: []byte("x")}}, Label: 3}
	}
	for name, c := range map[string]struct {
		change func(r *record.Record)
		want   bool
	}{
		"nothing":              {func(*record.Record) {}, true},
		"another order":        {func(r *record.Record) { r.Features[0], r.Features[1] = r.Features[1], r.Features[0] }, true},
		"another value":        {func(r *record.Record) { r.Features[0] = field("a", "2") }, false},
		"another name":         {func(r *record.Record) { r.Features[0] = field("c", "1") }, false},
		"one field fewer":      {func(r *record.Record) { r.Features = r.Features[:1] }, false},
		"another attribute":    {func(r *record.Record) { r.Attributes[1].Text = []byte("y") }, false},
		"attributes exchanged": {func(r *record.Record) { r.Attributes[0], r.Attributes[1] = r.Attributes[1], r.Attributes[0] }, false},
		"another number":       {func(r *record.Record) { r.Label = 4 }, false},
		"another class":        {func(r *record.Record) { r.Positive = true }, false},
		"values exchanged":     {func(r *record.Record) { r.Features[0], r.Features[1] = field("a", "2"), field("b", "1") }, false},
	} {
		var copies Copies
		a, b := first(), first()
		c.change(&b)
		if copies.Add(&a) {
			t.Error("the first record is a copy")
		}
		if got := copies.Add(&b); got != c.want {
			t.Errorf("%s: a copy: %v, want %v", name, got, c.want)
		}
	}
}

// TestDaysAndMonths: a number above twelve tells which of the first two is the month, in a date of two numbers and more.
func TestDaysAndMonths(t *testing.T) {
	for text, want := range map[string][2]int{
		"13/12/2026": {1, 0}, "31/1/2026": {1, 0}, "32/1/2026": {}, "12/12/2026": {}, "13/13/2026": {}, "13/0/2026": {}, "12/13/2026": {0, 1}, "1/31/2026": {0, 1}, "1/32/2026": {}, "0/31/2026": {},
		"13.12.26": {1, 0}, "13-12-26": {1, 0}, "13.12-26": {}, "13_12_26": {}, "13/1/2": {}, "13/1/": {}, "13/12": {}, "13/": {}, "13/1/26" + strings.Repeat(" ", 33): {1, 0}, "13/1/26" + strings.Repeat(" ", 34): {}, "": {},
	} {
		c := newTally("x")
		if c.addTime([]byte(text)); c.dayFirst != want[0] || c.monthFirst != want[1] {
			t.Errorf("%q: day first %d, month first %d, want %v", text, c.dayFirst, c.monthFirst, want)
		}
	}
}

// TestTheBoundsOfAttributes: how many records have a value, how many values are told, and how many of these are codes.
func TestTheBoundsOfAttributes(t *testing.T) {
	shown := func(n int) (values []Value) {
		for i := range n {
			values = append(values, Value{Text: strconv.Itoa(i), Count: 100 - i})
		}
		return values
	}
	for name, test := range map[string]struct {
		of    Column
		want  bool
		group string
	}{
		"as many values as needed":        {Column{Name: "kind", Kind: Category, Records: 1000, Values: 200, Distinct: 2, Shown: shown(2)}, true, "0"},
		"a value fewer":                   {Column{Name: "kind", Kind: Category, Records: 1000, Values: 199, Distinct: 2, Shown: shown(2)}, false, ""},
		"one value":                       {Column{Name: "kind", Kind: Category, Records: 1000, Values: 1000, Distinct: 1, Shown: shown(1)}, false, ""},
		"ten values":                      {Column{Name: "kind", Kind: Category, Records: 1000, Values: 1000, Distinct: 10, Shown: shown(10)}, true, "0"},
		"eleven values":                   {Column{Name: "kind", Kind: Category, Records: 1000, Values: 1000, Distinct: 11, Shown: shown(11)}, false, ""},
		"eleven values of a known name":   {Column{Name: "race", Kind: Category, Records: 1000, Values: 1000, Distinct: 11, Shown: shown(11)}, true, "0"},
		"numbers without a name":          {Column{Name: "kind", Kind: Number, Records: 1000, Values: 1000, Distinct: 3, Shown: shown(3)}, false, ""},
		"ten codes":                       {Column{Name: "race", Kind: Number, Records: 1000, Values: 1000, Distinct: 10, Shown: shown(10)}, true, "0"},
		"eleven codes":                    {Column{Name: "race", Kind: Number, Records: 1000, Values: 1000, Distinct: 11, Shown: shown(11)}, true, ""},
		"two numbers":                     {Column{Name: "age", Kind: Number, Records: 1000, Values: 1000, Distinct: 2, Shown: shown(2)}, true, "0"},
		"three numbers":                   {Column{Name: "age", Kind: Number, Records: 1000, Values: 1000, Distinct: 3, Shown: shown(3)}, true, ""},
		"a second value that is too rare": {Column{Name: "kind", Kind: Category, Records: 1000, Values: 1000, Distinct: 2, Shown: []Value{{"a", 996}, {"b", 4}}}, false, ""},
		"a second value that is rare":     {Column{Name: "kind", Kind: Category, Records: 1000, Values: 1000, Distinct: 2, Shown: []Value{{"a", 995}, {"b", 5}}}, true, "a"},
	} {
		found := Attributes([]Column{test.of}, "label")
		if len(found) == 1 != test.want || test.want && found[0].Group != test.group {
			t.Errorf("%s: %+v", name, found)
		}
		if test.of.Name = "label"; len(Attributes([]Column{test.of}, "label")) != 0 {
			t.Errorf("%s: the label is an attribute", name)
		}
	}
	of := func(name string, kind Kind, values int) Column {
		return Column{Name: name, Kind: kind, Records: 1000, Values: 1000, Distinct: values, Shown: shown(values)}
	}
	var order []string
	for _, a := range Attributes([]Column{of("switch", Boolean, 2), of("kind", Category, 4), of("colour", Category, 3), of("age", Number, 3), of("race", Category, 3), of("geschlecht", Category, 2)}, "label") {
		order = append(order, a.Name)
	}
	if got := strings.Join(order, " "); got != "geschlecht race age colour kind switch" && got != "geschlecht race colour age kind switch" {
		t.Errorf("the order is %s", got)
	}
}

// TestTheOrderOfLabels: first two values under the name of a label, then booleans, then the others from the last column on, and what has the name of an attribute at
// the end. More than two values are for a status of something that ended.
func TestTheOrderOfLabels(t *testing.T) {
	of := func(name string, kind Kind, values int) Column {
		c := Column{Name: name, Kind: kind, Records: 100, Values: 100, Distinct: values}
		for i := range values {
			c.Shown = append(c.Shown, Value{Text: fmt.Sprint("v", i), Count: 20 - i})
		}
		return c
	}
	names := func(columns ...Column) string {
		var found []string
		for _, l := range Labels(columns) {
			found = append(found, l.Name)
		}
		return strings.Join(found, " ")
	}
	if got, want := names(of("kind", Category, 2), of("sex", Category, 2), of("loan_status", Category, 3), of("switch", Boolean, 2), of("other", Category, 2), of("paid", Category, 2)), "paid switch other loan_status kind sex"; got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
	for name, want := range map[string]bool{"loan_status": true, "status": true, "a_loan_status": true, "loanResult": true, "order_state": true, "marital_status": false, "home_state": false, "loan_kind": false, "loan": false, "court_outcome": true, "y": true, "": false} {
		if got := names(of(name, Category, mostStates)); (got == name) != want && name != "" || name == "" && got != "" {
			t.Errorf("%s may be a label: %v", name, !want)
		}
	}
	if got := names(of("loan_status", Category, mostStates+1), of("loan_status", Number, 3), of("court_outcome", Category, mostStates+1)); got != "" {
		t.Errorf("of too many values, or of numbers: %s", got)
	}
}

// TestPositiveTexts: what a stem of four letters, or one word alone, tells.
func TestPositiveTexts(t *testing.T) {
	for _, c := range []struct{ name, texts, want string }{
		{"y", "H E", "E"}, {"y", "E H", "E"}, {"y", "yes true blue", ""}, {"y", "red yes blue", "yes"},
		{"fled", "stay fled", "fled"}, {"ran", "sat ran", ""}, {"fledged", "stay fled", "fled"}, {"fled", "fledged stay", "fledged"}, {"y", "not_hot hot", "hot"}, {"y", "hot not_hot", "hot"}, {"y", "not_very_hot very_hot", "very hot"}, {"ran", "stay range", ""}, {"range", "stay ran", ""},
	} {
		var values []Value
		for _, text := range strings.Fields(c.texts) {
			values = append(values, Value{Text: strings.ReplaceAll(text, "_", " ")})
		}
		if got := positive(c.name, values); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.name, c.texts, got, c.want)
		}
	}
}

// TestFormattedNumbers: the ends of what is looked at for one, in length and in its first and last character.
func TestFormattedNumbers(t *testing.T) {
	long := "1" + strings.Repeat(",234", 9)
	for text, want := range map[string]bool{
		"0,5": true, "9,5": true, "-9,5": true, "+9,5": true, "(9,5)": true, "$5": true, "€5": true, "AUD 1,000": true, "ZAR 1,009": true, "ZAR 1,000": true, "ZAR 1,000)": false, "kr 5000": true, "lei 5000": true, "5 %": true,
		"€  5": false, "R$ 1000": true, "RM12": false, "5": false, "$": false, long + ".12": true, long + ".123": false, "/5,5": false, ":5,5": false, "[5,5": false, "@5,5": false,
	} {
		if got := isFormatted([]byte(text)); got != want {
			t.Errorf("%q is formatted: %v", text, got)
		}
	}
	for digits, want := range map[int]bool{64: true, 65: false} {
		if _, got := number([]byte(strings.Repeat("1", digits))); got != want {
			t.Errorf("a number of %d digits: %v", digits, got)
		}
	}
	for text, want := range map[string][2]int{"1": {}, "13": {}, "13/": {}, "13/1": {}, "13/12": {}, "13/12/": {}, "13/12/2": {}, "13/12/26": {13, 12}, "1/2/": {}, "1/2/26": {1, 2}} {
		if first, second := dayOrMonth([]byte(text)); first != want[0] || second != want[1] {
			t.Errorf("%q: %d and %d, want %v", text, first, second, want)
		}
	}
}

// TestWhatIsRemembered: so many values of all columns, and so many records.
func TestWhatIsRemembered(t *testing.T) {
	rec := record.Record{Features: []record.Field{{Name: "a", Text: []byte("x"), Hash: 1}, {Name: "b", Text: []byte("y"), Hash: 2}}}
	p := Profile{budget: allDistinct - 1}
	p.Add(&rec)
	if columns := p.Columns(); columns[0].AtLeast || columns[0].Distinct != 1 || !columns[1].AtLeast || columns[1].Distinct != 0 || p.budget != allDistinct {
		t.Errorf("%+v", columns)
	}
	c := newTally("c")
	if c.add([]byte(strings.Repeat("x", shortText)), 1, true); c.oddMany || len(c.odd) != 1 {
		t.Errorf("of a short text: %+v", c.odd)
	}
	if c.add([]byte(strings.Repeat("x", shortText+1)), 2, true); !c.oddMany || c.odd != nil {
		t.Errorf("of a longer text: %+v", c.odd)
	}
	copies := Copies{seen: map[uint64]struct{}{}}
	for i := range mostRemembered - 1 {
		copies.seen[uint64(i)] = struct{}{}
	}
	for again, want := range []bool{false, true} {
		if first, second := copies.Add(&record.Record{Label: 1}), copies.Add(&record.Record{Label: 2}); first != want || second {
			t.Errorf("after %d times: the last record that is remembered %v, the next %v", again, first, second)
		}
	}
}

// TestCopiesAtTheBoundOfChance: there must be more than chance explains, and a column in which values are missing counts by those that it has.
func TestCopiesAtTheBoundOfChance(t *testing.T) {
	labelled := func(i int, text string) *record.Record {
		return &record.Record{Label: float64(i), Features: []record.Field{{Name: "c", Text: []byte(text), Hash: record.Hash([]byte(text)), Missing: text == ""}}}
	}
	for n, want := range map[int]int{24: 0, 25: 25} { // of 2,048 records, of which 1,024 are told of and three pairs are alike, 2 · 3 · 2² are by chance
		var copies Copies
		text := func(i int) string {
			if i >= 3 && i < 6 {
				i -= 3
			}
			return fmt.Sprint("v", i)
		}
		for i := range 2024 {
			copies.Add(labelled(i, text(i)))
		}
		for i := range n {
			copies.Add(labelled(100+i, text(100+i)))
		}
		if found, _ := copies.Found(); found != want {
			t.Errorf("%d copies: %d found", n, found)
		}
	}
	var copies Copies
	for i := range 300 {
		copies.Add(labelled(i, map[bool]string{true: fmt.Sprint("v", i)}[i < leastDifferent]))
	}
	for i := range leastCopies {
		copies.Add(labelled(i, fmt.Sprint("v", i)))
	}
	if found, column := copies.Found(); found != leastCopies || column != "c" {
		t.Errorf("beside missing values: %d copies by %q", found, column)
	}
}
