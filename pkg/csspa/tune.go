package csspa

import (
	"errors"
	"math"
)

// Trial is one candidate of Tune.
type Trial struct {
	K     float64
	Score float64   // the smaller the better; +Inf if the run diverged
	X     []float64 // x̂ of the run; nil if it diverged
}

// Tune tries a constant (K, or any other one number) on a small share of the
// data, as the paper does with 10 % of it: for each candidate it starts a method,
// runs it once over the samples, and scores the average. It returns the trials in
// the order of the candidates and the index of the best. A run that diverges
// counts as infinitely bad: its state is not finite, or it refused more samples
// than another candidate did. Merit makes a score.
func Tune[S any](candidates []float64, samples []S, start func(k float64) (Method[S], error), score func(x []float64) float64) (trials []Trial, best int, err error) {
	if len(candidates) == 0 || len(samples) == 0 {
		return nil, 0, errors.New("csspa: Tune needs at least one candidate and one sample")
	}
	refused, least := make([]int, len(candidates)), len(samples)
	for i, k := range candidates {
		method, err := start(k)
		if err != nil {
			return nil, 0, err
		}
		before, _ := method.Refused()
		for _, s := range samples {
			method.Step(s)
		}
		trial := Trial{K: k, Score: math.Inf(1)}
		if state := method.State(); state.Finite() == nil && state.Steps > 0 {
			trial.X = make([]float64, len(state.X))
			method.Average(trial.X)
			refused[i] = state.Refused - before
			least = min(least, refused[i])
		}
		trials = append(trials, trial)
	}
	for i := range trials {
		trial := &trials[i]
		if trial.X != nil && refused[i] > least {
			trial.X = nil
		}
		if trial.X == nil {
			continue
		}
		if value := score(trial.X); math.IsNaN(value) {
			trial.X = nil
		} else {
			trial.Score = value
		}
		if trial.Score < trials[best].Score {
			best = i
		}
	}
	if math.IsInf(trials[best].Score, 1) {
		return trials, best, errors.New("csspa: every candidate diverged: try larger values of K")
	}
	return trials, best, nil
}

// Merit returns the score F(x) + weight Σ_j max(0, L_j(x)) over the samples. With
// a weight above every multiplier λ*_j its minimiser is the constrained optimum.
func Merit[S any](p Problem[S], samples []S, weight float64) func(x []float64) float64 {
	data := NewFinite(p, samples)
	levels := make([]float64, p.Constraints())
	return func(x []float64) float64 {
		sum := data.Objective(x)
		data.Constraints(levels, x)
		for _, l := range levels {
			sum += weight * max(0, l)
		}
		return sum
	}
}

// Geometric returns count candidates from low to high with a constant ratio.
func Geometric(low, high float64, count int) []float64 {
	if !(low > 0 && high > low) || count < 2 {
		panic("csspa: Geometric needs 0 < low < high and at least two values")
	}
	values := make([]float64, count)
	for i := range values {
		values[i] = low * math.Pow(high/low, float64(i)/float64(count-1))
	}
	return values
}
