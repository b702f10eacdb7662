package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// spamTaus are the paper's bound of the covariance, and one that binds on most data sets: it is a third of the
// covariance that optima without a constraint have on average.
var (
	spamTaus  = []float64{.5, .005}
	spamCases = []string{"τ = 0.5", "τ = 0.005"}
)

// spam is experiment 3: gap and violation against iterations on the paper's synthetic data, each repetition
// with coefficients and records of its own, with the printed bound and with one that binds. Violations are in units
// of τ.
func spam(s *study) (result, error) {
	m := problems.FairSpAM{Features: s.choose(6, 30), Powers: s.choose(3, 4), Tau: spamTaus[0], Radius: 5, Smoothing: .01}
	records, repetitions, pilots := s.choose(1000, 20000), s.choose(3, 100), s.choose(2, 20)
	checkpoints := spaced(100, records, s.choose(4, 15))
	data := func(seed uint64) []problems.Measurement {
		return problems.SpAMData(rand.New(rand.NewPCG(s.seed, seed)), records, m.Features)
	}
	const pilotSeed = 1 << 32 // no repetition has it
	mu, validation, err := crossValidate(m, data(pilotSeed), s.quick)
	if err != nil {
		return result{}, err
	}
	m.Mu = mu

	methods := contenders[problems.Measurement](s.quick, manyVariables)
	scores := make([][]float64, len(spamCases)*len(methods)*pilots)
	err = s.each("tuning", len(scores), func(i int) error {
		r, err := newRepetition(m, data(pilotSeed+uint64(i%pilots)), i/pilots/len(methods))
		if err != nil {
			return err
		}
		scores[i], err = r.arena.scores(methods[i/pilots%len(methods)], s.seed)
		return err
	})
	if err != nil {
		return result{}, err
	}
	all := make([]curves, len(spamCases)*len(methods))
	for k := range all {
		method := methods[k%len(methods)]
		all[k] = curves{subject: spamCases[k/len(methods)], method: method.name, choice: method.least(scores[k*pilots : (k+1)*pilots]...), checkpoints: checkpoints, runs: make([][]standing, repetitions)}
	}
	facts := make([]repetition, len(spamCases)*repetitions)
	err = s.each("repetitions", len(facts), func(i int) error {
		kind, number := i/repetitions, i%repetitions
		r, err := newRepetition(m, data(uint64(number)), kind)
		if err != nil {
			return err
		}
		for j, method := range methods {
			c := all[kind*len(methods)+j]
			if c.runs[number], err = r.arena.run(method, c.choice, checkpoints, s.seed+uint64(number)); err != nil {
				return err
			}
		}
		facts[i] = repetition{free: r.free, tau: r.tau, optimum: reference.Result{Objective: r.optimum.Objective, Lambda: r.optimum.Lambda, Residual: r.optimum.Residual}}
		return nil
	})
	if err != nil {
		return result{}, err
	}
	tables := append(curveTables("spam", all), validation, spamFacts(m, facts, repetitions, pilots))
	panels, err := curvePanels(tables[1])
	return result{tables: tables, figures: []figureFile{{"spam", len(spamCases), 4.6, 2.6, panels}}}, err
}

// repetition is one data set with its arena.
type repetition struct {
	free, tau float64 // |covariance| at the optimum without a constraint; the bound
	optimum   reference.Result
	arena     arena[problems.Measurement]
}

func newRepetition(m problems.FairSpAM, data []problems.Measurement, kind int) (repetition, error) {
	share := data[:len(data)/10]
	whole, part := momentsOf(m, data), momentsOf(m, share)
	m.Tau = spamTaus[0]
	free, err := solveMoments(m, whole)
	if err != nil {
		return repetition{}, err
	}
	r := repetition{tau: spamTaus[kind], free: m.Tau * (1 + slices.Max(free.Constraints))}
	m.Tau = r.tau
	if r.optimum, err = solveMoments(m, whole); err != nil {
		return repetition{}, err
	}
	estimate, err := solveMoments(m, part)
	if err != nil {
		return repetition{}, err
	}
	p, err := m.Problem()
	if err == nil {
		p, err = p.ScaleConstraints(1 / r.tau)
	}
	if err != nil {
		return repetition{}, err
	}
	r.arena = arena[problems.Measurement]{
		problem: p, start: make([]float64, p.N), horizon: len(data), multiplier: slices.Max(estimate.Lambda),
		sample: from(data), judge: momentJudge(m, whole, r.optimum),
		shareSample: from(share), shareJudge: momentJudge(m, part, estimate),
	}
	return r, nil
}

// solveMoments finds the optimum, with the constraints in units of τ.
func solveMoments(m problems.FairSpAM, data moments) (reference.Result, error) {
	p, err := momentProblem(m)
	if err == nil {
		p, err = p.ScaleConstraints(1 / m.Tau)
	}
	if err != nil {
		return reference.Result{}, err
	}
	return reference.Solve(func(float64) csspa.Problem[moments] { return p }, []moments{data}, reference.Settings{})
}

// momentJudge measures violations in units of τ.
func momentJudge(m problems.FairSpAM, data moments, optimum reference.Result) judge {
	p, err := momentProblem(m)
	if err != nil {
		panic(err) // it has been solved before
	}
	finite := csspa.NewFinite(p, []moments{data})
	return judge{
		objective: finite.Objective,
		violation: func(x []float64) float64 { return finite.Violation(x) / m.Tau },
		best:      optimum.Objective,
		weight:    above * sum(optimum.Lambda),
	}
}

// crossValidate chooses μ by the squared error of the prediction on the fold held out, of five, as the paper.
func crossValidate(m problems.FairSpAM, data []problems.Measurement, quick bool) (best float64, t *table, err error) {
	const folds = 5
	candidates := []float64{0, .001, .003, .01, .03, .1}
	if quick {
		candidates = []float64{0, .01, .1}
	}
	t = newTable("spam-mu", "mu", "squared_error", "squared_error_se")
	least := math.Inf(1)
	for _, mu := range candidates {
		m.Mu = mu
		errors := make([]float64, folds)
		for fold := range folds {
			low, high := fold*len(data)/folds, (fold+1)*len(data)/folds
			r, err := solveMoments(m, momentsOf(m, slices.Concat(data[:low], data[high:])))
			if err != nil {
				return 0, nil, fmt.Errorf("μ = %v: %w", mu, err)
			}
			held := m
			held.Mu = 0
			p, err := momentProblem(held)
			if err != nil {
				return 0, nil, err
			}
			errors[fold] = csspa.NewFinite(p, []moments{momentsOf(m, data[low:high])}).Objective(r.X)
		}
		mean, se := meanAndError(errors)
		t.add(mu, mean, se)
		if mean < least {
			best, least = mu, mean
		}
	}
	return best, t, nil
}

// spamFacts say whether the constraint binds. No model that predicts the truth has a covariance with s above
// Cov(x, x⁴) = 1/15, as |a|, |r_1| <= 1.
func spamFacts(m problems.FairSpAM, facts []repetition, repetitions, pilots int) *table {
	t := newTable("spam-facts", "subject", "features", "powers", "mu", "pilots", "repetitions", "free_covariance", "free_covariance_se", "largest_free_covariance", "tau", "repetitions_where_it_binds", "worst_residual")
	for kind, name := range spamCases {
		var free []float64
		bound, worst := 0, 0.0
		for _, r := range facts[kind*repetitions : (kind+1)*repetitions] {
			free = append(free, r.free)
			if sum(r.optimum.Lambda) > 1e-6 {
				bound++
			}
			worst = max(worst, r.optimum.Residual.Max())
		}
		freeMean, freeSE := meanAndError(free)
		t.add(name, m.Features, m.Powers, m.Mu, pilots, repetitions, freeMean, freeSE, slices.Max(free), spamTaus[kind], bound, worst)
	}
	return t
}
