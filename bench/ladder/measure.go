package main

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// result is what one row makes of one stream.
type result struct {
	error, difference float64 // of the last weights, on the population
	met               bool    // the verdict of the last document
	conditions        int     // of the last document
	recovery          float64 // records after the change until the difference stays within tau + 0.02; not a number without a change
	seconds           float64 // of learning
}

// looks is how often a stream with a change is looked at after it.
const looks = 20

// measure returns the results by run and row. The rows of a run learn the same records, one row after the other.
func (s study) measure(from stream, rungs []rung) ([][]result, error) {
	runs := make([][]result, s.runs)
	for run := range runs {
		for _, r := range rungs {
			config, err := r.apply(from.config(s.tau).WithDefaults())
			if err != nil {
				return nil, err
			}
			result, err := s.learn(from, config, s.seed+uint64(run))
			if err != nil {
				return nil, err
			}
			runs[run] = append(runs[run], result)
		}
	}
	return runs, nil
}

func (s study) learn(from stream, c model.Config, seed uint64) (r result, err error) {
	learner, err := model.New(c)
	if err != nil {
		return r, err
	}
	random := rand.New(rand.NewPCG(seed, 1))
	r.recovery = math.NaN()
	if from.change > 0 {
		r.recovery = 0
	}
	every := max(1, (from.records-from.change)/looks)
	for i := range from.records {
		next := from.population.draw
		if from.next != nil {
			next = func(random *rand.Rand) *record.Record { return from.next(random, i) }
		}
		one := next(random)
		started := time.Now()
		learner.Learn(one)
		r.seconds += time.Since(started).Seconds()
		if after := i + 1 - from.change; from.change > 0 && after > 0 && after%every == 0 {
			_, difference, _, err := truth(learner, &from.later)
			if err != nil {
				return r, err
			}
			if math.Abs(difference) > s.tau+.02 {
				r.recovery = float64(after)
			}
		}
	}
	people := &from.population
	if from.change > 0 {
		people = &from.later
	}
	var d *document.Document
	r.error, r.difference, d, err = truth(learner, people)
	if err != nil {
		return r, err
	}
	r.met, r.conditions = d.Constraints[0].Status == fairness.Met, len(d.Measurements.Conditions)
	return r, nil
}

// truth is what the learner's weights make of a population.
func truth(learner *model.Learner, people *population) (errorRate, difference float64, d *document.Document, err error) {
	d, err = learner.Document()
	if err != nil {
		return 0, 0, nil, err
	}
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return 0, 0, nil, err
	}
	for i := range people.all {
		evaluation.Add(&people.all[i])
	}
	report := evaluation.Report()
	return 1 - report.Accuracy.Value, report.Constraints[0].Value, d, nil
}
