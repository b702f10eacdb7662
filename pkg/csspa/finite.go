package csspa

import (
	"math"
	"slices"
)

// Finite is problem (P) over a data set: every expectation is a mean over the
// samples, inner ones first, so that F(x) = mean_s f( mean_r g(x; r); s ). It
// measures the answers of the methods and is what bench/csspa/reference minimises.
//
// Each call passes over the samples once or twice; inner means are kept for the
// latest x. It is not safe for concurrent use.
type Finite[S any] struct {
	problem Problem[S]
	samples []S

	objective, constraint mean      // E g and E h at the latest x
	value, outer          []float64 // scratch, length max(m, d)
	level, term           []float64 // scratch, length max(1, J)
}

// mean is an inner function's mean over the samples at a point.
type mean struct {
	known bool
	x     []float64
	value []float64
}

// NewFinite states p over samples, of which there must be at least one; the
// slice is kept, not copied. It panics if p is not well-formed (see Check).
func NewFinite[S any](p Problem[S], samples []S) *Finite[S] {
	if err := p.Check(); err != nil {
		panic(err)
	}
	if len(samples) == 0 {
		panic("csspa: NewFinite needs at least one sample")
	}
	m, d := p.inner()
	vector := func(n int) []float64 { return make([]float64, n) }
	return &Finite[S]{
		problem: p, samples: samples,
		objective: mean{x: vector(p.N), value: vector(m)}, constraint: mean{x: vector(p.N), value: vector(d)},
		value: vector(max(m, d)), outer: vector(max(m, d)),
		level: vector(max(1, p.Constraints())), term: vector(max(1, p.Constraints())),
	}
}

// Problem returns the problem.
func (f *Finite[S]) Problem() Problem[S] { return f.problem }

// Objective returns F(x).
func (f *Finite[S]) Objective(x []float64) float64 {
	f.evaluate(f.level[:1], f.problem.F, f.expect(&f.objective, f.problem.G, x))
	return f.level[0]
}

// Constraints stores L_1(x), ..., L_J(x) in dst.
func (f *Finite[S]) Constraints(dst, x []float64) {
	if f.problem.L != nil {
		f.evaluate(dst, f.problem.L, f.expect(&f.constraint, f.problem.H, x))
	}
}

// Gradient stores the gradient of F in dst.
func (f *Finite[S]) Gradient(dst, x []float64) {
	clear(dst)
	f.addGradient(dst, f.problem.G, f.problem.F, x, f.expect(&f.objective, f.problem.G, x), one)
}

// AddConstraintGradient adds to dst the gradient of Σ_j weights_j L_j; it costs
// nothing if all weights are 0.
func (f *Finite[S]) AddConstraintGradient(dst, x, weights []float64) {
	if slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
		f.addGradient(dst, f.problem.H, f.problem.L, x, f.expect(&f.constraint, f.problem.H, x), weights)
	}
}

// Violation returns max_j L_j(x), or 0 if no constraint is violated.
func (f *Finite[S]) Violation(x []float64) float64 {
	level := f.level[:f.problem.Constraints()]
	f.Constraints(level, x)
	worst := 0.0
	for _, l := range level {
		worst = max(worst, l)
	}
	return worst
}

var one = []float64{1}

// expect returns the mean of c(x; s), from m if it is known there.
func (f *Finite[S]) expect(m *mean, c Function[S], x []float64) []float64 {
	if m.known && slices.Equal(m.x, x) {
		return m.value
	}
	m.known = true
	copy(m.x, x)
	clear(m.value)
	value := f.value[:len(m.value)]
	for _, s := range f.samples {
		c.Evaluate(value, x, s)
		for i, v := range value {
			m.value[i] += v
		}
	}
	for i := range m.value {
		m.value[i] /= float64(len(f.samples))
	}
	return m.value
}

func (f *Finite[S]) evaluate(dst []float64, outer Function[S], u []float64) {
	term := f.term[:len(dst)]
	clear(dst)
	draws := f.outerDraws()
	for _, s := range draws {
		outer.Evaluate(term, u, s)
		for j, v := range term {
			dst[j] += v
		}
	}
	for j := range dst {
		dst[j] /= float64(len(draws))
	}
}

// outerDraws are the samples that a mean over the outer randomness needs.
func (f *Finite[S]) outerDraws() []S {
	if f.problem.FixedOuter {
		return f.samples[:1]
	}
	return f.samples
}

// addGradient is the chain rule: mean ∇c(x; r) times mean Σ_j weights_j ∇l_j(u; s).
func (f *Finite[S]) addGradient(dst []float64, inner, outer Function[S], x, u, weights []float64) {
	slope := f.outer[:len(u)]
	clear(slope)
	draws := f.outerDraws()
	for _, s := range draws {
		outer.AddGradient(slope, u, weights, s)
	}
	for i := range slope {
		slope[i] /= float64(len(draws)) * float64(len(f.samples))
	}
	for _, s := range f.samples {
		inner.AddGradient(dst, x, slope, s)
	}
}

// Errors returns the standard errors of Objective and, in constraints, of
// Constraints at x, for samples that were drawn independently. They are of the delta
// method: near E g, f(E g) is linear in the mean of ∇f·g(x; s) + f(E g; s). A data
// set of one sample has none: NaN.
func (f *Finite[S]) Errors(constraints, x []float64) (objective float64) {
	var one [1]float64
	f.standardErrors(one[:], x, f.problem.G, f.problem.F, f.expect(&f.objective, f.problem.G, x))
	if f.problem.L != nil {
		f.standardErrors(constraints, x, f.problem.H, f.problem.L, f.expect(&f.constraint, f.problem.H, x))
	}
	return one[0]
}

// standardErrors stores those of E l_j(u; s) with u = E c(x; s).
func (f *Finite[S]) standardErrors(dst, x []float64, inner, outer Function[S], u []float64) {
	n := float64(len(f.samples))
	term, value, weights := make([]float64, len(dst)), make([]float64, len(u)), make([]float64, len(dst))
	for j := range dst {
		slope := make([]float64, len(u))
		weights[j] = 1
		draws := f.outerDraws()
		for _, s := range draws {
			outer.AddGradient(slope, u, weights, s)
		}
		weights[j] = 0
		mean, square := 0.0, 0.0 // of Welford's recursion
		for i, s := range f.samples {
			inner.Evaluate(value, x, s)
			influence := 0.0
			for k, v := range value {
				influence += slope[k] / float64(len(draws)) * v
			}
			if !f.problem.FixedOuter {
				outer.Evaluate(term, u, s)
				influence += term[j]
			}
			step := influence - mean
			mean += step / float64(i+1)
			square += step * (influence - mean)
		}
		dst[j] = math.Sqrt(square / (n - 1) / n)
	}
}
