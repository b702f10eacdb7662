package inspect_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect"
)

// TestGivenAway: in each sample, what gives a label or a group away in part, and labels that are one row off, are found, and nothing else
// is.
func TestGivenAway(t *testing.T) {
	all := people(t)
	var newest, held string    // the label before the present one
	var late map[string]string // the columns before the present ones
	tests := []struct {
		name   string
		change func(i int, row map[string]string, random *rand.Rand)
		want   string
		says   string // the same finding
	}{
		{"a column that three in five of one group have", func(_ int, row map[string]string, random *rand.Rand) {
			if row["sex"] == "Female" && random.Float64() < .6 {
				row["ward"] = []string{"east", "west"}[random.IntN(2)]
			}
		}, `record.ignore: add "ward" if decisions must not depend on sex:`, ""},
		{"a column that some of both groups have", func(_ int, row map[string]string, random *rand.Rand) {
			if row["sex"] == "Female" && random.Float64() < .6 || random.Float64() < .05 {
				row["ward"] = []string{"east", "west"}[random.IntN(2)]
			}
		}, "", ""},
		{"a column that is filled in after half of the positive labels", func(_ int, row map[string]string, random *rand.Rand) {
			if row["income"] == ">50K" && random.Float64() < .5 {
				row["rate"] = fmt.Sprint(1 + random.IntN(9))
			}
		}, `record.ignore: add "rate" unless it is known before the label:`, ""},
		{"an old decision that is right in 97 of 100 records", func(_ int, row map[string]string, random *rand.Rand) {
			row["grade"] = map[bool]string{true: "A", false: "B"}[(row["income"] == ">50K") != (random.Float64() < .03)]
		}, `record.ignore: add "grade" unless it is known before the label:`, ""},
		{"an assessment that is right in 9 of 10 records", func(_ int, row map[string]string, random *rand.Rand) {
			row["grade"] = map[bool]string{true: "A", false: "B"}[(row["income"] == ">50K") != (random.Float64() < .1)]
		}, "", ""},
		{"the score of an older model", func(_ int, row map[string]string, random *rand.Rand) {
			row["p_old"] = fmt.Sprintf("%.4f", score(row["income"] == ">50K", .9, random))
		}, `record.ignore: add "p_old" if it is the score of another model`, ""},
		{"a score that knows no more than other columns", func(_ int, row map[string]string, random *rand.Rand) {
			row["p_old"] = fmt.Sprintf("%.4f", score(row["income"] == ">50K", .75, random))
		}, "", ""},
		{"a number from 0 to 1000 that is right in 9 of 10 records", func(_ int, row map[string]string, random *rand.Rand) {
			row["points"] = fmt.Sprintf("%.1f", 1000*score(row["income"] == ">50K", .9, random))
		}, `record.ignore: add "points" if it is the score of another model`, ""},
		{"an amount that was paid in full by one label only", func(_ int, row map[string]string, random *rand.Rand) {
			due := 100 + 900*random.Float64()
			paid := due * random.Float64()
			if row["income"] == ">50K" {
				paid = due + 200*random.Float64()
			}
			row["due"], row["paid"] = fmt.Sprintf("%.2f", due), fmt.Sprintf("%.2f", paid)
		}, `record.ignore: add "due" or "paid" unless both are known before the label`, ""},
		{"two amounts that compare by chance", func(_ int, row map[string]string, random *rand.Rand) {
			row["due"], row["paid"] = fmt.Sprintf("%.2f", 900*random.Float64()), fmt.Sprintf("%.2f", 900*random.Float64())
		}, "", ""},
		{"texts that are equal for one label", func(_ int, row map[string]string, random *rand.Rand) {
			row["ordered"] = string(rune('a' + random.IntN(5)))
			if row["delivered"] = row["ordered"]; row["income"] != ">50K" {
				row["delivered"] = string(rune('f' + random.IntN(5)))
			}
			if random.IntN(2) == 0 {
				row["ordered"], row["delivered"] = row["delivered"], row["ordered"]
			}
		}, `record.ignore: add "delivered" or "ordered" unless both`, ""},
		{"days of leave that one group takes", func(_ int, row map[string]string, random *rand.Rand) {
			row["leave"] = "0"
			if row["sex"] == "Female" && random.Float64() < .3 {
				row["leave"] = fmt.Sprint(20 + random.IntN(100))
			}
		}, `record.ignore: add "leave" if decisions must not depend on sex`, "have a number above 0 in it are of Female"},
		{"days of leave that both groups take", func(_ int, row map[string]string, random *rand.Rand) {
			row["leave"] = "0"
			if random.Float64() < map[bool]float64{true: .3, false: .03}[row["sex"] == "Female"] {
				row["leave"] = fmt.Sprint(20 + random.IntN(100))
			}
		}, "", ""},
		{"an amount that only defaults bring", func(_ int, row map[string]string, random *rand.Rand) {
			row["recovered"] = "0"
			if row["income"] == ">50K" && random.Float64() < .5 {
				row["recovered"] = fmt.Sprint(20 + random.IntN(10000))
			}
		}, `record.ignore: add "recovered" unless it is known before the label`, "have a number above 0 in it are positive"},
		{"an amount in two currencies", func(_ int, row map[string]string, random *rand.Rand) {
			amount := 1000 * math.Exp(random.NormFloat64())
			row["usd"], row["eur"] = fmt.Sprintf("%.2f", amount), fmt.Sprintf("%.2f", .92*amount)
		}, `record.ignore: add "eur" or "usd": the second follows from the first (about 1.09 times it)`, ""},
		{"a year of birth beside an age", func(_ int, row map[string]string, _ *rand.Rand) {
			age, _ := strconv.Atoi(row["age"])
			row["born"] = strconv.Itoa(1996 - age)
		}, `record.ignore: add "age" or "born": the second follows from the first in all`, ""},
		{"two amounts that go together", func(_ int, row map[string]string, random *rand.Rand) {
			amount := 1000 * math.Exp(random.NormFloat64())
			row["net"], row["gross"] = fmt.Sprintf("%.2f", amount), fmt.Sprintf("%.2f", amount*(1.2+.4*random.Float64()))
		}, "", ""},
		{"an amount of 10^12 in a few records", func(_ int, row map[string]string, random *rand.Rand) {
			row["amount"] = fmt.Sprintf("%.2f", 1000*math.Exp(random.NormFloat64()))
			if random.Float64() < .005 {
				row["amount"] = fmt.Sprint(1e12 * (1 + random.Float64()))
			}
		}, `record: `, `000000000 or more, and all others below `},
		{"amounts of all sizes", func(_ int, row map[string]string, random *rand.Rand) {
			row["amount"] = fmt.Sprintf("%.2f", 1000*math.Exp(4*random.NormFloat64()))
		}, "", ""},
		{"labels of the record before", func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				held = "<=50K"
			}
			newest = row["income"]
			row["income"], held = held, newest
		}, `record.label.field: labels seem to be one row off: column "`, "goes with the label of the record after it"},
		{"labels of the record after", func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				late = map[string]string{}
			}
			for name, text := range row {
				if name != "income" {
					row[name], late[name] = late[name], text
				}
			}
		}, `record.label.field: labels seem to be one row off: column "`, "goes with the label of the record before it"},
		{"the sex of the record before", func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				held = "Male"
			}
			newest = row["sex"]
			row["sex"], held = held, newest
		}, `constraints[0].attribute: groups seem to be one row off: column "`, "goes with the sex of the record after it"},
		{"three records of each loan", func(i int, row map[string]string, random *rand.Rand) {
			if i%3 == 0 {
				late = maps.Clone(row)
				late["fnlwgt"] = fmt.Sprint(i)
			}
			maps.Copy(row, late)
			row["paid"] = fmt.Sprint(random.IntN(1000))
		}, `record: 800 of the first 1200 records are the same as an earlier one in every field but "paid"`, ""},
		{"the decision before as a column", func(i int, row map[string]string, _ *rand.Rand) {
			if i == 0 {
				held = "<=50K"
			}
			newest = row["income"]
			row["earlier"], held = held, newest
		}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := adults()
			for seed := range samples(t, "2") {
				var found, others []string
				for _, f := range sampled(t, all, c, seed, test.change) {
					if test.want != "" && strings.HasPrefix(f.String(), test.want) && strings.Contains(f.String(), test.says) {
						found = append(found, f.String())
					} else {
						others = append(others, f.String())
					}
				}
				if len(found) == 0 && test.want != "" || len(others) > 0 {
					t.Errorf("sample %d: found %q, and beside it %q", seed, found, others)
				}
			}
		})
	}
}

// score is from 0 to 1, and above a half for a share of the records where it should be, and below it where not.
func score(positive bool, right float64, random *rand.Rand) float64 {
	x := random.Float64() / 2
	if positive == (random.Float64() < right) {
		x += .5
	}
	return x
}

// TestARareLabelOrGroupGivesNothingAway: where 99 of 100 records have one label or are of one group, so are those that have a value of any
// column.
func TestARareLabelOrGroupGivesNothingAway(t *testing.T) {
	for _, rare := range []string{"income", "sex"} {
		i, err := inspect.New(adults())
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 7))
		for range 20_000 {
			row := map[string]string{"income": "<=50K", "sex": "Male", "age": fmt.Sprint(20 + random.IntN(50))}
			if random.Float64() < .6 {
				row["workclass"] = []string{"Private", "State-gov"}[random.IntN(2)]
			}
			for name, other := range map[string]string{"income": ">50K", "sex": "Female"} {
				if share := map[bool]float64{true: .008, false: .4}[name == rare]; random.Float64() < share {
					row[name] = other
				}
			}
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			_ = i.Add(line)
		}
		for _, f := range i.Findings() {
			if strings.HasPrefix(f.String(), "record.ignore") {
				t.Errorf("rare %s: %s", rare, f)
			}
		}
	}
}
