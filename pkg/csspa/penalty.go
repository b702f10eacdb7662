package csspa

import (
	"errors"
	"fmt"
	"math"
)

// CSCGD is the baseline that the paper compares with: the constraints become a
// penalty, and CSSPA without constraints minimises
//
//	F(x) + (γ/2) Σ_j max(0, L_j(x))²
//
// so a step is Algorithm 1's with λ_j replaced by γ max(0, l_j(u_{t+1})). The
// accelerated form CSCGDA follows the inner functions at an extrapolated point,
//
//	v_t = (1 - 1/β_t) x_{t-1} + (1/β_t) x_t,    y_{t+1} = (1-β_t) y_t + β_t g(v_t; ξ_t)
//
// which makes the weighted mean of the points that were looked at equal x_t, and
// so takes away the lag of first order; u likewise. The point v_t may lie
// outside X, so g and h must be defined there.
//
// The penalty squares L_j, an expectation, so l_j must not itself be random: with
// random l_j what is penalised is E max(0, l_j)², another problem. Problem.FixedOuter
// must therefore be set. CSSPA has no such limit.
//
// Thomdapu, Rajawat, "Optimal design of queuing systems via compositional
// stochastic programming" (2019), arXiv 1907.08774; extrapolation from Wang, Liu,
// Fang, "Accelerating stochastic composition optimization", JMLR 18 (2017), whose
// x_{k+1}, x_k are our x_t, x_{t-1}: one sample serves both halves of a step.
type CSCGD[S any] struct {
	*composition[S]
	gamma       float64
	accelerated bool
	level       []float64 // l_j(u), then γ max(0, l_j(u)); length J
	look        []float64 // v_t, length n
}

// NewCSCGD starts the plain method with penalty weight gamma > 0.
func NewCSCGD[S any](p Problem[S], schedule PowerLaw, gamma float64, start State) (*CSCGD[S], error) {
	return newCSCGD(p, schedule, gamma, false, start)
}

// NewCSCGDA starts the accelerated method with penalty weight gamma > 0.
func NewCSCGDA[S any](p Problem[S], schedule PowerLaw, gamma float64, start State) (*CSCGD[S], error) {
	return newCSCGD(p, schedule, gamma, true, start)
}

func newCSCGD[S any](p Problem[S], schedule PowerLaw, gamma float64, accelerated bool, start State) (*CSCGD[S], error) {
	if err := schedule.Check(); err != nil {
		return nil, err
	}
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return nil, fmt.Errorf("csspa: gamma is %v: the penalty weight must be positive and finite", gamma)
	}
	if !p.FixedOuter {
		return nil, errors.New("csspa: the penalty methods need outer functions that do not depend on the sample: set Problem.FixedOuter if that is so, otherwise use CSSPA")
	}
	previous := 0
	if accelerated {
		previous = p.N
	}
	c, err := newComposition(p, schedule, 0, previous, start)
	if err != nil {
		return nil, err
	}
	return &CSCGD[S]{
		composition: c, gamma: gamma, accelerated: accelerated,
		level: make([]float64, p.Constraints()), look: make([]float64, previous),
	}, nil
}

// Step takes one sample.
func (a *CSCGD[S]) Step(s S) {
	size, ok := a.begin()
	if !ok || !a.follow(size.Beta, a.point(size.Beta), s) || !a.measure(a.level, s) {
		return
	}
	for j, l := range a.level {
		a.level[j] = a.gamma * max(0, l)
	}
	if !a.differentiate(a.level, s) {
		return
	}
	copy(a.state.Previous, a.state.X)
	a.advance(size.Alpha)
}

// point returns where the inner functions are looked at: x_t, or v_t.
func (a *CSCGD[S]) point(beta float64) []float64 {
	if !a.accelerated {
		return a.state.X
	}
	for i, x := range a.state.X {
		a.look[i] = a.state.Previous[i] + float64((x-a.state.Previous[i])/beta)
	}
	return a.look
}

// PenaltyExponents returns the step exponents a and b with which the baselines'
// rates are stated, and the exponent c of the penalty weight γ = γ_0 T^c.
//
// Without constraints the two forms reach T^-1/4 at (3/4, 1/2) and T^-2/7 at
// (5/7, 4/7). A penalty multiplies that by γ² and adds a violation of order 1/γ;
// the two are equal at γ = T^1/12 and T^2/21, the rates of the abstract.
func PenaltyExponents(accelerated bool) (a, b, c float64) {
	if accelerated {
		return 5. / 7, 4. / 7, 2. / 21
	}
	return 3. / 4, 1. / 2, 1. / 12
}
