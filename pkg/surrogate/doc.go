// Package surrogate holds the smooth stand-ins for the risk difference
//
//	RD = P(z > 0 | group) − P(z > 0 | versus),   z = w⋅x the margin of a record,
//
// that a gradient method can work with: the three relaxations of Thomdapu,
// Harshvardhan and Rajawat, "Stochastic Compositional Gradient Descent under
// Compositional Constraints" (section "Fair classifier"), and two that
// practitioners ask for, the mean margin (the covariance constraint of Zafar
// et al., AISTATS 2017) and the sigmoid gap.
//
// Each relaxation has the compositional form l_j(E[h(z)]) ≤ 0. The inner
// function h is evaluated on one record, its expectation is tracked in a vector
// u, and the outer functions l_j act on u. The first half of u belongs to the
// group, the second half to versus; both begin with the frequency of the side:
//
//	name              u                          value V_j(u)
//	approximation-1   [p+, U+, L+, p−, U−, L−]   A + B − 1;  1 − A′ − B′
//	approximation-2   [p+, U+, p−, U−]           (A + B − 1)²
//	approximation-3   [p+, U+, L+, p−, U−, L−]   A² + B² + 1 − 2A′ − 2B′ + 2AB
//	mean-margin       [p+, M+, p−, M−]           C − D;  D − C
//	sigmoid           [p+, S+, p−, S−]           C − D;  D − C
//
//	p± = E 1{s±}
//	U+ = E 1{s+} max(0, 1+z)    L+ = E 1{s+} min(1, z)
//	U− = E 1{s−} max(0, 1−z)    L− = E 1{s−} min(1, −z)
//	M± = E 1{s±} z              S± = E 1{s±} σ(kz), k the slope
//	A, B, A′, B′ = H(p+, U+), H(p−, U−), H(p+, L+), H(p−, L−)
//	C, D = H(p+, M+), H(p−, M−), or the same of S
//
// H is the Huber-smoothed ratio (see [Ratio]). With the threshold cτ of the
// relaxation, l_j = V_j − cτ, except for approximation-2 and approximation-3,
// which bound a square: l = V − (cτ)².
//
// "s+" stands for "is in the group and meets the condition of the comparison"
// and "s−" for the same of versus, so one relaxation serves every criterion
// that compares two rates.
//
// # What bounds what
//
// Above the smoothing region (p+ and p− larger than epsilon), for every
// distribution of margins:
//
//	approximation-1   convex; V_1 ≥ RD and V_2 ≥ −RD
//	approximation-2   not convex; V ≥ RD² where RD ≥ 0, no bound where RD < 0
//	approximation-3   convex; V ≥ RD²
//	mean-margin       linear, hence convex; bounds nothing
//	sigmoid           not convex; bounds nothing, tends to RD as the slope grows
//
// Because min(1, z) = 1 − max(0, 1−z), the second value of approximation-1 is
// its first with the groups exchanged, and approximation-3 equals
// V_1² + 2V_1 + 2V_2 of approximation-1. With Δ = E[z|s+] − E[z|s−] it follows
// that V_1 ≥ 1 + Δ and V_2 ≥ 1 − Δ, which is where the bounds of
// [CheckThreshold] come from: a smaller threshold cannot be met, or only by a
// model that reverses the bias.
//
// # Arithmetic
//
// Products that are then added are rounded first (float64(a*b) + c), and the
// exponential is the package's own (see [Logistic]), so that a machine with
// fused multiply-add computes the same bits as one without.
//
// Imports of the project: internal/logistic, pkg/fairness (sides).
//
// The files:
//
//	name.go        names of the relaxations, and what holds for each
//	ratio.go       the Huber-smoothed ratio H, and below which share a side is smoothed (1 %)
//	logistic.go    σ, with the same bits on every machine
//	inner.go       the inner functions h and their derivatives
//	outer.go       the outer functions l_j and their gradients
//	relaxation.go  one relaxation with its settings
//	feasible.go    thresholds (constraints[].threshold) that no weights can meet
package surrogate
