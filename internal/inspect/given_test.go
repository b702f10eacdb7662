package inspect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
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
