package sequence_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/model"
)

var answers = map[string]string{">50K": "<=50K", "<=50K": ">50K"}

// TestMeaning: in each sample of real records, what is planted is found, and nothing else is.
func TestMeaning(t *testing.T) {
	amounts := func(row map[string]string, random *rand.Rand) {
		row["wage"] = fmt.Sprintf("%.2f", math.Exp(10+.4*random.NormFloat64()))
		row["loan"] = fmt.Sprintf("%.2f", math.Exp(8.5+.4*random.NormFloat64()))
	}
	branch := func(row map[string]string, random *rand.Rand) string {
		row["branch"] = []string{"north", "south", "east", "west"}[random.IntN(4)]
		return row["branch"]
	}
	inspecttest.AtOnce(t, []inspecttest.Planted{
		{Name: "cents", Change: func(i int, row map[string]string, random *rand.Rand) {
			wage := int(inspecttest.Number(t, row, "hours_per_week")*20 + 200*random.Float64())
			if i >= inspecttest.SampleSize/2 {
				wage *= 100
			}
			row["wage"] = strconv.Itoa(wage)
		}, Want: `record: the unit of "wage" changes: its newest 512 numbers are spread as the first 512 are, times 100.`},
		{Name: "a label that is turned round half-way", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i >= inspecttest.SampleSize/2 {
				row["income"] = map[string]string{">50K": "<=50K", "<=50K": ">50K"}[row["income"]]
			}
		}, Want: `record.label.positive: the share of positive labels goes from`},
		{Name: "groups that are exchanged half-way", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i >= inspecttest.SampleSize/2 && row["sex"] == "Male" {
				row["sex"] = "Female"
			} else if i >= inspecttest.SampleSize/2 {
				row["sex"] = "Male"
			}
		}, Want: `constraints[0].attribute: the share of Male goes from`},
		{Name: "labels that are not known yet", Change: func(_ int, row map[string]string, random *rand.Rand) {
			month := 1 + random.IntN(12)
			if row["granted_on"] = fmt.Sprintf("2025-%02d-%02d", month, 1+random.IntN(28)); month > 9 {
				row["income"] = "<=50K"
			}
		}, Want: `by "granted_on" are all negative`, Beside: `record.ignore: add "granted_on"`},
		{Name: "dates of any label", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["granted_on"] = fmt.Sprintf("2025-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28))
		}, Want: `record.ignore: add "granted_on"`},
		{Name: "a column that stops", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["bureau"] = ""; i < inspecttest.SampleSize/2 {
				row["bureau"] = strconv.Itoa(300 + random.IntN(500))
			}
		}, Want: `record: "bureau" has a value in the first fifth of the records and in none of the last`},
		{Name: "a column that starts", Change: func(i int, row map[string]string, random *rand.Rand) {
			if i >= inspecttest.SampleSize/2 {
				row["bureau"] = strconv.Itoa(300 + random.IntN(500))
			}
		}, Want: `record: "bureau" has no value in the first fifth`},
		{Name: "a column that is rarely filled", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["bureau"] = ""; random.Float64() < .7-float64(i)/2000 {
				row["bureau"] = strconv.Itoa(300 + random.IntN(500))
			}
		}},
		{Name: "a number that stands still", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["index"] = "3.25"; i < 3*inspecttest.SampleSize/4 {
				row["index"] = fmt.Sprintf("%.3f", 3+random.Float64())
			}
		}, Want: `record: "index" is a single number in the last fifth`},
		{Name: "other codes", Change: func(i int, row map[string]string, random *rand.Rand) {
			row["purpose"] = []string{"car", "house", "other"}[random.IntN(3)]
			if i >= inspecttest.SampleSize/2 {
				row["purpose"] = row["purpose"][:1]
			}
		}, Want: `record: "purpose" has other texts in the last fifth`},
		{Name: "a branch that sends the label turned round", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["branch"] = []string{"north", "south", "east", "west"}[random.IntN(4)]; row["branch"] == "east" {
				row["income"] = answers[row["income"]]
			}
		}, Want: `record.label.field: where "branch" is east, the other columns go with "income" the other way round`},
		{Name: "a branch in which chance decides", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["branch"] = []string{"north", "south", "east"}[random.IntN(3)]; row["branch"] == "east" && random.Float64() < .5 {
				row["income"] = answers[row["income"]]
			}
		}, Want: `record.label.field: where "branch" is east, no other column goes with "income" as it does elsewhere`},
		{Name: "a balanced label that is turned round for a while", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, Change: func(i int, row map[string]string, random *rand.Rand) {
			paid := inspecttest.Number(t, row, "age")/40+random.NormFloat64()/4 > 1
			delete(row, "income")
			row["paid"] = strconv.Itoa(map[bool]int{true: 1}[paid != (i >= 480 && i < 960)])
		}, Want: `record.label.field: in the records from 481 to 960 of 1200, the other columns go with "paid" the other way round`},
		{Name: "texts that are merged half-way", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["use"] = []string{"car", "house", "holiday", "other"}[random.IntN(4)]; i > 600 && row["use"] == "car" {
				row["use"] = "other"
			}
		}, Want: `record: "use" is car in one part of the records only`},
		{Name: "a text that is split half-way", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["use"] = []string{"car", "house", "holiday", "other"}[random.IntN(4)]; i <= 600 && row["use"] == "car" {
				row["use"] = "other"
			}
		}, Want: `record: "use" is other in one part of the records only`, Beside: "record"},
		{Name: "a rare text that begins half-way", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["use"] = []string{"car", "house", "other"}[random.IntN(3)]; i > 600 && random.Float64() < .1 {
				row["use"] = "holiday"
			}
		}},
		{Name: "amounts that are rounded from half-way on", Change: func(i int, row map[string]string, random *rand.Rand) {
			x := 100 + 900*random.Float64()
			if i > 600 {
				x = 100 * math.Round(x/100)
			}
			row["price"] = fmt.Sprintf("%.2f", x)
		}, Want: `record: the numbers of "price" are multiples of 100 in the last records`},
		{Name: "outcomes by a rule in one branch", Change: func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			if branch(row, random) == "east" {
				row["income"] = map[bool]string{true: ">50K", false: "<=50K"}[inspecttest.Number(t, row, "wage") > 25000]
			}
		}, Want: `record.label.field: where "branch" is east, "wage" decides "income" alone, and elsewhere it does not`},
		{Name: "outcomes by a rule for a while", Change: func(i int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); i >= 700 {
				row["income"] = map[bool]string{true: ">50K", false: "<=50K"}[inspecttest.Number(t, row, "wage") > 28000]
			}
		}, Want: `"wage" decides "income" alone, and elsewhere it does not`},
		{Name: "outcomes by a rule below a threshold", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			if row["paid"] = "0"; inspecttest.Number(t, row, "wage") > 16000 && random.Float64() < .6 {
				row["paid"] = "1"
			}
		}, Want: `record.label.field: the share of positive labels jumps from 0 % to`},
		{Name: "a label that goes with a number", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			row["paid"] = strconv.Itoa(map[bool]int{true: 1}[math.Log(inspecttest.Number(t, row, "wage"))+.25*random.NormFloat64() > 10])
		}},
		{Name: "a branch whose labels are all negative", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["paid"], row["branch"] = strconv.Itoa(random.IntN(2)), "east"
			if random.Float64() < .85 {
				row["branch"] = []string{"north", "south", "west"}[random.IntN(3)]
			} else {
				row["paid"] = "0"
			}
		}, Want: `in which "branch" is east are negative`},
		{Name: "records that are sorted by a number", Change: func(i int, row map[string]string, random *rand.Rand) {
			row["score"] = fmt.Sprintf("%.2f", float64(i)+5*random.Float64()/5)
		}, Want: `record: the records are sorted by "score"`},
		{Name: "a count that stands still", Change: func(i int, row map[string]string, random *rand.Rand) {
			if row["reminders"] = "0"; i < 700 {
				row["reminders"] = strconv.Itoa(random.IntN(4))
			}
		}, Want: `record: "reminders" is a single number in the last fifth`},
		{Name: "logarithms from half-way on", Change: func(i int, row map[string]string, random *rand.Rand) {
			amounts(row, random)
			if i >= 600 {
				row["wage"] = fmt.Sprintf("%.4f", math.Log(inspecttest.Number(t, row, "wage")))
			}
		}, Want: `record: the numbers in "wage" range from `},
		{Name: "a text that stands still", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i >= 2*inspecttest.SampleSize/3 {
				row["occupation"] = "Sales"
			}
		}, Want: `record: "occupation" has a single value in the last fifth of the records, and several in the first`},
		{Name: "a text that is frequent throughout", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["country"] = "here"; random.Float64() < .03 {
				row["country"] = "there"
			}
		}},
		{Name: "the newest first", Change: func(i int, row map[string]string, random *rand.Rand) {
			row["applied"] = time.Date(2025, 12, 31, 0, -30*i-random.IntN(30), 0, 0, time.UTC).Format(time.RFC3339)
		}, Want: `record: the records go from the newest to the oldest by "applied"`, Beside: `record.ignore: add "applied"`},
		{Name: "June before May", Change: func(i int, row map[string]string, random *rand.Rand) {
			row["applied"] = time.Date(2025, 5, 1, 0, 30*((i+inspecttest.SampleSize/3)%inspecttest.SampleSize)+random.IntN(30), 0, 0, time.UTC).Format(time.RFC3339)
		}, Want: `record: the first records are later by "applied" than the last`, Beside: `record.ignore: add "applied"`},
		{Name: "the oldest first", Change: func(i int, row map[string]string, random *rand.Rand) {
			row["applied"] = time.Date(2025, 5, 1, 0, 30*i+random.IntN(30), 0, 0, time.UTC).Format(time.RFC3339)
		}, Want: `record.ignore: add "applied"`},
	})
}

// TestDisplaced: labels and groups that are one row off.
func TestDisplaced(t *testing.T) {
	var newest string          // the label of the present record
	var was string             // of the record before
	var loan map[string]string // the first record of a loan
	inspecttest.InTurn(t, []inspecttest.Planted{
		{Name: "labels of the record before", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				was = "<=50K"
			}
			newest = row["income"]
			row["income"], was = was, newest
		}, Want: `record.label.field: labels seem to be one row off: column "`, Says: "goes with the label of the record after it"},
		{Name: "labels of the record after", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				loan = map[string]string{}
			}
			for name, text := range row {
				if name != "income" {
					row[name], loan[name] = loan[name], text
				}
			}
		}, Want: `record.label.field: labels seem to be one row off: column "`, Says: "goes with the label of the record before it"},
		{Name: "the sex of the record before", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				was = "Male"
			}
			newest = row["sex"]
			row["sex"], was = was, newest
		}, Want: `constraints[0].attribute: groups seem to be one row off: column "`, Says: "goes with the sex of the record after it"},
	})
}
