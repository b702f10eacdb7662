package leak_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestMeaning: in each sample of real records, what is planted is found, and nothing else is.
func TestMeaning(t *testing.T) {
	var held []string // of the record before
	var newest string // the label of the present record
	var was string    // of the record before
	inspecttest.AtOnce(t, []inspecttest.Planted{
		{Name: "a sign of a rare label that holds in half of the cases", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "fraud", "1" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["fraud"], row["alarms"] = "0", "0"
			if random.Float64() < .025 {
				row["fraud"] = "1"
				if random.Float64() < .5 {
					row["alarms"] = "1"
				}
			}
		}},
		{Name: "a proxy of the second attribute", Config: func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Attribute, second.Group, second.Versus = "race", model.OneOrMore{"race"}, model.Values("White"), model.Values("Black")
			c.Constraints = append(c.Constraints, second)
		}, Change: func(_ int, row map[string]string, _ *rand.Rand) {
			row["list"] = map[string]string{"White": "a", "Black": "b"}[row["race"]]
		}, Want: `record.ignore: add "list" if decisions must not depend on race`},
		{Name: "a number that leaks", Change: func(_ int, row map[string]string, random *rand.Rand) {
			debt := random.Float64() * 1000
			if inspecttest.Noisy(random, row["income"] == ">50K", .005) {
				debt = -debt
			}
			row["debt"] = fmt.Sprint(debt)
		}, Want: `record.ignore: add "debt" unless it is known before the label`},
		{Name: "a number that leaks a rare label", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "fraud", "1" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			fraud := random.Float64() < .02
			row["fraud"] = map[bool]string{true: "1", false: "0"}[fraud]
			row["loss"] = fmt.Sprint(100 * random.Float64())
			if fraud {
				row["loss"] = fmt.Sprint(101 + 100*random.Float64())
			}
		}, Want: `record.ignore: add "loss" unless it is known before the label`},
		{Name: "a date that only one label has", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["income"] == ">50K" {
				row["closed"] = fmt.Sprintf("2026-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28))
			}
		}, Want: `record.ignore: add "closed" unless it is known before the label`, Beside: `record.ignore: add "closed": a time is left out`},
		{Name: "a title", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["title"] = map[bool]string{true: "Mr", false: "Ms"}[inspecttest.Noisy(random, row["sex"] == "Male", .005)]
		}, Want: `record.ignore: add "title" if decisions must not depend on sex`},
		{Name: "a number that tells the group", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["level"] = fmt.Sprint(random.Float64())
			if row["sex"] == "Male" {
				row["level"] = fmt.Sprint(1 + random.Float64())
			}
		}, Want: `record.ignore: add "level" if decisions must not depend on sex`},
		{Name: "the label as an attribute", Config: func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Attribute, second.Group, second.Versus = "second", model.OneOrMore{"rich"}, model.Values("y"), model.Values("n")
			c.Constraints = append(c.Constraints, second)
		}, Change: func(_ int, row map[string]string, _ *rand.Rand) {
			row["rich"] = map[bool]string{true: "y", false: "n"}[row["income"] == ">50K"]
		}, Want: `constraints[1].attribute: is "rich" the label under another name?`},
		{Name: "a sign of most cases of one label", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["reminders"] = "0"
			if row["income"] == ">50K" && random.Float64() < .93 {
				row["reminders"] = strconv.Itoa(1 + random.IntN(5))
			}
		}, Want: `record.ignore: add "reminders" unless it is known before the label`},
		{Name: "a sign that half of the cases of the rarer label have", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["step"] = []string{"letter", "call", "none"}[random.IntN(3)]; row["income"] == ">50K" && random.Float64() < .5 {
				row["step"] = "invited"
			}
		}, Want: `record.ignore: add "step" unless it is known before the label: of `},
		{Name: "a label filled in for those who were never hired", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["hired"] = "yes"; random.Float64() < .4 {
				row["hired"], row["income"] = "no", "<=50K"
			}
		}, Want: `record.ignore: add "hired" unless it is known before the label: of `, Says: "Then their label is unknown, not negative: leave it empty"},
		{Name: "a level that both labels have", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["step"] = "none"; random.Float64() < map[string]float64{">50K": .5, "<=50K": .02}[row["income"]] {
				row["step"] = "invited"
			}
		}},
		{Name: "a column that is emptied with the outcome", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < map[string]float64{">50K": .85, "<=50K": .3}[row["income"]] {
				row["employer"] = fmt.Sprint("e", random.IntN(5))
			}
		}, Want: `record.ignore: add "employer" unless it is known before the label: `},
		{Name: "a column that is missing more often beside one label", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < map[string]float64{">50K": .8, "<=50K": .6}[row["income"]] {
				row["employer"] = fmt.Sprint("e", random.IntN(5))
			}
		}},
		{Name: "a text that one group has", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["leave"] = "no"; row["sex"] == "Female" && random.Float64() < .4 {
				row["leave"] = "yes"
			}
		}, Want: `record.ignore: add "leave" if decisions must not depend on sex: of `},
		{Name: "the label of the next record", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "paid", "1" }, Change: func(i int, row map[string]string, random *rand.Rand) {
			if i == 0 {
				held = []string{strconv.Itoa(random.IntN(2))}
			}
			row["paid"], row["state"] = held[0], strconv.Itoa(random.IntN(2))
			held[0] = row["state"]
		}, Want: `record.ignore: add "state" unless it is known before the label: it tells the label of the next record`},
		{Name: "a column that three in five of one group have", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["sex"] == "Female" && random.Float64() < .6 {
				row["ward"] = []string{"east", "west"}[random.IntN(2)]
			}
		}, Want: `record.ignore: add "ward" if decisions must not depend on sex:`},
		{Name: "a column that some of both groups have", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["sex"] == "Female" && random.Float64() < .6 || random.Float64() < .05 {
				row["ward"] = []string{"east", "west"}[random.IntN(2)]
			}
		}},
		{Name: "a column that is filled in after half of the positive labels", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["income"] == ">50K" && random.Float64() < .5 {
				row["rate"] = fmt.Sprint(1 + random.IntN(9))
			}
		}, Want: `record.ignore: add "rate" unless it is known before the label:`},
		{Name: "an old decision that is right in 97 of 100 records", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["grade"] = map[bool]string{true: "A", false: "B"}[(row["income"] == ">50K") != (random.Float64() < .03)]
		}, Want: `record.ignore: add "grade" unless it is known before the label:`},
		{Name: "an assessment that is right in 9 of 10 records", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["grade"] = map[bool]string{true: "A", false: "B"}[(row["income"] == ">50K") != (random.Float64() < .1)]
		}},
		{Name: "the score of an older model", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["p_old"] = fmt.Sprintf("%.4f", score(row["income"] == ">50K", .9, random))
		}, Want: `record.ignore: add "p_old" if it is the score of another model`},
		{Name: "a score that knows no more than other columns", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["p_old"] = fmt.Sprintf("%.4f", score(row["income"] == ">50K", .75, random))
		}},
		{Name: "a number from 0 to 1000 that is right in 9 of 10 records", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["points"] = fmt.Sprintf("%.1f", 1000*score(row["income"] == ">50K", .9, random))
		}, Want: `record.ignore: add "points" if it is the score of another model`},
		{Name: "an amount that was paid in full by one label only", Change: func(_ int, row map[string]string, random *rand.Rand) {
			due := 100 + 900*random.Float64()
			paid := due * random.Float64()
			if row["income"] == ">50K" {
				paid = due + 200*random.Float64()
			}
			row["due"], row["paid"] = fmt.Sprintf("%.2f", due), fmt.Sprintf("%.2f", paid)
		}, Want: `record.ignore: add "due" or "paid" unless both are known before the label`},
		{Name: "two amounts that compare by chance", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["due"], row["paid"] = fmt.Sprintf("%.2f", 900*random.Float64()), fmt.Sprintf("%.2f", 900*random.Float64())
		}},
		{Name: "texts that are equal for one label", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["ordered"] = string(rune('a' + random.IntN(5)))
			if row["delivered"] = row["ordered"]; row["income"] != ">50K" {
				row["delivered"] = string(rune('f' + random.IntN(5)))
			}
			if random.IntN(2) == 0 {
				row["ordered"], row["delivered"] = row["delivered"], row["ordered"]
			}
		}, Want: `record.ignore: add "delivered" or "ordered" unless both`},
		{Name: "days of leave that one group takes", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["leave"] = "0"
			if row["sex"] == "Female" && random.Float64() < .3 {
				row["leave"] = fmt.Sprint(20 + random.IntN(100))
			}
		}, Want: `record.ignore: add "leave" if decisions must not depend on sex`, Says: "have a number above 0 in it are of Female"},
		{Name: "days of leave that both groups take", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["leave"] = "0"
			if random.Float64() < map[bool]float64{true: .3, false: .03}[row["sex"] == "Female"] {
				row["leave"] = fmt.Sprint(20 + random.IntN(100))
			}
		}},
		{Name: "an amount that only defaults bring", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["recovered"] = "0"
			if row["income"] == ">50K" && random.Float64() < .5 {
				row["recovered"] = fmt.Sprint(20 + random.IntN(10000))
			}
		}, Want: `record.ignore: add "recovered" unless it is known before the label`, Says: "have a number above 0 in it are positive"},
		{Name: "the decision before as a column", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				was = "<=50K"
			}
			newest = row["income"]
			row["earlier"], was = was, newest
		}},
	})
}

// score is from 0 to 1, and above a half for a share of the records where it should be, and below it where not.
func score(positive bool, right float64, random *rand.Rand) float64 {
	x := random.Float64() / 2
	if positive == (random.Float64() < right) {
		x += .5
	}
	return x
}
