// Package csspa solves stochastic problems whose objective and constraints are
// both compositions of expectations:
//
//	min_{x ∈ X} F(x) = E_ζ f( E_ξ g(x; ξ); ζ )                              (P)
//	 subject to L_j(x) = E_ψ l_j( E_φ h(x; φ); ψ ) ≤ 0,   j = 1, ..., J
//
// from one pass over samples. A sample of f(g(x; ξ)) is a biased estimate of F,
// so plain stochastic gradients converge to another problem's answer; the methods
// here follow the inner expectations with running averages instead.
//
// To use it, state g, f, h and l as a [Function] each (value and weighted
// gradient), pick a [Projection] for X and a [Schedule] of step sizes, check the
// derivatives with [Problem.Verify], and call Step once a sample.
//
// # Source
//
// Thomdapu, Harshvardhan, Rajawat, "Stochastic Compositional Gradient Descent
// under Compositional Constraints", Algorithm 1 (called CSSPA there). Labels such
// as (primu) are the paper's equations. Where the print cannot be taken literally
// the comment at that place says so and why.
//
// # Symbols
//
//	paper        here                    shape   range
//	x            State.X                 n       in X
//	y            State.Y                 m       follows E g(x; ξ)
//	w            State.U                 d       follows E h(x; φ) (the paper's w is a classifier's weights too)
//	λ            State.Lambda            J       >= 0
//	g, f         Problem.G, Problem.F    m, 1
//	h, l         Problem.H, Problem.L    d, J
//	Π_X          Problem.X
//	ξ, ζ, φ, ψ   the sample type S               one value holds all four draws
//	α_t, β_t     StepSizes.Alpha, .Beta          (0, 1]
//	δ_t          StepSizes.Delta                 >= 0
//	θ            the argument theta              >= 0, below the Slater constant σ_0
//	x̂            Average                 n       in X
//
// # Around it
//
// SCGD, CSCGD and CSCGDA are the methods that the paper compares with. Finite is the
// problem over a data set, Tune and Merit choose constants on a share of one,
// Constants compute the theorems' K and θ, and Slater states the problem whose
// solution is σ_0. Package gallery has problems with known optima, package problems
// the paper's applications, package reference an off-line solver.
//
// The package is a leaf: it imports nothing of the project. It is deterministic
// (all randomness is in the samples that the caller hands over) and a step
// allocates nothing provided that the caller's functions do not.
package csspa
