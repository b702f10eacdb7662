package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// parts is how many parts the records are cut into; each is held out once.
const parts = 5

// file is the records, as the learner and as the reference take them.
type file struct {
	records         []record.Record
	columns         [][]string
	labels, members []bool
}

func open(path, group, versus string) (f file, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return f, err
	}
	source, err := population.File(population.FileConfig(.05, group, versus), bytes.NewReader(text))
	if err != nil {
		return f, err
	}
	f.records = source.Truth
	table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return f, err
	}
	if len(table) != len(f.records)+1 {
		return f, fmt.Errorf("%s: %d rows, of which %d are records of the learner", path, len(table)-1, len(f.records))
	}
	for j, name := range table[0] {
		column := make([]string, len(f.records))
		for i := range column {
			column[i] = table[i+1][j]
		}
		switch name {
		case "label":
			f.labels = equal(column, "1")
		case "attribute":
			f.members = equal(column, group)
		default:
			f.columns = append(f.columns, column)
		}
	}
	return f, nil
}

func equal(column []string, value string) []bool {
	is := make([]bool, len(column))
	for i, text := range column {
		is[i] = text == value
	}
	return is
}

// cut returns the records of one part of a split, and the others, in random order.
func (f *file) cut(seed uint64, split, part int) (train, test []int) {
	for i, k := range rand.New(rand.NewPCG(seed, uint64(split))).Perm(len(f.records)) {
		if i%parts == part {
			test = append(test, k)
		} else {
			train = append(train, k)
		}
	}
	return train, test
}

// outcome is the mean over the parts of a split.
type outcome struct{ wrong, difference float64 } // shares: wrong decisions, and the difference of positive decisions

func (o *outcome) add(wrong, difference float64) {
	o.wrong += wrong / parts
	o.difference += difference / parts
}

// learn learns the other parts once, for each part.
func (f *file) learn(c model.Config, seed uint64, split int) (mean outcome) {
	for part := range parts {
		train, test := f.cut(seed, split, part)
		learner := must(model.New(c))
		for _, k := range train {
			learner.Learn(&f.records[k])
		}
		evaluation := must(document.NewEvaluation(must(learner.Document())))
		for _, k := range test {
			evaluation.Add(&f.records[k])
		}
		report := evaluation.Report()
		mean.add(1-report.Accuracy.Value, report.Constraints[0].Value)
	}
	return mean
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// multipliers are those that the reference is taken at.
const (
	multipliers    = 161
	mostMultiplier = .4
)

// reference is that of a split, by multiplier.
type reference [multipliers]outcome

func (f *file) reference(seed uint64, split int) (r reference) {
	for part := range parts {
		train, test := f.cut(seed, split, part)
		benefit, cost := plugIn(f.columns, train, f.labels, f.members)
		f.sweep(&r, test, benefit, cost, mostMultiplier)
	}
	return r
}

func (f *file) measure(test []int, positive func(i int) bool) (wrong, difference float64) {
	var yes, all [2]float64
	for _, i := range test {
		side := 1
		if f.members[i] {
			side = 0
		}
		decision := positive(i)
		all[side]++
		if decision {
			yes[side]++
		}
		if decision != f.labels[i] {
			wrong++
		}
	}
	return wrong / float64(len(test)), yes[0]/all[0] - yes[1]/all[1]
}

// between returns a place and a part of the way to the next one: of the multipliers at which the mean difference of the references is the given one, the
// lowest. If it is at none, the place is the one that comes nearest, and left is how far it is off.
func between(references []reference, difference float64) (place int, part, left float64) {
	var off [multipliers]float64
	for at := range off {
		for i := range references {
			off[at] += (references[i][at].difference - difference) / float64(len(references))
		}
		if math.Abs(off[at]) < math.Abs(off[place]) {
			place = at
		}
	}
	for at := range multipliers - 1 {
		if here, next := off[at], off[at+1]; here != next && here*next <= 0 {
			return at, here / (here - next), 0
		}
	}
	return place, 0, math.Abs(off[place])
}

// wrongAt is the share of wrong decisions part of the way from a multiplier to the next one.
func (r *reference) wrongAt(place int, part float64) float64 {
	return (1-part)*r[place].wrong + part*r[min(place+1, multipliers-1)].wrong
}

// write compares with the reference between the multipliers at which its mean difference over all splits is that of the learner.
func write(out io.Writer, tau float64, results []outcome, references []reference) error {
	n := float64(len(results))
	var mean, square outcome
	within := 0
	for _, r := range results {
		mean.wrong += r.wrong / n
		mean.difference += r.difference / n
		square.difference += r.difference * r.difference / n
		if math.Abs(r.difference) <= tau {
			within++
		}
	}
	place, part, left := between(references, mean.difference)
	above, aboveSquare := 0.0, 0.0
	for i := range results {
		d := results[i].wrong - references[i].wrongAt(place, part)
		above += d / n
		aboveSquare += d * d / n
	}
	deviation := func(mean, square float64) float64 { return math.Sqrt(max(0, square-mean*mean) * n / (n - 1)) }
	_, err := fmt.Fprintf(out, "| %.2f | %.4f | %+.4f | %.4f | %.2f | %+.4f (%.4f), difference %+.4f off |\n", tau, mean.wrong, mean.difference,
		deviation(mean.difference, square.difference), float64(within)/n, above, deviation(above, aboveSquare)/math.Sqrt(n), left)
	return err
}
