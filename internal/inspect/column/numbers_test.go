package column_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestMeaningOfNumbers: in each sample of real records, what is planted is found, and nothing else is.
func TestMeaningOfNumbers(t *testing.T) {
	amounts := func(row map[string]string, random *rand.Rand) {
		row["wage"] = fmt.Sprintf("%.2f", math.Exp(10+.4*random.NormFloat64()))
		row["loan"] = fmt.Sprintf("%.2f", math.Exp(8.5+.4*random.NormFloat64()))
	}
	missing := func(texts ...record.Text) func(c *model.Config) {
		return func(c *model.Config) { c.Record.Missing = append([]record.Text{"", "?"}, texts...) }
	}
	inspecttest.AtOnce(t, []inspecttest.Planted{
		{Name: "numbers below zero, the lowest often", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["balance"] = strconv.Itoa(random.IntN(2000) - 999)
			if random.Float64() < .05 {
				row["balance"] = "-999"
			}
		}},
		{Name: "-999", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .05 {
				row["age"] = "-999"
			}
		}, Want: `record.missing: add "-999" if it stands for "not known": "age"`},
		{Name: "9999", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .05 {
				row["hours_per_week"] = "9999"
			}
		}, Want: `record.missing: add "9999" if it stands for "not known": "hours_per_week"`},
		{Name: "0 for not known", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .1 {
				row["age"] = "0"
			}
		}, Want: `record.missing: add "0" if it stands for "not known": "age" is 0 in`},
		{Name: "two units in one column", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["wage"] = fmt.Sprint(20000 + 60000*random.Float64())
			if random.Float64() < .2 {
				row["wage"] = fmt.Sprint(20 + 60*random.Float64())
			}
		}, Want: `record: "wage" holds two kinds of numbers`},
		{Name: "per cent and shares in one column", Change: func(_ int, row map[string]string, random *rand.Rand) {
			rate := .01 + .19*random.Float64()
			if random.IntN(10) == 0 {
				rate *= 100
			}
			row["rate"] = fmt.Sprintf("%.4g", rate)
		}, Want: `record: "rate" holds two kinds of numbers`},
		{Name: "two kinds that differ by no unit", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["load"] = fmt.Sprintf("%.4g", 10+random.Float64()); random.IntN(2) == 0 {
				row["load"] = fmt.Sprintf("%.4g", 40+60*random.Float64())
			}
		}},
		{Name: "a second kind that is rare", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["load"] = fmt.Sprintf("%.4g", 10+10*random.Float64()); random.IntN(12) == 0 {
				row["load"] = fmt.Sprintf("%.4g", 60+5*random.Float64())
			}
		}},
		{Name: "points between thousands", Change: func(_ int, row map[string]string, random *rand.Rand) {
			debt := int(math.Exp(5 + 6*random.Float64()))
			if row["debt"] = strconv.Itoa(debt); debt >= 1000 && debt < 1000000 {
				row["debt"] = fmt.Sprintf("%d.%03d", debt/1000, debt%1000)
			}
		}, Want: `record.csv.thousands:`},
		{Name: "numbers with three decimals", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["share"] = strconv.FormatFloat(math.Round(100000*random.Float64())/1000, 'f', -1, 64)
		}},
		{Name: "the mean for not known", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["wage"] = fmt.Sprintf("%.2f", 1000*random.Float64()); random.Float64() < .1 {
				row["wage"] = "512.33"
			}
		}, Want: `record.missing: add "512.33" if it was filled in for "not known": "wage" is that in `},
		{Name: "the mean of ages for not known", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .12 {
				row["age"] = "38.6"
			}
		}, Want: `record.missing: add "38.6" if it was filled in for "not known": "age" is that in `},
		{Name: "-9 among few counts", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["children"] = fmt.Sprint(random.IntN(4)); random.Float64() < .04 {
				row["children"] = "-9"
			}
		}, Want: `record.missing: add "-9" if it stands for "not known": "children" is -9 in`},
		{Name: "-1 among few levels", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["step"] = fmt.Sprint(random.IntN(4) - 1)
		}},
		{Name: "a price that is frequent among few", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["price"] = fmt.Sprint(5 * random.IntN(60)); random.Float64() < .2 {
				row["price"] = "150"
			}
		}},
		{Name: "amounts with a wrong sign", Change: func(_ int, row map[string]string, random *rand.Rand) {
			amount := 1000 * math.Exp(random.NormFloat64()/2)
			if random.Float64() < .07 {
				amount = -amount
			}
			row["amount"] = fmt.Sprintf("%.2f", amount)
		}, Want: ` numbers in "amount" are below 0, and without their sign`},
		{Name: "numbers about zero", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["balance"] = fmt.Sprintf("%.2f", 150+100*random.NormFloat64())
		}},
		{Name: "degrees of two scales", Change: func(_ int, row map[string]string, random *rand.Rand) {
			celsius := 37 + .7*random.NormFloat64()
			if random.Float64() < .3 {
				celsius = 1.8*celsius + 32
			}
			row["temperature"] = fmt.Sprintf("%.1f", celsius)
		}, Want: `record: "temperature" holds two kinds of numbers`},
		{Name: "degrees of two scales from the middle on", Change: func(i int, row map[string]string, random *rand.Rand) {
			celsius := 37 + .7*random.NormFloat64()
			if i > inspecttest.SampleSize/2 && random.Float64() < .4 {
				celsius = 1.8*celsius + 32
			}
			row["temperature"] = fmt.Sprintf("%.1f", celsius)
		}, Want: `record: "temperature" holds two kinds of numbers: of `, Says: "from all parts of the records"},
		{Name: "amounts that a field of 16 bits has cut off", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["price"] = strconv.Itoa(min(32767, int(math.Exp(9.5+random.NormFloat64()/2))))
		}, Want: `numbers in "price" are 32767, the largest that a field of 16 bits holds`},
		{Name: "cents in one record of fifty", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); random.Float64() < .03 {
				row["loan"] = fmt.Sprintf("%.0f", 100*inspecttest.Number(t, row, "loan"))
			}
		}, Want: `have the distribution of the others, times 100`},
		{Name: "amounts with a long tail", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["loan"] = fmt.Sprintf("%.2f", 100*math.Pow(random.Float64(), -.8))
		}},
		{Name: "a word that means something among those for not known", Config: missing("Self-emp-not-inc", "Private", "not stated"), Change: func(int, map[string]string, *rand.Rand) {}, Want: `record.missing: Private is the value of "workclass" in`},
		{Name: "a number of children that counts as not known", Config: missing("0"), Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["children"] = strconv.Itoa(random.IntN(4))
		}, Want: `record.missing: 0 is the value of "children" in`, Beside: "record.missing"},
		{Name: "codes for not known", Config: missing("99", "XX", "not stated"), Change: func(_ int, row map[string]string, random *rand.Rand) {
			if row["children"] = strconv.Itoa(random.IntN(4)); random.IntN(10) == 0 {
				row["children"] = "99"
			}
			if random.IntN(10) == 0 {
				row["race"] = []string{"XX", "not stated"}[random.IntN(2)]
			}
		}},
		{Name: "an age of 0 in a group", Config: young, Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .06 {
				row["age"] = "0"
			}
		}, Want: `record.missing: add "0" if it stands for "not known": "age" is 0 in `},
		{Name: "an age of 999 in a group", Config: young, Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.Float64() < .06 {
				row["age"] = "999"
			}
		}, Want: `record.missing: add "999" if it stands for "not known": "age" is 999 in `},
		{Name: "a field of 16 bits that begins again", Change: func(_ int, row map[string]string, _ *rand.Rand) {
			row["fnlwgt"] = strconv.Itoa(int(int16(int(inspecttest.Number(t, row, "fnlwgt")))))
		}, Want: `record: the numbers of "fnlwgt" fill the range of a field of 16 bits`, Beside: `record: "fnlwgt" `},
		{Name: "numbers that are cut off", Change: func(_ int, row map[string]string, _ *rand.Rand) {
			row["fnlwgt"] = fmt.Sprint(min(inspecttest.Number(t, row, "fnlwgt"), 250000))
		}, Want: ` numbers in "fnlwgt" are 250000, and none is larger: were larger ones capped?`},
		{Name: "shares of which many are all", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["paid"] = fmt.Sprintf("%.3f", min(1, 1.3*random.Float64()))
		}},
		{Name: "an amount of 10^12 in a few records", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["amount"] = fmt.Sprintf("%.2f", 1000*math.Exp(random.NormFloat64()))
			if random.Float64() < .005 {
				row["amount"] = fmt.Sprint(1e12 * (1 + random.Float64()))
			}
		}, Want: `record: `, Says: `000000000 or more, and all others below `},
		{Name: "amounts of all sizes", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["amount"] = fmt.Sprintf("%.2f", 1000*math.Exp(4*random.NormFloat64()))
		}},
	})
}

// young compares those under 40 with the others.
func young(c *model.Config) {
	border := 40.
	c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"age"}, model.Group{{Range: &fairness.Range{Below: &border}}}, model.Group{{Range: &fairness.Range{From: &border}}}
}
