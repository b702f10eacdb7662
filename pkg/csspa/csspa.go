package csspa

import (
	"fmt"
	"math"
)

// CSSPA is the compositional stochastic saddle point algorithm, Algorithm 1 of
// the paper. Step t takes one sample and does, in this order,
//
//	y_{t+1} = (1-β_t) y_t + β_t g(x_t; ξ_t)                                    (auxu1)
//	u_{t+1} = (1-β_t) u_t + β_t h(x_t; φ_t)                                    (auxu2)
//	x_{t+1} = Π_X[ x_t - α_t ( ∇g(x_t) ∇f(y_{t+1}) + Σ_j λ_{j,t} ∇h(x_t) ∇l_j(u_{t+1}) ) ]   (primu)
//	λ_{j,t+1} = [ λ_{j,t} (1 - α_t² δ_t) + α_t ( l_j(u_{t+1}) + θ ) ]_+          (duau)
//
// and the output is x̂ = Σ α_t x_t / Σ α_t. Each of the four functions is
// evaluated once or differentiated once a step, so the cost is theirs plus
// O(n + m + d + J). The paper's text once gives the dual gradient as
// l_j - α_t δ_t; its Algorithm 1 has λ_j in it, and so has this.
//
// Without constraints this is stochastic compositional gradient descent, SCGD:
// Wang, Fang, Liu, "Stochastic compositional gradient descent: algorithms for
// minimizing compositions of expected-value functions", Math. Program. 161
// (2017), Alg. 1.
//
// A positive θ solves the problem with constraints L_j + θ <= 0: with θ of the
// order of the violation's bound the output is feasible in expectation.
type CSSPA[S any] struct {
	*composition[S]
	theta float64
	level []float64 // l_j(u; ψ), length J
}

// NewCSSPA starts the method. In start, empty vectors count as zeros, and X is
// projected on the set first. It is an error if the problem is not well-formed
// (Problem.Check) or a step size is out of range (PowerLaw.CheckSaddle).
func NewCSSPA[S any](p Problem[S], schedule PowerLaw, theta float64, start State) (*CSSPA[S], error) {
	if err := schedule.CheckSaddle(); err != nil {
		return nil, err
	}
	if !(theta >= 0) || math.IsInf(theta, 1) {
		return nil, fmt.Errorf("csspa: theta is %v: it must be finite and not negative", theta)
	}
	c, err := newComposition(p, schedule, p.Constraints(), 0, start)
	if err != nil {
		return nil, err
	}
	return &CSSPA[S]{composition: c, theta: theta, level: make([]float64, p.Constraints())}, nil
}

// Step takes one sample.
func (a *CSSPA[S]) Step(s S) {
	lambda := a.state.Lambda
	size, ok := a.begin()
	if !ok || !a.follow(size.Beta, a.state.X, s) || !a.differentiate(lambda, s) || !a.measure(a.level, s) {
		return
	}
	a.advance(size.Alpha)
	keep := 1 - size.Alpha*size.Alpha*size.Delta
	for j, l := range a.level {
		lambda[j] = max(0, float64(lambda[j]*keep)+float64(size.Alpha*(l+a.theta)))
	}
}

// Multipliers returns λ_{t+1}. The slice is the method's own: read it, do not keep it.
func (a *CSSPA[S]) Multipliers() []float64 { return a.state.Lambda }
