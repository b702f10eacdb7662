package main

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// allFolds is how many parts the records are cut into; each is held out once.
const allFolds = 5

// study says which records are learnt from and which are held out, how often.
type study struct {
	shuffles, splits, folds int
	seed                    uint64
}

// held is the measurement of one run on the records held out.
type held struct {
	report  document.Report
	seconds float64 // of learning
}

// measure makes every run of a configuration, as many at a time as there are processors.
func (s study) measure(records []record.Record, c model.Config) ([]held, error) {
	runs := make([]held, s.splits*s.folds*s.shuffles)
	problems := make([]error, len(runs))
	places := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for at := range places {
				fold := at / s.shuffles
				runs[at], problems[at] = s.once(records, c, fold/s.folds, fold%s.folds, at%s.shuffles)
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

// once learns four folds in one pass and measures the fifth.
func (s study) once(records []record.Record, c model.Config, split, fold, shuffle int) (held, error) {
	order := rand.New(rand.NewPCG(s.seed, uint64(split))).Perm(len(records))
	var train, test []int
	for i, k := range order {
		if i%allFolds == fold {
			test = append(test, k)
		} else {
			train = append(train, k)
		}
	}
	shuffled := rand.New(rand.NewPCG(s.seed+1, uint64(split*1000+fold*100+shuffle)))
	shuffled.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
	learner, err := model.New(c)
	if err != nil {
		return held{}, err
	}
	started := time.Now()
	for _, k := range train {
		learner.Learn(&records[k])
	}
	seconds := time.Since(started).Seconds()
	doc, err := learner.Document()
	if err != nil {
		return held{}, err
	}
	evaluation, err := document.NewEvaluation(doc)
	if err != nil {
		return held{}, err
	}
	for _, k := range test {
		evaluation.Add(&records[k])
	}
	return held{evaluation.Report(), seconds}, nil
}
