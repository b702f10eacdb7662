package inspect_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// besides are mistakes that columns beside each other show, or names and single values; TestMeaning tries them.
func besides(t *testing.T) []planted {
	return []planted{
		{"a sign that half of the cases of the rarer label have", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["step"] = []string{"letter", "call", "none"}[random.IntN(3)]; row["income"] == ">50K" && random.Float64() < .5 {
				row["step"] = "invited"
			}
		}, `record.ignore: add "step" unless it is known before the label: of `, ""},
		{"a level that both labels have", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["step"] = "none"; random.Float64() < map[string]float64{">50K": .5, "<=50K": .02}[row["income"]] {
				row["step"] = "invited"
			}
		}, "", ""},
		{"a column that is emptied with the outcome", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < map[string]float64{">50K": .85, "<=50K": .3}[row["income"]] {
				row["employer"] = fmt.Sprint("e", random.IntN(5))
			}
		}, `record.ignore: add "employer" unless it is known before the label: `, ""},
		{"a column that is missing more often beside one label", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < map[string]float64{">50K": .8, "<=50K": .6}[row["income"]] {
				row["employer"] = fmt.Sprint("e", random.IntN(5))
			}
		}, "", ""},
		{"the mean for not known", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["wage"] = fmt.Sprintf("%.2f", 1000*random.Float64()); random.Float64() < .1 {
				row["wage"] = "512.33"
			}
		}, `record.missing: add "512.33" if it was filled in for "not known": "wage" is that in `, ""},
		{"a price that is frequent among few", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["price"] = fmt.Sprint(5 * random.IntN(60)); random.Float64() < .2 {
				row["price"] = "150"
			}
		}, "", ""},
		{"amounts in a currency of their own", nil, func(_ int, row map[string]string, random *rand.Rand) {
			amount := math.Exp(7 + .8*random.NormFloat64())
			if row["currency"] = "EUR"; random.Float64() < .2 {
				row["currency"], amount = "JPY", amount*163
			}
			row["amount"] = fmt.Sprintf("%.0f", amount)
		}, `record: where "currency" is JPY, the numbers of "amount" are about 1`, `record: "amount" holds two kinds of numbers`},
		{"amounts that are larger in one place", nil, func(_ int, row map[string]string, random *rand.Rand) {
			amount := math.Exp(7 + .8*random.NormFloat64())
			if row["place"] = "here"; random.Float64() < .2 {
				row["place"], amount = "there", amount*1.6
			}
			row["amount"] = fmt.Sprintf("%.0f", amount)
		}, "", ""},
		{"a field under two names", nil, func(i int, row map[string]string, random *rand.Rand) {
			row[[]string{"wage", "monthly_wage"}[i*2/sampleSize]] = fmt.Sprintf("%.2f", 1000*random.Float64())
		}, `record.renamed: no record has both "wage" and "monthly_wage"`, ""},
		{"texts under two names", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row[[]string{"place", "city"}[random.IntN(2)]] = fmt.Sprint("p", random.IntN(5))
		}, `record.renamed: no record has both "`, ""},
		{"two fields of which a record has one", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.IntN(2) == 0 {
				row["rent"] = fmt.Sprintf("%.2f", 300+500*random.Float64())
			} else {
				row["mortgage"] = fmt.Sprintf("%.2f", 600+900*random.Float64())
			}
		}, "", ""},
		{"cells that are one column off", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["a"], row["b"], row["c"] = fmt.Sprint("x", random.IntN(4)), fmt.Sprint("y", random.IntN(3)), fmt.Sprint("z", random.IntN(3))
			if random.Float64() < .05 {
				row["a"], row["b"], row["c"] = "", row["a"], row["b"]
			}
		}, ` are the cells of these records one column off`, ""},
		{"merged cells", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 0 {
				row["branch"] = fmt.Sprint("branch ", i/100%6)
			}
		}, `record: "branch" has a value in 12 of the first 1200 records only`, ""},
		{"a column that is mostly empty", nil, func(i int, row map[string]string, random *rand.Rand) {
			if i == 0 || random.Float64() < .02 {
				row["bonus"] = fmt.Sprint("kind ", random.IntN(2))
			}
		}, "", ""},
		{"labels that are not known yet", nil, func(_ int, row map[string]string, random *rand.Rand) {
			month := 1 + random.IntN(12)
			if row["granted_on"] = fmt.Sprintf("2025-%02d-%02d", month, 1+random.IntN(28)); month > 9 {
				row["income"] = "<=50K"
			}
		}, `by "granted_on" are all negative`, `record.ignore: add "granted_on"`},
		{"dates of any label", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["granted_on"] = fmt.Sprintf("2025-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28))
		}, `record.ignore: add "granted_on"`, ""},
		{"a group of one label", nil, func(_ int, row map[string]string, _ *rand.Rand) {
			if row["sex"] == "Female" {
				row["income"] = "<=50K"
			}
		}, `records of Female are negative, and of Male`, ""},
		{"the decision of today", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["decision"] = map[bool]string{true: "accept", false: "refer"}[noisy(random, row["income"] == ">50K", .25)]
		}, `record.ignore: add "decision" unless it is known before the label: it has the name of a decision`, ""},
		{"a prediction", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["predicted_class"] = fmt.Sprint(random.IntN(3))
		}, `record.ignore: add "predicted_class": it has the name of what a model says`, ""},
		{"only those who were accepted", nil, func(_ int, row map[string]string, _ *rand.Rand) {
			row["approved"] = "yes"
		}, `record: "approved" is the same in all 1200 records`, ""},
		{"a weight as a feature", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["sample_weight"] = fmt.Sprintf("%.3f", math.Exp(random.NormFloat64()))
		}, `record.weight: is it "sample_weight"?`, ""},
		{"the weight of a person", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["weight"] = fmt.Sprintf("%.1f", 70+10*random.NormFloat64())
		}, "", ""},
		{"records of trials", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%50 == 0 {
				row["workclass"] = "TEST"
			}
		}, `record: "workclass" is TEST in 24 records`, ""},
		{"yes and no in several ways", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["married"] = []string{"yes", "Y", "no", "N"}[random.IntN(4)]
		}, `record: "married" has yes and no in several spellings`, ""},
		{"ranges that became dates", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["persons"] = []string{"0", "01-Feb", "03-May", ">6"}[random.IntN(4)]
		}, `a spreadsheet makes such dates of ranges like 1-2`, ""},
		{"dates as numbers of a spreadsheet", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["opened"] = strconv.Itoa(44000 + random.IntN(1500))
		}, `record.ignore: add "opened": its numbers are probably dates of a spreadsheet`, ""},
		{"ages below zero", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .03 {
				row["age"] = "-" + row["age"]
			}
		}, `record: "age" goes from -`, ""},
		{"a century too late", nil, func(_ int, row map[string]string, random *rand.Rand) {
			born := 2025 - int(number(t, row, "age"))
			if random.Float64() < .03 {
				born += 100
			}
			row["birth_year"] = strconv.Itoa(born)
			delete(row, "age")
		}, `record: "birth_year" ranges from 19`, ""},
		{"never", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["closed"] = "9999-12-31"; random.Float64() < .5 {
				row["closed"] = fmt.Sprintf("2025-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28))
			}
		}, `record.missing: add "9999-12-31": "closed" is that in `, `record.ignore: add "closed": it looks like a time`},
		{"several records of a person", func(c *model.Config) { c.Record.Ignore = append(c.Record.Ignore, "customer_id") }, func(i int, row map[string]string, _ *rand.Rand) {
			row["customer_id"] = fmt.Sprint("c", i*7%500)
		}, `record: "customer_id" names each person in 2.4 records on average`, ""},
		{"an attribute among the features", func(c *model.Config) { c.Record.Features = []string{"age", "sex", "education"} }, func(int, map[string]string, *rand.Rand) {},
			`record.features: "sex" is the attribute of a constraint, and a feature`, ""},
		{"rest with those whose group is not known", func(c *model.Config) { c.Constraints[0].Versus = model.Values("rest") }, func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .1 {
				row["sex"] = "unknown"
			}
		}, `record.missing: add "unknown" if it stands for "not known": the `, ""},
		{"a column that stops", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["bureau"] = ""; i < sampleSize/2 {
				row["bureau"] = strconv.Itoa(300 + random.IntN(500))
			}
		}, `record: "bureau" has a value in the first fifth of the records and in none of the last`, ""},
		{"a column that starts", nil, func(i int, row map[string]string, random *rand.Rand) {
			if i >= sampleSize/2 {
				row["bureau"] = strconv.Itoa(300 + random.IntN(500))
			}
		}, `record: "bureau" has no value in the first fifth`, ""},
		{"a column that is rarely filled", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["bureau"] = ""; random.Float64() < .7-float64(i)/2000 {
				row["bureau"] = strconv.Itoa(300 + random.IntN(500))
			}
		}, "", ""},
		{"a number that stands still", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["index"] = "3.25"; i < 3*sampleSize/4 {
				row["index"] = fmt.Sprintf("%.3f", 3+random.Float64())
			}
		}, `record: "index" is a single number in the last fifth`, ""},
		{"other codes", nil, func(i int, row map[string]string, random *rand.Rand) {
			row["purpose"] = []string{"car", "house", "other"}[random.IntN(3)]
			if i >= sampleSize/2 {
				row["purpose"] = row["purpose"][:1]
			}
		}, `record: "purpose" has other texts in the last fifth`, ""},
		{"amounts with a wrong sign", nil, func(_ int, row map[string]string, random *rand.Rand) {
			amount := 1000 * math.Exp(random.NormFloat64()/2)
			if random.Float64() < .07 {
				amount = -amount
			}
			row["amount"] = fmt.Sprintf("%.2f", amount)
		}, ` numbers in "amount" are below 0, and without their sign`, ""},
		{"numbers about zero", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["balance"] = fmt.Sprintf("%.2f", 150+100*random.NormFloat64())
		}, "", ""},
		{"degrees of two scales", nil, func(_ int, row map[string]string, random *rand.Rand) {
			celsius := 37 + .7*random.NormFloat64()
			if random.Float64() < .3 {
				celsius = 1.8*celsius + 32
			}
			row["temperature"] = fmt.Sprintf("%.1f", celsius)
		}, `record: "temperature" holds two kinds of numbers`, ""},
		{"weights that leave little", func(c *model.Config) { c.Record.Weight = "w" }, func(_ int, row map[string]string, random *rand.Rand) {
			if row["w"] = "0"; random.Float64() < .1 {
				row["w"] = "1"
			}
		}, `record.weight: with the weights in "w", 1200 records count as`, ""},
		{"weights of a survey", func(c *model.Config) { c.Record.Weight = "w" }, func(_ int, row map[string]string, random *rand.Rand) {
			row["w"] = fmt.Sprintf("%.3f", math.Exp(.7*random.NormFloat64()))
		}, "", ""},
		{"lines with averages", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%100 == 99 {
				for _, name := range []string{"sex", "workclass", "occupation", "education", "marital_status"} {
					row[name] = ""
				}
				row["race"] = "Average"
			}
		}, `record: 12 records are probably sums of others`, ""},
		{"a text that one group has", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["leave"] = "no"; row["sex"] == "Female" && random.Float64() < .4 {
				row["leave"] = "yes"
			}
		}, `record.ignore: add "leave" if decisions must not depend on sex: of `, ""},
		{"what comes later", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["status_next_month"] = map[bool]string{true: "late", false: "current"}[noisy(random, row["income"] == ">50K", .2)]
		}, `record.ignore: add "status_next_month" unless it is known before the label: it has the name of something that comes later`, ""},
		{"ranges of texts", func(c *model.Config) {
			border := 40.
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"band"}, model.Group{{Range: &fairness.Range{Below: &border}}}, model.Group{{Range: &fairness.Range{From: &border}}}
		}, func(_ int, row map[string]string, random *rand.Rand) {
			row["band"] = []string{"20-39", "40-59"}[random.IntN(2)]
		}, `: ranges need numbers, and "band" holds texts`, "constraints"},
	}
}
