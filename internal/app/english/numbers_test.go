package english

import (
	"math"
	"testing"
)

// Numbers in units of the label are written with the digits that their interval warrants, whatever the unit.
func TestNumbersInUnitsOfTheLabel(t *testing.T) {
	for want, c := range map[string]struct{ value, lo, hi float64 }{
		"+1.46 [+1.23, +1.69]":          {1.459, 1.226, 1.693},
		"+39039 [+36933, +41146]":       {39039.4, 36933.1, 41146.2},
		"-0.00012 [-0.00034, +0.00010]": {-.000121, -.00034, .0001},
		"+7.5 [+7.5, +7.5]":             {7.5, 7.5, 7.5},
		"+1e+30 [-2e+30, +4e+30]":       {1e30, -2e30, 4e30},
		"+1e-12 [-2e-12, +4e-12]":       {1e-12, -2e-12, 4e-12},
		"–":                             {math.NaN(), math.NaN(), math.NaN()},
	} {
		if got := WithInterval(c.value, c.lo, c.hi, InUnits(c.lo, c.hi, "%+")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, x := range map[string]float64{"250000": 250000, "0.05": .05, "1e+30": 1e30, "1e-12": 1e-12, "2.5": 2.5} {
		if got := Number(x); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// One is not many.
func TestCounted(t *testing.T) {
	for n, want := range map[int64]string{0: "0 records", 1: "1 record", 2: "2 records", 39074: "39,074 records"} {
		if got := Counted(n, "record"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
