package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

const (
	// mostSilent is the share of runs that may be silent, and mostAlarms that of steady runs that may have a condition.
	mostSilent = 2. / 60
	mostAlarms = .05
)

const tableHead = "| case | runs | true difference, mean abs | beyond tau | met | beyond and met | silent | named | any condition | codes |\n|---|---|---|---|---|---|---|---|---|---|\n"

// found is what came of the runs of a case.
type found struct {
	scenario                                        *scenario
	runs                                            int
	size                                            float64 // mean absolute true difference
	beyond, met, beyondAndMet, silent, named, alarm int
	codes                                           map[document.ConditionCode]int
}

func (c *scenario) measure(runs int) (found, error) {
	f := found{scenario: c, codes: map[document.ConditionCode]int{}}
	from, err := c.open(c.config)
	if err != nil {
		return f, err
	}
	for seed := range runs {
		d, err := c.learn(from, uint64(seed))
		if err != nil {
			return f, err
		}
		if err := f.add(d, from); err != nil {
			return f, err
		}
	}
	return f, nil
}

// learn is one stream.
func (c *scenario) learn(from population.Source, seed uint64) (*document.Document, error) {
	learner, err := model.New(c.config)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 3))
	for at := range c.records {
		r := from.Draw(random, at)
		learner.Learn(&r)
	}
	return learner.Document()
}

func (f *found) add(d *document.Document, from population.Source) error {
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return err
	}
	for i := range from.Truth {
		evaluation.Add(&from.Truth[i])
	}
	truth, claim := evaluation.Report().Constraints[0], d.Constraints[0]
	deviation := math.Sqrt(truth.RateGroup*(1-truth.RateGroup)/truth.EffectiveGroup + truth.RateVersus*(1-truth.RateVersus)/truth.EffectiveVersus)
	f.runs++
	f.size += math.Abs(truth.Value)
	beyond := math.Abs(truth.Value) > claim.Tau+2*deviation
	met := claim.Status == fairness.Met
	named := false
	seen := map[document.ConditionCode]bool{}
	for _, condition := range d.Measurements.Conditions {
		named = named || slices.Contains(f.scenario.causes, condition.Code)
		if !seen[condition.Code] {
			f.codes[condition.Code]++
		}
		seen[condition.Code] = true
	}
	count(&f.beyond, beyond)
	count(&f.met, met)
	count(&f.beyondAndMet, beyond && met)
	count(&f.silent, beyond && met && !named)
	count(&f.named, named)
	count(&f.alarm, len(seen) > 0)
	return nil
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}

// passes says whether the case meets its bar.
func (f *found) passes() bool {
	if f.scenario.causes == nil {
		return float64(f.alarm) <= mostAlarms*float64(f.runs)
	}
	return float64(f.silent) <= mostSilent*float64(f.runs)
}

func (f *found) row() string {
	var codes []string
	for _, code := range slices.Sorted(maps.Keys(f.codes)) {
		codes = append(codes, fmt.Sprintf("%s %d", code, f.codes[code]))
	}
	return fmt.Sprintf("| %s | %d | %.4f | %d | %d | %d | %d | %d | %d | %s |\n", f.scenario.name, f.runs, f.size/float64(f.runs),
		f.beyond, f.met, f.beyondAndMet, f.silent, f.named, f.alarm, strings.Join(codes, ", "))
}
