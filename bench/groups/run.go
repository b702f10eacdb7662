package main

import (
	"io"
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/bench/optimum"
	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const folds = 5

// study says which records are learnt from and which are held out, how often.
type study struct{ orders, optimum, records int }

// outcome is one holdout: what the document claims, what its records show, with constraints and without, and the optimum on the
// same records if it was computed.
type outcome struct {
	claims       []fairness.Estimate
	report, free document.Report
	optimum      *optimum.Curve
}

// measure makes every run of a scenario.
func (s study) measure(of scenario) (outcomes []outcome, err error) {
	config := of.config()
	var from io.Reader = adult.Open()
	if of.world != nil {
		from = of.world.open()
	}
	records, err := records.First(config, from, s.records)
	if err != nil {
		return nil, err
	}
	for order := range s.orders {
		places := rand.New(rand.NewPCG(1, uint64(order))).Perm(len(records))
		for fold := range folds {
			var train, test []*record.Record
			for i, k := range places {
				if i%folds == fold {
					test = append(test, &records[k])
				} else {
					train = append(train, &records[k])
				}
			}
			one, err := once(config, train, test, of.pair && order < s.optimum)
			if err != nil {
				return nil, err
			}
			outcomes = append(outcomes, one)
		}
	}
	return outcomes, nil
}

// once learns in one pass and measures on the records held out.
func once(config model.Config, train, test []*record.Record, withOptimum bool) (o outcome, err error) {
	learner, err := model.New(config)
	if err != nil {
		return o, err
	}
	for _, r := range train {
		learner.Learn(r)
	}
	doc, err := learner.Document()
	if err != nil {
		return o, err
	}
	free, _, err := learner.UnconstrainedDocument()
	if err != nil {
		return o, err
	}
	o.claims = doc.Constraints
	if o.report, err = evaluate(doc, test); err != nil {
		return o, err
	}
	if o.free, err = evaluate(free, test); err != nil || !withOptimum {
		return o, err
	}
	o.optimum, err = optimum.New(config, doc, train, test, math.Inf(-1))
	return o, err
}

func evaluate(doc *document.Document, records []*record.Record) (document.Report, error) {
	evaluation, err := document.NewEvaluation(doc)
	if err != nil {
		return document.Report{}, err
	}
	for _, r := range records {
		evaluation.Add(r)
	}
	return evaluation.Report(), nil
}
