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

// TestUnlikeExactly: of two hundred values on each side, of which nineteen in twenty are numbers, with one in twenty that is new, or of a column that is not there.
func TestUnlikeExactly(t *testing.T) {
	said := func(first, second map[string][]float64) (all string) {
		for _, d := range Unlike(tabletest.Cells(first), tabletest.Cells(second), func(name string) bool { return name == "x" }) {
			switch {
			case d.Missing:
				all += "missing "
			case d.New:
				all += "new "
			default:
				all += "spread "
			}
		}
		return all
	}
	x := func(values []float64, none int) map[string][]float64 {
		return map[string][]float64{"x": append(values, make([]float64, none)...)}
	}
	for _, c := range []struct {
		first, second map[string][]float64
		want          string
	}{
		{x(tabletest.Rising(1, 200), 0), x(tabletest.Rising(501, 200), 0), "spread "}, {x(tabletest.Rising(1, 200), 0), x(tabletest.Rising(501, 199), 0), ""},
		{x(tabletest.Rising(1, 200), 20), x(tabletest.Rising(501, 200), 20), "spread "}, {x(tabletest.Rising(1, 200), 20), x(tabletest.Rising(501, 199), 20), ""},
		{x(tabletest.Times(-1, 200), 0), map[string][]float64{"y": tabletest.Times(-1, 200)}, "missing "},
		{x(append(tabletest.Rising(1, 950), tabletest.Times(-1, 50)...), 0), x(append(tabletest.Rising(1, 950), tabletest.Times(-2, 50)...), 0), ""},    // numbers
		{x(append(tabletest.Rising(1, 949), tabletest.Times(-1, 51)...), 0), x(append(tabletest.Rising(2001, 949), tabletest.Times(-1, 51)...), 0), ""}, // texts that nearly all are new on both sides
		{x(tabletest.Times(-1, 1000, -2, 1000), 0), x(tabletest.Times(-1, 475, -2, 475, -3, 50), 0), "new "}, {x(tabletest.Times(-1, 1000, -2, 1000), 0), x(tabletest.Times(-1, 475, -2, 476, -3, 49), 0), ""},
	} {
		if got := said(c.first, c.second); got != c.want {
			t.Errorf("%d and %d values: %q, want %q", len(c.first["x"]), len(c.second["x"]), got, c.want)
		}
	}
}

// TestCopiedExactly: three columns show copies of two hundred rows, beside one of which more than half of the values are different.
func TestCopiedExactly(t *testing.T) {
	of := func(n, columns, different int) map[string][]float64 {
		made := map[string][]float64{}
		for r := range n {
			for k := range columns {
				name := string(rune('a' + k))
				made[name] = append(made[name], -float64(1+r%(97-4*k)))
			}
			made["own"] = append(made["own"], -float64(1+r%different))
		}
		return made
	}
	for _, c := range []struct {
		n, columns, different int
		want                  bool
	}{{200, 3, 200, true}, {199, 3, 199, false}, {200, 2, 200, false}, {200, 3, 101, true}, {200, 3, 100, false}} {
		first, second := tabletest.Cells(of(c.n, c.columns, c.different)), tabletest.Cells(of(c.n, c.columns, c.different))
		for k := range first.Columns[len(first.Columns)-1].Hashes { // each row has another number of its own there
			second.Columns[len(second.Columns)-1].Hashes[k] += 1000
		}
		share, own := Copied(first, second, tabletest.Anything)
		if (share > 0) != c.want || c.want && (len(own) != 1 || own[0] != "own") {
			t.Errorf("%+v: %v, %q", c, share, own)
		}
	}
}
