package inspect_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// related are mistakes that break how columns go together; TestMeaning tries them.
func related(t *testing.T) []planted {
	amounts := func(row map[string]string, random *rand.Rand) {
		row["wage"] = fmt.Sprintf("%.2f", math.Exp(10+.4*random.NormFloat64()))
		row["loan"] = fmt.Sprintf("%.2f", math.Exp(8.5+.4*random.NormFloat64()))
	}
	exchange := func(row map[string]string) { row["wage"], row["loan"] = row["loan"], row["wage"] }
	branch := func(row map[string]string, random *rand.Rand) string {
		row["branch"] = []string{"north", "south", "east", "west"}[random.IntN(4)]
		return row["branch"]
	}
	missing := func(texts ...record.Text) func(c *model.Config) {
		return func(c *model.Config) { c.Record.Missing = append([]record.Text{"", "?"}, texts...) }
	}
	streets := []string{"Oak Street", "Mill Lane", "Station Road North", "Old Market Square", "Church Hill Avenue", "Garden Row", "Upper Victoria Street", "Lower Victoria Street", "New Harbour Road", "Queen Anne Terrace",
		"King Edward Gardens", "Long Acre", "Broad Street", "Hill Rise", "Saint Michael Crescent", "Southampton Row", "Nelson Mandela Boulevard", "West India Dock Road", "Ash", "Elm Grove"}
	var held []string          // of the record before
	var late map[string]string // the same
	return []planted{
		{"amounts that are exchanged in one branch", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); branch(row, random) == "east" {
				exchange(row)
			}
		}, `record: where "branch" is east, "`, ""},
		{"amounts that are exchanged in some records", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["north"], row["east"] = fmt.Sprintf("%.5f", 47+8*random.Float64()), fmt.Sprintf("%.5f", 6+9*random.Float64())
			if random.Float64() < .05 {
				row["north"], row["east"] = row["east"], row["north"]
			}
		}, ` seem to be swapped: each contains what the other contains elsewhere`, ""},
		{"amounts of which the smaller is sometimes the larger", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["wage"] = fmt.Sprintf("%.2f", math.Exp(10+.5*random.NormFloat64()))
			row["loan"] = fmt.Sprintf("%.2f", math.Exp(9+.5*random.NormFloat64()))
			branch(row, random)
		}, "", ""},
		{"a branch with large loans", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); branch(row, random) == "east" {
				row["loan"] = fmt.Sprintf("%.2f", 6*number(t, row, "loan"))
			}
		}, "", `record: where "branch" is east, the numbers of "loan" are about `},
		{"cents in one record of fifty", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); random.Float64() < .03 {
				row["loan"] = fmt.Sprintf("%.0f", 100*number(t, row, "loan"))
			}
		}, `have the distribution of the others, times 100`, ""},
		{"amounts with a long tail", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["loan"] = fmt.Sprintf("%.2f", 100*math.Pow(random.Float64(), -.8))
		}, "", ""},
		{"outcomes by a rule in one branch", nil, func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			if branch(row, random) == "east" {
				row["income"] = map[bool]string{true: ">50K", false: "<=50K"}[number(t, row, "wage") > 25000]
			}
		}, `record.label.field: where "branch" is east, "wage" decides "income" alone, and elsewhere it does not`, ""},
		{"outcomes by a rule for a while", nil, func(i int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); i >= 700 {
				row["income"] = map[bool]string{true: ">50K", false: "<=50K"}[number(t, row, "wage") > 28000]
			}
		}, `"wage" decides "income" alone, and elsewhere it does not`, ""},
		{"outcomes by a rule below a threshold", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			if row["paid"] = "0"; number(t, row, "wage") > 16000 && random.Float64() < .6 {
				row["paid"] = "1"
			}
		}, `record.label.field: the share of positive labels jumps from 0 % to`, ""},
		{"a label that goes with a number", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			row["paid"] = strconv.Itoa(map[bool]int{true: 1}[math.Log(number(t, row, "wage"))+.25*random.NormFloat64() > 10])
		}, "", ""},
		{"a branch whose labels are all negative", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, func(_ int, row map[string]string, random *rand.Rand) {
			row["paid"], row["branch"] = strconv.Itoa(random.IntN(2)), "east"
			if random.Float64() < .85 {
				row["branch"] = []string{"north", "south", "west"}[random.IntN(3)]
			} else {
				row["paid"] = "0"
			}
		}, `in which "branch" is east are negative`, ""},
		{"the label of the next record", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, func(i int, row map[string]string, random *rand.Rand) {
			if i == 0 {
				held = []string{strconv.Itoa(random.IntN(2))}
			}
			row["paid"], row["state"] = held[0], strconv.Itoa(random.IntN(2))
			held[0] = row["state"]
		}, `record.ignore: add "state" unless it is known before the label: it tells the label of the next record`, ""},
		{"a word that means something among those for not known", missing("Self-emp-not-inc", "Private", "not stated"), func(int, map[string]string, *rand.Rand) {}, `record.missing: Private is the value of "workclass" in`, ""},
		{"a number of children that counts as not known", missing("0"), func(_ int, row map[string]string, random *rand.Rand) {
			row["children"] = strconv.Itoa(random.IntN(4))
		}, `record.missing: 0 is the value of "children" in`, "record.missing"},
		{"codes for not known", missing("99", "XX", "not stated"), func(_ int, row map[string]string, random *rand.Rand) {
			if row["children"] = strconv.Itoa(random.IntN(4)); random.IntN(10) == 0 {
				row["children"] = "99"
			}
			if random.IntN(10) == 0 {
				row["race"] = []string{"XX", "not stated"}[random.IntN(2)]
			}
		}, "", ""},
		{"streets that were cut off", nil, func(_ int, row map[string]string, random *rand.Rand) {
			street := streets[random.IntN(len(streets))]
			row["street"] = street[:min(14, len(street))]
		}, `record: "street" has `, ""},
		{"records that a join repeated", nil, func(i int, row map[string]string, random *rand.Rand) {
			if i%3 == 0 {
				amounts(row, random)
				late = maps.Clone(row)
			}
			maps.Copy(row, late)
			row["payment"], row["paid"] = fmt.Sprintf("%.2f", 100*random.Float64()), fmt.Sprintf("%.2f", 100*random.Float64())
		}, ` of another record, and agree with it in `, ""},
		{"records that are sorted by a number", nil, func(i int, row map[string]string, random *rand.Rand) {
			row["score"] = fmt.Sprintf("%.2f", float64(i)+5*random.Float64()/5)
		}, `record: the records are sorted by "score"`, ""},
		{"a group that is sometimes mistyped", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["sex"] == "Female" && random.Float64() < .1 {
				row["sex"] = "Femal"
			}
		}, `constraints[0].attribute: Femal (`, ""},
		{"an age as the weight", func(c *model.Config) { c.Record.Weight = "age" }, func(int, map[string]string, *rand.Rand) {}, `record.weight: "age" has the name of a protected attribute`, ""},
		{"a count that stands still", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["reminders"] = "0"; i < 700 {
				row["reminders"] = strconv.Itoa(random.IntN(4))
			}
		}, `record: "reminders" is a single number in the last fifth`, ""},
		{"logarithms from half-way on", nil, func(i int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			if i >= 600 {
				row["wage"] = fmt.Sprintf("%.4f", math.Log(number(t, row, "wage")))
			}
		}, `record: the numbers in "wage" range from `, ""},
		{"signs of money on both sides", nil, func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			row["wage"] = []string{"€" + row["wage"], row["wage"] + " EUR", row["wage"] + " €"}[random.IntN(3)]
		}, `record.ignore: "wage" holds numbers with`, ""},
		{"days before months, and months before days", nil, func(i int, row map[string]string, random *rand.Rand) {
			day, month := 1+random.IntN(28), 1+random.IntN(12)
			if i%2 == 0 {
				day, month = month, day
			}
			row["opened"] = fmt.Sprintf("%02d/%02d/2025", day, month)
		}, `record: "opened" has the day first in at least`, `record.ignore: add "opened"`},
	}
}
