package english

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestFormsOfNumbers at the bounds where they change.
func TestFormsOfNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1e-9: "0.000000001", .9e-9: "9e-10", -1e-9: "-0.000000001", 999999999999999: "999999999999999", 1e15: "1e+15", -1e15: "-1e+15"} {
		if got := Number(x); got != want {
			t.Errorf("Number(%v) is %q, want %q", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0", 9999: "9999", 10_000: "10,000", 12_345.6: "12,346", -10_000: "-10,000", 1.23456: "1.235", 1e15: "1e+15", 9.99e14: "999,000,000,000,000"} {
		if got := FourDigits(x); got != want {
			t.Errorf("FourDigits(%v) is %q, want %q", x, got, want)
		}
	}
	for _, c := range []struct {
		part, all int
		want      string
	}{{0, 10, "0 %"}, {1, 1001, "less than 0.1 %"}, {1, 1000, "0.1 %"}, {1, 3, "33.3 %"}, {1, 2, "50 %"}, {999, 1000, "99.9 %"}, {1000, 1001, "more than 99.9 %"}, {10, 10, "100 %"}} {
		if got := Share(c.part, c.all); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.part, c.all, got, c.want)
		}
	}
	for x, want := range map[float64]float64{0: 1, -3: 1, math.NaN(): 1, math.Inf(1): 1, 123: 120, .0456: .046, 9.96: 10} {
		if got := RoundTo2(x); got != want {
			t.Errorf("RoundTo2(%v) is %v, want %v", x, got, want)
		}
	}
	for _, c := range []struct {
		value, lo, hi float64
		want          string
	}{{1, math.NaN(), 2, "1.0 [–]"}, {1, 0, math.NaN(), "1.0 [–]"}, {math.NaN(), 0, 1, "–"}, {1, 0, 2, "1.0 [0.0, 2.0]"}} {
		if got := WithInterval(c.value, c.lo, c.hi, "%.1f"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{{0, 2e-9, "%.10f"}, {0, 1.9e-9, "%.4g"}, {0, 1, "%.2f"}, {0, 2, "%.1f"}, {0, 20, "%.0f"}, {0, 2000, "%.0f"}, {5e14 - 1, 5e14, "%.2f"}, {5e14, 5e14 + 1, "%.4g"}, {math.NaN(), 1, "%.4g"}} {
		if got := InUnits(c.lo, c.hi, "%"); got != c.want {
			t.Errorf("from %v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// TestListsOfNames: forty of them, and how many more there are; and as a sentence joins them.
func TestListsOfNames(t *testing.T) {
	names := make([]string, 41)
	for i := range names {
		names[i] = fmt.Sprint("n", i)
	}
	if got := List(names[:40]); got != strings.Join(names[:40], ", ") {
		t.Error(got)
	}
	if got := List(names); got != strings.Join(names[:40], ", ")+" and 1 more" || List(nil) != "none" {
		t.Error(got)
	}
	for n, want := range []string{"", "n0", "n0 and n1", "n0, n1 and n2"} {
		if got := And(names[:n]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Stacked("0.1 [0.0, 0.2] met [x]"); got != "0.1\n[0.0, 0.2] met [x]" {
		t.Errorf("%q", got)
	}
}
