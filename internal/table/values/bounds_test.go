package values

import (
	"testing"

	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// cells is a table of one column, x.
func cells(n int, of func(i int) float64) map[string][]float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = of(i)
	}
	return map[string][]float64{"x": x}
}

// TestSpikesAtTheirBounds: of two numbers that are as frequent the smaller one is told of, and neither the lowest nor the highest.
func TestSpikesAtTheirBounds(t *testing.T) {
	own := func(i int) float64 { return 1000 + float64(i) }
	for name, c := range map[string]struct {
		of    func(i int) float64
		x     float64
		found bool
	}{
		"none":          {own, 0, false},
		"one":           {func(i int) float64 { return tabletest.Pick(i%4 == 0, 1500.5, own(i)) }, 1500.5, true},
		"two":           {func(i int) float64 { return tabletest.Pick(i%8 == 0, 1500.5, tabletest.Pick(i%8 == 4, 1400.5, own(i))) }, 1400.5, false},
		"the lowest":    {func(i int) float64 { return tabletest.Pick(i%4 == 0, 7, own(i)) }, 0, false},
		"the highest":   {func(i int) float64 { return tabletest.Pick(i%4 == 0, 7000, own(i)) }, 0, false},
		"of few values": {func(i int) float64 { return tabletest.Pick(i%4 == 0, 1500.5, own(i%100)) }, 0, false},
	} {
		x, rows, of := Spike(tabletest.Cells(cells(800, c.of)), "x")
		if c.found && (x != c.x || rows != 200 || of != 800) || !c.found && name != "two" && rows != 0 || name == "two" && rows > 0 && x != c.x {
			t.Errorf("%s: %v in %d of %d", name, x, rows, of)
		}
	}
	if x, rows, of := Spike(tabletest.Cells(cells(9, own)), "y"); x != 0 || rows != 0 || of != 0 {
		t.Errorf("a column that is not there: %v, %d, %d", x, rows, of)
	}
}

// TestSpikesExactly: of forty rows, a twenty-fifth of all, among others of which four in five are different, or that are eleven whole numbers.
func TestSpikesExactly(t *testing.T) {
	for _, c := range []struct {
		spike                float64
		rows, others, differ int // of the others, so many are different
		from, step           float64
		found                bool
	}{
		{5000.5, 40, 960, 960, 4000, 10.5, true}, {5000.5, 40, 961, 961, 4000, 10.5, false}, {5000.5, 39, 800, 800, 4000, 10.5, false},
		{5000.5, 100, 500, 400, 4000, 10.5, true}, {5000.5, 100, 500, 399, 4000, 10.5, false},
		{24.5, 100, 500, 10, 20, 1, true}, {24.5, 100, 500, 9, 20, 1, false}, {24.25, 100, 500, 10, 20, 1.5, false}, {24, 100, 500, 10, 20.5, 1, false},
	} {
		made := tabletest.Cells(cells(c.rows+c.others, func(i int) float64 {
			return tabletest.Pick(i < c.rows, c.spike, c.from+c.step*float64(i%c.differ))
		}))
		if x, rows, of := Spike(made, "x"); (rows > 0) != c.found || c.found && (x != c.spike || rows != c.rows || of != c.rows+c.others) {
			t.Errorf("%+v: %v in %d of %d", c, x, rows, of)
		}
	}
}

// TestSignsAtTheirBounds: up to a tenth of the numbers, from the least number on that is told of, and 0 has no sign.
func TestSignsAtTheirBounds(t *testing.T) {
	amount := func(i int) float64 { return float64(100 + i*37%89) }
	signed := func(below, zero int) func(i int) float64 {
		return func(i int) float64 {
			if i < below {
				return -amount(i)
			}
			return tabletest.Pick(i < below+zero, 0, amount(i))
		}
	}
	turned := func(n, below, zero int) (int, int) {
		x := make([]float64, n)
		made := tabletest.Cells(map[string][]float64{"x": x})
		for i := range x {
			made.Columns[0].Numbers[i] = signed(below, zero)(i)
		}
		return Turned(made, "x")
	}
	for _, c := range []struct{ n, below, zero, want, of int }{
		{800, 80, 0, 80, 800}, {800, 81, 0, 0, 0}, {800, leastTurned, 0, leastTurned, 800}, {800, leastTurned - 1, 0, 0, 0}, {850, 80, 50, 80, 800}, {850, 80, 51, 0, 0}, {800, 0, 0, 0, 0},
	} {
		if below, of := turned(c.n, c.below, c.zero); below != c.want || of != c.of {
			t.Errorf("%+v: %d of %d", c, below, of)
		}
	}
	if below, of := Turned(tabletest.Cells(cells(9, amount)), "y"); below != 0 || of != 0 {
		t.Errorf("a column that is not there: %d of %d", below, of)
	}
}
