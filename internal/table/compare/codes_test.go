package compare

import (
	"testing"

	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestCodes are whole numbers from 0 or 1 to 100, three of them at least, and more than half of those that there could be.
func TestCodes(t *testing.T) {
	rising := func(n int) []float64 { return tabletest.Rising(1, n) }
	for name, c := range map[string]struct {
		of   []float64
		want bool
	}{
		"three": {[]float64{1, 2, 3}, true}, "two": {[]float64{1, 2}, false}, "three, and some again": {[]float64{2, 1, 3, 3, 1}, true}, "from 2": {[]float64{2, 3, 4}, false}, "a fraction": {[]float64{1, 2, 2.5}, false},
		"a hundred": {rising(100), true}, "101": {rising(101), false}, "half of six": {[]float64{1, 2, 6}, false}, "more than half of five": {[]float64{1, 2, 5}, true}, "from less than 1": {[]float64{0.5, 1, 2}, false},
	} {
		if got := areCodes(tabletest.Cells(map[string][]float64{"x": c.of}).Column("x")); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := numerical(tabletest.Cells(map[string][]float64{"x": {1, 2, 3, -7, 0}}).Column("x")); got != 0.75 {
		t.Errorf("three of four values are numbers: %v", got)
	}
	for _, c := range []struct {
		p, q float64
		n, m int
		want bool
	}{{0.5, 0.5, 1000, 1000, false}, {0.5, 0.65, 1000, 1000, true}, {0.5, 0.63, 1000, 1000, false}, {0, 0.05, 1000, 1000, true}, {0, 0.03, 1000, 1000, false}, {0, 0, 1000, 1000, false}, {1, 1, 1000, 1000, false}} { // six standard errors of 0.0223, and of 0.0075
		if got := beyondChance(c.p, c.q, c.n, c.m); got != c.want {
			t.Errorf("%v and %v of %d and %d: %v", c.p, c.q, c.n, c.m, got)
		}
	}
}
