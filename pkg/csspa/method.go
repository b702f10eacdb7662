package csspa

import "slices"

// Method is a stochastic method for problem (P): hand it the samples one by one
// and ask for the average when you like. Methods are not safe for concurrent use.
type Method[S any] interface {
	// Step takes one sample. It allocates nothing.
	Step(s S)
	// Iterate returns x_{t+1}. The slice is the method's own: read it, do not keep it.
	Iterate() []float64
	// Average stores the output x̂ = Σ α_t x_t / Σ α_t in dst; before the first
	// step that is the starting point.
	Average(dst []float64)
	// State returns a copy of everything adaptive.
	State() State
	// Restore goes on from a state of the same problem.
	Restore(State) error
}

var (
	_ Method[int] = (*CSSPA[int])(nil)
	_ Method[int] = (*SCGD[int])(nil)
	_ Method[int] = (*CSCGD[int])(nil)
)

// composition is what the methods share: state, followed inner values, and a
// projected step along the composite gradient.
type composition[S any] struct {
	problem Problem[S]
	shape   shape
	state   State

	// Scratch, sized once.
	value    []float64 // g(x; ξ) or h(x; φ), length max(m, d)
	outer    []float64 // ∇f(y), or Σ weights_j ∇l_j(u), length max(m, d)
	gradient []float64 // length n
	one      [1]float64
}

// newComposition starts from a caller's state; the starting point is projected.
func newComposition[S any](p Problem[S], multipliers, previous int, start State) (*composition[S], error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	m, d := p.inner()
	c := &composition[S]{
		problem:  p,
		shape:    shape{p.N, m, d, multipliers, previous},
		value:    make([]float64, max(m, d)),
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

// Average stores x̂ in dst, whose length is n.
func (c *composition[S]) Average(dst []float64) {
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
	c.state = state
	return nil
}

// accumulate adds α_t x_t to the output average; it comes before descend.
func (c *composition[S]) accumulate(alpha float64) {
	c.state.Weight += alpha
	for i, x := range c.state.X {
		c.state.Sum[i] += float64(alpha * x)
	}
}

// follow moves y and u towards the inner functions at point x: (auxu1), (auxu2).
func (c *composition[S]) follow(beta float64, x []float64, s S) {
	m, d := c.shape.m, c.shape.d
	c.problem.G.Evaluate(c.value[:m], x, s)
	blend(c.state.Y, c.value[:m], beta)
	if d > 0 {
		c.problem.H.Evaluate(c.value[:d], x, s)
		blend(c.state.U, c.value[:d], beta)
	}
}

// descend is (primu): x <- Π_X{ x - α ( ∇g ∇f(y) + ∇h Σ_j weights_j ∇l_j(u) ) }.
// The sum over j is taken inside the product with ∇h, which is the same number
// for one product instead of J.
func (c *composition[S]) descend(alpha float64, weights []float64, s S) {
	m, d := c.shape.m, c.shape.d
	clear(c.gradient)
	clear(c.outer[:m])
	c.problem.F.AddGradient(c.outer[:m], c.state.Y, c.one[:], s)
	c.problem.G.AddGradient(c.gradient, c.state.X, c.outer[:m], s)
	if d > 0 {
		clear(c.outer[:d])
		c.problem.L.AddGradient(c.outer[:d], c.state.U, weights, s)
		c.problem.H.AddGradient(c.gradient, c.state.X, c.outer[:d], s)
	}
	for i, g := range c.gradient {
		c.state.X[i] -= float64(alpha * g)
	}
	c.problem.project(c.state.X)
}

// blend is dst <- (1-β) dst + β value. Here and in the other updates a product
// is wrapped in float64(...), which forbids fusing it with the addition, so that
// processors with and without a fused multiply-add give the same bits.
func blend(dst, value []float64, beta float64) {
	for i, v := range value {
		dst[i] = float64((1-beta)*dst[i]) + float64(beta*v)
	}
}

// WarmStart returns a starting state at x whose followed values are means of the
// inner functions over a few samples instead of zeros. It helps where an outer
// function is steep near zero: a ratio, a root, a queue's delay.
func (p Problem[S]) WarmStart(x []float64, samples []S) (State, error) {
	c, err := newComposition(p, 0, 0, State{X: x})
	if err != nil {
		return State{}, err
	}
	for i, s := range samples {
		c.follow(1/float64(i+1), c.state.X, s)
	}
	return State{X: slices.Clone(c.state.X), Y: c.state.Y, U: c.state.U}, nil
}
