package profile_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// profiled looks at JSON records.
func profiled(t testing.TB, records ...string) *profile.Profile {
	t.Helper()
	p := new(profile.Profile)
	decoder := profile.AllFeatures(record.Config{}).NewDecoder()
	var rec record.Record
	for _, text := range records {
		if err := decoder.DecodeJSON(&rec, []byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p.Add(&rec)
	}
	return p
}

// column looks at one column, n values of which value makes.
func column(t testing.TB, name string, n int, value func(i int) any) profile.Column {
	t.Helper()
	var records []string
	for i := range n {
		text, err := json.Marshal(map[string]any{name: value(i)})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, string(text))
	}
	columns := profiled(t, records...).Columns()
	if len(columns) != 1 {
		t.Fatalf("%d columns, want 1", len(columns))
	}
	return columns[0]
}

func TestKinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"car", "house", "new", "old", "repair", "the", "a", "for", "my", "garden", "school", "debt"}
	sentence := func() string {
		text := "to buy"
		for range 4 {
			text += " " + words[random.IntN(len(words))]
		}
		return text
	}
	tests := []struct {
		what, name string
		value      func(i int) any
		want       profile.Kind
	}{
		{"nulls", "x", func(int) any { return nil }, profile.Empty},
		{"texts that count as missing", "x", func(int) any { return "NaN" }, profile.Empty},
		{"one text", "x", func(int) any { return "a" }, profile.Constant},
		{"one number and nulls", "x", func(i int) any { return []any{7, nil}[i%2] }, profile.Constant},
		{"booleans", "x", func(i int) any { return i%3 == 0 }, profile.Boolean},
		{"booleans of Python", "x", func(i int) any { return []string{"True", "False"}[i%2] }, profile.Boolean},
		{"yes and no", "x", func(i int) any { return []string{"yes", "no"}[i%2] }, profile.Boolean},
		{"0 and 1", "x", func(i int) any { return i % 2 }, profile.Number},
		{"ages", "age", func(i int) any { return 18 + i*7%60 }, profile.Number},
		{"numbers as text", "age", func(i int) any { return fmt.Sprint(18 + i*7%60) }, profile.Number},
		{"amounts, nearly all different", "amount", func(int) any { return random.Float64() * 1e4 }, profile.Number},
		{"whole amounts", "amount", func(int) any { return int(random.ExpFloat64() * 1e5) }, profile.Number},
		{"negative whole numbers", "x", func(i int) any { return -i }, profile.Number},
		{"numbers and n/a", "x", func(i int) any { return []any{1.5 * float64(i), "n.a."}[i%10/9] }, profile.Spoilt},
		{"thousands separators", "amount", func(i int) any { return fmt.Sprintf("%d,%03d.%02d", 1+i, i*7%1000, i%100) }, profile.Formatted},
		{"separators above a thousand", "amount", func(i int) any { return []any{100.5 + float64(i), fmt.Sprintf("1,%03d.5", i)}[i%2] }, profile.Formatted},
		{"decimal commas", "amount", func(i int) any { return fmt.Sprintf("%d,5", i%90) }, profile.Formatted},
		{"points as separators", "amount", func(i int) any { return fmt.Sprintf("%d.%03d.000,50 €", 1+i, i) }, profile.Formatted},
		{"spaces as separators", "amount", func(i int) any { return fmt.Sprintf("-%d\u202f%03d", 1+i, i) }, profile.Formatted},
		{"dollars", "price", func(i int) any { return fmt.Sprintf("$%d.50", i) }, profile.Formatted},
		{"shares", "x", func(i int) any { return fmt.Sprintf("%d.%d %%", i%100, i%9) }, profile.Formatted},
		{"a few shares", "x", func(i int) any { return fmt.Sprintf("%d%%", i%5) }, profile.Category},
		{"customer numbers with commas", "customer_id", func(i int) any { return fmt.Sprintf("1,%03d", i) }, profile.Identifier},
		{"telephone numbers without a country", "x", func(i int) any { return fmt.Sprintf("030 %03d 4711", i) }, profile.Identifier},
		{"as many texts as numbers", "x", func(i int) any { return []any{i % 5, "none yet"}[i%2] }, profile.Category},
		{"row numbers", "x", func(i int) any { return i }, profile.Identifier},
		{"customer numbers", "customer_id", func(i int) any { return i * 7919 % 1009 }, profile.Identifier},
		{"customer numbers in camel case", "customerNo", func(i int) any { return i * 7919 % 1009 }, profile.Identifier},
		{"long numbers", "x", func(i int) any { return 10000000 + i*7919%1009 }, profile.Identifier},
		{"UUIDs", "x", func(int) any { return fmt.Sprintf("%08x-0000-4000-8000-%012x", random.Uint32(), random.Uint32()) }, profile.Identifier},
		{"addresses that repeat", "x", func(i int) any { return fmt.Sprintf("10.0.0.%d", i%9) }, profile.Identifier},
		{"e-mail addresses", "x", func(i int) any { return fmt.Sprintf("a%d@example.org", i%9) }, profile.Identifier},
		{"telephone numbers", "x", func(i int) any { return fmt.Sprintf("+4930%d", 100000+i%9) }, profile.Identifier},
		{"codes, all different", "x", func(i int) any { return fmt.Sprintf("K-%x", i*7919) }, profile.Identifier},
		{"RFC 3339", "x", func(i int) any { return fmt.Sprintf("2026-01-%02dT10:00:00Z", 1+i%28) }, profile.Time},
		{"dates", "x", func(i int) any { return fmt.Sprintf("19%02d-05-17", i%100) }, profile.Time},
		{"German dates", "x", func(i int) any { return fmt.Sprintf("17.05.19%02d", i%100) }, profile.Time},
		{"Unix times", "created_at", func(int) any { return 1767225600 + random.IntN(1e7) }, profile.Time},
		{"Unix times in milliseconds", "ts", func(int) any { return 1767225600000 + random.Int64N(1e10) }, profile.Time},
		{"free text", "purpose", func(int) any { return sentence() }, profile.FreeText},
		{"sentences that repeat", "purpose", func(i int) any { return words[i%5] + " to be repaired soon" }, profile.Category},
		{"a category", "city", func(i int) any { return []string{"Köln", "东京", "Αθήνα"}[i%3] }, profile.Category},
		{"very many values", "street", func(int) any { return fmt.Sprintf("S%d", random.IntN(200)) }, profile.ManyValues},
	}
	for _, test := range tests {
		if got := column(t, test.name, 400, test.value); got.Kind != test.want {
			t.Errorf("%s: %q (%s), want %q", test.what, got.Kind, got.Why, test.want)
		}
	}
}

// TestNoFeatures: only what nobody doubts is left out of the features.
func TestNoFeatures(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, test := range []struct {
		what, name string
		n          int
		value      func(i int) any
		want       bool
	}{
		{"identifiers", "x", 200, func(i int) any { return fmt.Sprintf("K-%x", i*7919) }, true},
		{"few identifiers", "x", 90, func(i int) any { return fmt.Sprintf("K-%x", i*7919) }, false},
		{"identifiers that come again", "x", 200, func(i int) any { return fmt.Sprintf("K-%x", i%180*7919) }, false},
		{"addresses of a few machines", "x", 200, func(i int) any { return fmt.Sprintf("10.0.0.%d", i%9) }, false},
		{"row numbers", "x", 200, func(i int) any { return i }, true},
		{"a file sorted by an amount", "x", 200, func(i int) any { return i * i }, false},
		{"customer numbers", "customer_id", 200, func(i int) any { return i * 7919 % 100003 }, true},
		{"incomes, all different", "income", 200, func(i int) any { return 100000 + i*7919%100003 }, false},
		{"amounts with a fraction", "amount", 200, func(int) any { return random.Float64() * 1e4 }, false},
		{"times", "x", 200, func(i int) any { return fmt.Sprintf("2026-01-%02dT%02d:%02d:00Z", 1+i%28, i%24, i%60) }, true},
		{"days of a month", "x", 200, func(i int) any { return fmt.Sprintf("2026-01-%02d", 1+i%28) }, false},
		{"Unix times", "created_at", 200, func(int) any { return 1767225600 + random.IntN(1e7) }, false},
		{"towns", "x", 200, func(i int) any { return fmt.Sprintf("t%d", i%50) }, false},
	} {
		if got := column(t, test.name, test.n, test.value); got.Certain != test.want {
			t.Errorf("%s: %+v, want certain to be %v", test.what, got, test.want)
		}
	}
}

func TestFewValuesAreShown(t *testing.T) {
	got := column(t, "sex", 90, func(i int) any { return []any{"male", "female", "male", nil, "?"}[i%5] })
	want := []profile.Value{{Text: "male", Count: 36}, {Text: "female", Count: 18}}
	if !reflect.DeepEqual(got.Shown, want) || got.Missing != 36 || got.Values != 54 {
		t.Errorf("%+v, want the values %v", got, want)
	}
	odd := column(t, "age", 90, func(i int) any { return []any{i, i + 1, i + 2, i * 3, i * 5, i, i, i, "unknown"}[i%9] })
	if want := []profile.Value{{Text: "unknown", Count: 10}}; !reflect.DeepEqual(odd.Odd, want) {
		t.Errorf("%+v, want the odd texts %v", odd, want)
	}
}

// TestPersonalDataStaysIn: what is long, or belongs to one record, is not shown.
func TestPersonalDataStaysIn(t *testing.T) {
	long := strings.Repeat("secret ", 6)
	for what, value := range map[string]func(i int) any{
		"names of ten people":   func(i int) any { return fmt.Sprintf("secret %c", 'a'+i) },
		"long texts":            func(i int) any { return long + []string{"a", "b"}[i%2] },
		"numbers and long text": func(i int) any { return []any{1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, long}[i] },
	} {
		c := column(t, "x", 10, value)
		if shown := fmt.Sprint(c); strings.Contains(shown, "secret") {
			t.Errorf("%s: shown: %s", what, shown)
		}
	}
}

// TestMemoryIsBounded: values beyond the bound are counted, not kept.
func TestMemoryIsBounded(t *testing.T) {
	c := column(t, "street", 30000, func(i int) any { return fmt.Sprintf("S%d", i*7919%15013) })
	if !c.AtLeast || c.Distinct != 4096 || c.Values != 30000 || c.Shown != nil || c.Kind != profile.Identifier {
		t.Errorf("%+v", c)
	}
	p := new(profile.Profile)
	var rec record.Record
	for i := range profile.MaxColumns + 7 {
		rec.Features = []record.Field{{Name: fmt.Sprint("f", i), Text: []byte("1"), Hash: 1}}
		p.Add(&rec)
	}
	if len(p.Columns()) != profile.MaxColumns {
		t.Errorf("%d columns", len(p.Columns()))
	}
}

func loans(n int) []string {
	random := rand.New(rand.NewPCG(3, 4))
	var records []string
	for i := range n {
		records = append(records, fmt.Sprintf(
			`{"id":"%08x","when":"2026-01-%02dT10:00:00Z","applicant":{"sex":"%s","age":%d,"foreign":%v},"product":"%s","repaid":%v}`,
			random.Uint32(), 1+i%28, []string{"male", "female"}[random.IntN(2)], 20+random.IntN(50), random.IntN(5) == 0,
			[]string{"loan", "card", "home"}[random.IntN(3)], random.IntN(3) > 0))
	}
	return records
}

func TestCandidates(t *testing.T) {
	columns := profiled(t, loans(500)...).Columns()
	labels := profile.Labels(columns)
	if len(labels) != 3 || labels[0].Name != "repaid" || labels[0].Positive != "true" || !labels[0].Named {
		t.Errorf("labels %+v", labels)
	}
	attributes := profile.Attributes(columns, "repaid")
	var names []string
	for _, a := range attributes {
		names = append(names, a.Name)
	}
	if want := []string{"applicant.sex", "applicant.foreign", "applicant.age", "product"}; !slices.Equal(names, want) {
		t.Errorf("attributes %v, want %v", names, want)
	}
	if a := attributes[0]; a.Group+a.Versus != "malefemale" && a.Group+a.Versus != "femalemale" {
		t.Errorf("groups %q, %q", a.Group, a.Versus)
	}
}

func TestPositiveValue(t *testing.T) {
	for _, test := range []struct{ values, want string }{
		{"true false", "true"}, {"False True", "True"}, {"0 1", "1"}, {">50K <=50K", ">50K"}, {"good bad", "good"}, {"a a b", ""},
		{"S S S N", "S"}, {"T N", "T"}, {"E E H", "E"}, {"ano ne ne", "ano"}, {"1 2", ""}, {"1 1 0", "1"}, {"-1 1", "1"}, {"niespłacony spłacony", "spłacony"}, {"不採用 採用", "採用"},
		{"Fully_Paid Charged_Off", "Fully_Paid"}, {"not_paid late", ""}, {"sim não", "sim"}, {"haan nahi", "haan"}, {"yes good", ""}, {"yellow blue yes", "yes"}, {"red blue", ""},
	} {
		values := strings.Fields(test.values)
		var records []string
		for i := range 60 {
			text, _ := json.Marshal(map[string]string{"y": values[i%len(values)]})
			records = append(records, string(text))
		}
		labels := profile.Labels(profiled(t, records...).Columns())
		if len(labels) != 1 || labels[0].Positive != test.want {
			t.Errorf("%s: %+v, want %q", test.values, labels, test.want)
		}
	}
}

// TestDoubt: yes and no are no groups of people, however they are spelt, and columns about machines speak against an attribute unless others are about people.
func TestDoubt(t *testing.T) {
	for _, test := range []struct {
		records []string
		want    string
	}{
		{[]string{`{"race":"yes"}`, `{"race":"Yes"}`, `{"race":"no"}`, `{"race":"NO"}`}, ""}, // too few to be shown
		{[]string{`{"race":"yes"}`, `{"race":"no"}`, `{"race":"no"}`}, "holds no and yes instead of groups"},
		{[]string{`{"race":"a","rpm":1,"torque":2}`, `{"race":"b","rpm":2,"torque":1}`, `{"race":"a","rpm":3,"torque":1}`}, "beside columns about machines"},
		{[]string{`{"race":"a","rpm":1,"torque":2,"age":3}`, `{"race":"b","rpm":2,"torque":1,"age":4}`, `{"race":"a","rpm":3,"torque":1,"age":5}`}, ""},
	} {
		for _, a := range profile.Attributes(profiled(t, test.records...).Columns(), "") {
			if a.Column.Name == "race" && (!strings.Contains(a.Doubt, test.want) || (a.Doubt == "") != (test.want == "") || a.Named != (test.want == "")) {
				t.Errorf("%s: %q, named %v", test.records, a.Doubt, a.Named)
			}
		}
	}
}

func TestNumericLabels(t *testing.T) {
	var records []string
	for i := range 100 {
		records = append(records, fmt.Sprintf(`{"age":%d,"target":%g}`, 20+i%40, float64(i*i%977)/7))
	}
	labels := profile.NumericLabels(profiled(t, records...).Columns())
	if len(labels) != 1 || labels[0].Name != "target" {
		t.Errorf("%+v", labels)
	}
}

// TestOneResult: the same records give the same result, map or not.
func TestOneResult(t *testing.T) {
	records := loans(300)
	first := profiled(t, records...).Columns()
	for range 5 {
		if again := profiled(t, records...).Columns(); !reflect.DeepEqual(again, first) {
			t.Fatalf("%+v, then %+v", first, again)
		}
	}
}

// FuzzProfile: any records give columns whose counts add up, and no text that is not few and short.
func FuzzProfile(f *testing.F) {
	f.Add(`{"a":1}`, `{"a":"x","b":null}`, uint16(30))
	f.Add(`{"t":"2026-01-01"}`, `{"t":"99999999"}`, uint16(3))
	f.Fuzz(func(t *testing.T, a, b string, n uint16) {
		p := new(profile.Profile)
		decoder := profile.AllFeatures(record.Config{}).NewDecoder()
		var rec record.Record
		for i := range int(n % 64) {
			if decoder.DecodeJSON(&rec, []byte([]string{a, b}[i%2])) == nil {
				p.Add(&rec)
			}
		}
		columns := p.Columns()
		for _, c := range columns {
			if c.Values+c.Missing > c.Records || c.Distinct > c.Values || c.Kind == "" {
				t.Errorf("%+v", c)
			}
			shown := 0
			for _, v := range c.Shown {
				shown += v.Count
				if len(v.Text) > 32 || len(c.Shown) > 20 {
					t.Errorf("shows %+v", c.Shown)
				}
			}
			if c.Shown != nil && shown != c.Values {
				t.Errorf("%d values shown of %d", shown, c.Values)
			}
		}
		for _, l := range profile.Labels(columns) {
			if l.Positive != "" && !slices.ContainsFunc(l.Shown, func(v profile.Value) bool { return v.Text == l.Positive }) {
				t.Errorf("positive value %q of %+v", l.Positive, l.Shown)
			}
		}
		profile.Attributes(columns, "")
		profile.NumericLabels(columns)
	})
}
