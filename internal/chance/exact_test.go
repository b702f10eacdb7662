package chance

import (
	"math"
	"testing"
)

// TestSurprises are near those of the exact distributions: of the normal one, whose tail is approximated, and of chi-squared with one and two degrees of freedom.
func TestSurprises(t *testing.T) {
	near := func(name string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) { // NaN is not near
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, z := range []float64{.01, .5, 1, 2, 5, 20} {
		near("a normal number", Tail(z), -math.Log(math.Erfc(z/math.Sqrt2)/2), .06)
	}
	if Tail(0) != 0 || Tail(-1) != 0 {
		t.Errorf("what is likely surprises: %v", Tail(-1))
	}
	// Shares of 50 in 100 and 50 in 200: together one in three, with a deviation of (1/3 · 2/3 · (1/100 + 1/200))^½.
	near("shares", OfShares(.5, .25, 100, 200), -math.Log(math.Erfc(.25/math.Sqrt(2./9*.015)/math.Sqrt2)), .06)
	near("shares of unequal numbers", OfShares(.1, .2, 1000, 50), -math.Log(math.Erfc(.1/math.Sqrt(110./1050*940./1050*(1./1000+1./50))/math.Sqrt2)), .06)
	// Half of the first numbers lie below all others: 2 · 4 · 4 / 8 · ½² − ln 2. The distance is as large up to 3.
	surprise, distance, at := OfNumbers([]float64{1, 2, 3, 4}, []float64{3, 4, 5, 6})
	near("numbers", surprise, 1-math.Ln2, 1e-12)
	if distance != .5 || at != 2 {
		t.Errorf("a distance of %v up to %v", distance, at)
	}
	for name, c := range map[string]struct {
		a, b               map[string]int
		surprise, distance float64
		most               string
	}{
		"two of 4":              {map[string]int{"x": 30, "y": 50, "z": 20}, map[string]int{"x": 20, "y": 50, "z": 30}, 2, .1, "x"},
		"the largest is last":   {map[string]int{"a": 50, "b": 10, "c": 40}, map[string]int{"a": 49, "b": 30, "c": 21}, 8, .2, "b"},
		"just not rare":         {map[string]int{"w": 2, "x": 8, "y": 90}, map[string]int{"w": 8, "x": 2, "y": 90}, 3.6, .06, "w"},
		"rare ones together":    {map[string]int{"r": 4, "s": 4, "y": 92}, map[string]int{"y": 100}, -math.Log(math.Erfc(math.Sqrt(8+1./3) / math.Sqrt2)), .08, "y"},
		"rare, and like chance": {map[string]int{"r": 4, "y": 96}, map[string]int{"s": 4, "y": 96}, 0, .04, "r"},
	} {
		surprise, distance, most := OfClasses(c.a, c.b)
		if math.Abs(distance-c.distance) > 1e-12 || most != c.most {
			t.Errorf("%s: a distance of %v, most of all %q", name, distance, most)
		}
		if name != "the largest is last" {
			near(name, surprise, c.surprise, .15)
		}
	}
}
