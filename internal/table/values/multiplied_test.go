package values_test

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/internal/table/values"
)

// TestMultiplied: the first rows are others times a factor, if they are neither few nor many, and spread as the others are, whose own spread is smaller.
func TestMultiplied(t *testing.T) {
	narrow := func(i int) float64 { return 100 + float64(i*37%100) }
	for name, c := range map[string]struct {
		rows, few int
		factor    float64
		of        func(i int) float64
		want      float64
	}{
		"by 100":                  {400, 40, 100, narrow, 100},
		"by 1,000":                {400, 40, 1000, narrow, 1000},
		"by ten":                  {400, 40, 10, narrow, 10},
		"by a million":            {400, 40, 1e6, narrow, 1e6},
		"fifteen":                 {400, 15, 100, narrow, 100},
		"fourteen":                {400, 14, 100, narrow, 0},
		"three in twenty":         {400, 60, 100, narrow, 100},
		"more":                    {400, 61, 100, narrow, 0},
		"divided":                 {400, 40, 0.01, narrow, 0.01},
		"divided, too few":        {400, 39, 0.01, narrow, 0},
		"divided by ten":          {400, 60, 0.1, narrow, 0.1},
		"200 rows":                {200, 20, 100, narrow, 100},
		"199 rows":                {199, 20, 100, narrow, 0},
		"none":                    {400, 0, 1, narrow, 0},
		"by another factor":       {400, 40, 30, narrow, 0},
		"others that spread, ten": {400, 40, 10, func(i int) float64 { return 1 + float64(i*37%100) }, 0},
		"one number": {400, 40, 100, func(i int) float64 {
			if i < 40 {
				return 150
			}
			return narrow(i)
		}, 0},
		"of the upper half": {400, 40, 100, func(i int) float64 {
			if i < 40 {
				return 150 + float64(i*7%50)
			}
			return narrow(i)
		}, 0},
	} {
		var x []float64
		for i := range c.rows {
			v := c.of(i)
			if i < c.few {
				v *= c.factor
			}
			x = append(x, v)
		}
		x = append(x, 0, 0, -5) // without a value, and a text
		factor, rows, of := values.Multiplied(tabletest.Cells(map[string][]float64{"x": x}), "x")
		if math.Abs(factor-c.want) > 1e-12 || c.want != 0 && (rows != c.few || of != c.rows) || c.want == 0 && rows+of != 0 {
			t.Errorf("%s: %d of %d times %v, want %v", name, rows, of, factor, c.want)
		}
	}
	if factor, _, _ := values.Multiplied(tabletest.Cells(map[string][]float64{"x": {1, 2}}), "y"); factor != 0 {
		t.Error("a column that is not there")
	}
}
