package steps

import (
	"fmt"
	"math"
)

// Guarantee is what the paper proves of a schedule, provided that its
// assumptions hold and that K is at least the theorem's constant (see csspa.Constants).
type Guarantee struct {
	// Theorem 1: x_t and λ_t converge almost surely, with θ = 0.
	Theorem1 bool
	// Theorem 2: gap and violation of the average are at most ω, and ω times a constant less θ.
	Theorem2 bool
	// K that the constants of the schedule belong to; 0 if neither theorem holds.
	K float64
	// Rate is r in ω = O(T^-r) of Theorem 2; at 0 the bound does not shrink.
	Rate float64
	// Logarithm: the bound has a further factor log T.
	Logarithm bool
	// Reason says in words which theorem holds, or which condition fails.
	Reason string
}

// Theorem1 returns the step sizes of Theorem 1: α_t = t^-a / 4K, β_t = t^-b,
// δ_t = 2K (1 + 1/β_t + 1/β_{t+1}), to be used with θ = 0.
//
// Its sums converge only if b > 1/2 and 2a - b > 1, with b < 1 and a <= 1. The
// pair (3/4, 1/2) of the paper's table lies on that border and is therefore
// refused. At a = 1, which Theorem 2 does not allow, Σ α_t² converges too.
func Theorem1(k, a, b float64) (PowerLaw, error) {
	s := PowerLaw{Alpha0: 1 / (4 * k), Beta0: 1, A: a, B: b, Regularization: 2 * k}
	if err := checkK(k); err != nil {
		return PowerLaw{}, err
	}
	if reason := outsideTheorem1(a, b); reason != "" {
		return PowerLaw{}, fmt.Errorf("csspa: Theorem 1 does not allow a = %v, b = %v: %s", a, b, reason)
	}
	return s, nil
}

// Theorem2 returns the step sizes of Theorem 2 in powers of t: α_t = t^-a / 7K,
// β_t = t^-b, δ_t = 4K (1 + 1/β_t + 1/β_{t+1}). The paper's choice is a = 3/4,
// b = 1/2.
//
// The print asks for b >= a; its proof (Lemma chLem), its table and its figure
// need b <= a <= 2b, which is what is checked here. The lemma's inequality itself
// fails at t = 1 for b > 0.09, which does no harm from λ_1 = 0.
func Theorem2(k, a, b float64) (PowerLaw, error) {
	s := PowerLaw{Alpha0: 1 / (7 * k), Beta0: 1, A: a, B: b, Regularization: 4 * k}
	if err := checkK(k); err != nil {
		return PowerLaw{}, err
	}
	if reason := outsideTheorem2(a, b); reason != "" {
		return PowerLaw{}, fmt.Errorf("csspa: Theorem 2 does not allow a = %v, b = %v: %s", a, b, reason)
	}
	return s, nil
}

// Theorem2Horizon returns the step sizes of Theorem 2 for a known number of
// steps T: as Theorem2 with t replaced by T, which saves the factor log T.
func Theorem2Horizon(k, a, b float64, steps int) (PowerLaw, error) {
	s, err := Theorem2(k, a, b)
	if err != nil {
		return PowerLaw{}, err
	}
	if steps < 1 {
		return PowerLaw{}, fmt.Errorf("csspa: the horizon is %d steps: it must be at least 1", steps)
	}
	s.Horizon = steps
	return s, nil
}

func checkK(k float64) error {
	if !(k > 0) || math.IsInf(k, 1) {
		return fmt.Errorf("csspa: K is %v: it must be positive and finite", k)
	}
	return nil
}

// Exponents says which theorems allow the exponents (a, b), and the rate of
// Theorem 2: the paper's map of valid choices, one point at a time. horizon
// tells powers of T from powers of t.
func Exponents(a, b float64, horizon bool) Guarantee {
	g := Guarantee{}
	first, second := outsideTheorem1(a, b), outsideTheorem2(a, b)
	if horizon {
		first = "it needs step sizes that are powers of t"
	}
	g.Theorem1, g.Theorem2 = first == "", second == ""
	if g.Theorem2 {
		g.Rate, g.Logarithm = theorem2Rate(a, b, horizon)
	}
	switch {
	case g.Theorem1 && !g.Theorem2:
		g.Reason = "Theorem 1 (almost surely, θ = 0) holds; not Theorem 2: " + second
	case g.Theorem1:
		g.Reason = fmt.Sprintf("Theorems 1 (almost surely, θ = 0) and 2 (order T^-%.3g) hold", g.Rate)
	case g.Theorem2 && g.Rate == 0:
		g.Reason = "Theorem 2 holds, but its bound does not shrink: it needs b < a < 2b for that; not Theorem 1: " + first
	case g.Theorem2:
		g.Reason = fmt.Sprintf("Theorem 2 (order T^-%.3g) holds; not Theorem 1: %s", g.Rate, first)
	default:
		g.Reason = "no theorem holds: " + second
	}
	return g
}

// outsideTheorem1 names the condition of (stcals) that fails for powers of t.
func outsideTheorem1(a, b float64) string {
	switch {
	case !(a > 0 && a <= 1 && b > 0 && b <= 1):
		return "a and b must be above 0 and at most 1"
	case !(b > 0.5):
		return "Σ β_t² must be finite, which needs b > 1/2"
	case !(2*a-b > 1):
		return "Σ α_t²/β_t must be finite, which needs 2a - b > 1"
	}
	return ""
}

// outsideTheorem2 names the condition of Lemma chLem that fails.
func outsideTheorem2(a, b float64) string {
	switch {
	case !(a > 0 && a < 1 && b > 0 && b < 1):
		return "a and b must be strictly between 0 and 1"
	case !(b <= a):
		return "it needs b <= a (α_t must not exceed β_t)"
	case !(a <= 2*b):
		return "it needs a <= 2b"
	}
	return ""
}

// theorem2Rate returns r in ω = O(T^{a-1}) Σ_t (1/T + α² + β² + α²/β) = O(T^-r).
// The sum is of order T^e with e = max(0, 1-2b, 1-2a+b), with a logarithm when
// powers of t make it harmonic.
func theorem2Rate(a, b float64, horizon bool) (rate float64, logarithm bool) {
	const rounding = 1e-12
	growth := max(0, 1-2*b, 1-2*a+b)
	rate = 1 - a - growth
	if rate < rounding {
		return 0, false
	}
	harmonic := math.Abs(1-2*b) < rounding || math.Abs(1-2*a+b) < rounding
	return rate, !horizon && growth < rounding && harmonic
}

// Guarantee says which theorem covers s. It holds for any K: that K is large
// enough for the problem at hand is for the caller to know.
func (s PowerLaw) Guarantee() Guarantee {
	g := Exponents(s.A, s.B, s.Horizon > 0)
	const rounding = 1e-9
	product := s.Alpha0 * s.Regularization
	switch {
	case s.Beta0 != 1:
		return Guarantee{Reason: fmt.Sprintf("no theorem holds: both need β_0 = 1, not %v", s.Beta0)}
	case g.Theorem1 && math.Abs(product-2.0/4) < rounding:
		return Guarantee{Theorem1: true, K: s.Regularization / 2, Reason: "Theorem 1 holds: x_t and λ_t converge almost surely for θ = 0"}
	case g.Theorem2 && math.Abs(product-4.0/7) < rounding:
		// The constants are Theorem 2's, whatever the exponents would allow besides.
		g.Theorem1 = false
		g.K = s.Regularization / 4
		g.Reason = fmt.Sprintf("Theorem 2 holds: gap and violation are of order T^-%.3g", g.Rate)
		if g.Logarithm {
			g.Reason += " log T"
		}
		return g
	case g.Theorem1 || g.Theorem2:
		return Guarantee{Reason: "no theorem holds: α_0 and δ_t do not belong to one K (α_0 = 1/7K with 4K in δ_t, or 1/4K with 2K and exponents that Theorem 1 allows)"}
	}
	return g
}
