package pairs

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// columns makes a table of so many rows by column, each row's cell by its number: a positive one is a number, a negative one a text, and 0 is missing.
func columns(rows int, cells map[string]func(i int) float64) *table.Table {
	made := map[string][]float64{}
	for name, of := range cells {
		for i := range rows {
			made[name] = append(made[name], of(i))
		}
	}
	return tabletest.Cells(made)
}

func anything(string) bool { return true }

// TestScalesAtTheirBounds: numbers of a level are some factor of the others' from 100 rows on, up to half of all rows, from a factor of 1.8 and thirty different numbers on.
func TestScalesAtTheirBounds(t *testing.T) {
	for _, c := range []struct {
		name           string
		rows, in, kind int // of in rows, and how many different numbers there are
		factor         float64
		want           bool
	}{
		{"enough rows", 400, 100, 50, 10, true}, {"too few rows", 400, 99, 50, 10, false}, {"half", 400, 200, 50, 10, true}, {"more than half", 400, 201, 50, 10, false},
		{"the least factor", 400, 100, 50, 1.8, true}, {"less", 400, 100, 50, 1.79, false}, {"its inverse", 400, 100, 50, .5, true},
		{"thirty numbers", 400, 100, 30, 10, true}, {"29 numbers", 400, 100, 29, 10, false}, {"too few others", 199, 99, 50, 10, false}, {"enough others", 200, 100, 50, 10, true},
	} {
		made := columns(c.rows, map[string]func(i int) float64{
			"x": func(i int) float64 { return tabletest.Pick(i < c.in, c.factor, 1) * float64(100+i%c.kind) },
			"a": func(i int) float64 { return tabletest.Pick(i < c.in, -1, -2) },
		})
		got, found := Scaled(made, "x", anything)
		// Of half of the rows, either level is that of the other.
		if is := found && (got.Level == 1 || 2*c.in == c.rows); is != c.want || is && (got.Category != "a" || got.Rows != c.in) {
			t.Errorf("%s: %+v, %v", c.name, got, found)
		}
	}
	if got, found := Scaled(columns(9, map[string]func(i int) float64{"x": func(int) float64 { return 1 }}), "y", anything); found {
		t.Errorf("a column that is not there: %+v", got)
	}
	// A number that is not positive has no part in a factor: 100 of 110 rows are left here, and the other level has 290 of 300.
	for fewer, want := range map[int]bool{10: true, 11: false} {
		made := columns(410, map[string]func(i int) float64{
			"x": func(i int) float64 {
				if i < fewer || i >= 400 {
					return 0
				}
				return tabletest.Pick(i < 110, 10, 1) * float64(100+i%50)
			},
			"a": func(i int) float64 { return tabletest.Pick(i < 110, -1, -2) },
		})
		if got, found := Scaled(made, "x", anything); found != want || found && got.Rows != 100 {
			t.Errorf("%d rows without a number: %+v, %v", fewer, got, found)
		}
	}
	// Of two levels with as many rows the one with the lower hash, wherever it comes first.
	for _, turned := range []bool{false, true} {
		made := columns(900, map[string]func(i int) float64{
			"x": func(i int) float64 { return tabletest.Pick(i < 200, 10, 1) * float64(100+i%50) },
			"a": func(i int) float64 {
				if i >= 200 {
					return -3
				}
				return tabletest.Pick((i < 100) != turned, -1, -2)
			},
		})
		if got, found := Scaled(made, "x", anything); !found || got.Level != 1 || got.Rows != 100 {
			t.Errorf("two levels with 100 rows: %+v, %v", got, found)
		}
	}
}

// TestExchangedAtItsBounds: rows in which both columns have one number do not count, and 24 columns are looked at.
func TestExchangedAtItsBounds(t *testing.T) {
	pair := func(more map[string]func(i int) float64, ties int) *table.Table {
		high := func(i int) float64 { return 210 + float64(i*53%97) }
		low := func(i int) float64 { return 100 + float64(i*37%101) }
		more["y"] = func(i int) float64 { return tabletest.Pick(i%8 == 0 && i >= 8*ties, low(i), high(i)) }
		more["z"] = func(i int) float64 {
			if i%8 == 0 && i < 8*ties {
				return high(i)
			}
			return tabletest.Pick(i%8 == 0, high(i), low(i))
		}
		more["a"] = func(i int) float64 { return tabletest.Pick(i%8 == 0, -2, -1) }
		return columns(800, more)
	}
	isA := func(name string) bool { return name == "a" }
	for ties, want := range map[int]Exchange{0: {"y", "z", "a", 2, 100}, 1: {"y", "z", "", 0, 99}} {
		if got, found := Exchanged(pair(map[string]func(i int) float64{}, ties), anything, isA); !found || got != want {
			t.Errorf("%d ties: %+v, %v", ties, got, found)
		}
	}
	for others, want := range map[int]bool{mostExchangeable - 2: true, mostExchangeable - 1: false} {
		more := map[string]func(i int) float64{}
		for k := range others {
			more[fmt.Sprintf("c%02d", k)] = func(int) float64 { return 0 }
		}
		if got, found := Exchanged(pair(more, 0), func(name string) bool { return name != "a" }, isA); found != want {
			t.Errorf("beside %d columns: %+v, %v", others, got, found)
		}
	}
	for _, c := range []struct {
		inside, elsewhere float64
		want              bool
	}{{.2, .8, true}, {.8, .2, true}, {.21, .8, false}, {.2, .79, false}, {.79, .2, false}, {.8, .21, false}, {.2, .2, false}, {.8, .8, false}} {
		if got := turnedRound(c.inside, c.elsewhere); got != c.want {
			t.Errorf("%v and %v: %v", c.inside, c.elsewhere, got)
		}
	}
}

// TestShiftedAtItsBounds: up to a fifth of the rows, of two kinds at least, and columns of at most so many texts.
func TestShiftedAtItsBounds(t *testing.T) {
	of := func(shifted, kinds, texts int) *table.Table {
		return columns(1000, map[string]func(i int) float64{
			"a": func(i int) float64 { return tabletest.Pick(i < shifted, -float64(1001+i%kinds), -float64(1+i%texts)) },
			"b": func(i int) float64 { return -float64(1001 + i%5) },
		})
	}
	for name, c := range map[string]struct {
		table *table.Table
		want  int
	}{
		"ten rows": {of(10, 2, 10), 10}, "nine rows": {of(9, 2, 10), 0}, "a kind": {of(40, 1, 10), 0}, "all but a fifth": {of(199, 5, 10), 199},
		"most texts": {of(10, 2, table.MostTexts-2), 10}, "more texts": {of(10, 2, table.MostTexts-1), 0},
	} {
		if here, there, rows := Shifted(c.table, anything); rows != c.want || rows > 0 && (here != "a" || there != "b") {
			t.Errorf("%s: %s, %s, %d rows", name, here, there, rows)
		}
	}
	for rows, want := range map[int]int{200: 200, 201: 0} { // each of the kinds is rare there: twenty of them
		made := columns(1000, map[string]func(i int) float64{
			"a": func(i int) float64 { return tabletest.Pick(i < rows, -float64(1001+i%20), -float64(1+i%10)) },
			"b": func(i int) float64 { return -float64(1001 + i%20) },
		})
		if got := foreign(made, textsOf(made.Column("a")), textsOf(made.Column("b"))); got != want {
			t.Errorf("%d of 1,000 rows: %d", rows, got)
		}
	}
}

// TestTwofoldAtItsBounds: each column has a tenth of the rows and 100 at least, both nine in ten, and nine in ten of the texts are in the other.
func TestTwofoldAtItsBounds(t *testing.T) {
	of := func(rows, first, second int, text func(i int) float64) *table.Table {
		return columns(rows, map[string]func(i int) float64{
			"a": func(i int) float64 { return tabletest.Pick(i < first, text(i), 0) },
			"b": func(i int) float64 { return tabletest.Pick(i >= first && i < first+second, text(i), 0) },
		})
	}
	five := func(i int) float64 { return -float64(1 + i%5) }
	most := func(i int) float64 { return -float64(1 + i%table.MostTexts) }
	more := func(i int) float64 { return -float64(1 + i%(table.MostTexts+1)) }
	own := func(n int) func(i int) float64 { // of the first column's 500 texts n are its own
		return func(i int) float64 { return tabletest.Pick(i < n, -9, -float64(1+i%2)) }
	}
	for name, c := range map[string]struct {
		table *table.Table
		want  bool
	}{
		"a tenth": {of(1000, 100, 900, five), true}, "less than a tenth": {of(1010, 100, 910, five), false}, "a hundred": {of(200, 100, 100, five), true}, "fewer": {of(199, 99, 100, five), false},
		"nine in ten": {of(1000, 500, 400, five), true}, "fewer than nine in ten": {of(1000, 500, 399, five), false},
		"most texts": {of(1000, 500, 500, most), true}, "more texts": {of(1000, 500, 500, more), false},
		"a tenth of its own": {of(1000, 500, 500, own(50)), true}, "more of its own": {of(1000, 500, 500, own(51)), false},
		"one text": {of(1000, 500, 500, func(int) float64 { return -1 }), false},
	} {
		if got := Twofold(c.table, anything); (len(got) == 1) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
