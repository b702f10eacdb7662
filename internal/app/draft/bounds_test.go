package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// shown are values a, b, c and so on with these counts.
func shown(counts ...int) (values []profile.Value) {
	for i, n := range counts {
		values = append(values, profile.Value{Text: string(rune('a' + i)), Count: n})
	}
	return values
}

// TestWordsOfValues: six values are named, and a text is quoted where it would not be seen as it is.
func TestWordsOfValues(t *testing.T) {
	t.Parallel()
	for want, counts := range map[string][]int{
		"": nil, "a 1,200, b 2": {1200, 2}, "a 6, b 5, c 4, d 3, e 2, f 1": {6, 5, 4, 3, 2, 1}, "a 7, b 6, c 5, d 4, e 3, f 2, and 1 more": {7, 6, 5, 4, 3, 2, 1},
	} {
		if got := valuesWords(shown(counts...)); got != want {
			t.Errorf("%v: %q, want %q", counts, got, want)
		}
	}
	for text, want := range map[string]string{"": `""`, " a": `" a"`, "a\t": `"a\t"`, "a\nb": `"a\nb"`, `say "a"`: `say "a"`, "größe": "größe", "a b": "a b", "\x00a": `"\x00a"`, `a\b`: `a\b`} {
		if got := plainText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestWordsOfColumns: four values are named, of one value nothing is said, and a share has none where some have.
func TestWordsOfColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column profile.Column
		want   string
	}{
		{profile.Column{Kind: profile.Category, Shown: shown(9, 8, 7, 6), Distinct: 4}, "category: a 9, b 8, c 7, d 6"},
		{profile.Column{Kind: profile.Category, Shown: shown(9), Distinct: 1}, "category: a 9"},
		{profile.Column{Kind: profile.Category, Shown: shown(9, 8, 7, 6, 5), Distinct: 5}, "category, 5 different values"},
		{profile.Column{Kind: profile.Category, Distinct: 1}, "category"},
		{profile.Column{Kind: profile.Category, Distinct: 2}, "category, 2 different values"},
		{profile.Column{Kind: profile.ManyValues, Distinct: 4096, AtLeast: true}, "many values, more than 4,096 different values"},
		{profile.Column{Kind: profile.Number, Low: 1, High: 2, Values: 10, Records: 10}, "number, 1 to 2"},
		{profile.Column{Kind: profile.Number, Low: 1, High: 2, Values: 1, Records: 4}, "number, 1 to 2; 75 % have none"},
		{profile.Column{Kind: profile.Empty, Records: 4}, "empty"},
		{profile.Column{Kind: profile.Spoilt, Low: 1, High: 2, Values: 10, Numbers: 9, Records: 10}, "number, 1 to 2, but for 1 text"},
		{profile.Column{Kind: profile.Spoilt, Low: 1, High: 2, Values: 10, Numbers: 7, Records: 10, Odd: shown(3)}, "number, 1 to 2, but for 3 texts (a 3)"},
	} {
		if got := ColumnWords(c.column); got != c.want {
			t.Errorf("%+v: %q, want %q", c.column, got, c.want)
		}
	}
	if got := labelWords(profile.Column{Kind: profile.Boolean, Shown: shown(2, 1), Values: 3, Records: 4}); got != "Values: a 2, b 1; 25 % have none" {
		t.Error(got)
	}
}

// TestGroupsOfAnAttribute: the second value is compared where it has thirty records or is the only other one, all the rest elsewhere.
func TestGroupsOfAnAttribute(t *testing.T) {
	t.Parallel()
	value := func(text string, n int) profile.Value { return profile.Value{Text: text, Count: n} }
	for _, c := range []struct {
		shown         []profile.Value
		group, versus string
	}{
		{nil, "", ""}, {shown(50), "", ""}, {shown(50, 1), "a", "b"}, {shown(50, 30, 1), "a", "b"}, {shown(50, 29, 1), "a", "rest"},
		{[]profile.Value{value("unknown", 50), value("p", 40), value("q", 30)}, "p", "q"},
		{[]profile.Value{value("p", 50), value("rest", 40), value("q", 30)}, "p", "rest"},
	} {
		d := Draft{columns: []profile.Column{{Name: "of", Shown: c.shown}}}
		if d.setAttribute("of"); d.Attribute != "of" || d.Group != c.group || d.Versus != c.versus {
			t.Errorf("%v: %q against %q", c.shown, d.Group, d.Versus)
		}
	}
}

// TestNumbersAsLabels: a label of numbers is regressed from three values on, but not where two are shown; tau is a tenth of its deviation.
func TestNumbersAsLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column     profile.Column
		regression bool
		tau        float64
	}{
		{profile.Column{Kind: profile.Number, Distinct: 3, Deviation: 4.567}, true, .46}, {profile.Column{Kind: profile.Number, Distinct: 2, Deviation: 4.567}, false, .05},
		{profile.Column{Kind: profile.Number, Distinct: 3, Shown: shown(5, 5), Deviation: 4.567}, false, .05}, {profile.Column{Kind: profile.Number, Distinct: 3, Shown: shown(5, 5, 5), Deviation: 4.567}, true, .46},
		{profile.Column{Kind: profile.Category, Distinct: 3, Deviation: 4.567}, false, .05},
	} {
		c.column.Name = "of"
		d := Draft{columns: []profile.Column{c.column}}
		if d.setLabel("of"); d.Label != "of" || d.regression != c.regression || d.Tau != c.tau {
			t.Errorf("%+v: regression %t, tau %v", c.column, d.regression, d.Tau)
		}
	}
}

// TestWhatIdentifies: 99 in a hundred records have an identifier of their own, and a column that is chosen for something else is none.
func TestWhatIdentifies(t *testing.T) {
	t.Parallel()
	good := profile.Column{Name: "request_id", Kind: profile.Identifier, Records: 200, Values: 198, DistinctShare: .99}
	for _, c := range []struct {
		change func(*Draft, *profile.Column)
		want   bool
	}{
		{func(*Draft, *profile.Column) {}, true},
		{func(_ *Draft, c *profile.Column) { c.Values = 197 }, false},
		{func(_ *Draft, c *profile.Column) { c.DistinctShare = .989 }, false},
		{func(_ *Draft, c *profile.Column) { c.Kind = profile.Category }, false},
		{func(_ *Draft, c *profile.Column) { c.Name = "word" }, false},
		{func(d *Draft, c *profile.Column) {
			c.Name = "word"
			d.describe("", []format.Field{{Name: "word", Kind: format.UUID}})
		}, true},
		{func(d *Draft, _ *profile.Column) {
			d.describe("", []format.Field{{Name: "request_id", Nullable: true}})
		}, false},
		{func(d *Draft, c *profile.Column) { d.Label = c.Name }, false},
		{func(d *Draft, c *profile.Column) { d.Attribute = c.Name }, false},
	} {
		var d Draft
		column := good
		c.change(&d, &column)
		d.columns = []profile.Column{column}
		if got := d.identifier(); got != map[bool]string{true: column.Name}[c.want] {
			t.Errorf("%+v: identifier %q", column, got)
		}
	}
}

// TestArraysThatAreIgnored: an array is ignored by its name where no element is worth reading: of thirty records, or chosen.
func TestArraysThatAreIgnored(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		label, attribute, name string
		second                 profile.Column
		parent                 string
		below                  int
	}{
		{name: "tags.0", second: profile.Column{Kind: profile.Category, Values: 29}, parent: "tags", below: 2},
		{name: "tags.0", second: profile.Column{Kind: profile.Category, Values: 30}},
		{name: "tags.0", second: profile.Column{Kind: profile.Empty, Values: 30}, parent: "tags", below: 2},
		{name: "tags.0", second: profile.Column{Kind: profile.FreeText, Values: 30}, parent: "tags", below: 2},
		{name: "tags.0", label: "tags.1", second: profile.Column{Kind: profile.FreeText}},
		{name: "tags.0", attribute: "tags.1", second: profile.Column{Kind: profile.FreeText}},
		{name: "tags", second: profile.Column{Kind: profile.FreeText}},
		{name: "tags.x", second: profile.Column{Kind: profile.FreeText}},
		{name: ".0", second: profile.Column{Kind: profile.FreeText}},
	} {
		c.second.Name = "tags.1"
		d := Draft{Label: c.label, Attribute: c.attribute, columns: []profile.Column{{Name: "tag"}, {Name: "tags.0", Kind: profile.FreeText}, c.second}}
		if parent, below := d.allIgnored(c.name); parent != c.parent || below != c.below {
			t.Errorf("%+v: %q, %d", c, parent, below)
		}
	}
	half := Draft{columns: []profile.Column{{Name: "a", Kind: profile.Formatted, Numbers: 4, Values: 9, Why: "w"}, {Name: "b", Kind: profile.Formatted, Numbers: 5, Values: 10, Why: "w"}}}
	if got := half.ignored(); len(got) != 1 || got[0].name != "a" || !strings.HasSuffix(got[0].why, `: w; write 1234.5 instead of "1,234.5", then remove this line`) {
		t.Errorf("%+v", got)
	}
}

// TestWhatASchemaChanges: twenty symbols are shown, not more; a kind that only a schema knows is put over what the sample shows.
func TestWhatASchemaChanges(t *testing.T) {
	t.Parallel()
	var symbols []string
	for i := range 21 {
		symbols = append(symbols, fmt.Sprintf("s%02d", i))
	}
	var text strings.Builder
	for _, c := range []struct {
		kind  profile.Kind
		field format.Field
	}{
		{profile.Category, format.Field{Kind: format.Symbol, Symbols: symbols[:20]}}, {profile.Identifier, format.Field{Kind: format.Symbol, Symbols: symbols}},
		{profile.Identifier, format.Field{Kind: format.Number}}, {profile.Time, format.Field{Kind: format.Number}}, {profile.Constant, format.Field{Kind: format.Number}},
		{profile.Category, format.Field{Kind: format.Time}}, {profile.Category, format.Field{Kind: format.UUID}}, {profile.Category, format.Field{Kind: format.Open}},
	} {
		column := profile.Column{Name: "f", Kind: c.kind, Why: "as sampled", Shown: []profile.Value{{Text: "s00", Count: 3}}}
		put(&column, c.field)
		text.WriteString(goldentest.Print(fmt.Sprint(c.kind, " and ", c.field.Kind, " of ", len(c.field.Symbols)), column))
	}
	goldentest.Compare(t, "schema-puts.txt", text.String())

	columns := make([]profile.Column, profile.MaxColumns-1)
	fields := []format.Field{{Name: "open", Kind: format.Open}, {Name: "last", Kind: format.Time}, {Name: "too many", Kind: format.Time}, {Name: "more", Kind: format.Time}}
	got := described(columns, fields, 7)
	if last := got[len(got)-1]; len(got) != profile.MaxColumns || last.Name != "last" || last.Records != 7 || last.Kind != profile.Time || columns[0].Kind != "" {
		t.Errorf("%d columns, the last %+v", len(got), last)
	}
}

// manyFields are columns of which several could be predicted or protected: others of either are as many as n.
func manyFields(n int) (columns []profile.Column) {
	for i := range n + 1 {
		columns = append(columns, profile.Column{Name: fmt.Sprintf("answer%d", i), Kind: profile.Boolean, Records: 100, Values: 100 - i%2, Distinct: 2, Shown: []profile.Value{{Text: "yes", Count: 60 - i%2}, {Text: "no", Count: 40}}})
	}
	return append(columns, profile.Column{Name: "a_name_that_is_longer_than_thirty_letters", Kind: profile.Number, Records: 100, Values: 100, Distinct: 60, Low: 1, High: 9, Mean: 4, Deviation: 2},
		profile.Column{Name: "same", Kind: profile.Constant, Records: 100, Values: 100, Distinct: 1, Low: 4, High: 4, Mean: 4, Why: "one value"})
}

// TestHowManyAreNamed compares drafts with files: eight other fields are named and not a ninth, in questions, too; sixty features and not one more.
func TestHowManyAreNamed(t *testing.T) {
	t.Parallel()
	golden := apptest.Golden(t)
	draft := func(columns []profile.Column, label, positive, attribute string) *Draft {
		d := New(columns)
		d.Source, d.Records, d.Job, d.Input, d.Brokers = "x", 100, "x", "x", []string{"a:1"}
		if err := d.Choose(label, positive, attribute); err != nil {
			t.Fatal(err)
		}
		return d
	}
	golden("named-8.txt", draft(manyFields(8), "answer0", "yes", "").YAML())
	golden("named-9.txt", draft(manyFields(9), "answer0", "", "answer1").YAML())
	golden("named-none.txt", draft(manyFields(9), "", "", "").YAML())
	golden("named-range.txt", draft(manyFields(1), "answer0", "yes", "a_name_that_is_longer_than_thirty_letters").YAML())
	golden("named-same.txt", draft(manyFields(1), "answer1", "no", "same").YAML())
	alike := draft(manyFields(0), "answer0", "yes", "")
	alike.CSV, alike.Alike = record.Dialect{Encoding: "windows-1252"}, "x or y"
	golden("named-alike.txt", alike.YAML())
	for _, n := range []int{60, 61} {
		columns := manyFields(0)[:1]
		for i := range n {
			columns = append(columns, profile.Column{Name: fmt.Sprintf("x%d", i), Kind: profile.Number, Distinct: 9})
		}
		golden(fmt.Sprintf("features-%d.txt", n), draft(columns, "answer0", "yes", "").YAML())
	}
	var out strings.Builder
	asked := draft(manyFields(9), "answer0", "yes", "")
	if err := asked.Ask(strings.NewReader("answer1\nmaybe\nno\nanswer2\nother\nyes\n\nx\n-1\n0.2\n"), &out); err != nil {
		t.Fatal(err)
	}
	golden("asked.txt", out.String()+asked.YAML())
}

// TestRangeOfAnAttribute: a range begins at the mean in two digits where these are within the values, at the mean itself elsewhere.
func TestRangeOfAnAttribute(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		low, mean, high float64
		want            string
	}{
		{1, 4.567, 9, "{from: 4.6}"}, {4.6, 4.61, 9, "{from: 4.61}"}, {4.5, 4.58, 4.6, "{from: 4.6}"}, {4.5, 4.58, 4.59, "{from: 4.58}"}, {4, 4, 4, ""},
	} {
		d := Draft{Label: "l", Attribute: "of", columns: []profile.Column{{Name: "of", Kind: profile.Number, Low: c.low, Mean: c.mean, High: c.high}}}
		if text := d.YAML(); strings.Contains(text, "\n    group: "+c.want+"\n    versus: rest\n") != (c.want != "") || strings.Contains(text, "CHOOSE a protected") != (c.want == "") {
			t.Errorf("%+v:\n%s", c, text)
		}
	}
}

// TestChoicesThatAreRefused: what the sample has not is refused in words; a label that is the attribute leaves none.
func TestChoicesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ label, positive, attribute, want string }{
		{"answerO", "", "", `--label answerO: the sample has no such field (did you mean "answer0"?); the fields are answer0, answer1`},
		{"", "maybe", "", "--positive maybe: the values of answer0 in the sample are yes 60, no 40"},
		{"answer0", "no", "sane", `--attribute sane: the sample has no such field (did you mean "same"?); the fields are`},
		{"answer0", "no", "answer0", "--attribute answer0: is the label: name another field"},
		{"a_name_that_is_longer_than_thirty_letters", "7", "", ""},
		{"answer0", "no", "answer1", ""},
	} {
		d := New(manyFields(1))
		d.setLabel("answer0")
		if err := d.Choose(c.label, c.positive, c.attribute); (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	d := New(manyFields(1))
	d.setLabel("answer0")
	d.Attribute = "answer0"
	if err := d.Choose("", "", ""); err != nil || d.Attribute != "" {
		t.Errorf("%v: the label stays the attribute %q", err, d.Attribute)
	}
}

// TestNamesInYAML: a job has 80 letters of a file's name, and a word that YAML reads as something else is quoted.
func TestNamesInYAML(t *testing.T) {
	t.Parallel()
	if got := jobOf(strings.Repeat("a", 81), ""); got != strings.Repeat("a", 80) {
		t.Error(got)
	}
	if got := nameOf("a.b.c") + nameOf("d"); got != "cd" {
		t.Error(got)
	}
	for text, want := range map[string]string{"a_b.c-d": "a_b.c-d", "Yes": `"Yes"`, "1a": `"1a"`, "": `""`, "<a>": `"<a>"`, "a\x7f": `"a\u007f"`, "N": `"N"`, "nn": "nn"} {
		if got := Scalar(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestOddTextsThatAreValues: a text that another column has is a value, unless it says that nothing is known.
func TestOddTextsThatAreValues(t *testing.T) {
	t.Parallel()
	d := Draft{columns: []profile.Column{
		{Name: "a", Kind: profile.Spoilt, Odd: []profile.Value{{Text: "red"}, {Text: "unknown"}, {Text: "k.A."}}},
		{Name: "b", Kind: profile.Category, Shown: []profile.Value{{Text: "red"}, {Text: "unknown"}}},
	}}
	if odd := d.oddTexts(); !slices.Equal(odd, []string{"unknown", "k.A."}) {
		t.Errorf("%q", odd)
	}
}

// TestWhyNothingIsWritten: a sample without a record that can be read says what may be wrong; answers are read where they are asked for.
func TestWhyNothingIsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ topic, message, want string }{
		{"t", "\x00\x00\x00\x00\x01abc", "topic t: none of 1 record can be read as JSON: see above; if they are Avro, name the schema registry: --registry URL"},
		{"", "\x00\x00\x00\x00\x01abc", "topic t: none of 1 record can be read: see above"},
		{"t", "[", "topic t: none of 1 record can be read: see above"},
		{"t", "", "topic t holds no records"},
	} {
		var out, notes strings.Builder
		r := Request{Streams: &program.Streams{Out: &out, Err: &notes}, Topic: c.topic}
		r.look()
		if c.message != "" {
			r.sample.Read++
			r.sample.Use([]byte(c.message))
		}
		if err := r.write("topic t"); err == nil || err.Error() != c.want || out.Len() > 0 || (notes.Len() > 0) != (c.message != "") {
			t.Errorf("%+v: %v, notes %q", c, err, notes.String())
		}
	}
	var out, notes strings.Builder
	r := Request{Streams: &program.Streams{In: strings.NewReader(""), Out: &out, Err: &notes}, Interactive: true}
	r.look()
	if r.sample.Most != 20_000 {
		t.Errorf("%d records are sampled", r.sample.Most)
	}
	for i := range 60 {
		r.sample.Use(fmt.Appendf(nil, `{"sex":%q,"repaid":%v}`, []string{"m", "f"}[i%2], i%3 > 0))
	}
	if err := r.write("x"); err == nil || out.Len() > 0 || !strings.Contains(notes.String(), "Field to predict [repaid]: ") {
		t.Errorf("%v: %q", err, notes.String())
	}
}
