package values_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/internal/table/values"
)

// TestSpike: one number among many different ones, that is neither 0 nor at an end.
func TestSpike(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) float64
		want float64
	}{
		"one in ten":        {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i%10 == 0, 500.5, 1000*r.Float64()) }, 500.5},
		"one in forty":      {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i%40 == 0, 500.5, 1000*r.Float64()) }, 0},
		"zero":              {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i%10 == 0, 0, 1000*r.Float64()-500) }, 0},
		"the highest":       {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i%10 == 0, 1000, 1000*r.Float64()) }, 0},
		"the lowest":        {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i%10 == 0, -1, 1000*r.Float64()) }, 0},
		"others come twice": {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i%10 == 0, 500, math.Floor(1000*r.Float64())) }, 0},
	} {
		table := tabletest.Made(new(table.Table), 2000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if x, rows, of := values.Spike(table, "a"); x != c.want || c.want != 0 && (rows != 200 || of != 2000) {
			t.Errorf("%s: %v in %d of %d rows", name, x, rows, of)
		}
	}
}

// TestMerged: values that stand for the rows below them never follow the same one.
func TestMerged(t *testing.T) {
	for name, c := range map[string]struct {
		of    func(i int, r *rand.Rand) string
		found bool
	}{
		"at the first row of each block": {func(i int, _ *rand.Rand) string { return tabletest.At(i%20 == 0, fmt.Sprint(i/20%3)) }, true},
		"blocks of different lengths": {func(i int, r *rand.Rand) string {
			return tabletest.At(i == 0 || i == 90 || i == 411 || i == 800, fmt.Sprint(i))
		}, true},
		"too few blocks":            {func(i int, r *rand.Rand) string { return tabletest.At(i == 0 || i == 90 || i == 411, fmt.Sprint(i)) }, false},
		"not in the first row":      {func(i int, _ *rand.Rand) string { return tabletest.At(i%20 == 1, fmt.Sprint(i/20%3)) }, false},
		"the same twice":            {func(i int, _ *rand.Rand) string { return tabletest.At(i%20 == 0, fmt.Sprint(i/40%3)) }, false},
		"mostly filled":             {func(i int, _ *rand.Rand) string { return tabletest.At(i%3 != 1, fmt.Sprint(i%3)) }, false},
		"a text of its own in some": {func(i int, _ *rand.Rand) string { return tabletest.At(i%5 == 0, fmt.Sprint(i)) }, false},
	} {
		table := tabletest.Made(&table.Table{First: true}, 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": c.of(i, r), "b": "x"} })
		if filled, found := values.Merged(table, "a"); found != c.found {
			t.Errorf("%s: %d rows are filled: %v", name, filled, found)
		}
	}
}

// TestTurned: a few numbers below 0 that are like the others without their sign, and not those of numbers about 0.
func TestTurned(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) float64
		want int
	}{
		"one in twenty": {func(i int, r *rand.Rand) float64 {
			return tabletest.Pick(i%20 == 0, -1, 1) * 100 * math.Exp(r.NormFloat64()/2)
		}, 100},
		"one in fifty": {func(i int, r *rand.Rand) float64 {
			return tabletest.Pick(i%50 == 0, -1, 1) * 100 * math.Exp(r.NormFloat64()/2)
		}, 0},
		"one in five": {func(i int, r *rand.Rand) float64 {
			return tabletest.Pick(i%5 == 0, -1, 1) * 100 * math.Exp(r.NormFloat64()/2)
		}, 0},
		"smaller amounts": {func(i int, r *rand.Rand) float64 {
			return tabletest.Pick(i%20 == 0, -.2, 1) * 100 * math.Exp(r.NormFloat64()/2)
		}, 0},
		"a normal variable":  {func(_ int, r *rand.Rand) float64 { return 1.6 + r.NormFloat64() }, 0},
		"few different ones": {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i%20 == 0, -1, 1) * float64(10+r.IntN(9)) }, 0},
	} {
		table := tabletest.Made(new(table.Table), 2000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if below, of := values.Turned(table, "a"); below != c.want || below > 0 && of != 2000 {
			t.Errorf("%s: %d of %d", name, below, of)
		}
	}
}
