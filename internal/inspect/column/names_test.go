package column_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestMeaningOfNames: in each sample of real records, what is planted is found, and nothing else is.
func TestMeaningOfNames(t *testing.T) {
	inspecttest.AtOnce(t, []inspecttest.Planted{
		{Name: "a code as a number", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["zip"] = strconv.Itoa(10000 + 1000*random.IntN(80))
		}, Want: `learner.columns: "zip" has the name of a code`},
		{Name: "the decision of today", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["decision"] = map[bool]string{true: "accept", false: "refer"}[inspecttest.Noisy(random, row["income"] == ">50K", .25)]
		}, Want: `record.ignore: add "decision" unless it is known before the label: it has the name of a decision`},
		{Name: "a prediction", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["predicted_class"] = fmt.Sprint(random.IntN(3))
		}, Want: `record.ignore: add "predicted_class": it has the name of what a model says`},
		{Name: "only those who were accepted", Change: func(_ int, row map[string]string, _ *rand.Rand) {
			row["approved"] = "yes"
		}, Want: `record: "approved" is the same in all 1200 records`},
		{Name: "a weight as a feature", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["sample_weight"] = fmt.Sprintf("%.3f", math.Exp(random.NormFloat64()))
		}, Want: `record.weight: is it "sample_weight"?`},
		{Name: "the weight of a person", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["weight"] = fmt.Sprintf("%.1f", 70+10*random.NormFloat64())
		}},
		{Name: "records of trials", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%50 == 0 {
				row["workclass"] = "TEST"
			}
		}, Want: `record: "workclass" is TEST in 24 records`},
		{Name: "yes and no in several ways", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["married"] = []string{"yes", "Y", "no", "N"}[random.IntN(4)]
		}, Want: `record: "married" has yes and no in several spellings`},
		{Name: "ranges that became dates", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["persons"] = []string{"0", "01-Feb", "03-May", ">6"}[random.IntN(4)]
		}, Want: `a spreadsheet makes such dates of ranges like 1-2`},
		{Name: "dates as numbers of a spreadsheet", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["opened"] = strconv.Itoa(44000 + random.IntN(1500))
		}, Want: `record.ignore: add "opened": its numbers are probably dates of a spreadsheet`},
		{Name: "ages below zero", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .03 {
				row["age"] = "-" + row["age"]
			}
		}, Want: `record: "age" goes from -`},
		{Name: "a century too late", Change: func(_ int, row map[string]string, random *rand.Rand) {
			born := 2025 - int(inspecttest.Number(t, row, "age"))
			if random.Float64() < .03 {
				born += 100
			}
			row["birth_year"] = strconv.Itoa(born)
			delete(row, "age")
		}, Want: `record: "birth_year" ranges from 19`},
		{Name: "never", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["closed"] = "9999-12-31"; random.Float64() < .5 {
				row["closed"] = fmt.Sprintf("2025-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28))
			}
		}, Want: `record.missing: add "9999-12-31": "closed" is that in `, Beside: `record.ignore: add "closed": it looks like a time`},
		{Name: "what comes later", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["status_next_month"] = map[bool]string{true: "late", false: "current"}[inspecttest.Noisy(random, row["income"] == ">50K", .2)]
		}, Want: `record.ignore: add "status_next_month" unless it is known before the label: it has the name of something that comes later`},
		{Name: "a text that is declared numeric", Config: func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"occupation": {Type: features.Numeric}}
		}, Change: func(int, map[string]string, *rand.Rand) {}, Want: `learner.columns: "occupation" is declared numeric`},
		{Name: "amounts that are declared categories", Config: func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"price": {Type: features.Categorical}}
		}, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["price"] = fmt.Sprintf("%.2f", 1000*random.Float64())
		}, Want: `learner.columns: "price" is declared categorical`},
		{Name: "an age of 130 in a group", Config: young, Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .06 {
				row["age"] = "130"
			}
		}, Want: `record: "age" goes up to 130`},
		{Name: "ages in groups", Config: young, Change: func(int, map[string]string, *rand.Rand) {}},
	})
}
