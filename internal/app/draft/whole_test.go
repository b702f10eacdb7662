package draft

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWholeDrafts compares drafts with files: of a topic of Avro whose schema says something, of a foreign file with fields of every kind and more of them
// than are shown, and of one in which nothing can be predicted.
func TestWholeDrafts(t *testing.T) {
	golden := apptest.Golden(t)
	value := func(text string, n int) profile.Value { return profile.Value{Text: text, Count: n} }
	sex := profile.Column{Name: "sex", Kind: profile.Category, Records: 200, Values: 200, Distinct: 2, DistinctShare: .01, Shown: []profile.Value{value("m", 120), value("f", 80)}}
	paid := profile.Column{Name: "paid", Kind: profile.Boolean, Records: 200, Values: 190, Missing: 10, Distinct: 2, Shown: []profile.Value{value("no", 110), value("yes", 80)}}
	number := func(name string, low, high float64) profile.Column {
		return profile.Column{Name: name, Kind: profile.Number, Records: 200, Values: 200, Distinct: 50, DistinctShare: .25, Low: low, High: high, Numbers: 200}
	}
	id := profile.Column{Name: "id", Kind: profile.Identifier, Records: 200, Values: 200, Distinct: 200, DistinctShare: 1, Why: "the name, and most values are different"}

	d := New([]profile.Column{sex, paid, number("age", 18, 99), id})
	d.Source, d.Records, d.Job, d.Input, d.Brokers, d.Registry = "topic loans", 200, "loans", "loans", []string{"a:9092", "b:9092"}, []string{"https://registry:8081"}
	d.Format, d.Schemas, d.At = record.Avro, []string{"loan.avsc"}, "after"
	d.describe("schema id 7", []format.Field{{Name: "age", Kind: format.Number, Doc: "in\nyears"}, {Name: "sex", Kind: format.Symbol, Doc: "as in the passport"}})
	golden("whole-topic.txt", d.YAML())

	columns := []profile.Column{sex, paid,
		{Name: "race", Kind: profile.Category, Records: 200, Values: 150, Missing: 50, Distinct: 9, DistinctShare: .05, Shown: []profile.Value{value("a", 50), value("b", 40), value("c", 30), value("d", 10), value(" e", 8), value("", 7), value("g\n", 3), value("h", 1), value("i", 1)}},
		{Name: "income", Kind: profile.Spoilt, Records: 200, Values: 200, Numbers: 195, Distinct: 100, DistinctShare: .5, Low: 5, High: 12_345, Odd: []profile.Value{value("unknown", 3), value("2A", 1), value("none", 1)}},
		{Name: "spoilt", Kind: profile.Spoilt, Records: 200, Values: 200, Numbers: 199, Low: 1, High: 2},
		{Name: "price", Kind: profile.Formatted, Records: 200, Values: 200, Numbers: 20, Formatted: 180, Distinct: 90, DistinctShare: .45, Why: "numbers with separators or signs are texts"},
		{Name: "town", Kind: profile.ManyValues, Records: 200, Values: 200, Distinct: 4096, AtLeast: true, DistinctShare: .9, Why: "very many different values"},
		{Name: "approved", Kind: profile.Boolean, Records: 200, Values: 200, Distinct: 2, Shown: []profile.Value{value("1", 100), value("0", 100)}},
		{Name: "tags.0", Kind: profile.Identifier, Records: 200, Values: 200, Distinct: 190, DistinctShare: .95, Why: "nearly every value is different"},
		{Name: "tags.1", Kind: profile.Identifier, Records: 200, Values: 100, Distinct: 95, DistinctShare: .95, Why: "nearly every value is different"},
		{Name: "tags.2", Kind: profile.Category, Records: 200, Values: 2, Distinct: 2, DistinctShare: 1},
		{Name: "notes.0", Kind: profile.FreeText, Records: 200, Values: 200, Distinct: 190, DistinctShare: .95, Why: "sentences"},
		{Name: "notes.1", Kind: profile.Category, Records: 200, Values: 100, Distinct: 5, DistinctShare: .05},
		{Name: "joined.at", Kind: profile.Time, Records: 200, Values: 200, Distinct: 190, DistinctShare: .95, Why: "dates or times"},
	}
	for i := range 60 {
		columns = append(columns, number(fmt.Sprint("x", i), float64(i), float64(1000*i)))
	}
	d = New(columns)
	d.Source, d.Records, d.Whole, d.Job, d.Input, d.Brokers, d.Copies = "a\nfile.csv", 200, true, "yes", "in put", []string{"a:9092"}, 1
	d.CSV = record.Dialect{Separator: ";", Decimal: ",", Thousands: ".", Encoding: "windows-1252", Symbols: true}
	if err := d.Choose("paid", "yes", ""); err != nil {
		t.Fatal(err)
	}
	golden("whole-file.txt", d.YAML())

	d = New([]profile.Column{{Name: "2026-03-04", Kind: profile.Constant, Records: 5, Values: 5, Distinct: 1}, {Name: "17", Kind: profile.Number, Records: 5, Values: 5, Numbers: 5, Distinct: 5, High: 4}})
	d.Source, d.Records, d.Whole, d.Job, d.Input = "few.csv", 5, true, "few", "few"
	golden("whole-few.txt", d.YAML())

	d = New([]profile.Column{sex, number("amount", 1, 90_000), id})
	d.Source, d.Records, d.Whole, d.Job, d.Input, d.Brokers = "amounts.csv", 200, true, "amounts", "amounts", []string{"a:9092"}
	if err := d.Choose("amount", "", "sex"); err != nil {
		t.Fatal(err)
	}
	golden("whole-amounts.txt", d.YAML())
}
