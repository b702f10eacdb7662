package changes_test

import (
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table/changes"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestTheBoundsOfMoved: of 500 rows the first hundred and the last are compared: how many have a value, how many different ones, and how often the same.
func TestTheBoundsOfMoved(t *testing.T) {
	texts := func(first, n int) (all []float64) { // as many different ones, in turn, until there are a hundred
		for i := range 100 {
			all = append(all, -float64(first+i%n))
		}
		return all
	}
	numbers := tabletest.Rising(1, 100)
	for name, c := range map[string]struct {
		first, last []float64
		want        changes.Move
	}{
		"stops":                      {slices.Concat(tabletest.Times(0, 10), numbers[:90]), slices.Concat(tabletest.Times(0, 98), numbers[:2]), changes.Stops},
		"fewer have one at first":    {slices.Concat(tabletest.Times(0, 11), numbers[:89]), slices.Concat(tabletest.Times(0, 98), numbers[:2]), changes.Stays},
		"more have one in the end":   {slices.Concat(tabletest.Times(0, 10), numbers[:90]), slices.Concat(tabletest.Times(0, 97), numbers[:3]), changes.Stays},
		"starts":                     {slices.Concat(tabletest.Times(0, 98), numbers[:2]), slices.Concat(tabletest.Times(0, 10), numbers[:90]), changes.Starts},
		"more have one at first":     {slices.Concat(tabletest.Times(0, 97), numbers[:3]), slices.Concat(tabletest.Times(0, 10), numbers[:90]), changes.Stays},
		"fewer have one in the end":  {slices.Concat(tabletest.Times(0, 98), numbers[:2]), slices.Concat(tabletest.Times(0, 11), numbers[:89]), changes.Stays},
		"sticks":                     {numbers, tabletest.Times(7, 100), changes.Sticks},
		"sticks, but for one":        {numbers, slices.Concat(tabletest.Times(7, 99), []float64{8}), changes.Stays},
		"of few, seven tenths":       {slices.Concat(tabletest.Times(7, 70, 8, 30)), tabletest.Times(7, 100), changes.Sticks},
		"of few, more":               {slices.Concat(tabletest.Times(7, 71, 8, 29)), tabletest.Times(7, 100), changes.Settles},
		"of thirty, mostly this one": {slices.Concat(tabletest.Times(7, 71), tabletest.Rising(10, 29)), tabletest.Times(7, 100), changes.Sticks},
		"of fewer":                   {slices.Concat(tabletest.Times(7, 72), tabletest.Rising(10, 28)), tabletest.Times(7, 100), changes.Settles},
		"settles":                    {slices.Concat(tabletest.Times(-1, 77, -2, 23)), tabletest.Times(-1, 100), changes.Settles},
		"by chance":                  {slices.Concat(tabletest.Times(-1, 78, -2, 22)), tabletest.Times(-1, 100), changes.Stays},
		"settles, some without":      {slices.Concat(tabletest.Times(-1, 69, -2, 23, 0, 8)), tabletest.Times(-1, 92, 0, 8), changes.Settles},
		"to one that is new":         {tabletest.Times(-1, 50, -2, 50), tabletest.Times(-3, 100), changes.Stays},
		"two that are new":           {tabletest.Times(-1, 50, -2, 50), tabletest.Times(-3, 50, -4, 50), changes.Others},
		"one in fifty is known":      {tabletest.Times(-1, 50, -2, 50), tabletest.Times(-3, 50, -4, 48, -1, 2), changes.Others},
		"more are known":             {tabletest.Times(-1, 50, -2, 50), tabletest.Times(-3, 50, -4, 47, -1, 3), changes.Stays},
		"one text at first":          {tabletest.Times(-1, 100), tabletest.Times(-3, 50, -4, 50), changes.Stays},
		"fifty texts":                {texts(1, 50), texts(101, 50), changes.Others},
		"more at first":              {texts(1, 51), texts(101, 50), changes.Stays},
		"more in the end":            {texts(1, 50), texts(101, 51), changes.Stays},
		"numbers in the end":         {tabletest.Times(-1, 50, -2, 50), tabletest.Times(3, 50, 4, 50), changes.Stays},
	} {
		column := slices.Concat(c.first, tabletest.Times(c.first[99], 300), c.last)
		if len(column) != 500 {
			t.Fatalf("%s: %d rows", name, len(column))
		}
		if got := changes.Moved(tabletest.Cells(map[string][]float64{"x": column}), "x"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := changes.Moved(tabletest.Cells(map[string][]float64{"x": column[1:]}), "x"); got != changes.Stays {
			t.Errorf("%s, a row less: %q", name, got)
		}
	}
}

// TestTheBoundsOfRenamed: of 250 rows the first hundred and the last are compared.
func TestTheBoundsOfRenamed(t *testing.T) {
	for name, c := range map[string]struct {
		first, last []float64
		gone, taken uint64
	}{
		"renamed":               {tabletest.Times(-1, 60, -2, 40), tabletest.Times(-1, 60, -3, 40), 2, 3},
		"a number among them":   {tabletest.Times(-1, 60, -2, 39, 5, 1), tabletest.Times(-1, 60, -3, 40), 0, 0},
		"too few":               {tabletest.Times(-1, 61, -2, 39), tabletest.Times(-1, 61, -3, 39), 0, 0},
		"one stays":             {tabletest.Times(-1, 60, -2, 40), tabletest.Times(-1, 60, -3, 39, -2, 1), 0, 0},
		"a cell without a text": {tabletest.Times(-1, 60, -2, 40), tabletest.Times(-1, 59, -3, 40, 0, 1), 0, 0},
		"one text at first":     {tabletest.Times(-2, 100), tabletest.Times(-1, 50, -3, 50), 0, 0},
		"into one that is left": {tabletest.Times(-1, 60, -2, 40), tabletest.Times(-1, 99, -3, 1), 2, 1},
	} {
		column := slices.Concat(c.first, tabletest.Times(-1, 50), c.last)
		gone, taken, share, found := changes.Renamed(tabletest.Cells(map[string][]float64{"x": column}), "x")
		if found != (c.gone != 0) || found && (gone != c.gone || taken != c.taken || share <= 0) {
			t.Errorf("%s: %d, %d, %v, %v", name, gone, taken, share, found)
		}
		if _, _, _, found := changes.Renamed(tabletest.Cells(map[string][]float64{"x": column[1:]}), "x"); found {
			t.Errorf("%s, a row less", name)
		}
	}
	if _, _, _, found := changes.Renamed(tabletest.Cells(map[string][]float64{"x": tabletest.Times(-1, 250)}), "y"); found {
		t.Error("a column that is not there")
	}
}
