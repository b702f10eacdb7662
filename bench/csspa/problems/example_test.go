package problems_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/bench/csspa/reference"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// solve runs CSSPA once over the samples with the step sizes of Theorem 2, from
// x = start and followed values warmed up on the first hundred samples.
func solve[S any](p csspa.Problem[S], samples []S, k, theta float64, start []float64) ([]float64, error) {
	schedule, err := csspa.Theorem2Horizon(k, 0.75, 0.5, len(samples))
	if err != nil {
		return nil, err
	}
	state, err := p.WarmStart(start, samples[:100])
	if err != nil {
		return nil, err
	}
	method, err := csspa.NewCSSPA(p, schedule, theta, state)
	if err != nil {
		return nil, err
	}
	for _, s := range samples {
		method.Step(s)
	}
	x := make([]float64, p.N)
	method.Average(x)
	return x, nil
}

// applicants draws records whose group and label both depend on the first
// feature, so that a classifier that is only accurate is unfair.
func applicants(count int) []problems.Record {
	rng := rand.New(rand.NewPCG(1, 2))
	sign := func(probability float64) float64 {
		if rng.Float64() < probability {
			return 1
		}
		return -1
	}
	records := make([]problems.Record, count)
	for i := range records {
		a, b := 2*rng.Float64()-1, 2*rng.Float64()-1
		records[i] = problems.Record{X: []float64{a, b, 1}, Group: int(sign(0.5 + 0.3*a)), Label: sign(0.5 + 0.35*a - 0.3*b)}
	}
	return records
}

// A classifier whose relaxed risk difference is bounded, in one pass, and the
// same with the bound out of the way.
func ExampleFairClassifier() {
	records := applicants(100_000)
	for _, threshold := range []float64{10, 1.1} {
		model := problems.FairClassifier{
			Features: 3, Approximation: problems.Approximation1, Threshold: threshold,
			Mu: 0.01, Radius: 5, Floor: 0.05,
		}
		p, err := model.Problem()
		if err != nil {
			fmt.Println(err)
			return
		}
		w, err := solve(p, records, 0.02, 0, make([]float64, 3))
		if err != nil {
			fmt.Println(err)
			return
		}
		difference, _, _ := problems.RiskDifference(w, records)
		fmt.Printf("threshold %4.1f: risk difference %.2f\n", threshold, difference)
	}
	// Output:
	// threshold 10.0: risk difference 0.22
	// threshold  1.1: risk difference 0.06
}

// Fair sparse additive regression on the paper's synthetic data, with a bound on
// the covariance that binds (the paper's 0.5 never does).
func ExampleFairSpAM() {
	data := problems.SpAMData(rand.New(rand.NewPCG(9, 9)), 20_000, 30)
	for _, tau := range []float64{0.5, 0.005} {
		model := problems.FairSpAM{Features: 30, Powers: 4, Mu: 0.05, Tau: tau, Radius: 5, Smoothing: 0.01}
		p, err := model.Problem()
		if err != nil {
			fmt.Println(err)
			return
		}
		if p, err = p.ScaleConstraints(10); err != nil {
			fmt.Println(err)
			return
		}
		w, err := solve(p, data, 0.01, 0, make([]float64, p.N))
		if err != nil {
			fmt.Println(err)
			return
		}
		finite := csspa.NewFinite(p, data)
		levels := make([]float64, 2)
		finite.Constraints(levels, w)
		fmt.Printf("tau %.3f: objective %.2f, covariance %.3f\n", tau, finite.Objective(w), levels[0]/10+tau)
	}
	// Output:
	// tau 0.500: objective 0.16, covariance 0.013
	// tau 0.005: objective 0.16, covariance 0.005
}

// Shares of three securities that follow an index: the constraint has a random
// outer function, the index's return.
func ExamplePortfolio() {
	rng := rand.New(rand.NewPCG(6, 6))
	market := make([]problems.Market, 100_000) // in percent
	for i := range market {
		market[i] = problems.Market{
			Returns: []float64{10*rng.Float64() - 3, 30*rng.Float64() - 10, 40*rng.Float64() - 12},
			Index:   10*rng.Float64() - 2,
		}
	}
	p, err := problems.Portfolio{Securities: 3, Power: 2, Tau: 3, OneSided: true}.Problem()
	if err != nil {
		fmt.Println(err)
		return
	}
	if p, err = p.ScaleConstraints(0.3); err != nil {
		fmt.Println(err)
		return
	}
	x, err := solve(p, market, 0.3, 0, []float64{1, 0, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := reference.Solve(func(float64) csspa.Problem[problems.Market] { return p }, market[:3000], reference.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	finite := csspa.NewFinite(p, market)
	fmt.Printf("mean return %.1f %%, best %.1f %%\n", -finite.Objective(x), -best.Objective)
	// Output:
	// mean return 4.5 %, best 4.5 %
}

// Service rates of two queues whose arrivals are only observed, so that the mean
// time in system stays below half a unit: the closed form, and the answer without
// and with a θ, which buys feasibility.
func ExampleQueues() {
	design := problems.Queues{Cost: []float64{0.1, 0.2}, Share: []float64{0.5, 0.5}, Delay: 0.5, Limit: 20, Knee: 0.2}
	p, err := design.Problem()
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(7, 7))
	arrivals := make([]problems.Arrivals, 200_000)
	for i := range arrivals {
		arrivals[i] = problems.Arrivals{poisson(rng, 2), poisson(rng, 5)}
	}
	best, lambda := design.Optimum([]float64{2, 5})
	fmt.Printf("optimum           (%.2f, %.2f)\n", best[0], best[1])
	schedule, err := csspa.Theorem2Horizon(0.01, 0.75, 0.5, len(arrivals))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, theta := range []float64{0, csspa.Bias(schedule, len(arrivals), lambda)} {
		x, err := solve(p, arrivals, 0.01, theta, []float64{3, 6})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("with theta %.3f: (%.2f, %.2f), mean time in system %.2f\n", theta, x[0], x[1], 0.5/(x[0]-2)+0.5/(x[1]-5))
	}
	// Output:
	// optimum           (4.41, 6.71)
	// with theta 0.000: (4.17, 6.56), mean time in system 0.55
	// with theta 0.063: (4.39, 6.72), mean time in system 0.50
}

// poisson counts the arrivals of a Poisson process in one unit of time.
func poisson(rng *rand.Rand, rate float64) float64 {
	count := 0.0
	for s := rng.ExpFloat64(); s < rate; s += rng.ExpFloat64() {
		count++
	}
	return count
}
