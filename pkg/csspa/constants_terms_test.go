package csspa

import (
	"math"
	"testing"
)

// TestEachTermOfTheConstants is the largest one for some constants; computed by hand.
func TestEachTermOfTheConstants(t *testing.T) {
	for i, test := range []struct {
		of         Constants
		k1, k2, g2 float64 // 0: another term is the largest there
	}{
		{Constants{}, 4, 4, 0},
		{Constants{J: 3, Cl: 1, Ch: 1, Cg: 2}, 8 * 3 * 13 * 3, 2 * 3 * (13 + 2 + 1), 2 * 3},          // C = 1 + 4*3*1 = 13
		{Constants{J: 2, Ll: 3, Ch: 2, Dx: 5}, 2 * 9 * 2 * 5, 2 * 2 * (9 * 2 * 5), 2 * 5},            // of ∇l alone
		{Constants{J: 2, Cl: 7, Dx: 1}, 4, 2 * 2 * 7, 2 * 14},                                        // of the constraints alone
		{Constants{Dx: 9, Vg: 3, Vh: 4}, 0, 0, 2 * (9 + 3 + 4)},                                      // of the followed values; C = 1
		{Constants{Vg: 3, Vh: 4, Cl: 1}, 0, 0, 2 * (3 + 4 + 5*4)},                                    // C = 5
		{Constants{Lf: 3, Cg: 2, Dx: 5}, 0, 0, 2 * 9 * 2 * 5},                                        // of the objective
		{Constants{J: 2, Cf: 3, Cg: .5, Bl: 7, Sigma0: 4}, 0, 0, 2 * (3*.5 + 2*(7+4*4/4.))},          // of the multiplier
		{Constants{Cf: 3, Cg: 2, Ch: 4}, 0, 0, 2 * 3 * 2 * (4 + 2 + 4)},                              // C = 1
		{Constants{J: 2, Cf: 3, Cg: 2, Ch: 4, Cl: .25}, 0, 0, 2 * 3 * 2 * ((1+4*2*.25)*4 + 2. + 4.)}, // C = 3
	} {
		if got := test.of.K1(); test.k1 != 0 && math.Abs(got-test.k1) > 1e-12*test.k1 {
			t.Errorf("%d: K of Theorem 1 is %v, want %v", i, got, test.k1)
		}
		if got := test.of.K2(); test.k2 != 0 && math.Abs(got-test.k2) > 1e-12*test.k2 {
			t.Errorf("%d: K of Theorem 2 is %v, want %v", i, got, test.k2)
		}
		if got := test.of.g2(); test.g2 != 0 && math.Abs(got-test.g2) > 1e-12*test.g2 {
			t.Errorf("%d: G of Theorem 2 is %v, want %v", i, got, test.g2)
		}
	}
}
