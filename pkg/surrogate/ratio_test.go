package surrogate

import (
	"math"
	"testing"
)

func TestRatioValues(t *testing.T) {
	// By hand, with epsilon = 1/4.
	for _, c := range []struct{ p, v, want float64 }{
		{1, 3, 3},
		{0.5, 3, 6},
		{0.25, 3, 12},  // the two pieces meet: 3/0.25 and (3/0.25)(2−1)
		{0.125, 3, 18}, // (3/0.25)(2−0.5)
		{0, 3, 24},     // (3/0.25)·2
		{0, 0, 0},
		{0.5, -3, -6},
	} {
		if got := Ratio(0.25, c.p, c.v); got != c.want {
			t.Errorf("Ratio(.25, %v, %v) = %v, want %v", c.p, c.v, got, c.want)
		}
	}
}

func TestRatioIsContinuouslyDifferentiableAtEpsilon(t *testing.T) {
	const epsilon = DefaultEpsilon
	for _, v := range []float64{-0.03, 0, 0.004, 0.02} {
		above := math.Nextafter(epsilon, 1)
		low, high := Ratio(epsilon, epsilon, v), Ratio(epsilon, above, v)
		if math.Abs(low-high) > 1e-12 {
			t.Errorf("v %v: H jumps from %v to %v", v, low, high)
		}
		dpLow, dvLow := RatioGradient(epsilon, epsilon, v)
		dpHigh, dvHigh := RatioGradient(epsilon, above, v)
		if math.Abs(dpLow-dpHigh) > 1e-9 || math.Abs(dvLow-dvHigh) > 1e-9 {
			t.Errorf("v %v: the gradient jumps from (%v, %v) to (%v, %v)", v, dpLow, dvLow, dpHigh, dvHigh)
		}
	}
}

func TestRatioGradientMeetsFiniteDifferences(t *testing.T) {
	const epsilon, step = 0.1, 1e-6
	// Both sides of epsilon, next to it, and at 0 (one step inside).
	for _, p := range []float64{step, 0.03, epsilon - 2*step, epsilon + 2*step, 0.2, 0.9} {
		for _, v := range []float64{-0.7, 0.05, 1.3} {
			dp, dv := RatioGradient(epsilon, p, v)
			wantP := (Ratio(epsilon, p+step, v) - Ratio(epsilon, p-step, v)) / (2 * step)
			wantV := (Ratio(epsilon, p, v+step) - Ratio(epsilon, p, v-step)) / (2 * step)
			if math.Abs(dp-wantP) > 1e-5*(1+math.Abs(wantP)) {
				t.Errorf("dH/dp at (%v, %v) is %v, finite difference %v", p, v, dp, wantP)
			}
			if math.Abs(dv-wantV) > 1e-6*(1+math.Abs(wantV)) {
				t.Errorf("dH/dv at (%v, %v) is %v, finite difference %v", p, v, dv, wantV)
			}
			if got := ratioSlope(epsilon, p); got != dv {
				t.Errorf("ratioSlope(%v) = %v, RatioGradient gives %v", p, got, dv)
			}
		}
	}
}
