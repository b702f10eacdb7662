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
	effective          float64             // labelled records that those of the whole stream are worth
	claims, truths     []fairness.Estimate // by constraint, of the document and on the population
	claimed            fairness.Measure    // accuracy of the decisions that were made
	made               float64             // that on all records that came
	accuracy           float64             // of the last weights, on the population
	conditions         []document.Condition
	watched            []watched // by monitor
}

// pending is a record whose label comes later.
type pending struct {
	due    int
	number int64
	record record.Record
	made   model.Made
	levels []fairness.Level
}

// follow learns one stream.
func (p *plan) follow(s *selection, seed uint64) (outcome, error) {
	learner, err := model.New(p.config)
	if err != nil {
		return outcome{}, err
	}
	seen, err := newWatch(learner.Grouper())
	if err != nil {
		return outcome{}, err
	}
	random := rand.New(rand.NewPCG(seed, 1))
	chance := rand.New(rand.NewPCG(seed, 2)) // of labels, so that the records are those of every selection
	var late [2][]pending                    // by label, so that each is in the order in which labels are learnt
	var right, decided float64
	for at := range p.records + s.latest() {
		for i := range late {
			for len(late[i]) > 0 && late[i][0].due <= at {
				w := &late[i][0]
				if p.reject {
					learner.Learn(&w.record)
				} else {
					seen.label(w, learner.LearnLate(&w.record, w.number))
				}
				late[i] = late[i][1:]
			}
		}
		r := p.from.Draw(random, at)
		a := applicantOf(&r)
		if s.own {
			a.accepted = !learner.Ready() || learner.Decide(&r).Positive
		}
		bare := r
		bare.HasLabel, bare.Positive = false, false
		number := int64(at) + 1
		if learner.Ready() {
			decided++
			right += hit(learner.Decide(&r).Positive == r.Positive)
		}
		switch {
		case s.after != nil:
			var made model.Made
			if !p.reject {
				made = learner.Count(&bare, number)
				seen.observe(made, &r, learner.LastLevels(), false)
			}
			kind := 0
			if r.Positive {
				kind = 1
			}
			late[kind] = append(late[kind], pending{at + s.due(r.Positive), number, r, made, slices.Clone(learner.LastLevels())})
		case s.comes(chance, a):
			if s.own { // exploration knows it
				r.Propensity = s.known(a)
			}
			made := learner.Learn(&r)
			seen.observe(made, &r, learner.LastLevels(), true)
		case !p.reject:
			made := learner.Add(&bare)
			seen.observe(made, &r, learner.LastLevels(), false)
		}
	}
	o, err := measure(learner, p.from)
	o.made, o.watched = right/decided, seen.end()
	return o, err
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
	truth, m := evaluation.Report(), d.Measurements
	return outcome{labels: d.Records, unlabelled: d.Unlabelled, effective: m.Prequential.Accuracy.Effective, claims: d.Constraints,
		truths: truth.Constraints, claimed: m.Prequential.Accuracy, accuracy: truth.Accuracy.Value, conditions: slices.Clone(m.Conditions)}, nil
}
