package csspa

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// measure fills in the answer: the mean of the runs, what it is over the samples,
// and what the runs say of its error. met says that some point meets the constraints.
func measure[S any](r *Result, p Problem[S], samples []S, outputs []outcome, met bool) {
	runs := float64(len(outputs))
	r.X, r.Lambda = make([]float64, p.N), make([]float64, p.Constraints())
	for _, o := range outputs {
		for i, x := range o.x {
			r.X[i] += x / runs
		}
		for j, l := range o.lambda {
			r.Lambda[j] += l / runs
		}
	}
	p.project(r.X) // X is convex, and the mean in it but for rounding

	data := NewFinite(p, samples)
	levels, errors := make([]float64, p.Constraints()), make([]float64, p.Constraints())
	data.Constraints(levels, r.X)
	sampling := data.Errors(errors, r.X)
	spread := overRuns(outputs, func(o outcome) float64 { return o.value })
	r.Objective = Estimate{data.Objective(r.X), math.Hypot(sampling, spread)}
	for j, l := range levels {
		own := overRuns(outputs, func(o outcome) float64 { return o.levels[j] })
		r.Constraints = append(r.Constraints, Estimate{l, math.Hypot(errors[j], own)})
		r.Violation.Value = max(r.Violation.Value, l)
	}
	if len(levels) > 0 {
		r.Violation.Error = overRuns(outputs, func(o outcome) float64 { return max(0, o.worst()) })
	}
	bound := lowerBound(data, r.X, r.Lambda, min(200, max(10, r.Steps/(2*len(samples)))))
	r.Gap = Estimate{r.Objective.Value - bound, spread}
	if math.IsInf(bound, -1) {
		r.Gap.Value = math.NaN()
		r.warn("the gap is not known: the set X is not bounded, so that nothing bounds the optimum from below")
	}
	if r.Violation.Value > 2*r.Violation.Error && r.Violation.Value > 0 {
		advice := "more steps, or a stricter bound"
		if !met {
			advice = "more steps, or a looser bound"
		}
		r.warn("the constraints are violated by %v over the samples: %s", r.Violation, advice)
	}
}

// overRuns is the standard error of the mean of a value over the runs.
func overRuns(outputs []outcome, value func(outcome) float64) float64 {
	n := float64(len(outputs))
	mean, square := 0.0, 0.0
	for _, o := range outputs {
		mean += value(o) / n
	}
	for _, o := range outputs {
		square += (value(o) - mean) * (value(o) - mean)
	}
	return math.Sqrt(square / (n - 1) / n)
}

// String is the answer in lines for people.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "x          %.4g\nobjective  %v\n", r.X, r.Objective)
	for j, c := range r.Constraints {
		fmt.Fprintf(&b, "L_%d        %v, multiplier %.3g\n", j+1, c, r.Lambda[j])
	}
	fmt.Fprintf(&b, "gap        at most %v\nviolation  %v\n", r.Gap, r.Violation)
	fmt.Fprintf(&b, "K = %.3g, scale %v, θ = %.3g, %d runs of %d steps\n", r.K, r.Scale, r.Theta, r.Runs, r.Steps)
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "warning    %s\n", w)
	}
	return b.String()
}

// lowerBound returns a number that the optimum over the samples is not below, if the
// problem is convex and X bounded; otherwise -Inf. By duality F* >= min_X Λ for Λ =
// F + Σ_j λ_j L_j with any λ >= 0, and by convexity, at every point z,
//
//	min_X Λ >= Λ(z) - max_{x ∈ X} ∇Λ(z)·(z - x)
//
// The best of a number of points is taken; projected gradient steps on Λ find them.
func lowerBound[S any](data *Finite[S], x, lambda []float64, steps int) float64 {
	levels := make([]float64, len(lambda))
	bound := math.Inf(-1)
	descend(data.problem, x, steps,
		func(x []float64) float64 {
			data.Constraints(levels, x)
			return data.Objective(x) + dotProduct(lambda, levels)
		},
		func(gradient, x []float64) {
			data.Gradient(gradient, x)
			data.AddConstraintGradient(gradient, x, lambda)
		},
		func(z, gradient []float64, value float64) {
			bound = max(bound, value-furthest(data.problem, z, gradient))
		})
	return bound
}

// descend takes projected gradient steps on a function from x, each as long as halving
// and doubling finds it, and shows every point that it comes to. It returns the last. The slope at a point is asked for
// where its value was the last one that was asked for.
func descend[S any](p Problem[S], x []float64, steps int, value func(x []float64) float64, slope func(gradient, x []float64), visit func(z, gradient []float64, value float64)) []float64 {
	z, gradient, next := slices.Clone(x), make([]float64, len(x)), make([]float64, len(x))
	size, at := 1.0, value(z)
	for range steps {
		slope(gradient, z)
		visit(z, gradient, at)
		accepted := false
		for range 30 {
			for i, g := range gradient {
				next[i] = z[i] - size*g
			}
			p.project(next)
			linear, square := 0.0, 0.0
			for i := range next {
				d := next[i] - z[i]
				linear += gradient[i] * d
				square += d * d
			}
			if after := value(next); square > 0 && after <= at+linear+square/(2*size) {
				copy(z, next)
				at, accepted = after, true
				break
			}
			size /= 2
		}
		if !accepted {
			break
		}
		size *= 2
	}
	return z
}

// furthest returns max_{x ∈ X} gradient·(z - x), +Inf if X is not bounded that way.
// The point x = Π_X[ z - t gradient ] reaches it as t grows; what is missing is at most
// D²/t for a set of diameter D, which is added.
func furthest[S any](p Problem[S], z, gradient []float64) float64 {
	norm := math.Sqrt(squaredNorm(gradient))
	if norm == 0 {
		return 0
	}
	const far = 1e7
	t := far * (1 + math.Sqrt(squaredNorm(z))) / norm
	x := make([]float64, len(z))
	for i, g := range gradient {
		x[i] = z[i] - t*g
	}
	p.project(x)
	sum, square := 0.0, 0.0
	for i, g := range gradient {
		d := z[i] - x[i]
		sum += g * d
		square += d * d
	}
	if math.Sqrt(square) > t*norm/1000 {
		return math.Inf(1)
	}
	return sum + square/t
}
