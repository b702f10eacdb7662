package english

import (
	"math"
	"testing"
)

// TestNumbersAsShown: the limits between the ways of writing a number, on both sides.
func TestNumbersAsShown(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Number(0), "0"}, {Number(1e-9), "0.000000001"}, {Number(9e-10), "9e-10"}, {Number(1e15), "1e+15"}, {Number(999999999999999), "999999999999999"}, {Number(-.05), "-0.05"}, {Number(-1e15), "-1e+15"},
		{FourDigits(9999), "9999"}, {FourDigits(10000), "10,000"}, {FourDigits(-12345.6), "-12,346"}, {FourDigits(1e15), "1e+15"}, {FourDigits(.123456), "0.1235"}, {FourDigits(0), "0"},
		{Share(0, 10), "0 %"}, {Share(1, 1001), "less than 0.1 %"}, {Share(1, 1000), "0.1 %"}, {Share(1, 2), "50 %"}, {Share(1, 3), "33.3 %"},
		{Share(9991, 10000), "more than 99.9 %"}, {Share(999, 1000), "99.9 %"}, {Share(10, 10), "100 %"},
		{InUnits(1, 3, "%"), "%.1f"}, {InUnits(-1, 1, "%+"), "%+.1f"}, {InUnits(0, 2000, "%"), "%.0f"}, {InUnits(0, .02, "%"), "%.3f"}, {InUnits(0, 20, "%"), "%.0f"}, {InUnits(0, 19, "%"), "%.1f"},
		{InUnits(0, 1e-9, "%"), "%.4g"}, {InUnits(0, 2e-9, "%"), "%.10f"}, {InUnits(0, 1e15, "%"), "%.4g"}, {InUnits(math.NaN(), 1, "%"), "%.4g"},
		{WithInterval(math.NaN(), 0, 1, "%.1f"), "–"}, {WithInterval(1, math.NaN(), 2, "%.1f"), "1.0 [–]"}, {WithInterval(1, 0, math.NaN(), "%.1f"), "1.0 [–]"}, {WithInterval(1, 0, 2, "%.1f"), "1.0 [0.0, 2.0]"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	for x, want := range map[float64]float64{123: 120, .0555: .056, 1: 1, 9.96: 10, 0: 1, -3: 1, math.Inf(1): 1, math.NaN(): 1} {
		if got := RoundTo2(x); got != want {
			t.Errorf("%v is rounded to %v, want %v", x, got, want)
		}
	}
}
