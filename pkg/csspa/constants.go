package csspa

import (
	"fmt"
	"math"
)

// Constants are those of the paper's assumptions. All are bounds over the whole
// of X: worst cases, so that K and θ computed from them are safe and usually far
// more cautious than need be (compare Tune).
type Constants struct {
	J      int     // number of constraints; 0 counts as 1
	Cf, Cl float64 // E ‖∇f‖² <= Cf, E ‖∇l_j‖² <= Cl                     (aoutergra)
	Cg, Ch float64 // E ‖∇g‖² <= Cg, E ‖∇h‖² <= Ch                       (ainner)
	Vg, Vh float64 // variances of g and h                               (ainner)
	Lf, Ll float64 // Lipschitz constants of ∇f and ∇l_j                 (aoutersm)
	Bl     float64 // E l_j(E h)² <= Bl                                  (aconsb)
	Dx     float64 // ‖x - x'‖² <= Dx on X: the square of the diameter   (aslater)
	Sigma0 float64 // some x has L_j(x) <= -Sigma0 for every j           (aslater)
}

// K1 returns the constant K of Theorem 1.
func (c Constants) K1() float64 {
	j := c.j()
	return max(4, j*c.Ll*c.Ll*c.Ch*c.Dx, 2*j*c.Ch*c.Cl, 8*j*c.Ch*c.Cl*(1+4*j*c.Cl)*(c.Cg+c.Ch))
}

// K2 returns the constant K of Theorem 2, (chK).
func (c Constants) K2() float64 {
	j := c.j()
	return 2 * j * max(2, c.Ch*c.Cl*(c.c()*c.Ch+c.Cg+c.Ch), c.Cl+c.Ll*c.Ll*c.Ch*c.Dx, c.Ch*c.Cl)
}

func (c Constants) j() float64 { return float64(max(c.J, 1)) }

// c is the C = 1 + 4 J C_l of Lemma lagdual.
func (c Constants) c() float64 { return 1 + 4*c.j()*c.Cl }

// g2 is G_2 of (bouC), with D = D_x + D_y + D_z. The initial errors D_y, D_z of
// the followed values are bounded by the variances (start with WarmStart), and
// θ² by σ_0²/4.
func (c Constants) g2() float64 {
	j := c.j()
	return 2 * max(
		c.Dx+c.Vg+c.Vh,
		c.Lf*c.Lf*c.Cg*c.Dx,
		j*c.Cl,
		c.Cf*c.Cg+j*(c.Bl+c.Sigma0*c.Sigma0/4),
		c.Cf*c.Cg*(c.c()*c.Ch+c.Cg+c.Ch),
		c.Vg+c.Vh+c.c()*c.Vh,
	)
}

// Omega returns ω of Theorem 2 after the given number of steps with its
// constants: G_2 Σ_t (1/T + α_t² + β_t² + α_t²/β_t + α_t²/β_{t+1}) / Σ_t α_t. The
// optimality gap of x̂ is at most ω for θ = 0.
func (c Constants) Omega(schedule PowerLaw, steps int) float64 {
	sum, weight := total(schedule, steps, func(now, next StepSizes) float64 {
		square := now.Alpha * now.Alpha
		return square + now.Beta*now.Beta + square/now.Beta + square/next.Beta
	})
	return c.g2() * (1 + sum) / weight
}

// Theta returns the θ with which Theorem 2 promises no violation in expectation:
// ω (3 + 8 C_f C_g D_x / σ_0²). It is an error if that exceeds σ_0/2, which the
// theorem forbids: then the number of steps is too small for these constants.
//
// The print has 2 in place of 3 and D_x² in place of D_x. As D_x bounds the
// squared distance (aslater), duality gives ‖λ^θ‖ <= 2 √(C_f C_g D_x) / σ_0, and
// 1 + ‖1^i + λ^θ‖² <= 3 + 2 ‖λ^θ‖².
func (c Constants) Theta(schedule PowerLaw, steps int) (float64, error) {
	if !(c.Sigma0 > 0) {
		return 0, fmt.Errorf("csspa: σ_0 is %v: it must be positive (solve the problem that Slater states), otherwise use θ = 0", c.Sigma0)
	}
	theta := c.ThetaNeeded(schedule, steps)
	if theta <= c.Sigma0/2 {
		return theta, nil
	}
	reason := ""
	if rate := schedule.Guarantee().Rate; rate > 0 {
		reason = fmt.Sprintf("; about %.1g steps would do", float64(steps)*math.Pow(2*theta/c.Sigma0, 1/rate))
	}
	return 0, fmt.Errorf("csspa: Theorem 2's θ is %.3g, above σ_0/2 = %.3g: %d steps are too few for these constants%s", theta, c.Sigma0/2, steps, reason)
}

// ThetaNeeded is Theta without its limit: what the bound asks for, even where the
// problem tightened by so much has no solution.
func (c Constants) ThetaNeeded(schedule PowerLaw, steps int) float64 {
	return c.Omega(schedule, steps) * (3 + 8*c.Cf*c.Cg*c.Dx/(c.Sigma0*c.Sigma0))
}

// Bias returns the violation that the pull of δ_t on λ leaves by itself: where λ
// rests, (duau) gives l_j + θ = α_t δ_t λ_j, and this is its average over the
// output's weights, Σ α_t² δ_t λ / Σ α_t. For Theorem 2 at (3/4, 1/2) and powers of
// T it is (8/7) λ T^-1/4 up to T^-3/4, whatever K is. With an estimate of λ*, θ =
// Bias is the smallest θ that can be hoped to end the violation.
func Bias(schedule PowerLaw, steps int, lambda float64) float64 {
	sum, weight := total(schedule, steps, func(now, _ StepSizes) float64 { return now.Alpha * now.Alpha * now.Delta })
	return lambda * sum / weight
}

// total returns Σ_t term(t, t+1) and Σ_t α_t for t = 1, ..., steps.
func total(schedule PowerLaw, steps int, term func(now, next StepSizes) float64) (sum, weight float64) {
	if schedule.Horizon > 0 { // every step is the same
		size := schedule.At(1)
		return float64(steps) * term(size, size), float64(steps) * size.Alpha
	}
	for t := 1; t <= steps; t++ {
		now, next := schedule.At(t), schedule.At(t+1)
		sum += term(now, next)
		weight += now.Alpha
	}
	return sum, weight
}
