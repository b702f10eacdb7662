// Package gallery holds small problems whose optimum is known in closed form, so
// that every method can be measured against the truth: the optimality gap and
// the constraint violation of an answer are computed exactly, not estimated. It
// imports only pkg/csspa and gonum/stat.
package gallery

import (
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// Draw is one draw of (ξ, ζ, φ, ψ); a problem uses the components it needs.
type Draw struct {
	Xi   [2]float64
	Zeta float64
	Phi  [2]float64
	Psi  float64
}

// Entry is a problem with its solution.
type Entry struct {
	Name    string
	Problem csspa.Problem[Draw]
	Sample  func(*rand.Rand) Draw

	Start       []float64
	Optimum     []float64 // x*
	Value       float64   // F(x*)
	Multipliers []float64 // λ*, one a constraint

	Objective   func(x []float64) float64 // F, exactly
	Constraints func(dst, x []float64)    // L_j, exactly; nil without constraints

	// K for the step sizes of Theorem 2. The theorem's own constant is a worst
	// case; this one was found by trial for powers of T (see Tune in package csspa).
	K float64
}

// PowerK returns a K for step sizes that are powers of t: the first steps, at t = 1,
// are the largest, and have to be below 1 (PowerLaw.CheckSaddle).
func (e Entry) PowerK() float64 { return max(e.K, 0.45) }

// All returns the problems, in a fixed order. Each call builds new ones.
func All() []Entry {
	return []Entry{
		mean(), randomSlope(), entropicRisk(), rootPenalty(),
		halfSpace(), disc(), norm(), hinge(), semideviation(), oneOfTwo(),
	}
}

// Binding says whether a constraint holds with equality at the optimum.
func (e Entry) Binding() bool {
	return slices.ContainsFunc(e.Multipliers, func(l float64) bool { return l > 0 })
}

// Violation returns max_j L_j(x), or 0 if no constraint is violated.
func (e Entry) Violation(x []float64) float64 {
	if e.Constraints == nil {
		return 0
	}
	levels := make([]float64, len(e.Multipliers))
	e.Constraints(levels, x)
	return max(0, slices.Max(levels))
}
