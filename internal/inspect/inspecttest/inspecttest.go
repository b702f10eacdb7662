// Package inspecttest plants mistakes in real records, for tests of the checks that find them.
//
// The files:
//
//	loans.go        made-up loans, and their configuration
//	inspecttest.go  mistakes planted in real records
package inspecttest

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/realsets"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Planted is a change of records, and what is to be found of it.
type Planted struct {
	Name   string
	Config func(c *model.Config)                                 // nil changes nothing
	Change func(i int, row map[string]string, random *rand.Rand) // of the i-th record
	Want   string                                                // of a finding; empty where there is to be none
	Says   string                                                // the same finding
	Beside string                                                // how another finding begins that is true, too
}

// SampleSize is how many records a sample has.
const SampleSize = 1200

// people are the bundled records, as texts by column.
var people = sync.OnceValues(func() (all []map[string]string, err error) {
	rows, err := csv.NewReader(adult.Open()).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, cells := range rows[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[rows[0][i]] = cell
		}
		all = append(all, row)
	}
	return all, nil
})

// Adults is the configuration of the bundled records.
func Adults() model.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "income", Positive: ">50K"}
	c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"), Tau: .05}}
	return c.WithDefaults().Model()
}

// AtOnce tries each mistake in samples of the bundled records, all beside each other: what is planted is found, and nothing else is.
func AtOnce(t *testing.T, tests []Planted) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			test.try(t)
		})
	}
}

// InTurn does so one after the other, for changes that share something.
func InTurn(t *testing.T, tests []Planted) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.Name, test.try)
	}
}

func (p Planted) try(t *testing.T) {
	c := Adults()
	if p.Config != nil {
		p.Config(&c)
	}
	for seed := range realsets.Samples(t, "2") {
		var found, others []string
		for _, f := range sampled(t, c, seed, p.Change) {
			if text := f.String(); p.Want != "" && strings.Contains(text, p.Want) && strings.Contains(text, p.Says) {
				found = append(found, text)
			} else if p.Beside == "" || !strings.HasPrefix(text, p.Beside) {
				others = append(others, text)
			}
		}
		if len(found) == 0 && p.Want != "" || len(others) > 0 {
			t.Errorf("sample %d: found %q, and beside it %q", seed, found, others)
		}
	}
}

// sampled is what is found in some of the people in a random order, each changed.
func sampled(t *testing.T, c model.Config, seed uint64, change func(i int, row map[string]string, random *rand.Rand)) []find.Finding {
	t.Helper()
	all, err := people()
	if err != nil {
		t.Fatal(err)
	}
	i, err := inspect.New(c)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 7))
	for n, at := range random.Perm(len(all))[:SampleSize] {
		row := maps.Clone(all[at])
		change(n, row, random)
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		_ = i.Add(line)
	}
	return i.Findings()
}

// Number is the number in a field.
func Number(t *testing.T, row map[string]string, name string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(row[name], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Noisy is the truth, but for a share of the cases.
func Noisy(random *rand.Rand, truth bool, share float64) bool {
	return truth != (random.Float64() < share)
}
