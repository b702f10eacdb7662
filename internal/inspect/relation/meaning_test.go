package relation_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
)

// TestMeaning: in each sample of real records, what is planted is found, and nothing else is.
func TestMeaning(t *testing.T) {
	amounts := func(row map[string]string, random *rand.Rand) {
		row["wage"] = fmt.Sprintf("%.2f", math.Exp(10+.4*random.NormFloat64()))
		row["loan"] = fmt.Sprintf("%.2f", math.Exp(8.5+.4*random.NormFloat64()))
	}
	exchange := func(row map[string]string) { row["wage"], row["loan"] = row["loan"], row["wage"] }
	branch := func(row map[string]string, random *rand.Rand) string {
		row["branch"] = []string{"north", "south", "east", "west"}[random.IntN(4)]
		return row["branch"]
	}
	var before map[string]string // the record that the next one contradicts
	var late map[string]string   // the columns of the record before
	var loan map[string]string   // the first record of a loan
	inspecttest.AtOnce(t, []inspecttest.Planted{
		{Name: "two columns of texts that are exchanged half-way", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i >= inspecttest.SampleSize/2 {
				row["workclass"], row["marital_status"] = row["marital_status"], row["workclass"]
			}
		}, Want: `are swapped on the way`},
		{Name: "two columns of numbers that are exchanged half-way", Change: func(i int, row map[string]string, random *rand.Rand) {
			row["weight"], row["height"] = fmt.Sprint(50+50*random.Float64()), fmt.Sprint(150+50*random.Float64())
			if i >= inspecttest.SampleSize/2 {
				row["weight"], row["height"] = row["height"], row["weight"]
			}
		}, Want: `are swapped on the way`},
		{Name: "amounts in a currency of their own", Change: func(_ int, row map[string]string, random *rand.Rand) {
			amount := math.Exp(7 + .8*random.NormFloat64())
			if row["currency"] = "EUR"; random.Float64() < .2 {
				row["currency"], amount = "JPY", amount*163
			}
			row["amount"] = fmt.Sprintf("%.0f", amount)
		}, Want: `record: where "currency" is JPY, the numbers of "amount" are about 1`, Beside: `record: "amount" holds two kinds of numbers`},
		{Name: "amounts that are larger in one place", Change: func(_ int, row map[string]string, random *rand.Rand) {
			amount := math.Exp(7 + .8*random.NormFloat64())
			if row["place"] = "here"; random.Float64() < .2 {
				row["place"], amount = "there", amount*1.6
			}
			row["amount"] = fmt.Sprintf("%.0f", amount)
		}},
		{Name: "a field under two names", Change: func(i int, row map[string]string, random *rand.Rand) {
			row[[]string{"wage", "monthly_wage"}[i*2/inspecttest.SampleSize]] = fmt.Sprintf("%.2f", 1000*random.Float64())
		}, Want: `record.renamed: no record has both "wage" and "monthly_wage"`},
		{Name: "texts under two names", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row[[]string{"place", "city"}[random.IntN(2)]] = fmt.Sprint("p", random.IntN(5))
		}, Want: `record.renamed: no record has both "`},
		{Name: "two fields of which a record has one", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if random.IntN(2) == 0 {
				row["rent"] = fmt.Sprintf("%.2f", 300+500*random.Float64())
			} else {
				row["mortgage"] = fmt.Sprintf("%.2f", 600+900*random.Float64())
			}
		}},
		{Name: "cells that are one column off", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["a"], row["b"], row["c"] = fmt.Sprint("x", random.IntN(4)), fmt.Sprint("y", random.IntN(3)), fmt.Sprint("z", random.IntN(3))
			if random.Float64() < .05 {
				row["a"], row["b"], row["c"] = "", row["a"], row["b"]
			}
		}, Want: ` are the cells of these records one column off`},
		{Name: "amounts that are exchanged in one branch", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); branch(row, random) == "east" {
				exchange(row)
			}
		}, Want: `record: where "branch" is east, "`},
		{Name: "amounts that are exchanged in some records", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["north"], row["east"] = fmt.Sprintf("%.5f", 47+8*random.Float64()), fmt.Sprintf("%.5f", 6+9*random.Float64())
			if random.Float64() < .05 {
				row["north"], row["east"] = row["east"], row["north"]
			}
		}, Want: ` seem to be swapped: each contains what the other contains elsewhere`},
		{Name: "amounts of which the smaller is sometimes the larger", Change: func(_ int, row map[string]string, random *rand.Rand) {
			row["wage"] = fmt.Sprintf("%.2f", math.Exp(10+.5*random.NormFloat64()))
			row["loan"] = fmt.Sprintf("%.2f", math.Exp(9+.5*random.NormFloat64()))
			branch(row, random)
		}},
		{Name: "a branch with large loans", Change: func(_ int, row map[string]string, random *rand.Rand) {
			if amounts(row, random); branch(row, random) == "east" {
				row["loan"] = fmt.Sprintf("%.2f", 6*inspecttest.Number(t, row, "loan"))
			}
		}, Beside: `record: where "branch" is east, the numbers of "loan" are about `},
		{Name: "records that a join repeated", Change: func(i int, row map[string]string, random *rand.Rand) {
			if i%3 == 0 {
				amounts(row, random)
				late = maps.Clone(row)
			}
			maps.Copy(row, late)
			row["payment"], row["paid"] = fmt.Sprintf("%.2f", 100*random.Float64()), fmt.Sprintf("%.2f", 100*random.Float64())
		}, Want: ` of another record, and agree with it in `},
		{Name: "records with the other label", Change: func(i int, row map[string]string, _ *rand.Rand) {
			if i%6 == 5 {
				for name, text := range before {
					row[name] = text
				}
				row["income"] = map[string]string{">50K": "<=50K", "<=50K": ">50K"}[row["income"]]
			}
			before = row
		}, Want: `record.label.field: `},
		{Name: "an amount in two currencies", Change: func(_ int, row map[string]string, random *rand.Rand) {
			amount := 1000 * math.Exp(random.NormFloat64())
			row["usd"], row["eur"] = fmt.Sprintf("%.2f", amount), fmt.Sprintf("%.2f", .92*amount)
		}, Want: `record.ignore: add "eur" or "usd": the second follows from the first (about 1.09 times it)`},
		{Name: "a year of birth beside an age", Change: func(_ int, row map[string]string, _ *rand.Rand) {
			age, _ := strconv.Atoi(row["age"])
			row["born"] = strconv.Itoa(1996 - age)
		}, Want: `record.ignore: add "age" or "born": the second follows from the first in all`},
		{Name: "two amounts that go together", Change: func(_ int, row map[string]string, random *rand.Rand) {
			amount := 1000 * math.Exp(random.NormFloat64())
			row["net"], row["gross"] = fmt.Sprintf("%.2f", amount), fmt.Sprintf("%.2f", amount*(1.2+.4*random.Float64()))
		}},
		{Name: "three records of each loan", Change: func(i int, row map[string]string, random *rand.Rand) {
			if i%3 == 0 {
				loan = maps.Clone(row)
				loan["fnlwgt"] = fmt.Sprint(i)
			}
			maps.Copy(row, loan)
			row["paid"] = fmt.Sprint(random.IntN(1000))
		}, Want: `record: 800 of the first 1200 records are the same as an earlier one in every field but "paid"`},
	})
}
