package main

import (
	"fmt"
	"math"
	"sync"

	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// learner learns with the product: mode paper, and mode adaptive, with its own columns. In mode paper a one-sided
// relaxation is imposed in both directions.
type learner struct {
	records []record.Record
	grids   map[surrogate.Name][]float64
	stream  *paperMode // step sizes in powers of t, as for a stream without end
	horizon *paperMode // in powers of T, the number of records
}

// paperMode is one choice of step sizes, with the K to choose from.
type paperMode struct {
	name   string
	knownT bool
	ks     []float64
	trials map[surrogate.Name]func() ([]trial, error) // each tried once
}

func newLearner(s *study) (*learner, error) {
	near := []float64{1.1, 1.2, 1.35, 1.5, 1.7, 1.85, 2, 2.15, 2.3, 2.6, 3, 4}
	far := []float64{2.25, 2.5, 2.65, 2.8, 3, 3.2, 3.4, 3.6, 4, 5}
	l := &learner{
		stream:  &paperMode{name: "mode paper", ks: []float64{.25, .5, 1, 2, 4}},
		horizon: &paperMode{name: "mode paper, T known", knownT: true, ks: []float64{.003, .006, .0125, .025, .05, .1, .2, .4, .8}},
	}
	if s.quick {
		near, far = []float64{1.2, 2}, []float64{2.4, 2.8}
		l.stream.ks, l.horizon.ks = []float64{4}, []float64{.2}
	}
	for _, m := range []*paperMode{l.stream, l.horizon} {
		m.trials = map[surrogate.Name]func() ([]trial, error){}
		for _, a := range approximations {
			m.trials[a] = sync.OnceValues(func() ([]trial, error) { return l.try(m, a) })
		}
	}
	l.grids = map[surrogate.Name][]float64{surrogate.Approximation1: near, surrogate.Approximation2: near, surrogate.Approximation3: far}
	return l, l.load(s.choose(2000, adult.Records))
}

// load decodes the first records once.
func (l *learner) load(count int) (err error) {
	l.records, err = records.First(l.config(surrogate.Approximation1, .05), adult.Open(), count)
	if err == nil && len(l.records) < count {
		err = fmt.Errorf("the bundled records end after %d", len(l.records))
	}
	return err
}

func (l *learner) size() int { return len(l.records) }

func (l *learner) config(a surrogate.Name, tau float64) model.Config {
	return model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner(), Constraints: []model.Constraint{{
		Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"),
		Criterion: fairness.DemographicParity, Tau: tau, Relaxation: a,
	}}}
}

func (l *learner) adaptive() way {
	return way{
		name:      "mode adaptive",
		threshold: func(surrogate.Name, float64) (float64, error) { return math.NaN(), nil },
		learn: func(a surrogate.Name, tau, _ float64, train, test []int) (outcome, error) {
			return l.learn(l.config(a, tau), train, test)
		},
	}
}

// paper chooses the threshold for each τ on a tenth of the records, as Algorithm 1's is chosen.
func (l *learner) paper(m *paperMode) way {
	return way{
		name: m.name,
		threshold: func(a surrogate.Name, tau float64) (float64, error) {
			trials, err := m.trials[a]()
			return best(trials, tau).threshold, err
		},
		learn: func(a surrogate.Name, tau, threshold float64, train, test []int) (outcome, error) {
			trials, err := m.trials[a]()
			if err != nil {
				return outcome{}, err
			}
			return l.learn(l.paperConfig(m, a, threshold, best(trials, tau).alpha0, len(train)), train, test)
		},
		constants: func(a surrogate.Name, tau float64) (stepSizes, error) {
			trials, err := m.trials[a]()
			settings := l.paperConfig(m, a, math.NaN(), best(trials, tau).alpha0, l.size()).Learner.Paper
			return stepSizes{settings.K, settings.A, settings.B}, err
		},
	}
}

func (l *learner) paperConfig(m *paperMode, a surrogate.Name, threshold, k float64, records int) model.Config {
	c := l.config(a, taus[0]) // only mode adaptive looks at τ
	c.Learner.Mode, c.Learner.Paper.K, c.Constraints[0].Threshold = model.Paper, k, threshold
	if m.knownT {
		c.Learner.Paper.Horizon, c.Learner.Paper.A, c.Learner.Paper.B = records, 3./4, 1./2
	}
	return c
}

// try learns the share with every threshold, at twice the least K with which the weights diverge at none of
// them. A trial keeps K where Algorithm 1's keeps α_0.
func (l *learner) try(m *paperMode, a surrogate.Name) (trials []trial, err error) {
	for _, k := range m.ks {
		if _, err = l.tryAt(m, a, k); err == nil {
			return l.tryAt(m, a, 2*k)
		}
	}
	return nil, err
}

func (l *learner) tryAt(m *paperMode, a surrogate.Name, k float64) ([]trial, error) {
	share, repeated := l.share()
	var trials []trial
	for _, threshold := range l.grids[a] {
		o, err := l.learn(l.paperConfig(m, a, threshold, k, len(repeated)), repeated, share)
		if err != nil {
			return nil, err
		}
		trials = append(trials, trial{threshold, k, o})
	}
	return trials, nil
}

// share is a tenth of the records, and as many of them, again and again, as a run learns.
func (l *learner) share() (share, repeated []int) {
	_, tenth := split(l.size(), 0, 0, 99)
	share = tenth[:l.size()/10]
	for i := range l.size() * (folds - 1) / folds {
		repeated = append(repeated, share[i%len(share)])
	}
	return share, repeated
}

// learn takes one pass over the training records and measures the published weights.
func (l *learner) learn(c model.Config, train, test []int) (outcome, error) {
	learner, err := model.New(c)
	if err != nil {
		return outcome{}, err
	}
	for _, i := range train {
		learner.Learn(&l.records[i])
	}
	doc, err := learner.Document()
	if err != nil {
		return outcome{}, err
	}
	evaluation, err := document.NewEvaluation(doc)
	if err != nil {
		return outcome{}, err
	}
	for _, i := range test {
		evaluation.Add(&l.records[i])
	}
	report := evaluation.Report()
	return outcome{1 - report.Accuracy.Value, report.LogLoss.Value, report.Constraints[0].Value}, nil
}
