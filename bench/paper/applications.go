package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// applicationTable solves the paper's other applications by csspa.Solve with no setting but the number of
// steps, and holds the answers against the optima over the same draws.
func applicationTable(s *study) (*table, error) {
	t := newTable("applications", "application", "records", "steps", "K", "theta", "objective", "objective_se", "optimum", "level", "level_se", "violation", "gap_at_most")
	draws, steps := s.choose(1000, 20_000), s.choose(5000, 300_000)
	rng := rand.New(rand.NewPCG(s.seed, 21))
	market := make([]problems.Market, draws) // in percent
	for i := range market {
		market[i] = problems.Market{
			Returns: []float64{10*rng.Float64() - 3, 30*rng.Float64() - 10, 40*rng.Float64() - 12},
			Index:   10*rng.Float64() - 2,
		}
	}
	for _, p := range []problems.Portfolio{
		{Securities: 3, Power: 2, Tau: 3}, {Securities: 3, Power: 2, Tau: 3, OneSided: true}, {Securities: 3, Power: 3, Tau: 3},
	} {
		name := fmt.Sprintf("portfolio, p = %d", p.Power)
		if p.OneSided {
			name += ", above the index only"
		}
		problem, err := p.Problem()
		if err == nil {
			err = addApplication(t, s, name, problem, market, steps, []float64{1, 0, 0})
		}
		if err != nil {
			return t, err
		}
	}
	arrivals := make([]problems.Arrivals, draws)
	for i := range arrivals {
		arrivals[i] = problems.Arrivals{arrived(rng, 2), arrived(rng, 5)}
	}
	queues, err := problems.Queues{Cost: []float64{.1, .2}, Share: []float64{.5, .5}, Delay: .5, Limit: 20, Knee: .2}.Problem()
	if err != nil {
		return t, err
	}
	return t, addApplication(t, s, "queues", queues, arrivals, steps, []float64{3, 6})
}

func addApplication[S any](t *table, s *study, name string, p csspa.Problem[S], samples []S, steps int, start []float64) error {
	found, err := csspa.Solve(p, samples, csspa.Settings{Start: start, Steps: steps, Seed: s.seed, Workers: s.workers})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	best, err := reference.Solve(func(float64) csspa.Problem[S] { return p }, samples, reference.Settings{Starts: [][]float64{start}})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	level := found.Constraints[0]
	t.add(name, len(samples), steps, found.K, found.Theta, found.Objective.Value, found.Objective.Error, best.Objective, level.Value, level.Error, found.Violation.Value, found.Gap.Value)
	return nil
}

// arrived counts the arrivals of a Poisson process in one unit of time.
func arrived(rng *rand.Rand, rate float64) float64 {
	count := 0.0
	for at := rng.ExpFloat64(); at < rate; at += rng.ExpFloat64() {
		count++
	}
	return count
}
