package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// contender is a method with two constants to tune: the size α_0 of its steps, and the weight of its
// constraints. For the saddle point method the weight multiplies the l_j (which leaves the feasible set
// as it is), for the penalty method it is the γ_0 of γ = γ_0 T^c: both say how strongly a violation is felt.
// Every contender has equally many candidates.
type contender[S any] struct {
	name           string
	steps, weights []float64
	start          func(a arena[S], c choice, state csspa.State) (csspa.Method[S], error)
}

// choice is one candidate.
type choice struct{ alpha0, weight float64 }

// candidates are all pairs.
func (c contender[S]) candidates() []choice {
	var all []choice
	for _, alpha0 := range c.steps {
		for _, weight := range c.weights {
			all = append(all, choice{alpha0, weight})
		}
	}
	return all
}

// Names of the contenders.
const (
	nameSaddle      = "CSSPA"
	nameTight       = "CSSPA, θ"
	namePenalty     = "CSCGD"
	nameAccelerated = "CSCGDA"
)

// ranges are those that the candidates of the baselines come from: α_0 of CSCGD and of CSCGDA, whose extrapolation
// enlarges its steps, and γ_0 of both. The ranges of CSSPA are the same everywhere. They are as wide for every
// method.
type ranges struct{ steps, accelerated, weights [2]float64 }

var (
	manyVariables = ranges{[2]float64{1, 1000}, [2]float64{.1, 100}, [2]float64{1e-4, 1}} // a hundred
	fewVariables  = ranges{[2]float64{.1, 100}, [2]float64{.03, 30}, [2]float64{.1, 100}} // one or two
)

// contenders are CSSPA, CSSPA with the θ that its pull on λ asks for, and the two baselines. Step sizes are
// powers of T: Theorem 2's at (3/4, 1/2), and those of the baselines' stated rates.
func contenders[S any](quick bool, r ranges) []contender[S] {
	grid := func(within [2]float64) []float64 {
		low, high := within[0], within[1]
		if quick {
			return csspa.Geometric(low*3, high/3, 3)
		}
		return csspa.Geometric(low, high, 7)
	}
	steps, weights := grid([2]float64{1, 1000}), grid([2]float64{.01, 10})
	if quick { // so few steps need α_0 below T^3/4
		steps = csspa.Geometric(3, 100, 3)
	}
	return []contender[S]{
		{nameSaddle, steps, weights, saddle[S](false)},
		{nameTight, steps, weights, saddle[S](true)},
		{namePenalty, grid(r.steps), grid(r.weights), penalty[S](false)},
		{nameAccelerated, grid(r.accelerated), grid(r.weights), penalty[S](true)},
	}
}

// saddle starts CSSPA with α_0 = 1/7K, and θ = Bias at the estimated multiplier, or 0.
func saddle[S any](tight bool) func(a arena[S], c choice, state csspa.State) (csspa.Method[S], error) {
	return func(a arena[S], c choice, state csspa.State) (csspa.Method[S], error) {
		schedule, err := csspa.Theorem2Horizon(1/(7*c.alpha0), 3./4, 1./2, a.horizon)
		if err != nil {
			return nil, err
		}
		p, err := a.problem.ScaleConstraints(c.weight)
		if err != nil {
			return nil, err
		}
		theta := 0.0
		if tight {
			theta = csspa.Bias(schedule, a.horizon, a.multiplier/c.weight)
		}
		return csspa.NewCSSPA(p, schedule, theta, state)
	}
}

func penalty[S any](accelerated bool) func(a arena[S], c choice, state csspa.State) (csspa.Method[S], error) {
	return func(arena arena[S], choice choice, state csspa.State) (csspa.Method[S], error) {
		a, b, c := csspa.PenaltyExponents(accelerated)
		schedule := csspa.PowerLaw{Alpha0: choice.alpha0, Beta0: 1, A: a, B: b, Horizon: arena.horizon}
		gamma := choice.weight * math.Pow(float64(arena.horizon), c)
		if accelerated {
			return csspa.NewCSCGDA(arena.problem, schedule, gamma, state)
		}
		return csspa.NewCSCGD(arena.problem, schedule, gamma, state)
	}
}

// arena is a problem, where its samples come from, and how an answer is judged.
type arena[S any] struct {
	problem    csspa.Problem[S]
	start      []float64
	horizon    int
	sample     func(*rand.Rand) S
	judge      judge
	multiplier float64 // an estimate of max_j λ*_j, for θ

	// A share of the data, for tuning.
	shareSample func(*rand.Rand) S
	shareJudge  judge
}

// judge knows a problem's optimum.
type judge struct {
	objective, violation func(x []float64) float64
	best                 float64 // F*
	weight               float64 // of a violation: above Σ_j λ*_j
}

// standing is how far x̂ is from the optimum. Its error F - F* + weight·violation is an exact penalty
// function: positive everywhere but at the optimum.
type standing struct{ gap, violation, error float64 }

func (j judge) look(x []float64) standing {
	s := standing{gap: j.objective(x) - j.best, violation: j.violation(x)}
	s.error = s.gap + j.weight*s.violation
	return s
}

// above is how many times Σ_j λ*_j the weight of a violation is.
const above = 5

// warm is how many draws the followed values start from.
const warm = 100

func (a arena[S]) begin(c contender[S], choice choice, sample func(*rand.Rand) S, rng *rand.Rand) (csspa.Method[S], error) {
	first := make([]S, warm)
	for i := range first {
		first[i] = sample(rng)
	}
	state, err := a.problem.WarmStart(a.start, first)
	if err != nil {
		return nil, err
	}
	return c.start(a, choice, state)
}

// scores judges every candidate on the share, after as many steps as a run takes.
func (a arena[S]) scores(c contender[S], seed uint64) ([]float64, error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	samples := make([]S, a.horizon)
	for i := range samples {
		samples[i] = a.shareSample(rng)
	}
	candidates := c.candidates()
	indices := make([]float64, len(candidates))
	for i := range indices {
		indices[i] = float64(i)
	}
	trials, _, err := csspa.Tune(indices, samples, func(i float64) (csspa.Method[S], error) {
		return a.begin(c, candidates[int(i)], a.shareSample, rand.New(rand.NewPCG(seed, 2)))
	}, func(x []float64) float64 { return a.shareJudge.look(x).error })
	scores := make([]float64, len(trials))
	for i, t := range trials {
		scores[i] = t.Score
	}
	return scores, err
}

// least returns the candidate with the least sum of scores.
func (c contender[S]) least(scores ...[]float64) choice {
	best, at := math.Inf(1), 0
	for i := range c.candidates() {
		sum := 0.0
		for _, s := range scores {
			sum += s[i]
		}
		if sum < best {
			best, at = sum, i
		}
	}
	return c.candidates()[at]
}

// run returns the standing of x̂ at the checkpoints. All contenders see the same samples for a seed.
func (a arena[S]) run(c contender[S], choice choice, checkpoints []int, seed uint64) ([]standing, error) {
	rng := rand.New(rand.NewPCG(seed, 3))
	method, err := a.begin(c, choice, a.sample, rng)
	if err != nil {
		return nil, err
	}
	x := make([]float64, a.problem.N)
	var standings []standing
	for t := 1; t <= a.horizon; t++ {
		method.Step(a.sample(rng))
		if slices.Contains(checkpoints, t) {
			method.Average(x)
			standings = append(standings, a.judge.look(x))
		}
	}
	return standings, method.State().Finite()
}

// from draws from a population, independently and with replacement, so that the population's optimum is
// the problem's.
func from[S any](population []S) func(*rand.Rand) S {
	return func(rng *rand.Rand) S { return population[rng.IntN(len(population))] }
}

// spaced returns count numbers from low to high, about equally far apart on a logarithmic axis.
func spaced(low, high, count int) []int {
	var points []int
	for _, v := range csspa.Geometric(float64(low), float64(high), count) {
		points = append(points, int(math.Round(v)))
	}
	return slices.Compact(points)
}
