package fairness

import (
	"math"
	"strings"
	"testing"
)

// TestAnIntervalOfARatioWantsRates in [0, 1] of some records, and a level between 0 and 1: anything else is a mistake of the caller.
func TestAnIntervalOfARatioWantsRates(t *testing.T) {
	type arguments struct{ rate1, n1, rate0, n0, level float64 }
	for _, a := range []arguments{{-0.1, 9, 0.5, 9, 0.95}, {1.1, 9, 0.5, 9, 0.95}, {0.5, 9, -0.1, 9, 0.95}, {0.5, 9, 1.1, 9, 0.95}, {0.5, 0, 0.5, 9, 0.95}, {0.5, 9, 0.5, 0, 0.95},
		{math.NaN(), 9, 0.5, 9, 0.95}, {0.5, 9, math.NaN(), 9, 0.95}, {0.5, math.NaN(), 0.5, 9, 0.95}, {0.5, 9, 0.5, 9, 0}, {0.5, 9, 0.5, 9, 1}, {0.5, 9, 0.5, 9, math.NaN()}} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "fairness: ") {
					t.Errorf("%+v is taken: %v", a, text)
				}
			}()
			Koopman(a.rate1, a.n1, a.rate0, a.n0, a.level)
		}()
	}
	for _, a := range []arguments{{0, 9, 0, 9, 0.95}, {0, 9, 1, 9, 0.95}, {1, 9, 0, 9, 0.95}, {1, 9, 1, 9, 0.95}, {0.25, 0.5, 0.75, 0.5, 0.95}} {
		lo, hi := Koopman(a.rate1, a.n1, a.rate0, a.n0, a.level)
		if !(lo >= 0 && lo <= hi) || (lo == 0) != (a.rate1 == 0) || math.IsInf(hi, 1) != (a.rate0 == 0) {
			t.Errorf("%+v: from %v to %v", a, lo, hi)
		}
	}
}
