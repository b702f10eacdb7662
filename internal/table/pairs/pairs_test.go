package pairs_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/pairs"
	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestScaled: the numbers of one level are those of the others times a factor, and not only larger.
func TestScaled(t *testing.T) {
	for name, c := range map[string]struct {
		of     func(level bool, r *rand.Rand) float64
		factor float64
	}{
		"a currency": {func(level bool, r *rand.Rand) float64 {
			return tabletest.Pick(level, 160, 1) * math.Exp(r.NormFloat64())
		}, 160},
		"months": {func(level bool, r *rand.Rand) float64 {
			return tabletest.Pick(level, 1./12, 1) * math.Exp(r.NormFloat64()/2)
		}, 1. / 12},
		"somewhat larger": {func(level bool, r *rand.Rand) float64 { return tabletest.Pick(level, 2, 1) * math.Exp(r.NormFloat64()) }, 0},
		"of another shape": {func(level bool, r *rand.Rand) float64 {
			return tabletest.Pick(level, 100+100*r.Float64(), math.Exp(r.NormFloat64()))
		}, 0},
		"few different values": {func(level bool, r *rand.Rand) float64 { return tabletest.Pick(level, 100, 1) * float64(1+r.IntN(20)) }, 0},
	} {
		table := tabletest.Made(new(table.Table), 2000, func(_ int, r *rand.Rand) map[string]string {
			level := r.IntN(5) == 0
			return map[string]string{"a": fmt.Sprint(c.of(level, r)), "b": map[bool]string{true: "x", false: "y"}[level], "c": fmt.Sprint(r.IntN(3))}
		})
		by, found := pairs.Scaled(table, "a", tabletest.Anything)
		if found != (c.factor != 0) || found && (by.Category != "b" || by.Level != record.Hash([]byte("x")) || math.Abs(by.Factor/c.factor-1) > .3) {
			t.Errorf("%s: %+v, %v", name, by, found)
		}
		if _, found := pairs.Scaled(table, "a", func(name string) bool { return name != "b" }); found {
			t.Errorf("%s: by a column that is not meant", name)
		}
	}
}

// TestTwofold: no row has both columns, nearly all have one, and they hold the same.
func TestTwofold(t *testing.T) {
	text := func(n, of int) string { return fmt.Sprint("p", n%of) }
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) (a, b string)
		want bool
	}{
		"numbers":         {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, fmt.Sprint(r.Float64())) }, true},
		"texts":           {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, text(r.IntN(9), 5)) }, true},
		"both in one row": {func(i int, r *rand.Rand) (a, b string) { return either2(i < 1000, i == 7, fmt.Sprint(r.Float64())) }, false},
		"other numbers": {func(i int, r *rand.Rand) (a, b string) {
			return either(i < 1000, fmt.Sprint(r.Float64()*tabletest.Pick(i < 1000, 1, 2)))
		}, false},
		"other texts": {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, fmt.Sprint(i < 1000, r.IntN(5))) }, false},
		"rarely":      {func(i int, r *rand.Rand) (a, b string) { return either(i < 150, fmt.Sprint(r.Float64())) }, false},
		"neither in many": {func(i int, r *rand.Rand) (a, b string) {
			return either(i%2 == 0, tabletest.At(i < 1700, fmt.Sprint(r.Float64())))
		}, false},
		"one text in each": {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, "yes") }, false},
	} {
		table := tabletest.Made(new(table.Table), 2000, func(i int, r *rand.Rand) map[string]string {
			a, b := c.of(i, r)
			return map[string]string{"a": a, "b": b}
		})
		if pairs := pairs.Twofold(table, tabletest.Anything); (len(pairs) == 1) != c.want || c.want && pairs[0] != [2]string{"a", "b"} {
			t.Errorf("%s: %v", name, pairs)
		}
	}
}

func either(first bool, text string) (a, b string) { return either2(first, false, text) }

func either2(first, both bool, text string) (a, b string) {
	if first || both {
		a = text
	}
	if !first || both {
		b = text
	}
	return a, b
}

// TestShifted: a few rows have in one column the texts of another.
func TestShifted(t *testing.T) {
	for name, c := range map[string]struct {
		of    func(i int, r *rand.Rand) (a, b string)
		found bool
	}{
		"one in fifty": {func(i int, r *rand.Rand) (a, b string) { return moved(i%50 == 0, r) }, true},
		"one in 300":   {func(i int, r *rand.Rand) (a, b string) { return moved(i%300 == 0, r) }, false},
		"one in three": {func(i int, r *rand.Rand) (a, b string) { return moved(i%3 == 0, r) }, false},
		"one text for both": {func(i int, r *rand.Rand) (a, b string) {
			return "x0", tabletest.At(i%50 == 0, "x0") + tabletest.At(i%50 > 0, fmt.Sprint("y", r.IntN(4)))
		}, false},
		"a text that may be": {func(i int, r *rand.Rand) (a, b string) {
			return fmt.Sprint("x", r.IntN(4)), fmt.Sprint("x", r.IntN(4)*r.IntN(2)*r.IntN(2))
		}, false},
	} {
		table := tabletest.Made(new(table.Table), 2000, func(i int, r *rand.Rand) map[string]string {
			a, b := c.of(i, r)
			return map[string]string{"a": a, "b": b}
		})
		if here, there, rows := pairs.Shifted(table, tabletest.Anything); rows > 0 != c.found || c.found && (here != "b" || there != "a" || rows != 40) {
			t.Errorf("%s: %s of %s in %d rows", name, here, there, rows)
		}
	}
}

func moved(is bool, r *rand.Rand) (a, b string) {
	if a, b = fmt.Sprint("x", r.IntN(4)), fmt.Sprint("y", r.IntN(4)); is {
		return "", a
	}
	return a, b
}

// TestTheBoundsOfShiftedCells: how many rows, of how many kinds, how common there and how rare here.
func TestTheBoundsOfShiftedCells(t *testing.T) {
	// Of 1,000 rows a has texts 1 and 2, which are those of b, in a few.
	shifted := func(ones, twos, rest float64, common float64) *table.Table {
		return tabletest.Cells(map[string][]float64{"a": slices.Concat(tabletest.Times(-1, ones, -2, twos, -3, rest), tabletest.Times(0, 1000-ones-twos-rest)), "b": tabletest.Times(-1, common, -2, common, -9, 1000-2*common)})
	}
	for name, c := range map[string]struct {
		table *table.Table
		rows  int
	}{
		"shifted":        {shifted(5, 5, 900, 50), 10},
		"too few rows":   {shifted(5, 4, 900, 50), 0},
		"one kind":       {shifted(10, 0, 900, 50), 0},
		"not common":     {shifted(5, 5, 900, 49), 0},
		"not rare here":  {shifted(5, 5, 90, 50), 0},
		"just rare here": {shifted(5, 5, 91, 50), 10},
	} {
		here, there, rows := pairs.Shifted(c.table, tabletest.Anything)
		if rows != c.rows || (rows > 0) != (here == "a" && there == "b") {
			t.Errorf("%s: %d rows of %q in %q, want %d", name, rows, there, here, c.rows)
		}
	}
	if _, _, rows := pairs.Shifted(shifted(5, 5, 900, 50), func(name string) bool { return name == "a" }); rows != 0 {
		t.Errorf("%d rows, and only one column may be meant", rows)
	}
	two := tabletest.Cells(map[string][]float64{"a": slices.Concat(tabletest.Times(-1, 6, -2, 6, -3, 988)), "b": tabletest.Times(-1, 500, -2, 500), "c": slices.Concat(tabletest.Times(-1, 6, -2, 6, -4, 988))})
	if here, _, rows := pairs.Shifted(two, tabletest.Anything); here != "a" || rows != 12 {
		t.Errorf("of two that are shifted alike the first is meant: %q, %d", here, rows)
	}
}
