package main

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/pkg/csspa"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// printedMu is the paper's μ.
const printedMu = 1

// algorithm learns by Algorithm 1 to the letter, on the paper's columns, in one pass with the step sizes of
// Theorem 2. α_0 is tuned on a tenth of the records, with as many steps as a run has.
type algorithm struct {
	records, share []problems.Record
	alphas         []float64
	grids          map[surrogate.Name][]float64 // thresholds c τ to choose from
	seed           uint64

	trials  map[surrogate.Name]func() ([]trial, error) // of the thresholds that work, tried once
	alpha0  map[surrogate.Name]func() (float64, error) // for the printed thresholds
	defined func() (float64, error)                    // α_0 for the reading by definition
}

// trial is a threshold and what it gave on the share.
type trial struct {
	threshold, alpha0 float64
	outcome           outcome
}

func newAlgorithm(s *study) (*algorithm, error) {
	records, err := s.records()
	if err != nil {
		return nil, err
	}
	records = records[:s.choose(2000, len(records))]
	a := &algorithm{
		records: records, share: records[:len(records)/10], seed: s.seed,
		alphas: csspa.Geometric(1, 1000, 7),
		grids:  map[surrogate.Name][]float64{},
		trials: map[surrogate.Name]func() ([]trial, error){}, alpha0: map[surrogate.Name]func() (float64, error){},
	}
	near := []float64{1.1, 1.2, 1.35, 1.5, 1.7, 1.85, 2, 2.15, 2.3, 2.6, 3, 4}
	far := []float64{2.1, 2.25, 2.5, 2.65, 2.8, 3, 3.2, 3.4, 3.6, 4, 5}
	if s.quick {
		a.alphas, near, far = []float64{10, 100}, []float64{1.2, 2}, []float64{2.4, 2.8}
	}
	a.grids[surrogate.Approximation1], a.grids[surrogate.Approximation2], a.grids[surrogate.Approximation3] = near, near, far
	a.defined = sync.OnceValues(func() (float64, error) {
		return a.tune(a.definition(printedThreshold(surrogate.Approximation2, taus[len(taus)/2])))
	})
	for _, name := range approximations {
		a.trials[name] = sync.OnceValues(func() ([]trial, error) { return a.try(name) })
		a.alpha0[name] = sync.OnceValues(func() (float64, error) {
			return a.tune(a.model(name, printedThreshold(name, taus[0]), printedMu))
		})
	}
	return a, nil
}

// asPrinted uses the printed c_k τ and μ = 1. No step size makes an infeasible problem converge; α_0 is the one
// with the least objective plus violation at the first τ.
func (a *algorithm) asPrinted() way {
	return way{
		name:      "Algorithm 1, as printed",
		threshold: func(name surrogate.Name, tau float64) (float64, error) { return printedThreshold(name, tau), nil },
		learn: func(name surrogate.Name, _, threshold float64, train, test []int) (outcome, error) {
			alpha0, err := a.alpha0[name]()
			if err != nil {
				return outcome{}, err
			}
			return a.learn(a.model(name, threshold, printedMu), alpha0, pick(a.records, train), pick(a.records, test))
		},
		constants: func(name surrogate.Name, _ float64) (stepSizes, error) { return theorem2(a.alpha0[name]()) },
	}
}

// theorem2 are the step sizes of Theorem 2 at the paper's exponents.
func theorem2(alpha0 float64, err error) (stepSizes, error) {
	return stepSizes{1 / (7 * alpha0), 3. / 4, 1. / 2}, err
}

func printedThreshold(name surrogate.Name, tau float64) float64 {
	for i, t := range taus {
		if t == tau {
			return printed[name][i] * tau
		}
	}
	return math.NaN()
}

// working chooses for each τ, on the share, the threshold with the least error among those whose risk
// difference is within τ: what the paper says it does.
func (a *algorithm) working() way {
	return way{
		name: "Algorithm 1, thresholds that work",
		threshold: func(name surrogate.Name, tau float64) (float64, error) {
			trials, err := a.trials[name]()
			return best(trials, tau).threshold, err
		},
		learn: func(name surrogate.Name, tau, threshold float64, train, test []int) (outcome, error) {
			trials, err := a.trials[name]()
			if err != nil {
				return outcome{}, err
			}
			return a.learn(a.model(name, threshold, classifierMu), best(trials, tau).alpha0, pick(a.records, train), pick(a.records, test))
		},
		constants: func(name surrogate.Name, tau float64) (stepSizes, error) {
			trials, err := a.trials[name]()
			return theorem2(best(trials, tau).alpha0, err)
		},
	}
}

// try learns the share with every threshold.
func (a *algorithm) try(name surrogate.Name) ([]trial, error) {
	var trials []trial
	grid := a.grids[name]
	alpha0, err := a.tune(a.model(name, grid[len(grid)/2], classifierMu))
	if err != nil {
		return nil, err
	}
	for _, threshold := range grid {
		o, err := a.learn(a.model(name, threshold, classifierMu), alpha0, a.repeated(), a.share)
		if err != nil {
			return nil, err
		}
		trials = append(trials, trial{threshold, alpha0, o})
	}
	return trials, nil
}

// best is the trial with the least error within τ, or else the one nearest to it.
func best(trials []trial, tau float64) trial {
	chosen, found := trial{}, false
	for _, t := range trials {
		within := math.Abs(t.outcome.difference) <= tau
		switch {
		case within && (!found || t.outcome.error < chosen.outcome.error):
			chosen, found = t, true
		case !found && (chosen.threshold == 0 || math.Abs(t.outcome.difference) < math.Abs(chosen.outcome.difference)):
			chosen = t
		}
	}
	return chosen
}

func (a *algorithm) model(name surrogate.Name, threshold, mu float64) problems.FairClassifier {
	approximation := map[surrogate.Name]problems.Approximation{
		surrogate.Approximation1: 1, surrogate.Approximation2: 2, surrogate.Approximation3: 3,
	}[name]
	return problems.FairClassifier{
		Features: len(a.records[0].X), Approximation: approximation, Threshold: threshold,
		Mu: mu, Radius: classifierRadius, Floor: classifierFloor,
	}
}

// repeated draws as many records from the share as a run learns.
func (a *algorithm) repeated() []problems.Record {
	rng := rand.New(rand.NewPCG(a.seed, 13))
	records := make([]problems.Record, len(a.records)*(folds-1)/folds)
	for i := range records {
		records[i] = a.share[rng.IntN(len(a.share))]
	}
	return records
}

// tune returns the α_0 with the least objective plus violation on the share.
func (a *algorithm) tune(model problems.FairClassifier) (float64, error) {
	p, err := model.Problem()
	if err != nil {
		return 0, err
	}
	samples := a.repeated()
	trials, best, err := csspa.Tune(a.alphas, samples, func(alpha0 float64) (csspa.Method[problems.Record], error) {
		return a.start(p, alpha0, len(samples), samples[:warm])
	}, csspa.Merit(p, a.share, 1))
	if err != nil {
		return 0, err
	}
	return trials[best].K, nil
}

func (a *algorithm) start(p csspa.Problem[problems.Record], alpha0 float64, steps int, first []problems.Record) (csspa.Method[problems.Record], error) {
	schedule, err := csspa.Theorem2Horizon(1/(7*alpha0), 3./4, 1./2, steps)
	if err != nil {
		return nil, err
	}
	state, err := p.WarmStart(make([]float64, p.N), first)
	if err != nil {
		return nil, err
	}
	return csspa.NewCSSPA(p, schedule, 0, state)
}

// learn takes one pass over the training records and measures x̂.
func (a *algorithm) learn(model problems.FairClassifier, alpha0 float64, train, test []problems.Record) (outcome, error) {
	p, err := model.Problem()
	if err != nil {
		return outcome{}, err
	}
	method, err := a.start(p, alpha0, len(train), train[:warm])
	if err != nil {
		return outcome{}, err
	}
	for _, r := range train {
		method.Step(r)
	}
	if err := method.State().Finite(); err != nil {
		return outcome{}, err
	}
	w := make([]float64, p.N)
	method.Average(w)
	model.Mu = 0
	plain, err := model.Problem()
	if err != nil {
		return outcome{}, err
	}
	difference, _, _ := problems.RiskDifference(w, test)
	return outcome{errorRate(w, test), csspa.NewFinite(plain, test).Objective(w), difference}, nil
}

// freeTable is what the loss alone gives, with the paper's μ and with a small one, and the constant decision.
func (a *algorithm) freeTable() *table {
	t := newTable("without-constraint", "classifier", "mu", "runs", "error", "error_se", "RD", "RD_se")
	for _, mu := range []float64{printedMu, classifierMu} {
		p := planned{outcomes: make([]outcome, folds)}
		for fold := range folds {
			train, test := split(len(a.records), fold, 0, a.seed)
			o, err := a.learn(a.model(surrogate.Approximation1, 1e6, mu), a.alphas[len(a.alphas)/2], pick(a.records, train), pick(a.records, test))
			if err != nil {
				panic(err) // without a constraint nothing diverges
			}
			p.outcomes[fold] = o
		}
		e, eSE := p.overFolds(errorValue)
		d, dSE := p.overFolds(differenceValue)
		t.add("no constraint", mu, folds, e, eSE, d, dSE)
	}
	t.add("always no", math.NaN(), 1, errorRate(make([]float64, len(a.records[0].X)), a.records), math.NaN(), 0.0, math.NaN())
	return t
}

func pick[T any](all []T, indices []int) []T {
	chosen := make([]T, len(indices))
	for i, k := range indices {
		chosen[i] = all[k]
	}
	return chosen
}
