package values_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/internal/table/values"
)

// TestTheBoundsOfASpike: how many rows it needs, which share, how different the others are, and that it is no end.
func TestTheBoundsOfASpike(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		x      float64
		rows   int
	}{
		"a spike":                {append(tabletest.Rising(1, 960), tabletest.Times(100.5, 40)...), 100.5, 40},
		"too few rows":           {append(tabletest.Rising(1, 900), tabletest.Times(100.5, 39)...), 0, 0},
		"too small a share":      {append(tabletest.Rising(1, 961), tabletest.Times(100.5, 40)...), 0, 0},
		"the lowest":             {append(tabletest.Rising(1, 960), tabletest.Times(.5, 40)...), 0, 0},
		"the highest":            {append(tabletest.Rising(1, 960), tabletest.Times(2000, 40)...), 0, 0},
		"the others repeat":      {append(slices.Concat(tabletest.Rising(1, 80), tabletest.Times(7, 20)), tabletest.Times(50.5, 40)...), 50.5, 40},
		"the others repeat more": {append(slices.Concat(tabletest.Rising(1, 79), tabletest.Times(7, 21)), tabletest.Times(50.5, 40)...), 0, 0},
		"the smaller of two":     {append(tabletest.Rising(1, 880), tabletest.Times(500.5, 40, 100.5, 40)...), 100.5, 40},
		"two, and others":        {append(tabletest.Rising(1, 1000), tabletest.Times(500.5, 80, 100.5, 80)...), 100.5, 80},
		"texts do not count":     {append(append(tabletest.Rising(1, 960), tabletest.Times(100.5, 40)...), tabletest.Times(-1, 500)...), 100.5, 40},
		"nothing":                {tabletest.Times(0, 100), 0, 0},
	} {
		if x, rows, of := values.Spike(tabletest.Cells(map[string][]float64{"c": c.values}), "c"); x != c.x || rows != c.rows || (of == 0) != (c.rows == 0) {
			t.Errorf("%s: %v in %d of %d rows, want %v in %d", name, x, rows, of, c.x, c.rows)
		}
	}
	if _, rows, _ := values.Spike(tabletest.Cells(nil), "none"); rows != 0 {
		t.Error("a spike of no column")
	}
}

// TestTheBoundsOfMergedCells: at least four blocks, in at most half of the rows, of which few follow each other.
func TestTheBoundsOfMergedCells(t *testing.T) {
	blocks := func(values []float64, below int) (all []float64) {
		for _, v := range values {
			all = append(all, v)
			all = append(all, tabletest.Times(0, float64(below))...)
		}
		return all
	}
	for name, c := range map[string]struct {
		values []float64
		filled int
		found  bool
	}{
		"four blocks":        {blocks([]float64{-1, -2, -1, -2}, 1), 4, true},
		"three blocks":       {blocks([]float64{-1, -2, -1}, 1), 3, false},
		"more than half":     {append(blocks([]float64{-1, -2, -1, -2}, 1), -1), 5, false},
		"too many different": {blocks([]float64{-1, -2, -3, -1}, 1), 4, false},
		"many rows a block":  {blocks([]float64{-1, -2, -3, -4}, 19), 4, true},
		"fewer rows a block": {blocks([]float64{-1, -2, -3, -4}, 18), 4, false},
		"the same again":     {blocks([]float64{-1, -1, -2, -1}, 1), 0, false},
		"no value at first":  {append([]float64{0}, blocks([]float64{-1, -2, -1, -2}, 1)...), 0, false},
	} {
		if filled, found := values.Merged(tabletest.Cells(map[string][]float64{"c": c.values}), "c"); found != c.found || found && filled != c.filled {
			t.Errorf("%s: %d filled, %v", name, filled, found)
		}
	}
	for records, want := range map[int]bool{4000: true, 8000: false} { // of 8,000, some between others are missing
		some := tabletest.Made(new(table.Table), records, func(i int, _ *rand.Rand) map[string]string {
			return map[string]string{"c": tabletest.At(i < 180, fmt.Sprint(i)), "b": "x"}
		})
		if _, found := values.Merged(some, "c"); found != want {
			t.Errorf("of %d records: %v", records, found)
		}
	}
}
