package csspa

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/csspa/steps"
)

// Method is a stochastic method for problem (P): hand it the samples one by one
// and ask for the average when you like. Methods are not safe for concurrent use.
type Method[S any] interface {
	// Step takes one sample. It allocates nothing. A sample is refused if a
	// function is not finite there, or if it comes after the schedule's horizon:
	// Refused counts it, and the rest of the state stays as it was.
	Step(s S)
	// Refused returns how many samples were refused, and an error that names the
	// function and the step of the first; nil if there was none, or if it was
	// before the state that the method was restored from.
	Refused() (count int, first error)
	// Iterate returns x_{t+1}. The slice is the method's own: read it, do not keep it.
	Iterate() []float64
	// Average stores the output x̂ = Σ α_t x_t / Σ α_t in dst, whose length must be
	// n; before the first step that is the starting point.
	Average(dst []float64)
	// State returns a copy of everything adaptive.
	State() State
	// Restore goes on from a state of the same problem.
	Restore(State) error
}

var (
	_ Method[int] = (*CSSPA[int])(nil)
	_ Method[int] = (*CSCGD[int])(nil)
)

// composition is what the methods share: state, followed inner values, and a
// projected step along the composite gradient. A step is first computed in
// scratch, and becomes the state once all of it is known to be finite.
type composition[S any] struct {
	problem Problem[S]
	shape   shape
	pace    steps.Pace
	state   State
	first   error // why the first sample was refused

	// Scratch, sized once.
	y, u     []float64 // y_{t+1} and u_{t+1}, lengths m and d
	outer    []float64 // ∇f(y), or Σ weights_j ∇l_j(u), length max(m, d)
	gradient []float64 // length n
	one      [1]float64
}

// newComposition starts from a caller's state; the starting point is projected.
func newComposition[S any](p Problem[S], schedule PowerLaw, multipliers, previous int, start State) (*composition[S], error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	m, d := p.inner()
	c := &composition[S]{
		problem:  p,
		shape:    shape{p.N, m, d, multipliers, previous},
		pace:     steps.Pace{Law: schedule},
		y:        make([]float64, m),
		u:        make([]float64, d),
		outer:    make([]float64, max(m, d)),
		gradient: make([]float64, p.N),
		one:      [1]float64{1},
	}
	if err := c.Restore(start); err != nil {
		return nil, err
	}
	if c.state.Steps == 0 {
		p.project(c.state.X)
		copy(c.state.Previous, c.state.X)
	}
	return c, nil
}

// Iterate returns x_{t+1}, not a copy.
func (c *composition[S]) Iterate() []float64 { return c.state.X }

// Average stores x̂ in dst, whose length must be n.
func (c *composition[S]) Average(dst []float64) {
	if len(dst) != c.shape.n {
		panic("csspa: Average needs a slice as long as the problem has variables")
	}
	if c.state.Weight == 0 {
		copy(dst, c.state.X)
		return
	}
	for i, sum := range c.state.Sum {
		dst[i] = sum / c.state.Weight
	}
}

// State returns a copy of the state.
func (c *composition[S]) State() State { return c.state.Clone() }

// Restore goes on from s; empty vectors count as zeros.
func (c *composition[S]) Restore(s State) error {
	state, err := s.shaped(c.shape)
	if err != nil {
		return err
	}
	c.state, c.first = state, nil
	return nil
}

// begin returns the step sizes of the next step, or false beyond the horizon.
func (c *composition[S]) begin() (StepSizes, bool) {
	t := c.state.Steps + 1
	if horizon := c.pace.Law.Horizon; horizon > 0 && t > horizon {
		c.refuseLate()
		return StepSizes{}, false
	}
	return c.pace.At(t), true
}

// follow computes y_{t+1} and u_{t+1} with the inner functions at point x: (auxu1), (auxu2).
func (c *composition[S]) follow(beta float64, x []float64, s S) bool {
	c.problem.G.Evaluate(c.y, x, s)
	if !finite(c.y) {
		return c.refuse("G", output, c.y)
	}
	if len(c.u) > 0 {
		c.problem.H.Evaluate(c.u, x, s)
		if !finite(c.u) {
			return c.refuse("H", output, c.u)
		}
		blend(c.u, c.state.U, beta)
	}
	blend(c.y, c.state.Y, beta)
	return true
}

// differentiate computes the gradient of (primu): ∇g ∇f(y) + ∇h Σ_j weights_j
// ∇l_j(u). The sum over j is taken inside the product with ∇h, which is the same
// number for one product instead of J.
func (c *composition[S]) differentiate(weights []float64, s S) bool {
	clear(c.gradient)
	slope := c.outer[:len(c.y)]
	clear(slope)
	c.problem.F.AddGradient(slope, c.y, c.one[:], s)
	if !finite(slope) {
		return c.refuse("F", derivative, slope)
	}
	c.problem.G.AddGradient(c.gradient, c.state.X, slope, s)
	if len(c.u) > 0 {
		slope = c.outer[:len(c.u)]
		clear(slope)
		c.problem.L.AddGradient(slope, c.u, weights, s)
		if !finite(slope) {
			return c.refuse("L", derivative, slope)
		}
		c.problem.H.AddGradient(c.gradient, c.state.X, slope, s)
	}
	if !finite(c.gradient) {
		return c.refuseGradient(s)
	}
	return true
}

// measure stores l_j(u_{t+1}) in level.
func (c *composition[S]) measure(level []float64, s S) bool {
	if len(level) == 0 {
		return true
	}
	c.problem.L.Evaluate(level, c.u, s)
	if !finite(level) {
		return c.refuse("L", output, level)
	}
	return true
}

// advance makes the step that was computed the state: it adds α_t x_t to the
// output average, moves x along the gradient, and takes y and u over.
func (c *composition[S]) advance(alpha float64) {
	state := &c.state
	state.Steps++
	state.Weight += alpha
	for i, g := range c.gradient {
		x := state.X[i]
		state.Sum[i] += float64(alpha * x)
		state.X[i] = x - float64(alpha*g)
	}
	c.problem.project(state.X)
	state.Y, c.y = c.y, state.Y
	state.U, c.u = c.u, state.U
}

// blend is value <- (1-β) followed + β value. Here and in the other updates a
// product is wrapped in float64(...), which forbids fusing it with the addition, so
// that processors with and without a fused multiply-add give the same bits.
func blend(value, followed []float64, beta float64) {
	for i, v := range value {
		value[i] = float64((1-beta)*followed[i]) + float64(beta*v)
	}
}

// WarmStart returns a starting state at x whose followed values are means of the
// inner functions over a few samples instead of zeros. It helps where an outer
// function is steep near zero: a ratio, a root, a queue's delay. It is an error if
// an inner function is not finite at one of the samples.
func (p Problem[S]) WarmStart(x []float64, samples []S) (State, error) {
	c, err := newComposition(p, PowerLaw{}, 0, 0, State{X: x})
	if err != nil {
		return State{}, err
	}
	for i, s := range samples {
		if !c.follow(1/float64(i+1), c.state.X, s) {
			return State{}, c.first
		}
		c.state.Y, c.y = c.y, c.state.Y
		c.state.U, c.u = c.u, c.state.U
	}
	return State{X: slices.Clone(c.state.X), Y: c.state.Y, U: c.state.U}, nil
}
