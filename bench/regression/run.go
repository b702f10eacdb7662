package main

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// allFolds is how many parts the records are cut into; each is held out once.
const allFolds = 5

// held is one pass over the records of a fold, measured on those held out, and the batch optimum beside it.
type held struct {
	tau      float64 // in units of the label
	spread   float64 // standard deviation of the labels
	report   document.Report
	same     measured // batch optimum with the difference on the learnt records that the pass has there
	atTau    measured // batch optimum with the difference tau on the learnt records
	standard float64  // standard error of the report's difference
	aim      float64  // the difference that was aimed at: tau less the margin
}

// measure makes every run of a bound, as many at a time as there are processors.
func (o options) measure(d dataset, records []record.Record, tau float64) ([]held, error) {
	runs, problems := make([]held, o.splits*o.folds), make([]error, o.splits*o.folds)
	places := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for at := range places {
				runs[at], problems[at] = o.once(d, records, tau, at/o.folds, at%o.folds)
			}
		})
	}
	for at := range runs {
		places <- at
	}
	close(places)
	workers.Wait()
	return runs, errors.Join(problems...)
}

// once learns four folds in one pass, in an order of chance, and measures the fifth.
func (o options) once(d dataset, records []record.Record, tau float64, split, fold int) (held, error) {
	order := rand.New(rand.NewPCG(o.seed, uint64(split))).Perm(len(records))
	var train, test []*record.Record
	for i, k := range order {
		if i%allFolds == fold {
			test = append(test, &records[k])
		} else {
			train = append(train, &records[k])
		}
	}
	h := held{spread: spread(records)}
	h.tau = tau * h.spread
	learner, err := model.New(d.config(o, h.tau))
	if err != nil {
		return h, err
	}
	for _, r := range train {
		learner.Learn(r)
	}
	doc, err := learner.Document()
	if err != nil {
		return h, err
	}
	if h.report, err = evaluate(doc, test); err != nil {
		return h, err
	}
	e := h.report.Constraints[0]
	h.standard = math.Sqrt(e.SDGroup*e.SDGroup/e.EffectiveGroup + e.SDVersus*e.SDVersus/e.EffectiveVersus)
	learnt, err := evaluate(doc, train)
	if err != nil {
		return h, err
	}
	b, err := newBatch(doc, d, train, test)
	if err != nil {
		return h, err
	}
	for _, c := range doc.Measurements.Control {
		h.aim = c.Target
	}
	if tau == 0 {
		h.same = b.at(math.Inf(1))
		return h, nil
	}
	h.same, h.atTau = b.at(math.Abs(learnt.Constraints[0].Value)), b.at(h.tau)
	return h, nil
}

func evaluate(d *document.Document, records []*record.Record) (document.Report, error) {
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return document.Report{}, err
	}
	for _, r := range records {
		evaluation.Add(r)
	}
	return evaluation.Report(), nil
}
