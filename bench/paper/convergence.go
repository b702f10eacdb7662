package main

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// The fair classifier of experiment 2. The paper's μ = 1 is not used: see experiment 1.
const (
	classifierMu     = .001
	classifierRadius = 10
	classifierFloor  = .05
)

// classifierCases are thresholds c τ that every model class can meet and that bind on Adult.
var classifierCases = []struct {
	approximation problems.Approximation
	threshold     float64
}{{problems.Approximation1, 1.5}, {problems.Approximation2, 1.5}, {problems.Approximation3, 2.5}}

// convergence is experiment 2: gap and violation against iterations on Adult, for the three approximations.
func convergence(s *study) (result, error) {
	records, err := s.records()
	if err != nil {
		return result{}, err
	}
	records = records[:s.choose(1500, len(records))]
	share := records[:len(records)/10]
	horizon := s.choose(2000, len(records))
	checkpoints := spaced(s.choose(100, 100), horizon, s.choose(4, 15))
	runs := s.choose(2, 10)
	methods := contenders[problems.Record](s.quick, manyVariables)

	arenas := make([]arena[problems.Record], len(classifierCases))
	optima := make([]reference.Result, len(classifierCases))
	err = s.each("optima", len(arenas), func(i int) error {
		var err error
		arenas[i], optima[i], err = classifierArena(i, records, share, horizon, s.quick)
		return err
	})
	if err != nil {
		return result{}, err
	}
	choices := make([]choice, len(arenas)*len(methods))
	err = s.each("tuning", len(choices), func(i int) error {
		a, m := arenas[i/len(methods)], methods[i%len(methods)]
		a.shareJudge = classifierJudge(a.problem, share, a.shareJudge)
		scores, err := a.scores(m, s.seed)
		if err == nil {
			choices[i] = m.least(scores)
		}
		return err
	})
	if err != nil {
		return result{}, err
	}
	all := make([]curves, len(choices))
	for i := range all {
		all[i] = curves{subject: classifierCase(i / len(methods)), method: methods[i%len(methods)].name, choice: choices[i], checkpoints: checkpoints, runs: make([][]standing, runs)}
	}
	err = s.each("runs", len(choices)*runs, func(i int) error {
		k, run := i/runs, i%runs
		a := arenas[k/len(methods)]
		a.judge = classifierJudge(a.problem, records, a.judge)
		standings, err := a.run(methods[k%len(methods)], choices[k], checkpoints, s.seed+uint64(run))
		all[k].runs[run] = standings
		return err
	})
	if err != nil {
		return result{}, err
	}
	best := newTable("convergence-optima", "subject", "threshold", "records", "variables", "objective", "multiplier", "residual", "risk_difference", "error_rate")
	for i, optimum := range optima {
		difference, _, _ := problems.RiskDifference(optimum.X, records)
		best.add(classifierCase(i), classifierCases[i].threshold, len(records), len(optimum.X), optimum.Objective, slices.Max(optimum.Lambda), optimum.Residual.Max(), difference, errorRate(optimum.X, records))
	}
	tables := curveTables("convergence", all)
	panels, err := curvePanels(tables[1])
	return result{tables: append(tables, best), figures: []figureFile{{"convergence", len(classifierCases), 4, 2.6, panels}}}, err
}

func classifierCase(i int) string {
	return fmt.Sprintf("approximation %d", classifierCases[i].approximation)
}

// classifierArena states a case and finds its optimum. Approximation 2 is not convex, so the share's optimum is
// looked for from several starts, and the whole's from the best of them.
func classifierArena(i int, records, share []problems.Record, horizon int, quick bool) (arena[problems.Record], reference.Result, error) {
	n := len(records[0].X)
	at := func(smoothing float64) csspa.Problem[problems.Record] {
		p, err := problems.FairClassifier{
			Features: n, Approximation: classifierCases[i].approximation, Threshold: classifierCases[i].threshold,
			Mu: classifierMu, Radius: classifierRadius, Floor: classifierFloor, Smoothing: smoothing,
		}.Problem()
		if err != nil {
			panic(err) // the cases above are legal
		}
		return p
	}
	settings := reference.Settings{Smoothing: []float64{.3, .03, .003}, Tolerance: 1e-6}
	if quick {
		settings = reference.Settings{Smoothing: []float64{.1, .01}, Tolerance: 1e-5}
	}
	if classifierCases[i].approximation == problems.Approximation2 && !quick {
		settings.Starts = [][]float64{make([]float64, n), basis(n, 0, 1), basis(n, 0, -1), basis(n, n-1, 2)}
	}
	part, err := reference.Solve(at, share, settings)
	if err != nil {
		return arena[problems.Record]{}, reference.Result{}, err
	}
	settings.Starts, settings.Smoothing = [][]float64{part.X}, settings.Smoothing[1:]
	whole, err := reference.Solve(at, records, settings)
	a := arena[problems.Record]{
		problem: at(0), start: make([]float64, n), horizon: horizon, multiplier: slices.Max(part.Lambda),
		sample: from(records), judge: judge{best: whole.Objective, weight: above * sum(whole.Lambda)},
		shareSample: from(share), shareJudge: judge{best: part.Objective, weight: above * sum(part.Lambda)},
	}
	return a, whole, err
}

// classifierJudge measures on records; one judge serves one goroutine.
func classifierJudge(p csspa.Problem[problems.Record], records []problems.Record, j judge) judge {
	data := csspa.NewFinite(p, records)
	j.objective, j.violation = data.Objective, data.Violation
	return j
}

func basis(n, i int, value float64) []float64 {
	x := make([]float64, n)
	x[i] = value
	return x
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// errorRate is the share of records that w decides wrongly.
func errorRate(w []float64, records []problems.Record) float64 {
	wrong := 0
	for _, r := range records {
		if (inner(w, r.X) > 0) != (r.Label > 0) {
			wrong++
		}
	}
	return float64(wrong) / float64(len(records))
}
