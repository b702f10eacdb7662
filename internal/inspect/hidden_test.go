package inspect_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// hidden are mistakes that a look at the file does not show; TestMeaning tries them.
func hidden(t *testing.T) []planted {
	var before map[string]string // the record that the next one contradicts
	young := func(c *model.Config) {
		border := 40.
		c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"age"}, model.Group{{Range: &fairness.Range{Below: &border}}}, model.Group{{Range: &fairness.Range{From: &border}}}
	}
	within := func(strata string) func(c *model.Config) {
		return func(c *model.Config) { c.Constraints[0].Strata = strata }
	}
	return []planted{
		{"a quotation mark that is not closed", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i == 700 {
				row["occupation"] = "Sales,a,b,c" + strings.Repeat("\n30,Private,1,Bachelors,13,Divorced,Sales,Wife,White,Female,0,0,40,Peru,<=50K", 200) + "\n30,Private"
			}
		}, `record: the text of "occupation" in record 701 holds 201 lines that look like records`, ""},
		{"notes of several lines", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 0 {
				row["workclass"] = "moved, twice\nthen, as he said, to Bern, Basel and Chur\n\nnot sure, though"
			}
		}, "", ""},
		{"groups with two letters of another alphabet", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["sex"] = strings.NewReplacer("a", "а", "e", "е").Replace(row["sex"])
			}
		}, `constraints[0].attribute: "`, ""},
		{"groups with signs that are not seen", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["sex"] = "\u200b" + row["sex"] + "\u200b\u200d"
			}
		}, `constraints[0].attribute: "\u200b`, ""},
		{"labels with a letter of another alphabet", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["income"] = strings.ReplaceAll(row["income"], "K", "К")
			}
		}, `record.label.positive: `, ""},
		{"a category with a letter of another alphabet", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["race"] = strings.ReplaceAll(row["race"], "a", "а")
			}
		}, `record: "race" has `, ""},
		{"words in Cyrillic", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["place"] = []string{"Москва", "Казань", "Тверь", "Сочи", "Ростов", "Томск"}[random.IntN(6)]
		}, "", ""},
		{"a text that stands still", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i >= 2*sampleSize/3 {
				row["occupation"] = "Sales"
			}
		}, `record: "occupation" has a single value in the last fifth of the records, and several in the first`, ""},
		{"a text that is frequent throughout", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["country"] = "here"; random.Float64() < .03 {
				row["country"] = "there"
			}
		}, "", ""},
		{"records with the other label", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%6 == 5 {
				for name, text := range before {
					row[name] = text
				}
				row["income"] = map[string]string{">50K": "<=50K", "<=50K": ">50K"}[row["income"]]
			}
			before = row
		}, `record.label.field: `, ""},
		{"an age of 0 in a group", young, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .06 {
				row["age"] = "0"
			}
		}, `record.missing: add "0" if it stands for "not known": "age" is 0 in `, ""},
		{"an age of 999 in a group", young, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .06 {
				row["age"] = "999"
			}
		}, `record.missing: add "999" if it stands for "not known": "age" is 999 in `, ""},
		{"an age of 130 in a group", young, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .06 {
				row["age"] = "130"
			}
		}, `record: "age" goes up to 130`, ""},
		{"ages in groups", young, func(int, map[string]string, *rand.Rand) {}, "", ""},
		{"strata of one group", within("relationship"), func(int, map[string]string, *rand.Rand) {}, `of 6 values of "relationship" have nearly one of the two groups only`, ""},
		{"strata of both groups", within("education"), func(int, map[string]string, *rand.Rand) {}, "", ""},
		{"a field of 16 bits that begins again", nil, func(_ int, row map[string]string, _ *rand.Rand) {
			row["fnlwgt"] = strconv.Itoa(int(int16(int(number(t, row, "fnlwgt")))))
		}, `record: the numbers of "fnlwgt" fill the range of a field of 16 bits`, `record: "fnlwgt" `},
		{"numbers that are cut off", nil, func(_ int, row map[string]string, _ *rand.Rand) {
			row["fnlwgt"] = fmt.Sprint(min(number(t, row, "fnlwgt"), 250000))
		}, ` numbers in "fnlwgt" are 250000, and none is larger: were larger ones capped?`, ""},
		{"shares of which many are all", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["paid"] = fmt.Sprintf("%.3f", min(1, 1.3*random.Float64()))
		}, "", ""},
		{"the newest first", nil, func(i int, row map[string]string, random *rand.Rand) {
			row["applied"] = time.Date(2025, 12, 31, 0, -30*i-random.IntN(30), 0, 0, time.UTC).Format(time.RFC3339)
		}, `record: the records go from the newest to the oldest by "applied"`, `record.ignore: add "applied"`},
		{"June before May", nil, func(i int, row map[string]string, random *rand.Rand) {
			row["applied"] = time.Date(2025, 5, 1, 0, 30*((i+sampleSize/3)%sampleSize)+random.IntN(30), 0, 0, time.UTC).Format(time.RFC3339)
		}, `record: the first records are later by "applied" than the last`, `record.ignore: add "applied"`},
		{"the oldest first", nil, func(i int, row map[string]string, random *rand.Rand) {
			row["applied"] = time.Date(2025, 5, 1, 0, 30*i+random.IntN(30), 0, 0, time.UTC).Format(time.RFC3339)
		}, `record.ignore: add "applied"`, ""},
	}
}
