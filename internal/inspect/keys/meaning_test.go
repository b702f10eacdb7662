package keys_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestMeaning: in each sample of real records, what is planted is found, and nothing else is.
func TestMeaning(t *testing.T) {
	none := false
	within := func(strata string) func(c *model.Config) {
		return func(c *model.Config) { c.Constraints[0].Strata = strata }
	}
	inspecttest.AtOnce(t, []inspecttest.Planted{
		{Name: "a protected attribute as the label", Config: func(c *model.Config) {
			c.Record.Label.Field, c.Record.Label.Positive = "sex", "Male"
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"race"}, model.Values("White"), model.Values("Black")
		}, Change: func(int, map[string]string, *rand.Rand) {}, Want: `record.label.field: "sex" has the name of a protected attribute`, Beside: `record.ignore: add "relationship" unless it is known`},
		// husbands are men
		{Name: "a third label", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .2 {
				row["income"] = "pending"
			}
		}, Want: `record.label.positive: the label has 3 values`},
		{Name: "an attribute that is known of one label", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["income"] == "<=50K" && random.Float64() < .7 {
				row["sex"] = ""
			}
		}, Want: `constraints[0].attribute: "sex" is missing in`},
		{Name: "an attribute that most lack", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .7 {
				row["sex"] = ""
			}
		}, Want: `constraints[0].attribute: "sex" is missing in`},
		{Name: "a group that is one number", Config: func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Attribute, second.Group, second.Versus = "age", model.OneOrMore{"age"}, model.Values("30"), model.Values("31")
			c.Constraints = append(c.Constraints, second)
		}, Change: func(int, map[string]string, *rand.Rand) {}, Want: `constraints[1].group: "age" has`, Beside: `constraints[1].`},
		{Name: "the same constraint twice", Config: func(c *model.Config) {
			second := c.Constraints[0]
			second.Name, second.Tau, second.Group, second.Versus = "again", .02, second.Versus, second.Group
			c.Constraints = append(c.Constraints, second)
		}, Change: func(int, map[string]string, *rand.Rand) {}, Want: `constraints[1]: compares the same groups of sex by demographic-parity as constraints[0] does, with tau 0.02 and 0.05`},
		{Name: "a group in two spellings among many", Config: func(c *model.Config) {
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"place"}, model.Values("place 0"), model.Values("place 1")
		}, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["place"] = fmt.Sprintf("place %d", min(random.IntN(60)/2, random.IntN(60)/2))
			if random.Float64() < .3 {
				row["place"] = strings.ReplaceAll(row["place"], " ", "\u00a0")
			}
		}, Want: `of "place" are not in the groups "place 0" and "place 1"`},
		{Name: "groups that are 1 and 0, or true and false", Config: func(c *model.Config) {
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"man"}, model.Values("1"), model.Values("0")
		}, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["man"] = map[string]string{"Male": "1", "Female": "0"}[row["sex"]]
			if delete(row, "sex"); random.Float64() < .3 {
				row["man"] = map[string]string{"1": "true", "0": "false"}[row["man"]]
			}
		}, Want: `constraints[0].attribute: true (`},
		{Name: "a label that is yes and no, or true and false", Config: func(c *model.Config) { c.Record.Label.Positive = "yes" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["income"] = map[string]string{">50K": "yes", "<=50K": "no"}[row["income"]]
			if random.Float64() < .3 {
				row["income"] = map[string]string{"yes": "true", "no": "false"}[row["income"]]
			}
		}, Want: `record.label.positive: true (`},
		{Name: "the answer that nobody wants", Config: func(c *model.Config) { c.Record.Label.Field, c.Record.Label.Positive = "granted", "no" }, Change: func(_ int, row map[string]string, _ *rand.Rand) {
			row["granted"] = map[string]string{">50K": "yes", "<=50K": "no"}[row["income"]]
			delete(row, "income")
		}, Want: `record.label.positive: no is the positive value of "granted"`},
		{Name: "an identifier of several records", Config: func(c *model.Config) { c.Record.ID = "customer" }, Change: func(i int, row map[string]string, _ *rand.Rand) {
			row["customer"] = fmt.Sprint("c", i/3)
		}, Want: `record.id: "customer" has`},
		{Name: "identifiers that come again in the next wave", Config: func(c *model.Config) { c.Record.ID = "customer" }, Change: func(i int, row map[string]string, _ *rand.Rand) {
			row["customer"] = fmt.Sprint("c", i%(inspecttest.SampleSize/3))
		}, Want: `record.id: "customer" has 400 different values in 1200 records`},
		{Name: "codes of another system among the groups", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%3 == 0 {
				row["sex"] = map[string]string{"Male": "1", "Female": "2"}[row["sex"]]
			}
		}, Want: `constraints[0].attribute: 1 (`, Says: "are numbers, and the groups Male and Female are words"},
		{Name: "a name that no record has yet", Config: func(c *model.Config) { c.Record.Renamed = []record.Rename{{Field: "years", Was: "age"}} }, Change: func(int, map[string]string, *rand.Rand) {},
			Want: `record.renamed: no record has a field "years"`},
		{Name: "an identifier of few records again", Config: func(c *model.Config) { c.Record.ID = "request" }, Change: func(i int, row map[string]string, _ *rand.Rand) {
			row["request"] = fmt.Sprint("r", i-i%20/19)
		}},
		{Name: "a key of many records", Config: func(c *model.Config) { c.Record.Key = "branch" }, Change: func(i int, row map[string]string, _ *rand.Rand) {
			row["branch"] = fmt.Sprint("b", i/6)
		}, Want: `record.key: "branch" has`},
		{Name: "a key of a record and its corrections", Config: func(c *model.Config) { c.Record.Key = "case" }, Change: func(i int, row map[string]string, _ *rand.Rand) {
			row["case"] = fmt.Sprint("c", i/4)
		}},
		{Name: "a range as text", Config: func(c *model.Config) {
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = []string{"age"}, model.Group{{Values: []string{"20-40"}}}, model.Group{{Values: []string{"41+"}}}
		}, Change: func(int, map[string]string, *rand.Rand) {}, Want: `. Write a range of numbers as {from: 20, below: 40}`, Beside: "constraints"},
		{Name: "a misspelt weight", Config: func(c *model.Config) { c.Record.Weight = "waight" }, Change: func(_ int, row map[string]string, _ *rand.Rand) {
			row["weight"] = "1"
		}, Want: `record.weight: no record has a field "waight" (did you mean "weight"?)`},
		{Name: "seats", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["seat"] = fmt.Sprintf("%d%c", 1+random.IntN(30), 'A'+rune(random.IntN(6)))
		}},
		{Name: "a group in several spellings", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["sex"] = map[string]string{"Male": "m", "Female": "Woman"}[row["sex"]]
			}
		}, Want: `constraints[0].attribute:`},
		{Name: "a group of one label", Change: func(_ int, row map[string]string, _ *rand.Rand) {
			if row["sex"] == "Female" {
				row["income"] = "<=50K"
			}
		}, Want: `records of Female are negative, and of Male`},
		{Name: "several records of a person", Config: func(c *model.Config) { c.Record.Ignore = append(c.Record.Ignore, "customer_id") }, Change: func(i int, row map[string]string, _ *rand.Rand) {
			row["customer_id"] = fmt.Sprint("c", i*7%500)
		}, Want: `record: "customer_id" identifies persons, who have 2.4 records each on average`},
		{Name: "an attribute among the features", Config: func(c *model.Config) { c.Record.Features = []string{"age", "sex", "education"} }, Change: func(int, map[string]string, *rand.Rand) {}, Want: `record.features: "sex" is the attribute of a constraint, and a feature`},
		{Name: "rest with those whose group is not known", Config: func(c *model.Config) { c.Constraints[0].Versus = model.Values("rest") }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .1 {
				row["sex"] = "unknown"
			}
		}, Want: `record.missing: add "unknown" if it stands for "not known": the `},
		{Name: "weights that leave little", Config: func(c *model.Config) { c.Record.Weight = "w" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["w"] = "0"; random.Float64() < .1 {
				row["w"] = "1"
			}
		}, Want: `record.weight: with the weights in "w", 1200 records count as`},
		{Name: "weights of a survey", Config: func(c *model.Config) { c.Record.Weight = "w" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["w"] = fmt.Sprintf("%.3f", math.Exp(.7*random.NormFloat64()))
		}},
		{Name: "ranges of texts", Config: func(c *model.Config) {
			border := 40.
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"band"}, model.Group{{Range: &fairness.Range{Below: &border}}}, model.Group{{Range: &fairness.Range{From: &border}}}
		}, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["band"] = []string{"20-39", "40-59"}[random.IntN(2)]
		}, Want: `: ranges need numbers, and "band" holds texts`, Beside: "constraints"},
		{Name: "an amount as the weight", Config: func(c *model.Config) { c.Record.Weight = "loan_amount" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["loan_amount"] = fmt.Sprintf("%.2f", 1000*math.Exp(random.NormFloat64()/3))
		}, Want: `record.weight: "loan_amount" has the name of an amount`},
		{Name: "a weight", Config: func(c *model.Config) { c.Record.Weight = "survey_weight" }, Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["survey_weight"] = fmt.Sprintf("%.2f", 1000*math.Exp(random.NormFloat64()/3))
		}},
		{Name: "no constraint that is enforced", Config: func(c *model.Config) { c.Constraints[0].Enforce = &none }, Change: func(int, map[string]string, *rand.Rand) {}, Want: "constraints: none is enforced"},
		{Name: "no constraint", Config: func(c *model.Config) { c.Constraints = nil }, Change: func(int, map[string]string, *rand.Rand) {}, Want: "constraints: there is none"},
		{Name: "a group that is sometimes mistyped", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["sex"] == "Female" && random.Float64() < .1 {
				row["sex"] = "Femal"
			}
		}, Want: `constraints[0].attribute: Femal (`},
		{Name: "an age as the weight", Config: func(c *model.Config) { c.Record.Weight = "age" }, Change: func(int, map[string]string, *rand.Rand) {}, Want: `record.weight: "age" has the name of a protected attribute`},
		{Name: "groups with two letters of another alphabet", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["sex"] = strings.NewReplacer("a", "а", "e", "е").Replace(row["sex"])
			}
		}, Want: `constraints[0].attribute: "`},
		{Name: "groups with signs that are not seen", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["sex"] = "\u200b" + row["sex"] + "\u200b\u200d"
			}
		}, Want: `constraints[0].attribute: "\u200b`},
		{Name: "labels with a letter of another alphabet", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .3 {
				row["income"] = strings.ReplaceAll(row["income"], "K", "К")
			}
		}, Want: `record.label.positive: `},
		{Name: "strata of one group", Config: within("relationship"), Change: func(int, map[string]string, *rand.Rand) {}, Want: `of 6 values of "relationship" have nearly one of the two groups only`},
		{Name: "strata of both groups", Config: within("education"), Change: func(int, map[string]string, *rand.Rand) {}},
	})
}
