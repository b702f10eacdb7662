package inspect_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
)

var answers = map[string]string{">50K": "<=50K", "<=50K": ">50K"}

// parted are mistakes in a part of the records, and keys that do not go with them.
func parted(t *testing.T) []planted {
	none := false
	return []planted{
		{"a branch that sends the label turned round", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["branch"] = []string{"north", "south", "east", "west"}[random.IntN(4)]; row["branch"] == "east" {
				row["income"] = answers[row["income"]]
			}
		}, `record.label.field: where "branch" is east, the other columns go with "income" the other way round`, ""},
		{"a branch in which chance decides", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["branch"] = []string{"north", "south", "east"}[random.IntN(3)]; row["branch"] == "east" && random.Float64() < .5 {
				row["income"] = answers[row["income"]]
			}
		}, `record.label.field: where "branch" is east, no other column goes with "income" as it does elsewhere`, ""},
		{"a balanced label that is turned round for a while", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, func(i int, row map[string]string, random *rand.Rand) {
			paid := number(t, row, "age")/40+random.NormFloat64()/4 > 1
			delete(row, "income")
			row["paid"] = strconv.Itoa(map[bool]int{true: 1}[paid != (i >= 480 && i < 960)])
		}, `record.label.field: in the records from 481 to 960 of 1200, the other columns go with "paid" the other way round`, ""},
		{"texts that are merged half-way", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["use"] = []string{"car", "house", "holiday", "other"}[random.IntN(4)]; i > 600 && row["use"] == "car" {
				row["use"] = "other"
			}
		}, `record: "use" is car in one part of the records only`, ""},
		{"a text that is split half-way", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["use"] = []string{"car", "house", "holiday", "other"}[random.IntN(4)]; i <= 600 && row["use"] == "car" {
				row["use"] = "other"
			}
		}, `record: "use" is other in one part of the records only`, "record"},
		{"a rare text that begins half-way", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["use"] = []string{"car", "house", "other"}[random.IntN(3)]; i > 600 && random.Float64() < .1 {
				row["use"] = "holiday"
			}
		}, "", ""},
		{"amounts that are rounded from half-way on", nil, func(i int, row map[string]string, random *rand.Rand) {
			x := 100 + 900*random.Float64()
			if i > 600 {
				x = 100 * math.Round(x/100)
			}
			row["price"] = fmt.Sprintf("%.2f", x)
		}, `record: the numbers of "price" are multiples of 100 in the last records`, ""},
		{"ages beside ranges of ages", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["age"] = row["age"][:1] + "0-" + row["age"][:1] + "9"
			}
		}, `record: "age" holds numbers in `, ""},
		{"amounts that a field of 16 bits has cut off", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["price"] = strconv.Itoa(min(32767, int(math.Exp(9.5+random.NormFloat64()/2))))
		}, `numbers in "price" are 32767, the largest that a field of 16 bits holds`, ""},
		{"a text that is declared numeric", func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"occupation": {Type: features.Numeric}}
		}, func(int, map[string]string, *rand.Rand) {}, `learner.columns: "occupation" is declared numeric`, ""},
		{"amounts that are declared categories", func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"price": {Type: features.Categorical}}
		}, func(_ int, row map[string]string, random *rand.Rand) {
			row["price"] = fmt.Sprintf("%.2f", 1000*random.Float64())
		}, `learner.columns: "price" is declared categorical`, ""},
		{"an amount as the weight", func(c *model.Config) { c.Record.Weight = "loan_amount" }, func(_ int, row map[string]string, random *rand.Rand) {
			row["loan_amount"] = fmt.Sprintf("%.2f", 1000*math.Exp(random.NormFloat64()/3))
		}, `record.weight: "loan_amount" has the name of an amount`, ""},
		{"a weight", func(c *model.Config) { c.Record.Weight = "survey_weight" }, func(_ int, row map[string]string, random *rand.Rand) {
			row["survey_weight"] = fmt.Sprintf("%.2f", 1000*math.Exp(random.NormFloat64()/3))
		}, "", ""},
		{"no constraint that is enforced", func(c *model.Config) { c.Constraints[0].Enforce = &none }, func(int, map[string]string, *rand.Rand) {}, "constraints: none is enforced", ""},
		{"no constraint", func(c *model.Config) { c.Constraints = nil }, func(int, map[string]string, *rand.Rand) {}, "constraints: there is none", ""},
		{"a header that comes again", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%400 == 399 {
				for name := range row {
					row[name] = name
				}
			}
		}, "a header line comes again among the records", "record.missing"},
		{"amounts in quotes that are ignored", func(c *model.Config) { c.Record.Ignore = []string{"wage"} }, func(_ int, row map[string]string, random *rand.Rand) {
			row["wage"] = fmt.Sprintf("%d.%03d,00", 1+random.IntN(9), random.IntN(1000))
		}, `record.ignore: "wage" is ignored, and holds numbers with separators`, ""},
	}
}
