package fairness

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The quantile agrees with gonum's, which is computed another way.
func TestNormalQuantileAgreesWithGonum(t *testing.T) {
	for _, p := range []float64{1e-6, .001, .025, .2, .5, .8, .975, .995, .9995} {
		if got, want := NormalQuantile(p), distuv.UnitNormal.Quantile(p); math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("of %v: %v, want %v", p, got, want)
		}
	}
}
