package csspa

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// warmSamples is how many samples the followed values start from.
const warmSamples = 100

// outcome is what a run of Solve gave.
type outcome struct {
	k, scale float64
	x        []float64 // x̂; nil if the run diverged
	lambda   []float64 // mean over the second half, in units of L
	levels   []float64 // L_j(x̂)
	value    float64   // F(x̂)
	bound    float64   // F* is not below it, if the problem is convex
	refused  int
}

// horizon is Theorem 2's schedule for so many steps, and for a K that withDefaults has checked.
func horizon(k float64, steps int) PowerLaw {
	schedule, _ := Theorem2Horizon(k, 0.75, 0.5, steps)
	return schedule
}

// attempt makes one run over samples drawn with replacement. One that cannot begin, or diverges, is an outcome without an x̂.
func attempt[S any](p Problem[S], samples []S, start State, k, scale, theta float64, steps int, seed uint64) outcome {
	o := outcome{k: k, scale: scale}
	schedule := horizon(k, steps)
	if schedule.CheckSaddle() != nil {
		return o // the K is too small for so few steps
	}
	lambda := make([]float64, len(start.Lambda))
	for j, l := range start.Lambda {
		lambda[j] = l / scale
	}
	start.Lambda = lambda
	method, err := NewCSSPA(p.scaled(scale), schedule, theta*scale, start)
	if err != nil {
		return o
	}
	mean := make([]float64, p.Constraints())
	rng := rand.New(rand.NewPCG(seed, 2))
	for t := range steps {
		method.Step(samples[rng.IntN(len(samples))])
		if t >= steps/2 {
			for j, l := range method.Multipliers() {
				mean[j] += l
			}
		}
	}
	o.refused, _ = method.Refused()
	if method.State().Finite() != nil || o.refused > 0 { // every sample is finite at the start
		return o
	}
	for j := range mean {
		mean[j] *= scale / float64(steps-steps/2)
	}
	o.x, o.lambda = make([]float64, p.N), mean
	method.Average(o.x)
	data := NewFinite(p, samples)
	o.value, o.levels = data.Objective(o.x), make([]float64, p.Constraints())
	data.Constraints(o.levels, o.x)
	if math.IsNaN(o.value) || !finite(o.levels) {
		o.x = nil
	}
	return o
}

func (o outcome) worst() float64 {
	if len(o.levels) == 0 {
		return 0
	}
	return slices.Max(o.levels)
}

// tune tries every K and factor on a share of the samples, with a tenth of the
// steps, and returns the best. A first round without θ estimates the multipliers; a
// second one has the θ that they ask for, as the runs will. met says that some point
// was found with all constraints below 0.
//
// The score is F(x̂) + w Σ_j max(0, L_j(x̂)) less the lower bound of the optimum that
// the multipliers give. Steps that are too large jump from end to end of X, where
// the average can be good by chance; their multipliers are not. The penalty is exact
// if w is above Σ_j λ*_j. By Slater's condition Σ_j λ*_j <= (F(x) - F*)/σ for a point
// whose constraints hold with margin σ, and the trials provide such points.
func tune[S any](s Settings, r *Result, p Problem[S], start []float64, samples []S) (best outcome, met bool, err error) {
	share := samples[:min(len(samples), max(int(s.Share*float64(len(samples))), warmSamples))]
	steps := max(s.Steps/10, 1000)
	warm, err := p.WarmStart(start, share[:min(len(share), warmSamples)])
	if err != nil {
		return outcome{}, false, err
	}
	var candidates []outcome
	for _, k := range s.Ks {
		for _, scale := range s.Scales {
			if p.Constraints() > 0 || scale == s.Scales[0] {
				candidates = append(candidates, outcome{k: k, scale: scale})
			}
		}
	}
	round := func(stage string, theta func(k, scale float64) float64) []outcome {
		trials := make([]outcome, len(candidates))
		s.together(stage, len(trials), func(i int) {
			k, scale := candidates[i].k, candidates[i].scale
			trials[i] = attempt(p, share, warm, k, scale, theta(k, scale), steps, s.Seed)
			if trials[i].x != nil {
				trials[i].bound = lowerBound(NewFinite(p, share), trials[i].x, trials[i].lambda, 20)
			}
		})
		return slices.DeleteFunc(trials, func(o outcome) bool { return o.x == nil })
	}
	trials := round("tuning", func(float64, float64) float64 { return 0 })
	if len(trials) == 0 {
		return outcome{}, false, errors.New("csspa: Solve: every K diverged: try larger values in Settings.Ks")
	}
	weight := penaltyWeight(trials)
	best, met = least(trials, weight), true
	if p.Constraints() > 0 {
		lambda, margin := slices.Max(best.lambda), largestMargin(trials)
		if margin <= 0 {
			if margin, err = slaterMargin(p, share, warm, best, steps, s.Seed); err != nil {
				return outcome{}, false, err
			}
		}
		if margin <= 0 {
			level, infeasible := leastLevel(p, samples, best.x)
			if infeasible != nil {
				return outcome{}, false, infeasible
			}
			if margin, met = -level, level < 0; !met {
				r.warn("no point was found with all constraints below 0: the least max_j L_j is %.3g, and the problem may be infeasible (see Slater)", level)
			}
		}
		theta := func(steps int) func(k, scale float64) float64 {
			return func(k, scale float64) float64 {
				return min(pullBias(k, scale, lambda, steps), max(0, margin/2))
			}
		}
		if tightened := round("tuning with θ", theta(steps)); len(tightened) > 0 {
			best = least(tightened, weight)
		}
		r.Theta = theta(s.Steps)(best.k, best.scale)
	}
	r.K, r.Scale = best.k, best.scale
	switch {
	case best.k == slices.Min(s.Ks):
		r.warn("K = %.3g is the smallest that was tried: smaller values in Settings.Ks may do better", best.k)
	case best.k == slices.Max(s.Ks):
		r.warn("K = %.3g is the largest that was tried: larger values in Settings.Ks may do better", best.k)
	}
	return best, met, nil
}

// least returns the trial with the least score.
func least(trials []outcome, weight float64) outcome {
	return slices.MinFunc(trials, func(a, b outcome) int { return cmp.Compare(a.score(weight), b.score(weight)) })
}

// largestMargin is the largest -max_j L_j of a trial, an estimate of σ_0.
func largestMargin(trials []outcome) float64 {
	margin := math.Inf(-1)
	for _, o := range trials {
		margin = max(margin, -o.worst())
	}
	return margin
}

// slaterMargin looks for σ_0 itself, by the problem that Slater states.
func slaterMargin[S any](p Problem[S], samples []S, start State, best outcome, steps int, seed uint64) (float64, error) {
	auxiliary, err := Slater(p, 10*(1+math.Abs(best.worst())))
	if err != nil {
		return 0, err
	}
	from, err := auxiliary.WarmStart(append(slices.Clone(start.X), best.worst()), samples[:min(len(samples), warmSamples)])
	if err != nil {
		return 0, err
	}
	o := attempt(auxiliary, samples, from, best.k, 1, 0, steps, seed)
	if o.x == nil {
		return -best.worst(), nil
	}
	levels := make([]float64, p.Constraints())
	NewFinite(p, samples).Constraints(levels, o.x[:p.N])
	return -slices.Max(levels), nil
}

// pullBias is the violation, in units of L, that the pull on the multiplier λ leaves
// when the constraints are multiplied by scale.
func pullBias(k, scale, lambda float64, steps int) float64 {
	return Bias(horizon(k, steps), steps, lambda/scale) / scale
}

func (o outcome) score(weight float64) float64 {
	sum := o.value
	if !math.IsInf(o.bound, -1) { // else X is not bounded
		sum -= o.bound
	}
	for _, l := range o.levels {
		sum += weight * max(0, l)
	}
	return sum
}

// penaltyWeight is above Σ_j λ*_j, as far as the trials can tell.
func penaltyWeight(trials []outcome) float64 {
	least, largest := math.Inf(1), 0.0
	for _, o := range trials {
		least = min(least, o.value)
		sum := 0.0
		for _, l := range o.lambda {
			sum += l
		}
		largest = max(largest, sum)
	}
	bound := math.Inf(1)
	for _, o := range trials {
		if margin := -o.worst(); margin > 0 {
			bound = min(bound, (o.value-least)/margin)
		}
	}
	return 2 * min(bound, largest)
}

// runAll makes the runs, from the best trial.
func runAll[S any](s Settings, r *Result, p Problem[S], samples []S, best outcome) ([]outcome, error) {
	warm, err := p.WarmStart(best.x, samples[:min(len(samples), warmSamples)])
	if err != nil {
		return nil, err
	}
	warm.Lambda = best.lambda
	outputs := make([]outcome, s.Runs)
	s.together("runs", s.Runs, func(i int) {
		outputs[i] = attempt(p, samples, warm, best.k, best.scale, r.Theta, s.Steps, s.Seed+uint64(i)+1)
	})
	for i, o := range outputs {
		if o.x == nil {
			return nil, fmt.Errorf("csspa: Solve: run %d with K = %.3g diverged, or refused %d samples: try larger values in Settings.Ks", i+1, best.k, o.refused)
		}
	}
	return outputs, nil
}

// together calls f(0), ..., f(count-1), several at a time.
func (s Settings) together(stage string, count int, f func(i int)) {
	var mutex sync.Mutex
	done := 0
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(s.Workers, count) {
		workers.Go(func() {
			for i := range next {
				f(i)
				mutex.Lock()
				done++
				s.Progress(stage, done, count)
				mutex.Unlock()
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	workers.Wait()
}
