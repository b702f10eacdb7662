package pairs_test

import (
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/pairs"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestExchanged: in the rows of a category, or in a few rows anywhere, what is mostly the larger column is the smaller one, and each is there what the other
// is elsewhere.
func TestExchanged(t *testing.T) {
	every := func(n int) func(i int) bool { return func(i int) bool { return i%n == 0 } }
	first := func(n int) func(i int) bool { return func(i int) bool { return i < n } }
	// high and low in so many rows; the category a is 2 where is says so, and the columns are exchanged where exchanged does.
	made := func(rows int, is, exchanged func(i int) bool, more float64) *table.Table {
		columns := map[string][]float64{}
		for i := range rows {
			high, low := 210+float64(i*53%97), 100+float64(i*37%101)
			if exchanged(i) {
				high, low = low+more, high+more
			}
			columns["a"] = append(columns["a"], tabletest.Pick(is(i), -2, -1))
			columns["high"], columns["low"] = append(columns["high"], high), append(columns["low"], low)
		}
		return tabletest.Cells(columns)
	}
	in := func(category string, level uint64, rows int) pairs.Exchange {
		return pairs.Exchange{First: "high", Second: "low", Category: category, Level: level, Rows: rows}
	}
	for name, c := range map[string]struct {
		table *table.Table
		want  pairs.Exchange
	}{
		"in one of four":             {made(800, every(4), every(4), 0), in("a", 2, 200)},
		"in half":                    {made(800, every(2), every(2), 0), in("a", 2, 400)},
		"in one of eight of 800":     {made(800, every(8), every(8), 0), in("a", 2, 100)},
		"in one of eight of 792":     {made(792, every(8), every(8), 0), in("", 0, 99)}, // too few for a category
		"in fifteen rows anywhere":   {made(800, every(4), first(15), 0), in("", 0, 15)},
		"in fourteen":                {made(800, every(4), first(14), 0), pairs.Exchange{}},
		"in a fifth":                 {made(800, every(4), first(160), 0), in("", 0, 160)},
		"in more, in no category":    {made(800, every(4), first(161), 0), pairs.Exchange{}},
		"nowhere":                    {made(800, every(4), first(0), 0), pairs.Exchange{}},
		"other numbers in one level": {made(800, every(4), every(4), 500), pairs.Exchange{}},
		"other numbers anywhere":     {made(800, every(3), first(100), 500), pairs.Exchange{}},
		"in most of a level":         {made(800, every(4), func(i int) bool { return i%4 == 0 && i%20 != 0 }, 0), in("", 0, 160)},
		"in seven tenths of a level": {made(800, every(4), func(i int) bool { return i%4 == 0 && i/4%10 < 7 }, 0), in("", 0, 140)},
	} {
		got, found := pairs.Exchanged(c.table, tabletest.Anything, func(name string) bool { return name == "a" })
		if got != c.want || found != (c.want != pairs.Exchange{}) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, found, c.want)
		}
	}
	exchanged := made(800, every(4), every(4), 0)
	if got, found := pairs.Exchanged(exchanged, func(name string) bool { return name != "low" }, tabletest.Anything); found {
		t.Errorf("with a column that is not meant: %+v", got)
	}
	if got, found := pairs.Exchanged(exchanged, tabletest.Anything, func(string) bool { return false }); found {
		t.Errorf("by a column that is no category: %+v", got)
	}
}
