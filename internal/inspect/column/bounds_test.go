package column_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/inspect/column"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// A bound is a column of so many records, in which something is just told of, or just not.
type bound struct {
	name    string
	records int
	column  string
	value   func(i int) any
	config  func(c *model.Config)
	of      func(r *seen.Records)
}

// TestColumnsAtTheirBounds: what each check of single columns says where it just says something, and where it just does not.
func TestColumnsAtTheirBounds(t *testing.T) {
	numbers := func(i int) any { return 100 + i*7919%499 }
	declared := func(kind features.ColumnType) func(c *model.Config) {
		return func(c *model.Config) { c.Learner.Columns = map[string]features.ColumnConfig{"v": {Type: kind}} }
	}
	ignored := func(name string) func(c *model.Config) {
		return func(c *model.Config) { c.Record.Ignore = []string{name} }
	}
	either := func(n int, a, b func(i int) any) func(i int) any { // a in the first n records
		return func(i int) any {
			if i < n {
				return a(i)
			}
			return b(i)
		}
	}
	one := func(of any) func(int) any { return func(int) any { return of } }
	of := func(all ...any) func(i int) any { return func(i int) any { return all[i%len(all)] } }
	date := func(i int) any { return fmt.Sprintf("20%02d-%02d-%02d", 10+i%10, 1+i%12, 1+i%28) }
	text := func(format string, n int) func(i int) any { return func(i int) any { return fmt.Sprintf(format, i%n) } }
	lost := func(texts, lines int) func(r *seen.Records) {
		return func(r *seen.Records) { r.Lost = seen.Swallowed{Texts: texts, Lines: lines, Field: "v", Record: 7} }
	}
	sums := func(n int) func(r *seen.Records) { return func(r *seen.Records) { r.Totals = n } }
	grown := func(lengths ...int) func(i int) any { // of each length so many different texts
		return func(i int) any {
			at := i % (len(lengths) * 20)
			length := at / 20
			return string(rune('a'+at%20%lengths[length])) + strings.Repeat("x", length+4)
		}
	}
	var said strings.Builder
	for _, b := range []bound{
		{name: "numbers", records: 600, value: numbers},
		{name: "dates in six of ten", records: 600, value: either(360, date, text("word %d", 7))},
		{name: "dates in fewer", records: 600, value: either(359, date, text("word %d", 7))},
		{name: "dates of few records", records: 199, value: either(150, date, text("word %d", 7))},
		{name: "nearly all dates", records: 600, value: either(590, date, text("word %d", 7))},
		{name: "dates", records: 600, value: date},
		{name: "few dates", records: 90, value: date},
		{name: "dates that are declared", records: 600, value: date, config: declared(features.Categorical)},
		{name: "identifiers of few records", records: 90, value: func(i int) any { return fmt.Sprintf("K-%x", i*7919) }},
		{name: "identifiers", records: 600, value: func(i int) any { return fmt.Sprintf("K-%x", i*7919) }},
		{name: "identifiers that are ignored", records: 600, value: func(i int) any { return fmt.Sprintf("K-%x", i*7919) }, config: ignored("v")},
		{name: "free text of few records", records: 90, value: func(i int) any { return fmt.Sprintf("a note of many words about case %d", i) }},
		{name: "a text in one of twenty", records: 600, value: either(30, one("n/k"), numbers)},
		{name: "a text in more", records: 600, value: either(31, one("n/k"), numbers)},
		{name: "texts that are declared", records: 600, value: either(100, one("n/k"), numbers), config: declared(features.Numeric)},
		{name: "long texts among numbers", records: 600, value: either(60, func(i int) any { return strings.Repeat("no ", 20) + fmt.Sprint(i) }, numbers)},
		{name: "three limits", records: 600, value: either(300, of("<5", "<10", "n/k"), text("%d", 20))},
		{name: "four limits", records: 600, value: either(300, of("<5", "<10", "n/k", "n/a!"), text("%d", 20))},
		{name: "limits among nineteen numbers", records: 600, value: either(300, of("<5", "<10", "n/k"), text("%d", 19))},
		{name: "limits in seven of ten", records: 600, value: either(420, of("<5", "<10", "n/k"), text("%d", 20))},
		{name: "limits in more", records: 600, value: either(421, of("<5", "<10", "n/k"), text("%d", 20))},
		{name: "limits of few records", records: 199, value: either(60, of("<5", "<10", "n/k"), text("%d", 20))},
		{name: "many values", records: 1500, value: func(i int) any { return fmt.Sprint("q", i*i*7%1499) }},
		{name: "half numbers, declared numeric", records: 600, value: either(300, numbers, text("a%d", 3)), config: declared(features.Numeric)},
		{name: "fewer numbers, declared numeric", records: 600, value: either(299, numbers, text("a%d", 3)), config: declared(features.Numeric)},
		{name: "fewer numbers of few records", records: 199, value: either(9, numbers, text("a%d", 3)), config: declared(features.Numeric)},
		{name: "a hundred numbers, declared categories", records: 600, value: text("%d", 100), config: declared(features.Categorical)},
		{name: "99 numbers, declared categories", records: 600, value: text("%d", 99), config: declared(features.Categorical)},
		{name: "cut off in ten", records: 600, value: either(10, one(32767), numbers)},
		{name: "cut off in nine", records: 600, value: either(9, one(32767), numbers)},
		{name: "cut off in three of a thousand", records: 4000, value: either(12, one(65535), numbers)},
		{name: "cut off in fewer", records: 4000, value: either(11, one(65535), numbers)},
		{name: "cut off, of a hundred numbers", records: 600, value: either(50, one(32767), text("%d", 99))},
		{name: "cut off, of 99 numbers", records: 600, value: either(50, one(32767), text("%d", 98))},
		{name: "a field of 16 bits", records: 600, value: func(i int) any { return []int{-32768, 32767}[i%2] + []int{1, -1}[i%2]*(i/2)*100 }},
		{name: "nearly a field of 16 bits", records: 600, value: func(i int) any { return []int{-32441, 32441}[i%2] + []int{1, -1}[i%2]*(i/2)*100 }},
		{name: "less than a field of 16 bits", records: 600, value: func(i int) any { return []int{-32440, 32440}[i%2] + []int{1, -1}[i%2]*(i/2)*100 }},
		{name: "more than a field of 16 bits", records: 600, value: func(i int) any { return []int{-32769, 32767}[i%2] + []int{1, -1}[i%2]*(i/2)*100 }},
		{name: "above a field of 16 bits", records: 600, value: func(i int) any { return []int{-32768, 32768}[i%2] + []int{1, -1}[i%2]*(i/2)*100 }},
		{name: "no whole numbers of 16 bits", records: 600, value: func(i int) any { return []float64{-32768, 32766.5}[i%2] + []float64{1, -1}[i%2]*float64(i/2)*100 }},
		{name: "capped in a tenth", records: 600, value: either(60, one(599), numbers)},
		{name: "capped in less", records: 600, value: either(59, one(599), numbers)},
		{name: "capped at a hundred", records: 600, value: either(100, one(100), text("%d", 99))},
		{name: "twenty ranges", records: 200, value: either(20, of("10-19", ">= 20"), text("%d", 60))},
		{name: "nineteen ranges", records: 200, value: either(19, of("10-19", ">= 20"), text("%d", 60))},
		{name: "ranges with a tenth of numbers", records: 600, value: either(540, of("10-19", ">= 20", "30+"), text("%d", 60))},
		{name: "ranges with fewer numbers", records: 600, value: either(541, of("10-19", ">= 20", "30+"), text("%d", 60))},
		{name: "ranges that are declared", records: 600, value: either(300, of("10-19", ">= 20", "30+"), text("%d", 60)), config: declared(features.Categorical)},
		{name: "sums in a twentieth", records: 600, value: numbers, of: sums(30)},
		{name: "sums in more", records: 600, value: numbers, of: sums(31)},
		{name: "lines in one text", records: 600, value: numbers, of: lost(1, 9)},
		{name: "lines in one text of fifty", records: 41, value: numbers, of: lost(1, 9)},
		{name: "lines in one text of fewer", records: 40, value: numbers, of: lost(1, 9)},
		{name: "lines in two texts", records: 600, value: numbers, of: lost(2, 19)},
		{name: "texts of one length", records: 600, value: grown(3, 3, 3, 3, 6)},
		{name: "texts of one length, five different", records: 600, value: grown(1, 1, 1, 1, 5)},
		{name: "texts of one length, less than twice as many", records: 600, value: grown(3, 3, 3, 4, 6)},
		{name: "texts of four lengths", records: 600, value: grown(3, 3, 3, 6)},
		{name: "short texts of one length", records: 600, value: func(i int) any {
			return []string{"a", "bb", "ccc", "dddd"}[i%8/2][:1+i%8/2] + strings.Repeat(string(rune('a'+i%9)), i%8/7*3)
		}},
		{name: "five dates each way", records: 600, value: either(10, of("25/03/2020", "03/25/2020"), of("01/02/2020", "03/04/2020"))},
		{name: "four dates one way", records: 600, value: either(9, of("25/03/2020", "03/25/2020"), of("01/02/2020", "03/04/2020"))},
		{name: "twenty exponents", records: 600, value: either(20, of("1.23E+05", "1.24E+05"), text("%d", 99))},
		{name: "nineteen exponents", records: 600, value: either(19, of("1.23E+05", "1.24E+05"), text("%d", 99))},
		{name: "words of programs", records: 600, value: of("a", "b", "(null)", "#DIV/0!", "c")},
		{name: "words of programs that are ignored", records: 600, value: of("a", "b", "(null)", "#DIV/0!", "c"), config: ignored("v")},
		{name: "HTML", records: 600, value: of("Caf&eacute; 1", "Caf&eacute; 2", "T&uuml;r", "T&uuml;r", "plain", "a & b; c")},
		{name: "HTML of equal numbers", records: 600, value: of("Caf&eacute; 2", "Caf&eacute; 1")},
		{name: "a name of a prediction", records: 600, column: "prediction", value: numbers},
		{name: "a label with the name of a prediction", records: 600, value: numbers, config: func(c *model.Config) { c.Record.Label = record.Label{Field: "prediction", Positive: "1"} }},
		{name: "a name that is a number", records: 600, column: "2020-01-01", value: numbers, config: func(c *model.Config) { c.Record.Label.Field = "1234.5" }},
		{name: "a weight", records: 600, column: "sample_weight", value: of(1, 2, 3)},
		{name: "a weight of two numbers", records: 600, column: "sample_weight", value: of(1, 2)},
		{name: "a weight that is used", records: 600, column: "sample_weight", value: of(1, 2, 3), config: func(c *model.Config) { c.Record.Weight = "sample_weight" }},
		{name: "an age of 120", records: 600, column: "age", value: either(1, one(120), text("%d", 90))},
		{name: "an age of 121", records: 600, column: "age", value: either(1, one(121), text("%d", 90))},
		{name: "an age of 999", records: 600, column: "age", value: either(3, of(300, 950, 301), text("%d", 90))},
		{name: "an age of 1000", records: 600, column: "age", value: either(1, one(1000), text("%d", 90))},
		{name: "an age below 0", records: 600, column: "age", value: either(3, of(-3, -4, -5), text("%d", 90))},
		{name: "an age of deviations", records: 600, column: "age", value: of(0, 150, 1, 149, 2, 148, 3)},
		{name: "years of birth", records: 600, column: "birth_year", value: text("19%02d", 90)},
		{name: "years of birth of 120 years", records: 600, column: "birth_year", value: of(1880, 2000, 1950)},
		{name: "years of birth of 121 years", records: 600, column: "birth_year", value: of(1880, 2001, 1950)},
		{name: "trials", records: 600, value: of("test", "a", "b")},
		{name: "trials in half", records: 600, value: of("test", "a", "test", "b")},
		{name: "trials in less than half", records: 600, value: either(298, one("test"), of("a", "b"))},
		{name: "trials that are ignored", records: 600, value: of("test", "a", "b"), config: ignored("v")},
		{name: "parts", records: 600, value: of("train", "train", "Test")},
		{name: "one part", records: 600, value: of("test", "holdout", "test")},
		{name: "parts and others", records: 600, value: of("train", "test", "other")},
		{name: "parts that are ignored", records: 600, value: of("train", "train", "Test"), config: ignored("v")},
		{name: "dates of a spreadsheet beside others", records: 600, value: of("1-Feb", "3-4", "5-6")},
		{name: "dates of a spreadsheet alone", records: 600, value: of("1-Feb", "3-Apr")},
		{name: "days since 1899", records: 600, column: "start_date", value: func(i int) any { return 20000 + i%30 }},
		{name: "days since 1899, to the last", records: 600, column: "start_date", value: func(i int) any { return 60000 - i%30 }},
		{name: "29 days since 1899", records: 600, column: "start_date", value: func(i int) any { return 20000 + i%29 }},
		{name: "days before", records: 600, column: "start_date", value: func(i int) any { return 19999 + i%30 }},
		{name: "days after", records: 600, column: "start_date", value: func(i int) any { return 60001 - i%30 }},
		{name: "a code", records: 600, column: "zip_code", value: of(1, 2, 3)},
		{name: "a code of two", records: 600, column: "zip_code", value: of(1, 2)},
		{name: "a code that is declared", records: 600, column: "zip_code", value: of(1, 2, 3), config: func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"zip_code": {Type: features.Categorical}}
		}},
		{name: "nested texts", records: 600, value: text(`{"a":%d}`, 30)},
		{name: "five spellings of many", records: 600, value: either(5, one("Value 3"), text("value %d", 150))},
		{name: "four spellings of many", records: 600, value: either(4, one("Value 3"), text("value %d", 150))},
		{name: "two values in several spellings", records: 600, value: of("a b", "A B", "c d", "C D", "e")},
		{name: "thousands with a point", records: 600, value: either(100, func(i int) any { return json.Number(fmt.Sprintf("1.%03d", 101+i*3%800/10*10+1)) }, text("%d", 900)), config: func(c *model.Config) { c.Record.CSV.Separator = ";" }},
		{name: "99 thousands with a point", records: 600, value: either(99, func(i int) any { return json.Number(fmt.Sprintf("1.%03d", 101+i*3%800/10*10+1)) }, text("%d", 900)), config: func(c *model.Config) { c.Record.CSV.Separator = ";" }},
		{name: "a value in two spellings", records: 600, value: of("a b", "A B", "e")},
		{name: "two spellings as often", records: 600, value: of("A b", "a B", "a b", "a b", "e")},
		{name: "nested texts and others", records: 600, value: either(570, text(`{"a":%d}`, 30), of("x", "y"))},
		{name: "nested texts and more others", records: 600, value: either(569, text(`{"a":%d}`, 30), of("x", "y"))},
		{name: "-1 beside five levels", records: 600, value: either(24, one(-1), of(1, 2, 3, 4, 5))},
		{name: "-1 beside four levels", records: 600, value: either(24, one(-1), of(1, 2, 3, 4))},
		{name: "-7 beside three levels", records: 600, value: either(24, one(-7), of(1, 2, 3))},
		{name: "-7 beside two levels", records: 600, value: either(24, one(-7), of(1, 2))},
		{name: "99 above 20", records: 600, value: either(24, one(99), of(5, 10, 20))},
		{name: "99 above 21", records: 600, value: either(24, one(99), of(5, 10, 21))},
		{name: "an age below a thousand", records: 600, column: "age", value: either(1, one(999.5), func(i int) any { return 20 + i%60 })},
		{name: "an age of a thousand", records: 600, column: "age", value: either(1, one(1000), func(i int) any { return 20 + i%60 })},
		{name: "a field of 16 bits", records: 600, value: func(i int) any { return -32768 + i*65535/599 }},
		{name: "numbers below a limit, in 200 records", records: 200, value: either(60, func(i int) any { return 100 + i }, one("<5"))},
		{name: "numbers below a limit, in 199 records", records: 199, value: either(60, func(i int) any { return 100 + i }, one("<5"))},
		{name: "numbers below a limit, in less than a third", records: 200, value: either(59, func(i int) any { return 100 + i }, one("<5"))},
		{name: "ranges beside numbers, and one other in twenty", records: 600, value: either(580, func(i int) any { return 10 + i%30 }, either(599, one("20-29"), one("x")))},
		{name: "ranges beside numbers, and more others", records: 600, value: either(579, func(i int) any { return 10 + i%30 }, either(598, one("20-29"), one("x")))},
		{name: "an array", records: 600, value: func(i int) any { return []int{i % 7, i % 5} }},
		{name: "an array of one", records: 600, value: func(i int) any { return []int{i % 7} }},
	} {
		if b.column == "" {
			b.column = "v"
		}
		fmt.Fprintf(&said, "== %s\n", b.name)
		for _, f := range b.found(t) {
			fmt.Fprintln(&said, map[bool]string{true: "Error: ", false: "Warning: "}[f.Fatal]+f.String()+map[bool]string{true: " (left out)"}[f.LeftOut])
		}
	}
	goldentest.Compare(t, "bounds.txt", said.String())
}

// found is what the checks of columns say of records whose other fields are plain.
func (b bound) found(t *testing.T) []find.Finding {
	t.Helper()
	c := inspecttest.With(func(c *model.Config) {
		c.Record.Label = record.Label{Field: "y", Positive: "1"}
		c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"sex"}, model.Values("m"), model.Values("f")
	})
	if b.config != nil {
		b.config(&c)
	}
	r, err := seen.New(c)
	if err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	for i := range b.records {
		raw, err := json.Marshal(map[string]any{c.Record.Label.Field: i / 2 % 3 % 2, "sex": []string{"m", "f"}[i%2], b.column: b.value(i)})
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Add(raw) // what is rejected is counted
	}
	if b.of != nil {
		b.of(r)
	}
	s := find.New(r)
	for _, check := range []func(*find.Search){column.Swallowed, column.Sums, column.Declared, column.Cut, column.Wrapped, column.Names, column.Parted, column.Coded, column.Texts, column.CutOff, column.Shortened,
		column.Unread, column.Dated, column.Ranged, column.Separated, column.Codes, column.NoFeature, column.Kinds, column.Arrays} {
		check(s)
	}
	return s.Found
}
