package english

import "testing"

// TestPerCent of shares, at the bounds between the ways to write them: never nothing or all where it is not.
func TestPerCent(t *testing.T) {
	for x, want := range map[float64]string{0: "0 %", 0.0009: "less than 0.1 %", 0.001: "0.1 %", 0.0512: "5.1 %", 0.0999: "10 %", 0.1: "10 %", 0.105: "10 %", 0.5: "50 %", 0.9: "90 %", 0.904: "90.4 %", 0.999: "99.9 %", 0.9991: "more than 99.9 %", 1: "100 %", 1.5: "150 %"} {
		if got := Percent(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	for of, want := range map[[2]int]string{{0, 9}: "0 %", {1, 1001}: "less than 0.1 %", {1, 1000}: "0.1 %", {1, 8}: "12.5 %", {1, 2}: "50 %", {999, 1000}: "99.9 %", {1000, 1001}: "more than 99.9 %", {9, 9}: "100 %"} {
		if got := Share(of[0], of[1]); got != want {
			t.Errorf("%v: %q, want %q", of, got, want)
		}
	}
}
