package csspa_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// TestKByHand with all constants 1, D_x = 4 and J = 1, where C = 1 + 4 = 5:
// Theorem 1: max(4, 4, 2, 8·5·2) = 80; Theorem 2: 2 max(2, 5+1+1, 1+4, 1) = 14.
func TestKByHand(t *testing.T) {
	c := csspa.Constants{J: 1, Cf: 1, Cl: 1, Cg: 1, Ch: 1, Ll: 1, Lf: 1, Dx: 4}
	if k1, k2 := c.K1(), c.K2(); k1 != 80 || k2 != 14 {
		t.Errorf("K is %v and %v, want 80 and 14", k1, k2)
	}
	none := csspa.Constants{Cf: 1, Cg: 1, Dx: 4}
	if k1, k2 := none.K1(), none.K2(); k1 != 4 || k2 != 4 {
		t.Errorf("without constraints K is %v and %v, want 4 and 4", k1, k2)
	}
}

// TestBias: for Theorem 2 and powers of T it is λ (8/7 T^-1/4 + 4/7 T^-3/4), here
// at T = 10^4 and λ = 2, whatever K.
func TestBias(t *testing.T) {
	for _, k := range []float64{0.1, 1, 30} {
		s, err := csspa.Theorem2Horizon(k, 0.75, 0.5, 10000)
		if err != nil {
			t.Fatal(err)
		}
		want := 2 * (8./70 + 4./7000)
		if got := csspa.Bias(s, 10000, 2); math.Abs(got-want) > 1e-12 {
			t.Errorf("K = %v: the bias is %v, want %v", k, got, want)
		}
	}
}

// TestTheta: Theorem 2's θ falls as T^-1/4, keeps its promise's arithmetic, and
// is refused while it exceeds σ_0/2, naming a number of steps that suffices.
func TestTheta(t *testing.T) {
	c := csspa.Constants{J: 1, Cf: 0.1, Cl: 0.1, Cg: 0.1, Ch: 0.1, Vg: 0.1, Vh: 0.1, Lf: 1, Ll: 1, Bl: 0.1, Dx: 0.1, Sigma0: 1}
	at := func(steps int) (float64, error) {
		s, err := csspa.Theorem2Horizon(c.K2(), 0.75, 0.5, steps)
		if err != nil {
			t.Fatal(err)
		}
		return c.Theta(s, steps)
	}
	early, err := at(1e10)
	if err != nil {
		t.Fatal(err)
	}
	late, err := at(1e14)
	if err != nil {
		t.Fatal(err)
	}
	if ratio := early / late; math.Abs(ratio-10) > 0.01 || early > 0.5 {
		t.Errorf("θ falls from %v to %v over four decades, want a factor of 10", early, late)
	}
	if _, err := at(1000); err == nil || !strings.Contains(err.Error(), "steps would do") {
		t.Errorf("θ at 1000 steps: error is %v", err)
	}
	c.Sigma0 = 0
	if _, err := at(1e14); err == nil || !strings.Contains(err.Error(), "σ_0 is 0: it must be positive") {
		t.Errorf("θ without σ_0: error is %v", err)
	}
}

// TestOmegaSums: powers of t summed term by term. At T = 2, a = 3/4, b = 1/2,
// K = 1: α = 1/7, 2^-0.75/7; β = 1, 2^-0.5, 3^-0.5.
func TestOmegaSums(t *testing.T) {
	s, err := csspa.Theorem2(1, 0.75, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	one, two := 1./7, math.Pow(2, -0.75)/7
	sum := 1 + one*one*(1+1+math.Sqrt2) + 1 + two*two*(1+math.Sqrt2+math.Sqrt(3)) + 0.5
	// With these constants G_2 = 2 max(D_x + V_g + V_h, ...) = 2·3.
	c := csspa.Constants{J: 1, Dx: 1, Vg: 1, Vh: 1}
	want := 6 * sum / (one + two)
	if got := c.Omega(s, 2); math.Abs(got-want) > 1e-12*want {
		t.Errorf("ω is %v, want %v", got, want)
	}
}

// TestEstimateConstants on ξ = 1, 3 and φ = 0, 2 at x = 1 and 2. E ξ = 2, E ξ² = 5,
// E φ = 1, E φ² = 2, so y = 2, 4 and u = 1, 2:
// Cg = 5, Vg = max (5-4) x² = 4, Cf = max y² = 16, Lf = 1; Ch = 2, Vh = (2-1) 4 = 4,
// Cl = max (2u)² = 16, Ll = 2, Bl = max (u²-1)² = 9, Dx = 1, and no point has
// l < 0 at u = 1 or 2.
func TestEstimateConstants(t *testing.T) {
	got, err := csspa.EstimateConstants(steps(), []pair{{1, 0}, {3, 2}}, [][]float64{{1}, {2}})
	if err != nil {
		t.Fatal(err)
	}
	want := csspa.Constants{J: 1, Cg: 5, Vg: 4, Cf: 16, Lf: 1, Ch: 2, Vh: 4, Cl: 16, Ll: 2, Bl: 9, Dx: 1}
	if got != want {
		t.Errorf("constants are\n%+v, want\n%+v", got, want)
	}
	got, err = csspa.EstimateConstants(steps(), []pair{{1, 1}}, [][]float64{{0}, {2}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Sigma0 != 1 {
		t.Errorf("σ_0 is %v, want 1 (x = 0)", got.Sigma0)
	}
	if _, err := csspa.EstimateConstants(steps(), nil, [][]float64{{0}, {2}}); err == nil {
		t.Error("no samples: no error")
	}
}
