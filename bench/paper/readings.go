package main

import (
	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// turned is asPrinted with s+ and s- exchanged: the paper does not say which sex is s+. Its risk difference
// is still that of Male less Female.
func (a *algorithm) turned() way {
	w := a.asPrinted()
	w.name = "Algorithm 1, as printed, s+ = Female"
	w.learn = func(name surrogate.Name, _, threshold float64, train, test []int) (outcome, error) {
		alpha0, err := a.alpha0[name]()
		if err != nil {
			return outcome{}, err
		}
		o, err := a.learn(a.model(name, threshold, printedMu), alpha0, exchange(pick(a.records, train)), exchange(pick(a.records, test)))
		o.difference = -o.difference
		return o, err
	}
	return w
}

func exchange(records []problems.Record) []problems.Record {
	turned := make([]problems.Record, len(records))
	for i, r := range records {
		r.Group = -r.Group
		turned[i] = r
	}
	return turned
}

// byDefinition reads approximation 2 as the text around it does: the risk difference by its definition, with
// max(0, 1+z) for the indicator of z > 0 in both groups (problems.DefinitionSquared), and the printed c_2 τ.
func (a *algorithm) byDefinition() way {
	return way{
		name:      "Algorithm 1, RD by its definition",
		only:      []surrogate.Name{surrogate.Approximation2},
		threshold: func(name surrogate.Name, tau float64) (float64, error) { return printedThreshold(name, tau), nil },
		constants: func(surrogate.Name, float64) (stepSizes, error) { return theorem2(a.defined()) },
		learn: func(_ surrogate.Name, _, threshold float64, train, test []int) (outcome, error) {
			alpha0, err := a.defined()
			if err != nil {
				return outcome{}, err
			}
			return a.learn(a.definition(threshold), alpha0, pick(a.records, train), pick(a.records, test))
		},
	}
}

// definition is the reading with a threshold. The paper's μ = 1 is not used: see freeTable.
func (a *algorithm) definition(threshold float64) problems.FairClassifier {
	model := a.model(surrogate.Approximation2, threshold, classifierMu)
	model.Approximation = problems.DefinitionSquared
	return model
}

// readings are the optima of that reading over the records of four folds, measured on the fifth.
func (a *algorithm) readings(s *study) (*table, error) {
	t := newTable("readings", "tau", "c_tau", "records", "objective", "residual", "error", "RD", "within_tau")
	considered := taus
	if s.quick {
		considered = []float64{.2, .05}
	}
	rows := make([][]any, len(considered))
	learnt, held := split(len(a.records), 0, 0, s.seed)
	train, test := pick(a.records, learnt), pick(a.records, held)
	err := s.each("readings", len(considered), func(i int) error {
		tau := considered[i]
		threshold := printedThreshold(surrogate.Approximation2, tau)
		optimum, err := reference.Solve(func(smoothing float64) csspa.Problem[problems.Record] {
			model := a.definition(threshold)
			model.Smoothing = smoothing
			p, err := model.Problem()
			if err != nil {
				panic(err) // the printed thresholds are legal
			}
			return p
		}, train, reference.Settings{Smoothing: []float64{.1, .01}, Tolerance: 1e-5})
		if err != nil {
			return err
		}
		difference, _, _ := problems.RiskDifference(optimum.X, test)
		rows[i] = []any{tau, threshold, len(train), optimum.Objective, optimum.Residual.Max(), errorRate(optimum.X, test), difference, yes(difference <= tau && difference >= -tau)}
		return nil
	})
	for _, row := range rows {
		if err == nil {
			t.add(row...)
		}
	}
	return t, err
}
