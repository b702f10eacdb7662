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
// For a data set, state the problem with ready statistics ([Mean], [Variance],
// [ConditionalMean], [Ratio], [CVaR], [Norm]), [Statistic.Map] for a function of your
// own of one of them, and [NewProblem], and call [Solve]. It tunes the steps, makes
// several runs, and reports the gap and the violation with their errors.
//
// For a stream, or for functions of your own, state g, f, h and l as a [Function]
// each (value and weighted gradient), pick a [Projection] for X and a [PowerLaw] of
// step sizes, check shapes and derivatives with [Problem.Verify], and call Step once
// a sample. Each step costs m + d values and gradients of inner functions, and 1 + J
// of outer functions.
//
// # Source
//
// Thomdapu, Harshvardhan, Rajawat, "Stochastic Compositional Gradient Descent
// under Compositional Constraints", Algorithm 1 (called CSSPA there). Labels such
// as (primu) are the paper's equations. Where the print cannot be taken literally
// a comment there gives the reason.
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
//	α_t          StepSizes.Alpha                 (0, 1) for CSSPA
//	β_t          StepSizes.Beta                  (0, 1]
//	δ_t          StepSizes.Delta                 >= 0
//	θ            the argument theta              >= 0, below the Slater constant σ_0
//	x̂            Average                 n       in X
//
// The theorems want ξ independent of ζ, and φ of ψ. Draws that a problem uses in an
// inner and in an outer function must therefore be independent within a sample.
//
// # Around it
//
// CSCGD and CSCGDA are the methods that the paper compares with; CSSPA without
// constraints is SCGD. Finite is the
// problem over a data set, Tune and Merit choose constants on a share of one,
// Constants compute the theorems' K and θ, and Slater states the problem whose
// solution is σ_0. bench/csspa has problems with known optima (gallery), the
// paper's applications (problems) and an off-line solver (reference).
//
// The package imports nothing of the project but its own step sizes. It is deterministic
// (all randomness is in the samples that the caller hands over) and a step
// allocates nothing provided that the caller's functions do not.
//
// The files:
//
//	problem.go     a problem of the paper: functions g, f, h, l
//	function.go    a Function made of plain functions
//	statistic.go   statistics of a random variable as functions
//	measures.go    mean, variance, ratio, conditional mean, CVaR, norm
//	smooth.go      the Huber-smoothed reciprocal
//	projection.go  closed convex sets
//	method.go      what a stochastic method is
//	csspa.go       CSSPA, Algorithm 1
//	penalty.go     the baseline with a penalty, CSCGD
//	schedule.go    step sizes
//	state.go       what a snapshot of a method saves
//	refuse.go      samples whose values are not finite
//	finite.go      the problem over a data set
//	verify.go      shapes, and derivatives beside finite differences
//	constants.go   K and θ from the constants of the paper's assumptions
//	estimate.go    these constants, measured
//	slater.go      the Slater constant
//	infeasible.go  a proof that no x meets the constraints
//	scale.go       constraints multiplied by a factor
//	tune.go        a constant tried on a share of the samples
//	trial.go       one run of Solve
//	gap.go         what a run says of its error
//	solve.go       a solution of a problem over a data set, and its settings
package csspa
