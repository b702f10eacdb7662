package main

import (
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// outcome is the last document of one stream.
type outcome struct {
	labels, unlabelled int64
	claims, truths     []fairness.Estimate // by constraint, of the document and on the population
	accuracy           fairness.Measure
	conditions         []document.Condition
}

// pending is a record whose label comes later.
type pending struct {
	due    int
	number int64
	record record.Record
}

// follow learns one stream of so many records.
func follow(c model.Config, from population.Source, s selection, records int, seed uint64, count bool) (outcome, error) {
	learner, err := model.New(c)
	if err != nil {
		return outcome{}, err
	}
	random := rand.New(rand.NewPCG(seed, 1))
	chance := rand.New(rand.NewPCG(seed, 2)) // of labels, so that the records are those of every selection
	var waiting []pending
	for at := range records {
		waiting = slices.DeleteFunc(waiting, func(w pending) bool {
			switch {
			case w.due > at:
				return false
			case count:
				learner.LearnLate(&w.record, w.number)
			default:
				learner.Learn(&w.record)
			}
			return true
		})
		r := from.Draw(random, at)
		a := applicantOf(&r)
		if s.own {
			a.accepted = !learner.Ready() || learner.Decide(&r).Positive
		}
		bare := r
		bare.HasLabel, bare.Positive = false, false
		number := int64(at) + 1
		switch {
		case s.after != nil:
			if count {
				learner.Count(&bare, number)
			}
			waiting = append(waiting, pending{at + s.after(r.Positive), number, r})
		case s.comes(chance, a):
			learner.Learn(&r)
		case count:
			learner.Add(&bare)
		}
	}
	return measure(learner, from)
}

func measure(learner *model.Learner, from population.Source) (outcome, error) {
	d, err := learner.Document()
	if err != nil {
		return outcome{}, err
	}
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return outcome{}, err
	}
	for i := range from.Truth {
		evaluation.Add(&from.Truth[i])
	}
	truth := evaluation.Report()
	return outcome{labels: d.Records, unlabelled: d.Unlabelled, claims: d.Constraints, truths: truth.Constraints,
		accuracy: truth.Accuracy, conditions: d.Measurements.Conditions}, nil
}
