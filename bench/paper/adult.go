package main

import (
	"encoding/csv"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/internal/adult"
)

// numericColumns of the Adult records are standardised; all others are one-hot.
var numericColumns = []string{"age", "education_num", "capital_gain", "capital_loss", "hours_per_week"}

// adultRecords returns the bundled records in the form of the paper, in an order drawn with the seed:
// standardised numbers, one-hot categories (a missing value is one of them), a constant 1. The sensitive
// attribute, the label and the census' sampling weight are no features. s+ is Male, y = +1 an income
// above 50,000 dollars.
//
// The quick version leaves out all categories but one column's.
func adultRecords(seed uint64, quick bool) ([]problems.Record, error) {
	rows, err := csv.NewReader(adult.Open()).ReadAll()
	if err != nil {
		return nil, err
	}
	header, rows := rows[0], rows[1:]
	label, group := slices.Index(header, "income"), slices.Index(header, "sex")
	records := make([]problems.Record, len(rows))
	for i, row := range rows {
		records[i] = problems.Record{Label: -1, Group: -1}
		if row[label] == ">50K" {
			records[i].Label = 1
		}
		if row[group] == "Male" {
			records[i].Group = 1
		}
	}
	for column, name := range header {
		switch {
		case column == label || column == group || name == "fnlwgt":
		case slices.Contains(numericColumns, name):
			if err := addStandardised(records, rows, column); err != nil {
				return nil, err
			}
		case !quick || name == "relationship":
			addOneHot(records, rows, column)
		}
	}
	for i := range records {
		records[i].X = append(records[i].X, 1)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	return records, nil
}

func addStandardised(records []problems.Record, rows [][]string, column int) error {
	values := make([]float64, len(rows))
	for i, row := range rows {
		v, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			return err
		}
		values[i] = v
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	for i, v := range values {
		records[i].X = append(records[i].X, (v-mean)/deviation)
	}
	return nil
}

func addOneHot(records []problems.Record, rows [][]string, column int) {
	var levels []string
	for _, row := range rows {
		levels = append(levels, row[column])
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	for i, row := range rows {
		at, _ := slices.BinarySearch(levels, row[column])
		one := make([]float64, len(levels))
		one[at] = 1
		records[i].X = append(records[i].X, one...)
	}
}
