package inspect_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// people are the bundled records, as texts by column.
func people(t *testing.T) (all []map[string]string) {
	t.Helper()
	rows, err := csv.NewReader(adult.Open()).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range rows[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[rows[0][i]] = cell
		}
		all = append(all, row)
	}
	return all
}

// adults is the configuration of the bundled records.
func adults() model.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "income", Positive: ">50K"}
	c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"), Tau: .05}}
	return c.WithDefaults().Model()
}

const sampleSize = 1200

// sampled are some of the people in a random order, each changed.
func sampled(t *testing.T, all []map[string]string, c model.Config, seed uint64, change func(i int, row map[string]string, random *rand.Rand)) []inspect.Finding {
	t.Helper()
	i, err := inspect.New(c)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 7))
	for n, at := range random.Perm(len(all))[:sampleSize] {
		row := map[string]string{}
		for name, text := range all[at] {
			row[name] = text
		}
		change(n, row, random)
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		_ = i.Add(line)
	}
	return i.Findings()
}

// planted is a change of records, and what is to be found of it.
type planted struct {
	name   string
	config func(c *model.Config)
	change func(i int, row map[string]string, random *rand.Rand)
	want   string
	beside string // true of the planted column, too
}

func number(t *testing.T, row map[string]string, name string) float64 {
	x, err := strconv.ParseFloat(row[name], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func noisy(random *rand.Rand, truth bool, share float64) bool {
	return truth != (random.Float64() < share)
}

// TestMeaning: in each sample of real records, what is planted is found, and nothing else is; without it nothing is.
func TestMeaning(t *testing.T) {
	all := people(t)
	tests := append([]planted{
		{"nothing", nil, func(int, map[string]string, *rand.Rand) {}, "", ""},
		{"a sign of a rare label that holds in half of the cases", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "fraud", "1" }, func(_ int, row map[string]string, random *rand.Rand) {
			row["fraud"], row["alarms"] = "0", "0"
			if random.Float64() < .025 {
				row["fraud"] = "1"
				if random.Float64() < .5 {
					row["alarms"] = "1"
				}
			}
		}, "", ""},
		{"numbers below zero, the lowest often", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["balance"] = strconv.Itoa(random.IntN(2000) - 999)
			if random.Float64() < .05 {
				row["balance"] = "-999"
			}
		}, "", ""},
		{"a proxy of the second attribute", func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Attribute, second.Group, second.Versus = "race", model.OneOrMore{"race"}, model.Values("White"), model.Values("Black")
			c.Constraints = append(c.Constraints, second)
		}, func(_ int, row map[string]string, _ *rand.Rand) {
			row["list"] = map[string]string{"White": "a", "Black": "b"}[row["race"]]
		}, `record.ignore: add "list" if decisions must not depend on race`, ""},
		{"a number that leaks", nil, func(_ int, row map[string]string, random *rand.Rand) {
			debt := random.Float64() * 1000
			if noisy(random, row["income"] == ">50K", .005) {
				debt = -debt
			}
			row["debt"] = fmt.Sprint(debt)
		}, `record.ignore: add "debt" unless it is known before the label`, ""},
		{"a number that leaks a rare label", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "fraud", "1" }, func(_ int, row map[string]string, random *rand.Rand) {
			fraud := random.Float64() < .02
			row["fraud"] = map[bool]string{true: "1", false: "0"}[fraud]
			row["loss"] = fmt.Sprint(100 * random.Float64())
			if fraud {
				row["loss"] = fmt.Sprint(101 + 100*random.Float64())
			}
		}, `record.ignore: add "loss" unless it is known before the label`, ""},
		{"a date that only one label has", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["income"] == ">50K" {
				row["closed"] = fmt.Sprintf("2026-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28))
			}
		}, `record.ignore: add "closed" unless it is known before the label`, `record.ignore: add "closed": a time is left out`},
		{"a title", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["title"] = map[bool]string{true: "Mr", false: "Ms"}[noisy(random, row["sex"] == "Male", .005)]
		}, `record.ignore: add "title" if decisions must not depend on sex`, ""},
		{"a number that tells the group", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["level"] = fmt.Sprint(random.Float64())
			if row["sex"] == "Male" {
				row["level"] = fmt.Sprint(1 + random.Float64())
			}
		}, `record.ignore: add "level" if decisions must not depend on sex`, ""},
		{"the label as an attribute", func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Attribute, second.Group, second.Versus = "second", model.OneOrMore{"rich"}, model.Values("y"), model.Values("n")
			c.Constraints = append(c.Constraints, second)
		}, func(_ int, row map[string]string, _ *rand.Rand) {
			row["rich"] = map[bool]string{true: "y", false: "n"}[row["income"] == ">50K"]
		}, `constraints[1].attribute: is "rich" the label under another name?`, ""},
		{"a protected attribute as the label", func(c *model.Config) {
			c.Record.Label.Field, c.Record.Label.Positive = "sex", "Male"
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"race"}, model.Values("White"), model.Values("Black")
		}, func(int, map[string]string, *rand.Rand) {}, `record.label.field: "sex" has the name of a protected attribute`, `record.ignore: add "relationship" unless it is known`}, // husbands are men
		{"a third label", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .2 {
				row["income"] = "pending"
			}
		}, `record.label.positive: the label has 3 values`, ""},
		{"-999", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .05 {
				row["age"] = "-999"
			}
		}, `record.missing: add "-999" if it stands for "not known": "age"`, ""},
		{"9999", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .05 {
				row["hours_per_week"] = "9999"
			}
		}, `record.missing: add "9999" if it stands for "not known": "hours_per_week"`, ""},
		{"cents", nil, func(i int, row map[string]string, random *rand.Rand) {
			wage := int(number(t, row, "hours_per_week")*20 + 200*random.Float64())
			if i >= sampleSize/2 {
				wage *= 100
			}
			row["wage"] = strconv.Itoa(wage)
		}, `record: the unit of "wage" changes: its newest 512 numbers are spread as the first 512 are, times 100.`, ""},
		{"a label that is turned round half-way", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i >= sampleSize/2 {
				row["income"] = map[string]string{">50K": "<=50K", "<=50K": ">50K"}[row["income"]]
			}
		}, `record.label.positive: the share of positive labels goes from`, ""},
		{"groups that are exchanged half-way", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i >= sampleSize/2 && row["sex"] == "Male" {
				row["sex"] = "Female"
			} else if i >= sampleSize/2 {
				row["sex"] = "Male"
			}
		}, `constraints[0].attribute: the share of Male goes from`, ""},
		{"0 for not known", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .1 {
				row["age"] = "0"
			}
		}, `record.missing: add "0" if it stands for "not known": "age" is 0 in`, ""},
		{"an attribute that is known of one label", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["income"] == "<=50K" && random.Float64() < .7 {
				row["sex"] = ""
			}
		}, `constraints[0].attribute: "sex" is missing in`, ""},
		{"an attribute that most lack", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .7 {
				row["sex"] = ""
			}
		}, `constraints[0].attribute: "sex" is missing in`, ""},
		{"Latin-1", nil, func(_ int, row map[string]string, _ *rand.Rand) {
			if row["race"] == "Black" {
				row["race"] = "ZÃ¼rich"
			}
		}, `record: "race" holds texts that were read in another encoding`, ""},
		{"a category in two spellings", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%3 == 0 {
				row["race"] = strings.ToUpper(row["race"]) + "\u00a0"
			}
		}, ` values in several spellings, such as `, ""},
		{"a group that is one number", func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Attribute, second.Group, second.Versus = "age", model.OneOrMore{"age"}, model.Values("30"), model.Values("31")
			c.Constraints = append(c.Constraints, second)
		}, func(int, map[string]string, *rand.Rand) {}, `constraints[1].group: "age" has`, `constraints[1].`},
		{"the same constraint twice", func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Tau, second.Group, second.Versus = "again", .02, second.Versus, second.Group
			c.Constraints = append(c.Constraints, second)
		}, func(int, map[string]string, *rand.Rand) {}, `constraints[1]: compares the same groups of sex by demographic-parity as constraints[0] does, with tau 0.02 and 0.05`, ""},
		{"many categories with and without a space that is not seen", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["place"] = fmt.Sprintf("place %d", random.IntN(30))
			if random.Float64() < .2 {
				row["place"] += "\u00a0"
			}
		}, `record: "place" has 30 values in several spellings, such as "place `, ""},
		{"a group in two spellings among many", func(c *model.Config) {
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"place"}, model.Values("place 0"), model.Values("place 1")
		}, func(_ int, row map[string]string, random *rand.Rand) {
			row["place"] = fmt.Sprintf("place %d", min(random.IntN(60)/2, random.IntN(60)/2))
			if random.Float64() < .3 {
				row["place"] = strings.ReplaceAll(row["place"], " ", "\u00a0")
			}
		}, `of "place" are not in the groups "place 0" and "place 1"`, ""},
		{"groups that are 1 and 0, or true and false", func(c *model.Config) {
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"man"}, model.Values("1"), model.Values("0")
		}, func(_ int, row map[string]string, random *rand.Rand) {
			row["man"] = map[string]string{"Male": "1", "Female": "0"}[row["sex"]]
			if delete(row, "sex"); random.Float64() < .3 {
				row["man"] = map[string]string{"1": "true", "0": "false"}[row["man"]]
			}
		}, `constraints[0].attribute: true (`, ""},
		{"a label that is yes and no, or true and false", func(c *model.Config) { c.Record.Label.Positive = "yes" }, func(_ int, row map[string]string, random *rand.Rand) {
			row["income"] = map[string]string{">50K": "yes", "<=50K": "no"}[row["income"]]
			if random.Float64() < .3 {
				row["income"] = map[string]string{"yes": "true", "no": "false"}[row["income"]]
			}
		}, `record.label.positive: true (`, ""},
		{"the answer that nobody wants", func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "granted", "no" }, func(_ int, row map[string]string, _ *rand.Rand) {
			row["granted"] = map[string]string{">50K": "yes", "<=50K": "no"}[row["income"]]
			delete(row, "income")
		}, `record.label.positive: no is the positive value of "granted"`, ""},
		{"two columns of texts that are exchanged half-way", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i >= sampleSize/2 {
				row["workclass"], row["marital_status"] = row["marital_status"], row["workclass"]
			}
		}, `are swapped on the way`, ""},
		{"two columns of numbers that are exchanged half-way", nil, func(i int, row map[string]string, random *rand.Rand) {
			row["weight"], row["height"] = fmt.Sprint(50+50*random.Float64()), fmt.Sprint(150+50*random.Float64())
			if i >= sampleSize/2 {
				row["weight"], row["height"] = row["height"], row["weight"]
			}
		}, `are swapped on the way`, ""},
		{"two units in one column", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["wage"] = fmt.Sprint(20000 + 60000*random.Float64())
			if random.Float64() < .2 {
				row["wage"] = fmt.Sprint(20 + 60*random.Float64())
			}
		}, `record: "wage" holds two kinds of numbers`, ""},
		{"per cent and shares in one column", nil, func(_ int, row map[string]string, random *rand.Rand) {
			rate := .01 + .19*random.Float64()
			if random.IntN(10) == 0 {
				rate *= 100
			}
			row["rate"] = fmt.Sprintf("%.4g", rate)
		}, `record: "rate" holds two kinds of numbers`, ""},
		{"two kinds that differ by no unit", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["load"] = fmt.Sprintf("%.4g", 10+random.Float64()); random.IntN(2) == 0 {
				row["load"] = fmt.Sprintf("%.4g", 40+60*random.Float64())
			}
		}, "", ""},
		{"a second kind that is rare", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["load"] = fmt.Sprintf("%.4g", 10+10*random.Float64()); random.IntN(12) == 0 {
				row["load"] = fmt.Sprintf("%.4g", 60+5*random.Float64())
			}
		}, "", ""},
		{"points between thousands", nil, func(_ int, row map[string]string, random *rand.Rand) {
			debt := int(math.Exp(5 + 6*random.Float64()))
			if row["debt"] = strconv.Itoa(debt); debt >= 1000 && debt < 1000000 {
				row["debt"] = fmt.Sprintf("%d.%03d", debt/1000, debt%1000)
			}
		}, `record.csv.thousands:`, ""},
		{"numbers with three decimals", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["share"] = strconv.FormatFloat(math.Round(100000*random.Float64())/1000, 'f', -1, 64)
		}, "", ""},
		{"dates without leading zeros", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["opened"] = fmt.Sprintf("%d/%d/26", 1+random.IntN(12), 1+random.IntN(28))
		}, `record.ignore: add "opened": it holds dates in a form that is not read`, ""},
		{"numbers with units", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["weight"] = fmt.Sprintf("%d kg", 40+random.IntN(80))
		}, `record.ignore: "weight" holds numbers with their units`, ""},
		{"many numbers with units", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["salary"] = fmt.Sprintf("%d EUR", 20000+random.IntN(80000))
		}, `record.ignore: "salary" holds numbers with their units or with spaces, and the column is left out`, ""},
		{"JSON in texts", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["details"] = fmt.Sprintf(`{"rooms":%d}`, random.IntN(50)); i%30 == 0 {
				row["details"] = ""
			}
		}, `record.ignore: "details" holds objects or lists as texts`, ""},
		{"texts that begin with a bracket", nil, func(i int, row map[string]string, _ *rand.Rand) {
			row["note"] = []string{"[moved] lately", "{sic} twice"}[i%2]
		}, "", ""},
		{"some texts in brackets", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if row["note"] = "none"; i%2 == 0 {
				row["note"] = "[moved]"
			}
		}, "", ""},
		{"an identifier of several records", func(c *model.Config) { c.Record.ID = "customer" }, func(i int, row map[string]string, _ *rand.Rand) {
			row["customer"] = fmt.Sprint("c", i/3)
		}, `record.id: "customer" has`, ""},
		{"an identifier of few records again", func(c *model.Config) { c.Record.ID = "request" }, func(i int, row map[string]string, _ *rand.Rand) {
			row["request"] = fmt.Sprint("r", i-i%20/19)
		}, "", ""},
		{"a key of many records", func(c *model.Config) { c.Record.Key = "branch" }, func(i int, row map[string]string, _ *rand.Rand) {
			row["branch"] = fmt.Sprint("b", i/6)
		}, `record.key: "branch" has`, ""},
		{"a key of a record and its corrections", func(c *model.Config) { c.Record.Key = "case" }, func(i int, row map[string]string, _ *rand.Rand) {
			row["case"] = fmt.Sprint("c", i/4)
		}, "", ""},
		{"a range as text", func(c *model.Config) {
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = []string{"age"}, model.Group{{Values: []string{"20-40"}}}, model.Group{{Values: []string{"41+"}}}
		}, func(int, map[string]string, *rand.Rand) {}, `. Write a range of numbers as {from: 20, below: 40}`, "constraints"},
		{"a misspelt weight", func(c *model.Config) { c.Record.Weight = "waight" }, func(_ int, row map[string]string, _ *rand.Rand) {
			row["weight"] = "1"
		}, `record.weight: no record has a field "waight" (did you mean "weight"?)`, ""},
		{"seats", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["seat"] = fmt.Sprintf("%d%c", 1+random.IntN(30), 'A'+rune(random.IntN(6)))
		}, "", ""},
		{"a code as a number", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["zip"] = strconv.Itoa(10000 + 1000*random.IntN(80))
		}, `learner.columns: "zip" has the name of a code`, ""},
		{"lines with sums", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 99 {
				for _, name := range []string{"sex", "workclass", "occupation", "education", "marital_status"} {
					row[name] = ""
				}
				row["race"], row["age"] = "Total", "3900"
			}
		}, `record: 12 records are probably sums of others`, ""},
		{"a category with the name of a sum", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["cover"] = []string{"partial", "total"}[random.IntN(2)]
		}, "", ""},
		{"a sign of most cases of one label", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["reminders"] = "0"
			if row["income"] == ">50K" && random.Float64() < .93 {
				row["reminders"] = strconv.Itoa(1 + random.IntN(5))
			}
		}, `record.ignore: add "reminders" unless it is known before the label`, ""},
		{"a group in several spellings", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["sex"] = map[string]string{"Male": "m", "Female": "Woman"}[row["sex"]]
			}
		}, `constraints[0].attribute:`, ""},
	}, slices.Concat(besides(t), parted(t), related(t), hidden(t))...)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := adults()
			if test.config != nil {
				test.config(&c)
			}
			for seed := range samples(t, "2") {
				var found, others []string
				for _, f := range sampled(t, all, c, seed, test.change) {
					if test.want != "" && strings.Contains(f.String(), test.want) {
						found = append(found, f.String())
					} else if test.beside == "" || !strings.HasPrefix(f.String(), test.beside) {
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
