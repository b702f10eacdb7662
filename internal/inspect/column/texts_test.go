package column_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestMeaningOfTexts: in each sample of real records, what is planted is found, and nothing else is.
func TestMeaningOfTexts(t *testing.T) {
	amounts := func(row map[string]string, random *rand.Rand) {
		row["wage"] = fmt.Sprintf("%.2f", math.Exp(10+.4*random.NormFloat64()))
		row["loan"] = fmt.Sprintf("%.2f", math.Exp(8.5+.4*random.NormFloat64()))
	}
	streets := []string{"Oak Street", "Mill Lane", "Station Road North", "Old Market Square", "Church Hill Avenue", "Garden Row", "Upper Victoria Street", "Lower Victoria Street", "New Harbour Road", "Queen Anne Terrace",
		"King Edward Gardens", "Long Acre", "Broad Street", "Hill Rise", "Saint Michael Crescent", "Southampton Row", "Nelson Mandela Boulevard", "West India Dock Road", "Ash", "Elm Grove"}
	inspecttest.AtOnce(t, []inspecttest.Planted{
		{Name: "Latin-1", Change: func(_ int, row map[string]string, _ *rand.Rand) {
			if row["race"] == "Black" {
				row["race"] = "ZÃ¼rich"
			}
		}, Want: `record: "race" holds texts that were read in another encoding`},
		{Name: "numbers with a limit of detection", Change: func(_ int, row map[string]string, random *rand.Rand) {
			x := random.ExpFloat64()
			if row["crp"] = fmt.Sprintf("%.1f", x); x < .5 {
				row["crp"] = "<0.5"
			}
		}, Want: `record.missing: "crp" holds numbers in `, Says: "and <0.5 ("},
		{Name: "codes of numbers and of letters", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["diagnosis"] = fmt.Sprint(100 + random.IntN(60)); random.IntN(3) == 0 {
				row["diagnosis"] = fmt.Sprintf("V%d", 10+random.IntN(30))
			}
		}},
		{Name: "a category in two spellings", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%3 == 0 {
				row["race"] = strings.ToUpper(row["race"]) + "\u00a0"
			}
		}, Want: ` values in several spellings, such as `},
		{Name: "many categories with and without a space that is not seen", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["place"] = fmt.Sprintf("place %d", random.IntN(30))
			if random.Float64() < .2 {
				row["place"] += "\u00a0"
			}
		}, Want: `record: "place" has 30 values in several spellings, such as "place `},
		{Name: "dates without leading zeros", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["opened"] = fmt.Sprintf("%d/%d/26", 1+random.IntN(12), 1+random.IntN(28))
		}, Want: `record.ignore: add "opened": it holds dates in a form that is not read`},
		{Name: "numbers with units", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["weight"] = fmt.Sprintf("%d kg", 40+random.IntN(80))
		}, Want: `record.ignore: "weight" holds numbers with their units`},
		{Name: "thousands of euros", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["asked"] = fmt.Sprintf("%d k€", 20+random.IntN(60))
		}, Want: `record.ignore: "asked" holds numbers with their units`},
		{Name: "ten thousands of yen", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["asked"] = fmt.Sprintf("%d万円", 200+10*random.IntN(60))
		}, Want: `record.ignore: "asked" holds numbers with their units`},
		{Name: "many numbers with units", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["salary"] = fmt.Sprintf("%d euros", 20000+random.IntN(80000))
		}, Want: `record.ignore: "salary" holds numbers with their units or with spaces, and the column is left out`},
		{Name: "JSON in texts", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["details"] = fmt.Sprintf(`{"rooms":%d}`, random.IntN(50)); i%30 == 0 {
				row["details"] = ""
			}
		}, Want: `record.ignore: "details" holds objects or lists as texts`},
		{Name: "texts that begin with a bracket", Change: func(i int, row map[string]string, _ *rand.Rand) {
			row["note"] = []string{"[moved] lately", "{sic} twice"}[i%2]
		}},
		{Name: "some texts in brackets", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if row["note"] = "none"; i%2 == 0 {
				row["note"] = "[moved]"
			}
		}},
		{Name: "lines with sums", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 99 {
				for _, name := range []string{"sex", "workclass", "occupation", "education", "marital_status"} {
					row[name] = ""
				}
				row["race"], row["age"] = "Total", "3900"
			}
		}, Want: `record: 12 records are probably sums of others`},
		{Name: "a category with the name of a sum", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["cover"] = []string{"partial", "total"}[random.IntN(2)]
		}},
		{Name: "merged cells", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 0 {
				row["branch"] = fmt.Sprint("branch ", i/100%6)
			}
		}, Want: `record: "branch" has a value in 12 of the first 1200 records only`},
		{Name: "a column that is mostly empty", Change: func(i int, row map[string]string, random *rand.Rand) {
			if i == 0 || random.Float64() < .02 {
				row["bonus"] = fmt.Sprint("kind ", random.IntN(2))
			}
		}},
		{Name: "lines with averages", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 99 {
				for _, name := range []string{"sex", "workclass", "occupation", "education", "marital_status"} {
					row[name] = ""
				}
				row["race"] = "Average"
			}
		}, Want: `record: 12 records are probably sums of others`},
		{Name: "ages beside ranges of ages", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["age"] = row["age"][:1] + "0-" + row["age"][:1] + "9"
			}
		}, Want: `record: "age" holds numbers in `},
		{Name: "a header that comes again", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%400 == 399 {
				for name := range row {
					row[name] = name
				}
			}
		}, Want: "the header line is repeated among the records", Beside: "record.missing"},
		{Name: "amounts in quotes that are ignored", Config: func(c *model.Config) { c.Record.Ignore = []string{"wage"} }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["wage"] = fmt.Sprintf("%d.%03d,00", 1+random.IntN(9), random.IntN(1000))
		}, Want: `record.ignore: "wage" is ignored, and holds numbers with separators`},
		{Name: "streets that were cut off", Change: func(_ int, row map[string]string, random *rand.Rand) {
			street := streets[random.IntN(len(streets))]
			row["street"] = street[:min(14, len(street))]
		}, Want: `record: "street" has `},
		{Name: "signs of money on both sides", Change: func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			row["wage"] = []string{"€" + row["wage"], row["wage"] + " EUR", row["wage"] + " €"}[random.IntN(3)]
		}, Want: `record.ignore: "wage" holds numbers with`},
		{Name: "days before months, and months before days", Change: func(i int, row map[string]string, random *rand.Rand) {
			day, month := 1+random.IntN(28), 1+random.IntN(12)
			if i%2 == 0 {
				day, month = month, day
			}
			row["opened"] = fmt.Sprintf("%02d/%02d/2025", day, month)
		}, Want: `record: "opened" has the day first in at least`, Beside: `record.ignore: add "opened"`},
		{Name: "a quotation mark that is not closed", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i == 700 {
				row["occupation"] = "Sales,a,b,c" + strings.Repeat("\n30,Private,1,Bachelors,13,Divorced,Sales,Wife,White,Female,0,0,40,Peru,<=50K", 200) + "\n30,Private"
			}
		}, Want: `record: the text of "occupation" in record 701 holds 201 lines that look like records`},
		{Name: "notes of several lines", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 0 {
				row["workclass"] = "moved, twice\nthen, as he said, to Bern, Basel and Chur\n\nnot sure, though"
			}
		}},
		{Name: "a category with a letter of another alphabet", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["race"] = strings.ReplaceAll(row["race"], "a", "а")
			}
		}, Want: `record: "race" has `},
		{Name: "words in Cyrillic", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["place"] = []string{"Москва", "Казань", "Тверь", "Сочи", "Ростов", "Томск"}[random.IntN(6)]
		}},
	})
}
